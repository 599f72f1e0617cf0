export type { Message } from './words/message.ts';
