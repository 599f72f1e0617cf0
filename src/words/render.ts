import { fill } from './fill.ts';
import { tables } from './languages.ts';
import type { Language, Message } from './message.ts';

/** The sentence of a message in a language. */
export function render(message: Message, language: Language): string {
  return fill(tables[language]?.[message.code] ?? message.code, (name) => {
    const value = Object.hasOwn(message.args, name) ? message.args[name] : undefined;
    return value === undefined ? undefined : typeof value === 'object' ? render(value, language) : String(value);
  });
}
