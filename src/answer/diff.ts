import { assemble } from '../assemble/assemble.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { Facts } from '../doctor/facts.ts';
import { type Finding, titleOf } from '../doctor/finding.ts';
import type { WayVerdict } from '../doctor/verdicts.ts';
import type { Answer, Where } from '../fact/fact.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { Document } from '../read/documents.ts';
import { type Message, say } from '../words/message.ts';
import { isAlike } from './alike.ts';
import { answerPaths, type PathPair } from './paths.ts';

export type Side = 'a' | 'b';

/** One thing that is so on one side and not on the other. */
export interface Difference {
  readonly kind: 'finding' | 'way' | 'pair' | 'setting';
  readonly what: Message;
  readonly a?: Seen;
  readonly b?: Seen;
}

export interface Seen {
  readonly value: Message;
  readonly at?: Where;
}

export interface DiffAnswer {
  readonly differences: readonly Difference[];
  /** Nothing in common to compare: each side speaks of other things. */
  readonly apart: boolean;
}

/** What differs between two nodes, or before and after, and changes a verdict, or a rate where the verdict is the same; all else is left out. */
export function answerDiff(a: readonly Document[], b: readonly Document[], ask: Ask): DiffAnswer {
  const [da, db] = [diagnose(a), diagnose(b)];
  const pairs = pairDifferences(a, b, ask);
  const differences = [
    ...wayDifferences(da.ways, db.ways),
    ...findingDifferences(da.findings, db.findings),
    ...pairs.differences,
    ...settingDifferences(a, b),
  ];
  const common = da.ways.some((w) => db.ways.some((v) => v.way === w.way)) || pairs.common || isAlike(a, b);
  return { differences, apart: differences.length === 0 && !common };
}

function wayDifferences(a: readonly WayVerdict[], b: readonly WayVerdict[]): Difference[] {
  const ways = new Set([...a, ...b].map((w) => w.way));
  return [...ways].flatMap((way): Difference[] => {
    const [x, y] = [a.find((w) => w.way === way), b.find((w) => w.way === way)];
    if (x?.answer === y?.answer) return [];
    return [{ kind: 'way', what: (x ?? y)!.about, ...side('a', x && seenWay(x)), ...side('b', y && seenWay(y)) }];
  });
}

const seenWay = (w: WayVerdict): Seen => ({
  value: say(`diff.answer.${w.answer}`),
  ...(w.evidence[0] ? { at: w.evidence[0] } : {}),
});

function findingDifferences(a: readonly Finding[], b: readonly Finding[]): Difference[] {
  const ids = new Set([...a, ...b].map((f) => f.id));
  return [...ids].flatMap((id): Difference[] => {
    const [x, y] = [a.find((f) => f.id === id), b.find((f) => f.id === id)];
    if (x && y) return [];
    const seen = (f: Finding): Seen => ({ value: say('diff.found'), ...(f.evidence[0] ? { at: f.evidence[0] } : {}) });
    return [{ kind: 'finding', what: titleOf(id), ...side('a', x && seen(x)), ...side('b', y && seen(y)) }];
  });
}

const mostPairs = 12;

function pairDifferences(
  a: readonly Document[],
  b: readonly Document[],
  ask: Ask,
): { readonly differences: readonly Difference[]; readonly common: boolean } {
  const of = (documents: readonly Document[]): ReadonlyMap<string, PathPair> | undefined => {
    const machine = assemble(documents);
    if (machine.hosts.length === 0) return undefined;
    const paths = answerPaths(machine, ask);
    return paths.ok ? new Map(paths.value.pairs.map((p) => [`${p.from} → ${p.to}`, p])) : undefined;
  };
  const [x, y] = [of(a), of(b)];
  if (!x || !y) return { differences: [], common: false };
  const names = [...new Set([...x.keys(), ...y.keys()])];
  const differ = (pair: string): boolean => decided(x.get(pair)) !== decided(y.get(pair));
  const verdicts = names.filter(differ);
  // The same way over a narrower link is decided alike, and is why a node is slow.
  const rates = new Set(
    names.filter((pair) => {
      const [p, q] = [x.get(pair)?.bandwidthGBps, y.get(pair)?.bandwidthGBps];
      return !differ(pair) && p !== undefined && q !== undefined && Math.abs(p - q) > 0.02 * Math.max(p, q);
    }),
  );
  const shown = [...withoutReturns(verdicts), ...withoutReturns([...rates])];
  const changed = shown.map((pair): Difference => {
    const seen = (one: PathPair): Seen => ({
      value: rates.has(pair) ? say('diff.pair.rate', { ...told(one) }) : told(one).text,
      ...(one.evidence[0] ? { at: one.evidence[0] } : {}),
    });
    const [p, q] = [x.get(pair), y.get(pair)];
    return {
      kind: 'pair',
      what: say('diff.between', { pair }),
      ...side('a', p && seen(p)),
      ...side('b', q && seen(q)),
    };
  });
  const more = changed.length - mostPairs;
  const rest: Difference[] = more > 0 ? [{ kind: 'pair', what: say('diff.more', { count: more }) }] : [];
  return { differences: [...changed.slice(0, mostPairs), ...rest], common: true };
}

/** Of the two directions between a pair only the first, where both changed. */
function withoutReturns(pairs: readonly string[]): string[] {
  const seen = new Set<string>();
  return pairs.filter((pair) => {
    seen.add(pair);
    return !seen.has(pair.split(' → ').reverse().join(' → '));
  });
}

/** Path type, transport, and whether NICs reach the GPU's memory. */
function decided(p: PathPair | undefined): string | undefined {
  return p && [p.type, p.p2p?.via, p.gdr?.send, p.gdr?.recv].join(' ');
}

/** The same as a sentence, and the rate that NCCL counts with. */
function told({ type, p2p, gdr, bandwidthGBps = 0 }: PathPair): { readonly text: Message; readonly rate: number } {
  const answer = (a: Answer): Message => say(`diff.answer.${a}`);
  const text = p2p
    ? say('diff.pair.p2p', { type, via: p2p.via })
    : gdr === undefined
      ? say('diff.pair.type', { type })
      : gdr.send === gdr.recv
        ? say('diff.pair.gdr', { type, answer: answer(gdr.send) })
        : say('diff.pair.gdr-each', { type, send: answer(gdr.send), receive: answer(gdr.recv) });
  return { text, rate: Number(bandwidthGBps.toPrecision(3)) };
}

function settingDifferences(a: readonly Document[], b: readonly Document[]): Difference[] {
  const of = (documents: readonly Document[]) => new Map(new Facts(documents).settings.map((s) => [s.name, s]));
  const [x, y] = [of(a), of(b)];
  // A side that shows no settings at all says nothing of them.
  if (x.size === 0 || y.size === 0) return [];
  return [...new Set([...x.keys(), ...y.keys()])].flatMap((name): Difference[] => {
    const [s, t] = [x.get(name), y.get(name)];
    if (!name.startsWith('NCCL_') || name.startsWith('NCCL_DEBUG') || s?.value === t?.value) return [];
    const seen = (value: string, at: Where): Seen => ({ value: say('diff.value', { text: value.slice(0, 120) }), at });
    return [
      {
        kind: 'setting',
        what: say('diff.setting', { name }),
        ...side('a', s && seen(s.value, s.at)),
        ...side('b', t && seen(t.value, t.at)),
      },
    ];
  });
}

const side = <K extends Side>(key: K, seen: Seen | undefined): { readonly [k in K]?: Seen } =>
  (seen === undefined ? {} : { [key]: seen }) as { readonly [k in K]?: Seen };
