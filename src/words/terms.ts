import type { Language } from './message.ts';
import { partTerms } from './terms/parts.ts';
import { pathTerms } from './terms/path-types.ts';
import { systemTerms } from './terms/systems.ts';
import { wireTerms } from './terms/wires.ts';

/** A word of the field, explained in both languages. A newline begins a paragraph. */
export interface Term extends Readonly<Record<Language, string>> {
  /** The spellings people use; the first is the one shown. */
  readonly names: readonly string[];
}

export const terms: readonly Term[] = [...pathTerms, ...systemTerms, ...wireTerms, ...partTerms];

const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** Looks a word up whatever its case, blanks and hyphens; `NV18` is found under `NV#`. */
export function findTerm(word: string): Term | undefined {
  const wanted = plain(word).replace(/^nv\d+$/, 'nv#');
  return terms.find((t) => t.names.some((n) => plain(n) === wanted));
}

/** Of a line that somebody pasted the last term in it, where logs put what matters: `via NET/IB/0/GDRDMA` speaks of GDRDMA. */
export function termIn(text: string): Term | undefined {
  const words = text.split(/[^\w#]+/).filter((w) => w !== '');
  for (let end = words.length; end > 0; end--) {
    // Of several that end there the longest.
    for (let start = Math.max(0, end - 4); start < end; start++) {
      const some = words.slice(start, end).join('');
      const term = some.length > 2 ? findTerm(some) : undefined;
      if (term) return term;
    }
  }
  return undefined;
}
