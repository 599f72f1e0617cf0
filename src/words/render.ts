import { tables } from './languages.ts';
import type { Language, Message } from './message.ts';

/**
 * The sentence of a message in a language. A placeholder without data stays visible as `{name}`, so that it is noticed.
 * `{count|node|nodes}` is the first word where `count` is one, else the second.
 */
export function render(message: Message, language: Language): string {
  const template = tables[language]?.[message.code] ?? message.code;
  return template.replace(
    /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = Object.hasOwn(message.args, name) ? message.args[name] : undefined;
      if (value === undefined) return whole;
      if (one !== undefined && many !== undefined) return String(value) === '1' ? one : many;
      return typeof value === 'object' ? render(value, language) : String(value);
    },
  );
}
