import type { Schedule } from '../schedule/schedule.ts';

/**
 * Time that adds up while a schedule runs, in one array, so that a stretch of it can be repeated without being run: per resource
 * its busy time and the time flows were held by it; per engine its slot seconds and waiting time.
 */
export class Tally {
  readonly values: Float64Array;
  /** First entry of each series. */
  readonly busy = 0;
  readonly held: number;
  readonly slots: number;
  readonly waited: number;

  constructor({ resources, engines }: Schedule) {
    this.held = resources.count;
    this.slots = 2 * resources.count;
    this.waited = this.slots + engines.count;
    this.values = new Float64Array(this.waited + engines.count);
  }

  series(first: number, count: number): Float64Array {
    return this.values.slice(first, first + count);
  }
}

/** What operations that have sent so many iterations have put on the resources, and copied. */
export interface Work {
  /** By resource. */
  readonly load: Float64Array;
  readonly copied: number;
  readonly iterations: number;
}

export function workOf({ operations, resources }: Schedule, sent: Int32Array): Work {
  const { count, amount, last, repeat, copies, times, pathStart, pathResource, pathFactor } = operations;
  const load = new Float64Array(resources.count);
  let copied = 0;
  let iterations = 0;
  for (let o = 0; o < count; o++) {
    const n = sent[o]!;
    const moved = n === repeat[o] ? (n - 1) * amount[o]! + last[o]! : n * amount[o]!;
    for (let k = pathStart[o]!; k < pathStart[o + 1]!; k++) load[pathResource[k]!]! += pathFactor[k]! * moved;
    copied += copies[o]! * moved * times[o]!;
    iterations += n * times[o]!;
  }
  return { load, copied, iterations };
}
