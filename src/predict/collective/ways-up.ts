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
  /** Which of the two trees over nodes it is. */
  readonly kind: number;
}

/**
 * From every rank to the root, what kinds of hops: those ways that no other outdoes. While the first chunk of one of the two trees
 * over nodes passes a NIC, that of the other is on another level, so that each is `laid` by itself.
 */
export function longestWays(trees: readonly TreeUp[], laid: () => Laid): WayUp[] {
  const found: WayUp[] = [];
  for (const kind of new Set(trees.map((t) => t.kind))) {
    const alike = trees.filter((t) => t.kind === kind);
    const up = laid();
    for (const { edges } of alike) for (const edge of edges) if (edge) up.cross(edge.way, edge.leaving, edge.entering);
    for (const way of waysUp(alike, up)) keep(found, way);
  }
  return found;
}

const atLeast = (a: WayUp, b: WayUp): boolean =>
  a.line >= b.line * (1 - 1e-9) && kinds.every((kind) => a.hops[kind] >= b.hops[kind]);

/** Adds a way that no other outdoes, in place of those it does. */
function keep(found: WayUp[], way: WayUp): void {
  if (found.some((w) => atLeast(w, way))) return;
  const kept = found.filter((w) => !atLeast(way, w));
  found.splice(0, found.length, ...kept, way);
}

function waysUp(trees: readonly TreeUp[], up: Laid): WayUp[] {
  const lines = new Map<Way, number>();
  const lineOf = (loads: readonly WireLoad[]): number => Math.max(0, ...loads.map(({ busy }) => busy.net));
  const most = lineOf(up.traffic().loads);
  /** Where neither end is looked at, the line is as busy as the busiest. */
  const lineAt = (edge: Edge | undefined): number => {
    if (!edge) return most;
    const line = lines.get(edge.way) ?? lineOf(up.loadsOn(edge.way));
    lines.set(edge.way, line);
    return line;
  };
  const found: WayUp[] = [];
  for (const { parent, edges } of trees) {
    const known: (WayUp | undefined)[] = new Array(parent.length);
    for (let rank = 0; rank < parent.length; rank++) {
      const path: number[] = [];
      let at = rank;
      for (; parent[at]! >= 0 && known[at] === undefined; at = parent[at]!) path.push(at);
      known[at] ??= { hops: none(), line: 0 };
      for (const below of path.reverse()) {
        const { hops, line } = known[parent[below]!]!;
        const edge = edges[below];
        const kind = edge?.way.kind ?? 'net';
        const more = kind === 'net' ? lineAt(edge) : 0;
        known[below] = { hops: { ...hops, [kind]: hops[kind] + 1 }, line: line + more };
      }
    }
    for (const way of known) if (way) keep(found, way);
  }
  return found;
}
