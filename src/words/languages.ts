import { en } from './en/index.ts';
import type { Language } from './message.ts';
import { zh } from './zh/index.ts';

/** The sentences of every language. The page has a table of its own in place of this, which loads a language when it is spoken. */
export const tables: Partial<Record<Language, Readonly<Record<string, string>>>> = { en, 'zh-CN': zh };
