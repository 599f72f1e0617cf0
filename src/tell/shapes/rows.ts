import { edgesOf, type Shape } from '../../answer/shapes.ts';

/** Ranks of one node that follow each other, drawn side by side. */
export interface Row {
  readonly node: number;
  readonly ranks: readonly number[];
  /** How many network hops below the root of a tree; 0 in rings. */
  readonly depth: number;
  /** The row and rank this one hangs on; absent at the beginning. */
  readonly from?: { readonly row: number; readonly rank: number };
}

/** A shape laid out in rows, for any face to draw. */
export interface Layout {
  readonly shape: Shape;
  readonly rows: readonly Row[];
  /** Rows that are left out after the last one. */
  readonly hidden: number;
  /** Connections that the expected shape lacks, `from to`. */
  readonly odd: ReadonlySet<string>;
}

const mostRows = 32;

export function layout(shape: Shape, perHost: number, expected?: Shape): Layout {
  const rows = shape.ring ? ringRows(shape.ring, perHost, shape.cut === true) : treeRows(shape.up!, perHost);
  const known = expected && edgesOf(expected);
  const odd = known ? [...edgesOf(shape)].filter((e) => !known.has(e)) : [];
  return { shape, rows: rows.slice(0, mostRows), hidden: Math.max(0, rows.length - mostRows), odd: new Set(odd) };
}

function ringRows(given: readonly number[], perHost: number, cut: boolean): Row[] {
  // From where it enters the first node, so that no node is drawn in two halves.
  const nodeOf = (i: number): number => Math.floor(given.at(i)! / perHost);
  const least = Math.min(...given.map((_, i) => nodeOf(i)));
  const start = cut
    ? 0
    : Math.max(
        0,
        given.findIndex((_, i) => nodeOf(i) === least && nodeOf(i - 1) !== least),
      );
  const ring = [...given.slice(start), ...given.slice(0, start)];
  const rows: { node: number; ranks: number[]; depth: number; from?: { row: number; rank: number } }[] = [];
  for (const rank of ring) {
    const node = Math.floor(rank / perHost);
    const last = rows[rows.length - 1];
    if (last?.node === node) {
      last.ranks.push(rank);
      continue;
    }
    const from = last && { row: rows.length - 1, rank: last.ranks[last.ranks.length - 1]! };
    rows.push({ node, ranks: [rank], depth: 0, ...(from ? { from } : {}) });
  }
  return rows;
}

/** Chains of a node's ranks, each under the rank it hangs on; with a stack of its own, since a tree may be one long chain. */
function treeRows(up: ReadonlyMap<number, number>, perHost: number): Row[] {
  const children = new Map<number, number[]>();
  const roots: number[] = [];
  for (const [rank, parent] of [...up].sort((a, b) => a[0] - b[0])) {
    if (parent >= 0) children.set(parent, [...(children.get(parent) ?? []), rank]);
    if (parent < 0 || !up.has(parent)) roots.push(rank);
  }
  const rows: Row[] = [];
  const seen = new Set<number>();
  const open: { rank: number; depth: number; from?: { row: number; rank: number } }[] = roots
    .reverse()
    .map((rank) => ({ rank, depth: 0 }));
  while (open.length > 0) {
    const { rank, depth, from } = open.pop()!;
    if (seen.has(rank)) continue;
    const node = Math.floor(rank / perHost);
    const ranks: number[] = [];
    const later: { rank: number; depth: number; from: { row: number; rank: number } }[] = [];
    for (let at: number | undefined = rank; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      ranks.push(at);
      const below: number[] = children.get(at) ?? [];
      const next: number | undefined = below.find((x) => Math.floor(x / perHost) === node);
      for (const x of below)
        if (x !== next) later.push({ rank: x, depth: depth + 1, from: { row: rows.length, rank: at } });
      at = next;
    }
    rows.push({ node, ranks, depth, ...(from ? { from } : {}) });
    open.push(...later.reverse());
  }
  return rows;
}

/** 0–3, 8. */
export function spans(list: readonly number[]): string {
  const out: string[] = [];
  for (let i = 0; i < list.length; ) {
    let j = i;
    while (j + 1 < list.length && list[j + 1] === list[j]! + 1) j++;
    out.push(j === i ? String(list[i]) : `${list[i]}–${list[j]}`);
    i = j + 1;
  }
  return out.join(', ');
}
