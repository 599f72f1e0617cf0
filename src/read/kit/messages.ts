import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import type { Format, Session } from '../format.ts';
import { Bounded, own } from '../own.ts';
import { hinted } from './lines.ts';

/** What a log or a terminal says, by topic: only lines that mean something are kept. */
export interface Messages {
  readonly kind: 'messages';
  readonly file: string;
  readonly from: MessageSource;
  readonly messages: readonly SaidMessage[];
  /** Lines of the log, with those that mean nothing here. */
  readonly lines: number;
}

export type MessageSource = 'kernel' | 'cufile' | 'fabric-manager' | 'nvshmem' | 'application';

export interface SaidMessage {
  readonly topic: string;
  /** The groups of the topic's pattern, as printed. */
  readonly words: readonly string[];
  readonly text: string;
  /** How often it was said with the same words; `at` is the first time. */
  readonly count: number;
  readonly at: Where;
}

export interface Topic {
  readonly topic: string;
  readonly pattern: RegExp;
}

export interface MessageSpec {
  readonly id: string;
  readonly from: MessageSource;
  readonly example: string;
  readonly topics: readonly Topic[];
  /** Words of which a line must hold one to be of a topic: the cheap test. */
  readonly hints: readonly string[];
  /** The prefix that makes any line one of this log. */
  readonly prefix?: RegExp;
  /** Lines with the prefix that other formats read. */
  readonly leave?: RegExp;
}

const longest = 8192;
const messageLimit = 2000;

export function messageFormat(spec: MessageSpec): Format {
  // One pass over a line instead of one a topic: most lines are of no topic.
  const pattern = new RegExp(spec.topics.map((t) => t.pattern.source).join('|'));
  const any = { test: (line: string): boolean => hinted(line, spec.hints) && pattern.test(line) };
  const { prefix, leave } = spec;
  const prefixed = (line: string): boolean =>
    prefix?.test(line.length > 120 ? line.slice(0, 120) : line) === true && leave?.test(line) !== true;
  return {
    id: spec.id,
    missing: say('input.opens', { example: spec.example }),
    // Without a prefix of its own, a topic is all that can open it.
    ...(spec.prefix ? {} : { hints: spec.hints }),
    match: (line) => line.length <= longest && (prefixed(line) || any.test(line)),
    open: (context): Session => {
      const kept = new Bounded<{
        topic: string;
        words: string[];
        text: string;
        count: number;
        at: Where;
        told: boolean;
      }>(messageLimit);
      let lines = 0;
      return {
        line(text, number) {
          if (text.length > longest) return 'passed';
          const own_ = prefixed(text);
          if (own_) lines++;
          if (!any.test(text)) return own_ ? 'took' : 'passed';
          for (const { topic, pattern } of spec.topics) {
            const found = pattern.exec(text);
            if (!found) continue;
            const words = found.slice(1).map((w) => own((w ?? '').slice(0, 200)));
            const entry = kept.take(`${topic} ${words.join(' ')}`, () => ({
              topic,
              words,
              text: own(text.trim().slice(0, 400)),
              count: 0,
              at: context.at(number),
              // Somebody who writes of a message quotes it before the log that has it.
              told: !own_,
            }));
            if (entry) {
              entry.count++;
              if (entry.told && own_) {
                entry.at = context.at(number);
                entry.text = own(text.trim().slice(0, 400));
                entry.told = false;
              }
            }
            if (!own_) lines++;
            return 'took';
          }
          return own_ ? 'took' : 'passed';
        },
        close: () =>
          lines === 0
            ? undefined
            : {
                kind: 'messages',
                file: context.file,
                from: spec.from,
                messages: kept.values().map(({ told: _, ...message }) => message),
                lines,
              },
      };
    },
  };
}
