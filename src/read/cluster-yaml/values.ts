import type { Alias, Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { nearest } from '../../base/nearest.ts';
import type { Fact, Where } from '../../fact/fact.ts';
import { type Message, say } from '../../words/message.ts';
import type { ClusterProblem } from './types.ts';

/** A value of the description before anybody asked what type it should have: all scalars are text, `2.30` stays `2.30`. */
export type Value =
  | { readonly kind: 'text'; readonly text: string; readonly at: Where }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value>; readonly at: Where }
  | { readonly kind: 'list'; readonly at: Where }
  | { readonly kind: 'nothing'; readonly at: Where };

/** No sensible description comes near these; what exceeds them is refused, not expanded. */
const maxValues = 20_000;
const maxDepth = 16;
const maxAliases = 100;

/** The classes of the YAML library this needs; passed in, so that the library is only loaded when there is YAML. */
export interface YamlKinds {
  isAlias(node: unknown): node is Alias;
  isMap(node: unknown): node is YAMLMap;
  isSeq(node: unknown): node is YAMLSeq;
  isScalar(node: unknown): node is Scalar;
}

/** Turns the library's tree into values with lines. Aliases are followed, but the sum of what they expand to is bounded. */
export function toValue(
  root: unknown,
  document: Document,
  kinds: YamlKinds,
  where: (offset: number) => Where,
  problems: ClusterProblem[],
): Value {
  let budget = maxValues;
  let aliases = 0;
  const at = (node: unknown, fallback: Where): Where => {
    const range = (node as Node | null | undefined)?.range;
    return range ? where(range[0]) : fallback;
  };
  const visit = (node: unknown, depth: number, fallback: Where): Value => {
    const here = at(node, fallback);
    if (--budget < 0 || depth > maxDepth || (kinds.isAlias(node) && ++aliases > maxAliases)) {
      if (budget > -maxValues) problems.push({ message: say('cluster.tooBig'), at: here });
      budget = -maxValues;
      return { kind: 'nothing', at: here };
    }
    if (kinds.isAlias(node)) {
      const target = node.resolve(document);
      return target === undefined ? { kind: 'nothing', at: here } : { ...visit(target, depth + 1, here), at: here };
    }
    if (kinds.isMap(node)) {
      const entries = new Map<string, Value>();
      for (const pair of node.items as Pair[]) {
        const key = kinds.isScalar(pair.key) ? String(pair.key.value) : '?';
        const keyAt = at(pair.key, here);
        const value = visit(pair.value, depth + 1, keyAt);
        // People look for the key's line, not for the line its value ends up on.
        entries.set(key, value.kind === 'map' ? value : { ...value, at: keyAt });
      }
      return { kind: 'map', entries, at: here };
    }
    if (kinds.isSeq(node)) return { kind: 'list', at: here };
    if (kinds.isScalar(node) && node.value !== null && String(node.value) !== '') {
      return { kind: 'text', text: String(node.value), at: here };
    }
    return { kind: 'nothing', at: here };
  };
  return visit(root, 0, where(0));
}

/** Reads the keys of one map, collecting what is wrong with them. */
export class Section {
  private readonly asked = new Set<string>();

  constructor(
    private readonly entries: ReadonlyMap<string, Value>,
    private readonly prefix: string,
    readonly at: Where,
    readonly problems: ClusterProblem[],
  ) {}

  private name(key: string): string {
    return this.prefix === '' ? key : `${this.prefix}.${key}`;
  }

  problem(message: Message, at: Where = this.at): undefined {
    this.problems.push({ message, at });
    return undefined;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  where(key: string): Where {
    return this.entries.get(key)?.at ?? this.at;
  }

  /** The keys that are there, and where. */
  places(): ReadonlyMap<string, Where> {
    return new Map([...this.entries].map(([key, value]) => [key, value.at]));
  }

  raw(key: string): Value | undefined {
    this.asked.add(key);
    return this.entries.get(key);
  }

  private wrongType(key: string, wanted: Message, value: Value): undefined {
    const got = value.kind === 'text' ? value.text.slice(0, 60) : say(`cluster.got.${value.kind}`);
    return this.problem(say('cluster.wrongType', { key: this.name(key), wanted, got }), value.at);
  }

  text(key: string, wanted: Message = say('cluster.want.text')): Fact<string> | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (value.kind !== 'text') return this.wrongType(key, wanted, value);
    return { value: value.text, at: [value.at], by: 'input' };
  }

  number(key: string, low: number, high: number, whole = true): Fact<number> | undefined {
    const wanted = say(whole ? 'cluster.want.whole' : 'cluster.want.number');
    const text = this.text(key, wanted);
    if (text === undefined) return undefined;
    const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text.value) ? Number(text.value) : Number.NaN;
    const at = text.at[0]!;
    if (!Number.isFinite(number) || (whole && !Number.isInteger(number))) {
      return this.wrongType(key, wanted, { kind: 'text', text: text.value, at });
    }
    if (number < low || number > high) {
      return this.problem(say('cluster.outOfRange', { key: this.name(key), value: text.value, low, high }), at);
    }
    return { value: number, at: [at], by: 'input' };
  }

  /** A yes or no; `auto` (where allowed) is as good as saying nothing. */
  yesNo(key: string, auto = false): Fact<boolean> | undefined {
    const wanted = say(auto ? 'cluster.want.yesNoAuto' : 'cluster.want.yesNo');
    const text = this.text(key, wanted);
    if (text === undefined || (auto && text.value.toLowerCase() === 'auto')) return undefined;
    const word = text.value.toLowerCase();
    if (word === 'true' || word === 'yes' || word === 'on') return { ...text, value: true };
    if (word === 'false' || word === 'no' || word === 'off') return { ...text, value: false };
    return this.wrongType(key, wanted, { kind: 'text', text: text.value, at: text.at[0]! });
  }

  /** One of a set of words. */
  choice<T extends string>(key: string, known: Iterable<T>): Fact<T> | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const list = [...known];
    const found = list.find((word) => word === text.value.toLowerCase());
    if (found !== undefined) return { ...text, value: found };
    const close = nearest(text.value, list);
    const args = { key: this.name(key), value: text.value.slice(0, 60), known: list.join(', ') };
    return this.problem(
      close === undefined
        ? say('cluster.unknownValue', args)
        : say('cluster.unknownValueNear', { ...args, nearest: close }),
      text.at[0],
    );
  }

  /** A map below this one; absent when the key is. */
  section(key: string): Section | undefined {
    const value = this.raw(key);
    if (value === undefined || value.kind === 'nothing') return undefined;
    if (value.kind !== 'map') return this.wrongType(key, say('cluster.want.map'), value);
    return new Section(value.entries, this.name(key), value.at, this.problems);
  }

  missing(key: string): undefined {
    return this.problem(say('cluster.missing', { key: this.name(key) }));
  }

  /** Call last: whatever nobody asked for is a slip of the pen. */
  finish(): void {
    for (const [key, value] of this.entries) {
      if (this.asked.has(key)) continue;
      const close = nearest(key, this.asked);
      const args = { key: this.name(key).slice(0, 80), known: [...this.asked].join(', ') };
      this.problem(
        close === undefined
          ? say('cluster.unknownKey', args)
          : say('cluster.unknownKeyNear', { ...args, nearest: close }),
        value.at,
      );
    }
  }
}
