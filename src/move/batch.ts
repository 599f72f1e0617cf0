import { chunksOf, type Leg, legsOf } from './legs.ts';
import type { DataPathModel } from './model.ts';

/**
 * Seconds from starting the first of `depth` operations to the delivery of the last one's last byte, beside latency. Chunks
 * follow each other through the legs in order, each leg with one chunk at a time: a permutation flow shop, whose length is
 * that of its longest path; runs of equal chunks are taken in one step.
 */
export function batchSeconds(model: DataPathModel, bytes: number, depth: number): number {
  const legs = legsOf(model, bytes);
  const { count, size, last } = chunksOf(model, bytes);
  const every = 1 / model.timing.startRate;
  const ready = legs.map(() => 0);
  let step = Number.NaN;
  for (let operation = 0; operation < depth; operation++) {
    const before = ready.at(-1)!;
    // An operation cannot start before it is posted.
    ready[0] = Math.max(ready[0]!, operation * every);
    if (count > 1) pass(ready, legs, size, count - 1);
    pass(ready, legs, last, 1);
    const now = ready.at(-1)! - before;
    // Every leg moves in step with the last one: the rest of the batch only repeats.
    if (operation > legs.length + 1 && Math.abs(now - step) <= 1e-12 * now) {
      return sentBy(legs, ready) + (depth - 1 - operation) * now;
    }
    step = now;
  }
  return sentBy(legs, ready);
}

const sentBy = (legs: readonly Leg[], ready: readonly number[]): number =>
  ready.at(-1)! - legs.at(-1)!.gap + legs.at(-1)!.fill;

/** `times` equal chunks pass the legs; `ready` holds when each leg can take its next chunk, and is brought up to date. */
function pass(ready: number[], legs: readonly Leg[], bytes: number, times: number): void {
  for (let to = legs.length - 1; to >= 0; to--) {
    const end = legs[to]!;
    let latest = 0;
    let through = bytes / end.rate + end.gap;
    let slowest = through;
    for (let from = to; from >= 0; from--) {
      const leg = legs[from]!;
      if (from < to) {
        through += bytes / leg.rate + leg.fill;
        slowest = Math.max(slowest, bytes / leg.rate + leg.gap);
      }
      latest = Math.max(latest, ready[from]! + through + (times - 1) * slowest);
    }
    ready[to] = latest;
  }
}
