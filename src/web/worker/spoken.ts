import type { Language } from '../../words/message.ts';

/** Stands for `words/languages.ts` in the page (see `vite.config.ts`): a language is a third of the worker, and nobody reads two at once. */
export const tables: Partial<Record<Language, Readonly<Record<string, string>>>> = {};

/** Fetches the sentences of a language, once; those that only the command line says stay away. */
export async function speak(language: Language): Promise<void> {
  tables[language] ??=
    language === 'en'
      ? (await import('../../words/en/spoken.ts')).spoken
      : (await import('../../words/zh/spoken.ts')).spoken;
}
