import type { Schedule } from '../schedule/schedule.ts';

/**
 * Everything that adds up while a schedule runs, in one array, so that a stretch of it can be repeated without being run:
 * per resource its load, its busy time and the time flows were held by it; per engine its slot seconds and waiting time; and
 * the copies made.
 */
export class Tally {
  readonly values: Float64Array;
  /** First entry of each series. */
  readonly load = 0;
  readonly busy: number;
  readonly held: number;
  readonly slots: number;
  readonly waited: number;
  readonly copied: number;
  readonly iterations: number;

  constructor({ resources, engines }: Schedule) {
    this.busy = resources.count;
    this.held = 2 * resources.count;
    this.slots = 3 * resources.count;
    this.waited = this.slots + engines.count;
    this.copied = this.waited + engines.count;
    this.iterations = this.copied + 1;
    this.values = new Float64Array(this.iterations + 1);
  }

  series(first: number, count: number): Float64Array {
    return this.values.slice(first, first + count);
  }
}
