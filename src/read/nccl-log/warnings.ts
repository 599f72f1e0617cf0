import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { Counted, Warning } from './types.ts';
import { kindOf } from './warning-kinds.ts';

type Kept = Omit<Warning, 'count' | 'hosts'> & { count: number; readonly hosts: Set<string> };

/** Distinct texts; what differs only in an address, a pointer or a size counts as the same. */
const warningLimit = 512;

/** Warnings, each distinct one once, by fault family. */
export class Warnings {
  readonly #found = new Bounded<Kept>(warningLimit);
  readonly #returns = new Bounded<{ -readonly [K in keyof Counted]: Counted[K] }>(256);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  get dropped(): number {
    return this.#found.dropped;
  }

  add(
    text: string,
    level: Warning['level'],
    number: number,
    from: {
      readonly host?: string | undefined;
      readonly source?: string | undefined;
      readonly function?: string | undefined;
    },
  ): void {
    const trimmed = text.trim();
    const same = trimmed.replace(
      /0x[0-9a-f]+|\b[0-9a-f]{12,}\b|\d{5,}|\b\d+\.\d+\.\d+\.\d+(?:<\d+>)?|nccl-[\w-]+/g,
      '#',
    );
    const entry = this.#found.take(`${level} ${from.source ?? ''} ${same}`, () => ({
      text: own(trimmed.slice(0, 1024)),
      level,
      ...kindOf(trimmed),
      ...(from.source === undefined ? {} : { source: from.source }),
      ...(from.function === undefined ? {} : { function: from.function }),
      hosts: new Set(),
      count: 0,
      at: this.#at(number),
    }));
    if (!entry) return;
    entry.count++;
    if (from.host !== undefined && entry.hosts.size < 4096) entry.hosts.add(from.host);
  }

  /** `transport/net.cc:754 -> 2`. */
  returned(message: string, number: number): boolean {
    const found = /^(\S+\.(?:cc|cu|h|cpp|hpp|cuh|c):\d+ -> \d+)/.exec(message);
    if (!found) return false;
    const text = found[1]!.replace(/^.*\/src\//, '');
    const entry = this.#returns.take(text, () => ({ text: own(text), count: 0, at: this.#at(number) }));
    if (entry) entry.count++;
    return true;
  }

  result(): Warning[] {
    return this.#found.values().map(({ hosts, ...entry }) => ({ ...entry, hosts: [...hosts] }));
  }

  returns(): Counted[] {
    return this.#returns.values();
  }
}
