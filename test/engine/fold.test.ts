import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, unfold } from '../../src/engine/fold.ts';
import { run } from '../../src/engine/run.ts';
import { runFolded } from '../../src/engine/run-folded.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import type { Schedule } from '../../src/schedule/schedule.ts';
import { built, plainRing } from './plain-ring.ts';
import { cook, cookable, recipes } from './schedules.ts';

const close = (a: ArrayLike<number>, b: ArrayLike<number>): void => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (Number.isNaN(x) && Number.isNaN(y)) continue;
    if (!(Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y), 1e-9)))
      throw new Error(`${i}: ${x} is not ${y}`);
  }
};

/** Runs a schedule whole and folded; everything must be the same. Returns into how many operations it was folded. */
function same(schedule: Schedule, skip = true): number {
  const unfolded = runFolded(schedule, { skip });
  const folded = fold(schedule);
  const whole = run(schedule, { skip });
  const small = run(folded.schedule, { skip });
  close(unfold(small.finish, folded.operation), whole.finish);
  close(unfold(small.start, folded.operation), whole.start);
  for (const key of ['load', 'busy', 'utilisation'] as const) {
    close(unfold(small.resources[key], folded.resource), whole.resources[key]);
  }
  // Where two resources are full at once either may be named as the one that holds a flow; the time held is the same.
  const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
  close([sum(unfolded.resources.held)], [sum(whole.resources.held)]);
  close(unfolded.finish, whole.finish);
  expect(unfolded.stuck).toEqual(whole.stuck);
  close(unfold(small.engines.busy, folded.engine), whole.engines.busy);
  close(unfold(small.engines.waited, folded.engine), whole.engines.waited);
  close(Object.values(small.totals), Object.values(whole.totals));
  close([small.time, small.effort.iterations], [whole.time, whole.effort.iterations]);
  return folded.schedule.operations.count;
}

/** Nodes of four GPUs: two rings that share the GPUs' NVLink and leave by a NIC each. `change` spoils what it likes. */
function nodes(count: number, change: { slowNic?: number; missing?: number } = {}): Schedule {
  const b = new ScheduleBuilder();
  const gpus = Array.from({ length: 4 * count }, (_, g) => g).filter((g) => g !== change.missing);
  const out = gpus.map((g) => b.resource('link', `${g} out`, 100));
  const into = gpus.map((g) => b.resource('link', `${g} in`, 100));
  const nic = gpus.map((g) => b.resource('link', `nic ${g}`, g === change.slowNic ? 6 : 12));
  const engine = gpus.map((g) => b.engine(`${g} copy`, 1));
  for (let c = 0; c < 2; c++) {
    // Ring c goes through each node starting at its second or fourth GPU.
    const order = gpus.map((_, i) => i).sort((a, z) => key(gpus[a]!, c) - key(gpus[z]!, c));
    order.forEach((at, i) => {
      const to = order[(i + 1) % order.length]!;
      const leaves = Math.floor(gpus[at]! / 4) !== Math.floor(gpus[to]! / 4);
      b.operation({
        label: `ring ${c}`,
        amount: 10,
        repeat: 2 * (gpus.length - 1),
        before: 0.01,
        after: leaves ? 0.5 : 0.1,
        path: leaves
          ? [
              [nic[at]!, 1],
              [into[to]!, 1],
            ]
          : [
              [out[at]!, 1],
              [into[to]!, 1],
            ],
        holds: leaves ? [engine[at]!] : [],
        waits: [{ on: c * gpus.length + ((i + gpus.length - 1) % gpus.length), lag: 1 }],
      });
    });
  }
  return built(b);
}
const key = (gpu: number, ring: number): number => 4 * Math.floor(gpu / 4) + ((gpu + 2 * ring) % 4);

describe('folding', () => {
  it('leaves one of all that are alike', () => {
    expect(same(plainRing({ gpus: 8, bytes: 64, rate: 3, latency: 0.1, software: 0.3 }))).toBe(1);
    expect(same(nodes(6))).toBeLessThanOrEqual(4);
  });

  it('splits where one NIC is slow or one GPU is missing, and still equals the whole', () => {
    const whole = nodes(5).operations.count;
    expect(same(nodes(5, { slowNic: 7 }))).toBeGreaterThan(whole / 2);
    expect(same(nodes(5, { missing: 6 }))).toBeGreaterThan(whole / 4);
    same(nodes(5, { missing: 6 }), false);
  });

  it('keeps apart what shares a link unequally', () => {
    const b = new ScheduleBuilder();
    const core = b.resource('link', 'core', 100);
    for (let i = 0; i < 12; i++) {
      const own = b.resource('link', `own ${i}`, i < 8 ? 10 : 20);
      b.operation({
        amount: 100,
        path: [
          [own, 1],
          [core, i === 3 ? 2 : 1],
        ],
      });
    }
    expect(same(built(b))).toBe(3);
  });

  it('changes nothing in random schedules, side by side or on the same resources', () => {
    let folded = 0;
    let runs = 0;
    fc.assert(
      fc.property(
        recipes().filter(cookable),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (recipe, copies, shared) => {
          const schedule = cook(recipe, { copies, shared });
          const left = same(schedule, false);
          runs++;
          if (copies > 1 && left <= schedule.operations.count / copies) folded++;
          // Copies that share nothing are one.
          if (!shared) expect(left).toBeLessThanOrEqual(recipe.operations.length);
        },
      ),
      { numRuns: 1000 },
    );
    expect(folded / runs).toBeGreaterThan(0.4);
  });

  it('that looks only so far still comes to its end, and loses no operation', () => {
    fc.assert(
      fc.property(
        recipes().filter(cookable),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        (r, n, far) => {
          const schedule = cook(r, { copies: n, shared: true });
          const whole = run(schedule, { skip: false });
          const near = fold(schedule, far);
          const small = run(near.schedule, { skip: false });
          if (whole.stuck.length === 0) expect(small.stuck).toEqual([]);
          // Seldom more than an exact fold leaves: how much comes behind an operation is looked at as well.
          expect(near.schedule.operations.count).toBeLessThanOrEqual(schedule.operations.count);
          expect(near.schedule.operations.times.reduce((a, b) => a + b, 0)).toBe(schedule.operations.count);
          close([small.effort.iterations], [whole.effort.iterations]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
