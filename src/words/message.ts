import type { MessageCode } from './en/index.ts';

export type { MessageCode };

/** What code says to a person: a stable code and its data. The sentence lives in `words/<language>`. */
export interface Message {
  readonly code: MessageCode;
  readonly args: Readonly<Record<string, string | number | Message>>;
}

export const say = (code: MessageCode, args: Message['args'] = {}): Message => ({ code, args });

export type Language = 'en' | 'zh-CN';
