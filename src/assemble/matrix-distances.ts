import type { TopoDevice } from '../read/nvidia-smi-topo.ts';

/** Within a NUMA node, and between two of them. */
const node = 4;
const system = 5;
/** A matrix whose gaps are filled in more rounds than this was made up. */
const rounds = 4;

/**
 * Fills the distances that NVLink letters hide or a cut table lacks; -1 stands for them. First what is certain: of two ways of a tree
 * that meet, the longer one is the distance of their ends. Then what is bounded: never farther than through a common neighbour. Where
 * that leaves the NUMA node open, the affinity columns tell it; where they do not, what nothing sets apart stays together.
 */
export function closed(known: Int8Array, n: number, devices: readonly TopoDevice[]): Int8Array {
  const d = known.slice();
  if (!d.includes(-1)) return d;
  for (let round = 0; round < rounds && certain(d, n); round++);
  const open: [number, number][] = [];
  const set = (i: number, j: number, value: number): void => {
    d[i * n + j] = value;
    d[j * n + i] = value;
  };
  const sure = d.slice();
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (sure[i * n + j]! >= 0) continue;
      const bound = through(sure, n, i, j);
      const same = sameNuma(devices[i]!, devices[j]!);
      if (bound < system) set(i, j, bound);
      else if (same !== undefined) set(i, j, same ? node : system);
      else open.push([i, j]);
    }
  }
  if (open.length > 0) together(d, n, open, devices, set);
  return d;
}

/** One round: is there more to know? */
function certain(d: Int8Array, n: number): boolean {
  let more = false;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (d[i * n + j]! >= 0) continue;
      for (let k = 0; k < n; k++) {
        const a = d[i * n + k]!;
        const b = d[k * n + j]!;
        if (k === i || k === j || a < 0 || b < 0 || a === b) continue;
        d[i * n + j] = Math.max(a, b);
        d[j * n + i] = d[i * n + j]!;
        more = true;
        break;
      }
    }
  }
  return more;
}

function through(d: Int8Array, n: number, i: number, j: number): number {
  let best = 9;
  for (let k = 0; k < n; k++) {
    const a = d[i * n + k]!;
    const b = d[k * n + j]!;
    if (k !== i && k !== j && a >= 0 && b >= 0) best = Math.min(best, Math.max(a, b));
  }
  return best;
}

/** By the columns; undefined where they say nothing of one of the two. */
function sameNuma(a: TopoDevice, b: TopoDevice): boolean | undefined {
  if (a.numaAffinity !== undefined && b.numaAffinity !== undefined) return a.numaAffinity === b.numaAffinity;
  if (a.cpuAffinity === undefined || b.cpuAffinity === undefined) return undefined;
  return (
    a.cpuAffinity === b.cpuAffinity || cutFrom(a.cpuAffinity, b.cpuAffinity) || cutFrom(b.cpuAffinity, a.cpuAffinity)
  );
}

/** A list of CPUs that was cut after a comma is the beginning of the other. */
const cutFrom = (short: string, whole: string): boolean => /,$/.test(short) && whole.startsWith(short);

/** Puts the rest on one node with whatever nothing sets apart; groups that stand apart anywhere are never joined. */
function together(
  d: Int8Array,
  n: number,
  open: readonly (readonly [number, number])[],
  devices: readonly TopoDevice[],
  set: (i: number, j: number, value: number) => void,
): void {
  const group = Array.from({ length: n }, (_, i) => i);
  const root = (i: number): number => {
    let r = i;
    while (group[r] !== r) r = group[r]!;
    group[i] = r;
    return r;
  };
  const apart = group.map(() => new Set<number>());
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) if (d[i * n + j]! >= 0 && d[i * n + j]! < system) group[root(j)] = root(i);
  }
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (d[i * n + j] !== system) continue;
      apart[root(i)]!.add(root(j));
      apart[root(j)]!.add(root(i));
    }
  }
  for (const [i, j] of open) {
    const a = root(i);
    const b = root(j);
    // A device with an affinity and one without may be neighbours or not: nothing says that they are.
    const silent = (devices[i]!.cpuAffinity === undefined) === (devices[j]!.cpuAffinity === undefined);
    if (a !== b && (apart[a]!.has(b) || !silent)) {
      set(i, j, system);
      continue;
    }
    set(i, j, node);
    if (a === b) continue;
    group[b] = a;
    for (const other of apart[b]!) {
      apart[a]!.add(other);
      apart[other]!.add(a);
    }
  }
}
