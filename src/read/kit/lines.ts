import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import type { Document } from '../documents.ts';
import type { Format, ReadContext, Session } from '../format.ts';
import { tagOf } from './tag.ts';

/** A format whose lines stand alone: each is an entry, or none of its business. */
export interface LineSpec<E> {
  readonly id: string;
  /** A line that opens it, shown when none was found. */
  readonly example: string;
  /** Words of which a line must hold one before `entry` is asked: the cheap test. */
  readonly hints?: readonly string[];
  readonly entry: (line: string, at: Where) => E | undefined;
  readonly build: (entries: readonly E[], context: ReadContext) => Document | undefined;
  /** Foreign lines in a row after which a list is over, so that two lists become two documents. Without it, none is. */
  readonly patience?: number;
  /** Entries kept. */
  readonly limit?: number;
  /** Each host has a list of its own: where a launcher says whose a line is, one document for each. */
  readonly byHost?: boolean;
  /** What names an entry in its list: one that is there already begins the list of another host. */
  readonly key?: (entry: E) => string;
}

export const hinted = (line: string, hints: readonly string[] | undefined): boolean => {
  if (!hints) return true;
  for (const hint of hints) if (line.includes(hint)) return true;
  return false;
};

/** No command prints longer lines that mean something to these readers. */
const longest = 4096;
const entryLimit = 4000;

export function lineFormat<E>(spec: LineSpec<E>): Format {
  const { id, hints, entry } = spec;
  const nowhere: Where = { file: '', line: 0 };
  const fits = (line: string): boolean => line.length <= longest && hinted(line, hints);
  return {
    id,
    missing: say('input.opens', { example: spec.example }),
    ...(hints ? { hints } : {}),
    match: (line) => fits(line) && entry(line, nowhere) !== undefined,
    open: (context): Session => {
      const lists = new Map<string, E[]>();
      const done: [host: string, entries: E[]][] = [];
      const seen = new Map<string, Set<string>>();
      let kept = 0;
      let idle = 0;
      return {
        line(text, number) {
          const found = fits(text) ? entry(text, context.at(number)) : undefined;
          if (found === undefined) return ++idle > (spec.patience ?? Number.POSITIVE_INFINITY) ? 'ended' : 'passed';
          idle = 0;
          if (kept++ >= (spec.limit ?? entryLimit)) return 'took';
          const whose = spec.byHost ? (tagOf(text) ?? '') : '';
          if (spec.key) {
            const name = spec.key(found);
            const names = seen.get(whose);
            if (!names) seen.set(whose, new Set([name]));
            else if (names.has(name)) {
              done.push([whose, lists.get(whose)!]);
              lists.delete(whose);
              seen.set(whose, new Set([name]));
            } else names.add(name);
          }
          const list = lists.get(whose);
          if (list) list.push(found);
          else lists.set(whose, [found]);
          return 'took';
        },
        close: () =>
          [...done, ...lists].flatMap(
            ([host, entries]) =>
              spec.build(entries, host === '' ? context : { ...context, host: host.trimEnd() }) ?? [],
          ),
      };
    },
  };
}
