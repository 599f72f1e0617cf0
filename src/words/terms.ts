import type { Language } from './message.ts';
import { pathTerms } from './terms/path-types.ts';
import { systemTerms } from './terms/systems.ts';
import { wireTerms } from './terms/wires.ts';

/** A word of the field, explained in both languages. A newline begins a paragraph. */
export interface Term extends Readonly<Record<Language, string>> {
  /** The spellings people use; the first is the one shown. */
  readonly names: readonly string[];
}

export const terms: readonly Term[] = [...pathTerms, ...systemTerms, ...wireTerms];

/** Looks a word up whatever its case, blanks and hyphens; `NV18` is found under `NV#`. */
export function findTerm(word: string): Term | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');
  const wanted = plain(word).replace(/^nv\d+$/, 'nv#');
  return terms.find((t) => t.names.some((n) => plain(n) === wanted));
}
