import type { Operations } from '../schedule/schedule.ts';

/** The waits of a schedule the other way round: operation p is waited for by `operation[k]` (its wait number `wait[k]`), k from start[p]. */
export interface Successors {
  readonly start: Int32Array;
  readonly operation: Int32Array;
  readonly wait: Int32Array;
}

export function successorsOf({ count, waitStart, waitOn }: Operations): Successors {
  const start = new Int32Array(count + 1);
  for (let k = 0; k < waitOn.length; k++) start[waitOn[k]! + 1]!++;
  for (let p = 0; p < count; p++) start[p + 1]! += start[p]!;
  const at = start.slice(0, count);
  const operation = new Int32Array(waitOn.length);
  const wait = new Int32Array(waitOn.length);
  for (let o = 0; o < count; o++) {
    for (let k = waitStart[o]!; k < waitStart[o + 1]!; k++) {
      const i = at[waitOn[k]!]!++;
      operation[i] = o;
      wait[i] = k;
    }
  }
  return { start, operation, wait };
}
