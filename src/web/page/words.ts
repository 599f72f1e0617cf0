import { page as en } from '../../words/en/page.ts';
import { fill } from '../../words/fill.ts';
import { page as zh } from '../../words/zh/page.ts';
import { language } from './state.ts';

export type PageWord = keyof typeof en;

/**
 * A sentence of the page itself, in the language of the moment. Answers come with their sentences; the page needs the whole
 * dictionary for none of its own.
 */
export function t(code: PageWord, args: Readonly<Record<string, string | number>> = {}): string {
  const template: string = language.value === 'zh-CN' ? zh[code] : en[code];
  return fill(template, (name) => (args[name] === undefined ? undefined : String(args[name])));
}
