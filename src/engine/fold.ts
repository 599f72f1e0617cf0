import { Floats, Ints } from '../schedule/growable.ts';
import type { Operations, Schedule } from '../schedule/schedule.ts';
import { refine } from './refine.ts';

/** A schedule in which one stands for all that are alike, and who is represented by whom. */
export interface Fold {
  readonly schedule: Schedule;
  /** Number in the folded schedule of each operation, resource and engine of the original one. */
  readonly operation: Int32Array;
  readonly resource: Int32Array;
  readonly engine: Int32Array;
}

/**
 * Folds a schedule: of operations that are the same up to renaming (a thousand equal nodes in a ring) one is kept, with the
 * number it stands for. It crosses one of its resources with the load of all its equals there, so rates, times and counters are
 * those of the whole. What is not alike (one slow NIC, one missing GPU) is not folded, however far its influence reaches; unless
 * `rounds` says how far to look.
 */
export function fold(schedule: Schedule, rounds?: number): Fold {
  const { operations, resources, engines } = schedule;
  const classes = refine(schedule, rounds);
  const o = representatives(classes.operation, operations.times);
  const r = representatives(classes.resource, resources.times);
  const e = representatives(classes.engine, engines.times);
  if (o.first.length === operations.count && r.first.length === resources.count) {
    return { schedule, operation: o.of, resource: r.of, engine: e.of };
  }
  return {
    schedule: {
      resources: {
        count: r.first.length,
        name: r.first.map((x) => resources.name[x]!),
        kind: r.first.map((x) => resources.kind[x]!),
        rate: Float64Array.from(r.first, (x) => resources.rate[x]!),
        times: r.times,
      },
      engines: {
        count: e.first.length,
        name: e.first.map((x) => engines.name[x]!),
        slots: Int32Array.from(e.first, (x) => engines.slots[x]!),
        times: e.times,
      },
      operations: foldOperations(operations, o, r, e),
    },
    operation: o.of,
    resource: r.of,
    engine: e.of,
  };
}

/** Values of the folded schedule given to everyone they stand for: finish times by operation, busy times by resource. */
export function unfold(values: Float64Array, of: Int32Array): Float64Array {
  const all = new Float64Array(of.length);
  for (let x = 0; x < of.length; x++) all[x] = values[of[x]!]!;
  return all;
}

interface Representatives {
  /** The first member of each class, in order: who comes first in a line still does. */
  readonly first: number[];
  /** Number of the class each one belongs to. */
  readonly of: Int32Array;
  readonly times: Float64Array;
}

function representatives(colour: Int32Array, times: Float64Array): Representatives {
  const first: number[] = [];
  const total: number[] = [];
  const of = new Int32Array(colour.length);
  let colours = 0;
  for (let x = 0; x < colour.length; x++) if (colour[x]! >= colours) colours = colour[x]! + 1;
  const known = new Int32Array(colours).fill(-1);
  for (let x = 0; x < colour.length; x++) {
    let c = known[colour[x]!]!;
    if (c < 0) {
      c = first.push(x) - 1;
      total.push(0);
      known[colour[x]!] = c;
    }
    of[x] = c;
    total[c]! += times[x]!;
  }
  return { first, of, times: Float64Array.from(total) };
}

/** How much the operations of each class together load one resource of each class they cross, per byte of one of them. */
function loadsOf(all: Operations, o: Representatives, r: Representatives): Map<number, number>[] {
  const loads: Map<number, number>[] = o.first.map(() => new Map());
  crossings(all, r).forEach(({ operation, factor }, folded) => {
    for (let i = 0; i < operation.length; i++) {
      const load = loads[o.of[operation[i]!]!]!;
      load.set(folded, (load.get(folded) ?? 0) + factor[i]!);
    }
  });
  return loads;
}

/** Who crosses the resource that speaks for its class, and by what factor, in order of operation. */
function crossings(
  { count, pathStart, pathResource, pathFactor }: Operations,
  r: Representatives,
): { readonly operation: number[]; readonly factor: number[] }[] {
  const found = r.first.map((): { operation: number[]; factor: number[] } => ({ operation: [], factor: [] }));
  for (let i = 0; i < count; i++) {
    for (let k = pathStart[i]!; k < pathStart[i + 1]!; k++) {
      const folded = r.of[pathResource[k]!]!;
      if (r.first[folded] !== pathResource[k]) continue;
      found[folded]!.operation.push(i);
      found[folded]!.factor.push(pathFactor[k]!);
    }
  }
  return found;
}

function foldOperations(all: Operations, o: Representatives, r: Representatives, e: Representatives): Operations {
  const loads = loadsOf(all, o, r);
  const pathStart = new Int32Array(o.first.length + 1);
  const pathResource = new Ints();
  const pathFactor = new Floats();
  const holdStart = new Int32Array(o.first.length + 1);
  const holdEngine = new Ints();
  const waitStart = new Int32Array(o.first.length + 1);
  const waitOn = new Ints();
  const waitLag = new Ints();
  const waitKind = new Ints();
  o.first.forEach((member, folded) => {
    for (const [resource, factor] of loads[folded]!) {
      pathResource.push(resource);
      pathFactor.push(factor);
    }
    pathStart[folded + 1] = pathResource.length;
    const held = new Set<number>();
    for (let k = all.holdStart[member]!; k < all.holdStart[member + 1]!; k++) held.add(e.of[all.holdEngine[k]!]!);
    for (const engine of held) holdEngine.push(engine);
    holdStart[folded + 1] = holdEngine.length;
    const waits = new Set<string>();
    for (let k = all.waitStart[member]!; k < all.waitStart[member + 1]!; k++) {
      const on = o.of[all.waitOn[k]!]!;
      const key = `${on} ${all.waitLag[k]} ${all.waitKind[k]}`;
      if (waits.has(key)) continue;
      waits.add(key);
      waitOn.push(on);
      waitLag.push(all.waitLag[k]!);
      waitKind.push(all.waitKind[k]!);
    }
    waitStart[folded + 1] = waitOn.length;
  });
  const pick = (values: Float64Array): Float64Array => Float64Array.from(o.first, (x) => values[x]!);
  return {
    count: o.first.length,
    label: Int32Array.from(o.first, (x) => all.label[x]!),
    labels: all.labels,
    amount: pick(all.amount),
    last: pick(all.last),
    repeat: Int32Array.from(o.first, (x) => all.repeat[x]!),
    before: pick(all.before),
    after: pick(all.after),
    copies: Uint8Array.from(o.first, (x) => all.copies[x]!),
    times: o.times,
    pathStart,
    pathResource: pathResource.done(),
    pathFactor: pathFactor.done(),
    holdStart,
    holdEngine: holdEngine.done(),
    waitStart,
    waitOn: waitOn.done(),
    waitLag: waitLag.done(),
    waitKind: Uint8Array.from(waitKind.done()),
  };
}
