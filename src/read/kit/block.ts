import { say } from '../../words/message.ts';
import type { Document } from '../documents.ts';
import type { Format, ReadContext, Session } from '../format.ts';
import { hinted } from './lines.ts';
import { isTag, tagOf } from './tag.ts';

/** A format whose lines belong together below a first one. */
export interface BlockSpec {
  readonly id: string;
  /** A line that opens it, shown when none was found. */
  readonly example: string;
  readonly hints?: readonly string[];
  /** Finds the first line; what stands before the match is a prefix (of a log, a mail, mpirun) that all lines carry. */
  readonly starts: RegExp;
  /** Foreign lines in a row after which the block is over. */
  readonly patience?: number;
  readonly open: (context: ReadContext) => Block;
}

export interface Block {
  /** True when the line was its own. */
  take(line: string, number: number): boolean;
  /** Several where one tool's output stands there more than once. */
  close(): Document | readonly Document[] | undefined;
}

const longest = 8192;
const prefixLimit = 80;
const tagLimit = 1024;
/**
 * The rest of a prefix that only the first line has, because that line is the command: a prompt (`$ `, `user@host:~# `, `+ ` of `set -x`),
 * or the command's first word.
 */
const asked =
  /(?:(?:[\w.-]{1,40}@[\w.-]{1,60}[: ]?[\w~/.-]{0,80}|[\w.-]{1,40}|\])?[$#%❯] ?|(?:^|\s)\+ |\b(?:sudo|cat|grep|head|tail|ls|lspci|setpci|for|modinfo) ).*$/;

export function blockFormat(spec: BlockSpec): Format {
  const { hints, starts } = spec;
  const startOf = (line: string): number => {
    if (line.length > longest || !hinted(line, hints)) return -1;
    const at = starts.exec(line)?.index ?? -1;
    return at > prefixLimit && line.slice(0, at).replace(asked, '').length > prefixLimit ? -1 : at;
  };
  return {
    id: spec.id,
    missing: say('input.opens', { example: spec.example }),
    ...(hints ? { hints } : {}),
    match: (line) => startOf(line) >= 0,
    open: (context): Session => {
      let block = spec.open(context);
      /** Where a launcher says whose each line is, one block for each. */
      const tagged = new Map<string, Block>();
      let strip: ((line: string) => string) | undefined;
      let idle = 0;
      const take = (text: string, number: number): boolean => {
        if (!strip) {
          const prefix = text.slice(0, Math.max(0, startOf(text))).replace(asked, '');
          if (isTag(prefix)) {
            block = spec.open({ ...context, host: prefix.trimEnd() });
            tagged.set(prefix.trimEnd(), block);
          }
          strip = stripper(prefix);
        }
        const tag = tagged.size === 0 ? undefined : tagOf(text);
        if (tag === undefined) return block.take(strip(text), number);
        const whose = tag.trimEnd();
        let mine = tagged.get(whose);
        if (!mine && tagged.size < tagLimit && startOf(text) >= 0) {
          mine = spec.open({ ...context, host: whose });
          tagged.set(whose, mine);
        }
        // Numbers may be those of lines, which nobody has twice; a word that looks like no host's name is part of the text.
        if (!mine && /^\s*\d+:$/.test(whose)) mine = [...tagged.values()].at(-1)!;
        if (mine) return mine.take(text.slice(tag.length), number);
        return ![...tagged.keys()].some((t) => sameShape(t, whose)) && block.take(strip(text), number);
      };
      return {
        line(text, number) {
          if (text.length > longest) return 'passed';
          if (take(text, number)) {
            idle = 0;
            return 'took';
          }
          return ++idle > (spec.patience ?? 12) ? 'ended' : 'passed';
        },
        close: () => (tagged.size < 2 ? block.close() : [...tagged.values()].flatMap((one) => one.close() ?? [])),
      };
    },
  };
}

/** Names of hosts of one cluster: they differ in their numbers. */
const sameShape = (a: string, b: string): boolean => a.replace(/\d+/g, '0') === b.replace(/\d+/g, '0');

/** Takes off what stood before the first line. Digits in it (a time, a rank) may change from line to line. */
function stripper(prefix: string): (line: string) => string {
  if (prefix.trim() === '') return (line) => line;
  const bare = prefix.trimEnd();
  const pattern = new RegExp(
    `^${bare.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/[0-9]+/g, '\\d{1,20}')}${bare === prefix ? '' : ' ?'}`,
  );
  return (line) => line.replace(pattern, '');
}
