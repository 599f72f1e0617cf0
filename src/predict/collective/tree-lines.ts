import { levelsBelow } from './ways-up.ts';

/** For how long a byte keeps each wire of a node busy that is sent by one tree's channels, and one that they get: µs, by link. */
export interface NodeWires {
  readonly sent: ReadonlyMap<number, number>;
  readonly got: ReadonlyMap<number, number>;
}

/**
 * Two trees over nodes, up their levels and down again: of each wire that can be the most crowded one, for how long a byte of every
 * message keeps it busy hop by hop, µs. `wires`: those of a node that stands for all like it, for either tree.
 */
export function treeLines(
  trees: readonly (readonly number[])[],
  wires: (node: number) => readonly NodeWires[],
): (readonly number[])[] {
  const below = trees.map((parent) => levelsBelow(parent));
  const hops = 2 * Math.max(...below.map((levels) => Math.max(...levels)));
  const roles = trees.map((parent, t) => rolesIn(parent, below[t]!, hops));
  const known = new Map<readonly NodeWires[], Set<string>>();
  const found: (readonly number[])[] = [];
  for (let node = 0; node < trees[0]!.length; node++) {
    const own = wires(node);
    const mine = roles.map((of) => of[node]!);
    const seen = known.get(own) ?? new Set();
    known.set(own, seen);
    // Of nodes in the same places of both trees one speaks for all.
    const place = mine.map(({ sends, gets }) => `${sends} ${gets}`).join('|');
    if (seen.has(place)) continue;
    seen.add(place);
    for (const line of linesOf(own, mine, hops)) keep(found, line);
  }
  return found;
}

/** How often a node sends in each hop, and how often it gets something. */
interface Role {
  readonly sends: number[];
  readonly gets: number[];
}

function rolesIn(parent: readonly number[], below: ArrayLike<number>, hops: number): Role[] {
  const times = (): number[] => new Array<number>(hops).fill(0);
  const roles = parent.map((): Role => ({ sends: times(), gets: times() }));
  for (const [node, above] of parent.entries()) {
    if (above < 0) continue;
    const [up, down] = [below[node]!, hops - 1 - below[node]!];
    roles[node]!.sends[up]!++;
    roles[above]!.gets[up]!++;
    roles[above]!.sends[down]!++;
    roles[node]!.gets[down]!++;
  }
  return roles;
}

/** What a node in these places of the trees lays on each of its wires, hop by hop. */
function linesOf(wires: readonly NodeWires[], roles: readonly Role[], hops: number): Iterable<number[]> {
  const lines = new Map<number, number[]>();
  const lay = (busy: ReadonlyMap<number, number>, times: readonly number[]): void => {
    for (const [link, each] of busy) {
      const line = lines.get(link) ?? new Array<number>(hops).fill(0);
      lines.set(link, line);
      for (let hop = 0; hop < hops; hop++) line[hop]! += times[hop]! * each;
    }
  };
  for (const [t, { sent, got }] of wires.entries()) {
    lay(sent, roles[t]!.sends);
    lay(got, roles[t]!.gets);
  }
  return lines.values();
}

/** Adds a line that no other outdoes, in place of those it does. */
function keep(found: (readonly number[])[], line: readonly number[]): void {
  const outdone = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((busy, hop) => busy <= b[hop]! * (1 + 1e-9));
  if (found.some((other) => outdone(line, other))) return;
  const kept = found.filter((other) => !outdone(other, line));
  found.splice(0, found.length, ...kept, line);
}
