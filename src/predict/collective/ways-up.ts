import type { Way } from '../../collective/clock/wires.ts';
import { type ByKind, kinds, none } from './laid.ts';

/** Hops by their kind, and for how long a byte of every message keeps those over the network busy, one after the other: µs. */
export interface WayUp {
  readonly hops: ByKind;
  readonly line: number;
}

/** A way of a hop, and whether the wires at either end are looked at: 1 or 0. */
export interface Edge {
  readonly way: Way;
  readonly leaving: number;
  readonly entering: number;
}

/** A tree of one channel: the parent of each rank or node, −1 for the root, and its way there where that was looked at. */
export interface TreeUp {
  readonly parent: readonly number[];
  readonly edges: readonly (Edge | undefined)[];
}

/**
 * From every rank to the root, what kinds of hops: those ways that no other outdoes. `lines`: for how long a byte of every message over
 * the network keeps the wires of a level busy, on which there are none of the others while the first chunks pass.
 */
export function longestWays(trees: readonly TreeUp[], lines: readonly number[]): WayUp[] {
  const found: WayUp[] = [];
  for (const tree of trees) for (const way of waysUp(tree, lines)) keep(found, way);
  return found;
}

/** Hops over the network that lie below each rank, by the longest way. */
export function levelsBelow(parent: readonly number[], edges: TreeUp['edges'] = []): Int32Array {
  const below = new Int32Array(parent.length).fill(-1);
  for (let rank = 0; rank < parent.length; rank++) {
    let hops = 0;
    for (let at = rank; at >= 0 && below[at]! < hops; at = parent[at]!) {
      below[at] = hops;
      if ((edges[at]?.way.kind ?? 'net') === 'net') hops++;
    }
  }
  return below;
}

const atLeast = (a: WayUp, b: WayUp): boolean =>
  a.line >= b.line * (1 - 1e-9) && kinds.every((kind) => a.hops[kind] >= b.hops[kind]);

/** Adds a way that no other outdoes, in place of those it does. */
function keep(found: WayUp[], way: WayUp): void {
  if (found.some((w) => atLeast(w, way))) return;
  const kept = found.filter((w) => !atLeast(way, w));
  found.splice(0, found.length, ...kept, way);
}

function waysUp({ parent, edges }: TreeUp, lines: readonly number[]): WayUp[] {
  const below = levelsBelow(parent, edges);
  const found: WayUp[] = [];
  const known: (WayUp | undefined)[] = new Array(parent.length);
  for (let rank = 0; rank < parent.length; rank++) {
    const path: number[] = [];
    let at = rank;
    for (; parent[at]! >= 0 && known[at] === undefined; at = parent[at]!) path.push(at);
    known[at] ??= { hops: none(), line: 0 };
    for (const lower of path.reverse()) {
      const { hops, line } = known[parent[lower]!]!;
      const kind = edges[lower]?.way.kind ?? 'net';
      const more = kind === 'net' ? lines[below[lower]!]! : 0;
      known[lower] = { hops: { ...hops, [kind]: hops[kind] + 1 }, line: line + more };
    }
  }
  for (const way of known) if (way) keep(found, way);
  return found;
}
