import type { Communicator } from '../nccl/communicator.ts';
import type { Document } from '../read/documents.ts';

/** A ring or tree over all ranks, with the channels that take it. */
export interface Shape {
  readonly kind: 'ring' | 'tree';
  readonly channels: readonly number[];
  /** Ring: the ranks in order, from the lowest on (cut short where a log cuts it). */
  readonly ring?: readonly number[];
  /** Tree: the parent of each rank that is known, −1 for a root. */
  readonly up?: ReadonlyMap<number, number>;
  /** The log's line ended before the ring did. */
  readonly cut?: boolean;
}

export interface ShapeDifference {
  readonly kind: 'ring' | 'tree';
  readonly channels: readonly number[];
  readonly expected?: Shape;
  readonly seen: Shape;
}

/** What NCCL is expected to lay out, and what a log shows that it did. */
export interface ShapesAnswer {
  readonly ranks: number;
  readonly perHost: number;
  readonly expected: readonly Shape[];
  /** Empty: no log shows any. */
  readonly seen: readonly Shape[];
  /** Channels whose shape is as expected. */
  readonly same: number;
  readonly differences: readonly ShapeDifference[];
  /** Present: the log is of a communicator of so many ranks, which cannot be compared. */
  readonly otherRanks?: number;
}

type Log = Extract<Document, { kind: 'nccl-log' }>;

/** Without a communicator, for want of a topology, what the logs show stands alone. */
export function shapesOf(c: Communicator | undefined, documents: readonly Document[] = []): ShapesAnswer {
  const expected = c ? expectedOf(c) : [];
  const logs = documents.filter((d): d is Log => d.kind === 'nccl-log');
  const { shapes, ranks, perHost } = seenIn(logs, c?.ranks);
  const alone = { ranks: ranks ?? 0, perHost: perHost ?? Math.max(1, ranks ?? 1), expected, seen: shapes, same: 0 };
  if (!c) return { ...alone, differences: [] };
  const about = { ranks: c.ranks, perHost: c.perHost, expected, seen: shapes };
  if (ranks !== undefined && ranks !== c.ranks) return { ...alone, ranks: c.ranks, differences: [], otherRanks: ranks };
  return { ...about, ...compare(expected, shapes) };
}

const expectedOf = (c: Communicator): Shape[] => [
  ...grouped(c.channels.map((x, channel) => ({ kind: 'ring' as const, channels: [channel], ring: x.ring }))),
  ...grouped(
    c.channels.map((x, channel) => ({
      kind: 'tree' as const,
      channels: [channel],
      up: new Map(x.treeUp.map((p, r) => [r, p] as const)),
    })),
  ),
];

interface Found {
  readonly rings: Map<number, Shape>;
  readonly trees: Map<number, Map<number, number>>;
  ranks: number;
  readonly said: Log['communicators'][number] | undefined;
}

/** Rings and trees of the log's communicator that fits best: of as many ranks as expected, else the largest. */
function seenIn(
  logs: readonly Log[],
  wanted: number | undefined,
): { shapes: Shape[]; ranks?: number; perHost?: number } {
  const found = new Map<string, Found>();
  const take = (log: number, communicator: number | undefined): Found => {
    const key = `${log} ${communicator ?? ''}`;
    const said = communicator === undefined ? undefined : logs[log]!.communicators[communicator];
    const known: Found = found.get(key) ?? { rings: new Map(), trees: new Map(), ranks: said?.nRanks ?? 0, said };
    found.set(key, known);
    return known;
  };
  for (const [i, log] of logs.entries()) {
    for (const r of log.rings) {
      const of = take(i, r.communicator);
      const cut = r.truncated ? { cut: true } : {};
      of.rings.set(r.channel, { kind: 'ring', channels: [r.channel], ring: turned(r.ranks, r.truncated), ...cut });
      of.ranks = Math.max(of.ranks, r.truncated ? 0 : r.ranks.length);
    }
    for (const t of log.trees) {
      // Two halves of a tree are printed as its way up and down; one is enough.
      if (t.half === 'down') continue;
      const { trees } = take(i, t.communicator);
      const up = trees.get(t.channel) ?? new Map<number, number>();
      trees.set(t.channel, up.set(t.rank, t.up));
    }
  }
  const all = [...found.values()];
  const best =
    all.find((x) => x.ranks === wanted) ??
    all.sort((a, b) => b.ranks - a.ranks || b.rings.size + b.trees.size - a.rings.size - a.trees.size)[0];
  if (!best) return { shapes: [] };
  const trees = [...best.trees].map(([channel, up]) => ({ kind: 'tree' as const, channels: [channel], up }));
  const shapes = [...grouped([...best.rings.values()]), ...grouped(trees)];
  if (best.ranks === 0) return { shapes };
  const local = best.said?.ranks.find((r) => r.localRanks !== undefined)?.localRanks;
  const perHost = local ?? (best.said?.nNodes ? Math.ceil(best.ranks / best.said.nNodes) : undefined);
  return { shapes, ranks: best.ranks, ...(perHost === undefined ? {} : { perHost }) };
}

/** From the lowest rank on; a ring that was cut short stays as it is. */
function turned(ranks: readonly number[], cut: boolean): readonly number[] {
  if (cut) return ranks;
  const start = ranks.indexOf(Math.min(...ranks));
  return [...ranks.slice(start), ...ranks.slice(0, start)];
}

/** Channels that take the same way are one shape. */
function grouped(shapes: readonly Shape[]): Shape[] {
  const by = new Map<string, Shape>();
  for (const s of [...shapes].sort((a, b) => a.channels[0]! - b.channels[0]!)) {
    const key = s.ring ? s.ring.join(' ') : [...s.up!].sort((a, b) => a[0] - b[0]).join(' ');
    const known = by.get(key);
    by.set(key, known ? { ...known, channels: [...known.channels, ...s.channels] } : s);
  }
  return [...by.values()];
}

function compare(expected: readonly Shape[], seen: readonly Shape[]): Pick<ShapesAnswer, 'same' | 'differences'> {
  let same = 0;
  const differences: ShapeDifference[] = [];
  for (const s of seen) {
    // Channels of one seen shape may be expected to take several.
    const apart = new Map<Shape | undefined, number[]>();
    for (const channel of s.channels) {
      const want = expected.find((e) => e.kind === s.kind && e.channels.includes(channel));
      if (want && alike(want, s)) same++;
      else apart.set(want, [...(apart.get(want) ?? []), channel]);
    }
    for (const [want, channels] of apart) {
      const seenThere = { ...s, channels };
      differences.push({
        kind: s.kind,
        channels,
        ...(want ? { expected: { ...want, channels } } : {}),
        seen: seenThere,
      });
    }
  }
  return { same, differences };
}

function alike(want: Shape, seen: Shape): boolean {
  if (want.ring && seen.ring) {
    const start = want.ring.indexOf(seen.ring[0]!);
    const whole = seen.cut === true || seen.ring.length === want.ring.length;
    return start >= 0 && whole && seen.ring.every((r, i) => want.ring![(start + i) % want.ring!.length] === r);
  }
  return want.up !== undefined && seen.up !== undefined && [...seen.up].every(([r, p]) => want.up!.get(r) === p);
}

/** Connections of a shape, `from to`: a ring's in its direction, a tree's from parent to child. */
export function edgesOf(shape: Shape): ReadonlySet<string> {
  const edges = new Set<string>();
  const { ring } = shape;
  if (ring) {
    ring.forEach((r, i) => {
      const next = ring[i + 1] ?? (shape.cut === true ? undefined : ring[0]);
      if (next !== undefined) edges.add(`${r} ${next}`);
    });
  }
  for (const [r, p] of shape.up ?? []) if (p >= 0) edges.add(`${p} ${r}`);
  return edges;
}
