import { levelsBelow, type TreeUp } from './ways-up.ts';

/** By link, for how long a byte keeps it busy: µs. */
export type Busy = ReadonlyMap<number, number>;

/** A message that a node sends, or gets, in one of the hops up the levels of its trees and down again; those of a `kind` take one way. */
interface Passing {
  readonly hop: number;
  readonly sends: boolean;
  readonly kind: string;
}

/** What a rank sends to another host on a channel, or gets from one there, lays on the wires of its own. */
export type RankBusy = (own: number, other: number, sends: boolean, channel: number) => Busy;

/**
 * Trees of channels between hosts, up their levels and down again: of each wire that can be the most crowded one, for how long a byte of
 * every message keeps it busy hop by hop, µs. `like`: the host whose wires a host's are like.
 */
export function channelLines(
  trees: readonly TreeUp[],
  hosts: number,
  perHost: number,
  like: (host: number) => number,
  busy: RankBusy,
): (readonly number[])[] {
  const below = trees.map(({ parent, edges }) => levelsBelow(parent, edges));
  const hops = hopsOf(below);
  const passings = Array.from(
    { length: hosts },
    (): (Passing & { own: number; other: number; channel: number; near: boolean })[] => [],
  );
  for (const [channel, { parent, edges }] of trees.entries()) {
    for (const [from, to] of parent.entries()) {
      if (to < 0 || (edges[from]?.way.kind ?? 'net') !== 'net') continue;
      for (const [own, other] of [
        [from, to],
        [to, from],
      ] as const) {
        // Nodes of NCCL's may be parts of one host.
        const near = Math.floor(own / perHost) === Math.floor(other / perHost);
        const kind = `${channel} ${own % perHost} ${other % perHost}${near ? ' near' : ''}`;
        for (const [hop, up] of hopsAt(below[channel]![from]!, hops)) {
          const sends = up === (own === from);
          passings[Math.floor(own / perHost)]!.push({ hop, sends, kind, own, other, channel, near });
        }
      }
    }
  }
  return linesOf(passings, hops, like, (host, { own, other, sends, channel, near }) => {
    const there = near ? host : host === 0 ? 1 : 0;
    return busy(host * perHost + (own % perHost), there * perHost + (other % perHost), sends, channel);
  });
}

/** The same of nodes whose heads meet, each with its like: on even channels by the first tree, on odd ones by the second. */
export function headLines(
  trees: readonly (readonly number[])[],
  heads: readonly (readonly number[])[],
  channels: number,
  like: (node: number) => number,
  busy: RankBusy,
): (readonly number[])[] {
  const below = trees.map((parent) => levelsBelow(parent));
  const hops = hopsOf(below);
  const passings = heads.map((): (Passing & { tree: number })[] => []);
  for (const [tree, parent] of trees.entries()) {
    for (const [from, to] of parent.entries()) {
      if (to < 0) continue;
      for (const [hop, up] of hopsAt(below[tree]![from]!, hops)) {
        passings[from]!.push({ hop, sends: up, kind: `${tree}`, tree });
        passings[to]!.push({ hop, sends: !up, kind: `${tree}`, tree });
      }
    }
  }
  return linesOf(passings, hops, like, (node, { sends, tree }) => {
    const sum = new Map<number, number>();
    const there = heads[node === 0 ? 1 : 0]!;
    for (let channel = tree; channel < channels; channel += trees.length) {
      for (const [h, own] of heads[node]!.entries()) {
        for (const [link, each] of busy(own, there[h]!, sends, channel)) sum.set(link, (sum.get(link) ?? 0) + each);
      }
    }
    return sum;
  });
}

const hopsOf = (below: readonly Int32Array[]): number => 2 * Math.max(...below.map((levels) => Math.max(...levels)));

/** The hop up from a level, and that back down. */
const hopsAt = (level: number, hops: number): (readonly [number, boolean])[] => [
  [level, true],
  [hops - 1 - level, false],
];

/** Of nodes that send and get the same one speaks for all. */
function linesOf<P extends Passing>(
  passings: readonly (readonly P[])[],
  hops: number,
  like: (node: number) => number,
  busy: (node: number, passing: P) => Busy,
): (readonly number[])[] {
  const known = new Map<string, Busy>();
  const seen = new Set<string>();
  const found: (readonly number[])[] = [];
  for (const [node, own] of passings.entries()) {
    const wires = like(node);
    const place = own.map(({ hop, sends, kind }) => `${hop}${sends ? '>' : '<'}${kind}`).join() + wires;
    if (seen.has(place)) continue;
    seen.add(place);
    const lines = new Map<number, number[]>();
    for (const passing of own) {
      const key = `${passing.sends ? '>' : '<'}${passing.kind} ${wires}`;
      const each = known.get(key) ?? busy(wires, passing);
      known.set(key, each);
      for (const [link, time] of each) {
        const line = lines.get(link) ?? new Array<number>(hops).fill(0);
        lines.set(link, line);
        line[passing.hop]! += time;
      }
    }
    for (const line of lines.values()) keep(found, line);
  }
  return found;
}

/** Adds a line that no other outdoes, in place of those it does. */
function keep(found: (readonly number[])[], line: readonly number[]): void {
  const outdone = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((busy, hop) => busy <= b[hop]! * (1 + 1e-9));
  if (found.some((other) => outdone(line, other))) return;
  const kept = found.filter((other) => !outdone(other, line));
  found.splice(0, found.length, ...kept, line);
}
