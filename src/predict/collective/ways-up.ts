import type { Way } from '../../collective/clock/wires.ts';
import { type ByKind, kinds, type Laid, none, type WireLoad } from './laid.ts';

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
 * From every rank to the root, what kinds of hops: those ways that no other outdoes. While the first chunks of all trees pass the NICs of
 * one level, those of no other are there, so that each level is `laid` by itself.
 */
export function longestWays(trees: readonly TreeUp[], laid: () => Laid): WayUp[] {
  const levels = new Levels(laid);
  const depths = trees.map(({ parent, edges }) => levelsBelow(parent, edges));
  for (const [t, { edges }] of trees.entries()) {
    edges.forEach((edge, rank) => {
      if (edge) levels.at(depths[t]![rank]!).lay(edge);
    });
  }
  const found: WayUp[] = [];
  for (const [t, tree] of trees.entries()) for (const way of waysUp(tree, depths[t]!, levels)) keep(found, way);
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

/** What crosses the wires at once. */
class Level {
  private readonly lines = new Map<Way, number>();
  private most: number | undefined;

  constructor(private readonly laid: Laid) {}

  lay({ way, leaving, entering }: Edge): void {
    this.laid.cross(way, leaving, entering);
  }

  /** Where neither end is looked at, the line is as busy as the busiest. */
  lineAt(edge: Edge | undefined): number {
    this.most ??= lineOf(this.laid.traffic().loads);
    if (!edge) return this.most;
    const line = this.lines.get(edge.way) ?? lineOf(this.laid.loadsOn(edge.way));
    this.lines.set(edge.way, line);
    return line;
  }
}

class Levels {
  private readonly all: Level[] = [];

  constructor(private readonly laid: () => Laid) {}

  at(level: number): Level {
    const found = this.all[level] ?? new Level(this.laid());
    this.all[level] = found;
    return found;
  }
}

const lineOf = (loads: readonly WireLoad[]): number => Math.max(0, ...loads.map(({ busy }) => busy.net));

const atLeast = (a: WayUp, b: WayUp): boolean =>
  a.line >= b.line * (1 - 1e-9) && kinds.every((kind) => a.hops[kind] >= b.hops[kind]);

/** Adds a way that no other outdoes, in place of those it does. */
function keep(found: WayUp[], way: WayUp): void {
  if (found.some((w) => atLeast(w, way))) return;
  const kept = found.filter((w) => !atLeast(way, w));
  found.splice(0, found.length, ...kept, way);
}

function waysUp({ parent, edges }: TreeUp, below: Int32Array, levels: Levels): WayUp[] {
  const found: WayUp[] = [];
  const known: (WayUp | undefined)[] = new Array(parent.length);
  for (let rank = 0; rank < parent.length; rank++) {
    const path: number[] = [];
    let at = rank;
    for (; parent[at]! >= 0 && known[at] === undefined; at = parent[at]!) path.push(at);
    known[at] ??= { hops: none(), line: 0 };
    for (const lower of path.reverse()) {
      const { hops, line } = known[parent[lower]!]!;
      const edge = edges[lower];
      const kind = edge?.way.kind ?? 'net';
      const more = kind === 'net' ? levels.at(below[lower]!).lineAt(edge) : 0;
      known[lower] = { hops: { ...hops, [kind]: hops[kind] + 1 }, line: line + more };
    }
  }
  for (const way of known) if (way) keep(found, way);
  return found;
}
