import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes } from '../../src/base/units.ts';
import { type RunResult, run } from '../../src/engine/run.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import { pipeline } from '../../src/schedule/pipeline.ts';
import type { Schedule } from '../../src/schedule/schedule.ts';
import { built, plainRing } from './plain-ring.ts';
import { cook, cookable, type Recipe, recipes } from './schedules.ts';

const close = (a: Float64Array, b: Float64Array, rounding = 0): void => {
  expect(a.length).toBe(b.length);
  a.forEach((x, i) => {
    const y = b[i]!;
    if (Number.isNaN(x) && Number.isNaN(y)) return;
    if (!(Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y), 1e-6) + rounding))
      throw new Error(`${i}: ${x} is not ${y}`);
  });
};

/**
 * What a sum of stretches of time may be off by: a stretch is the difference of two moments, each rounded to half a unit in
 * the last place of the clock, and an iteration adds one stretch. A run that skips adds few and multiplies, so that a
 * millisecond on a clock of a day differs from the run that adds them all.
 */
const roundingOf = ({ time, effort }: RunResult): number =>
  time > 0 ? effort.iterations * 2 ** (Math.floor(Math.log2(time)) - 52) : 0;

/** Everything a run tells is the same, whether or not it skipped. */
function same(schedule: Schedule): RunResult {
  const skipping = run(schedule);
  const plain = run(schedule, { skip: false });
  close(skipping.finish, plain.finish);
  close(skipping.start, plain.start);
  const rounding = roundingOf(plain);
  for (const key of ['load', 'utilisation'] as const) close(skipping.resources[key], plain.resources[key]);
  for (const key of ['busy', 'held'] as const) close(skipping.resources[key], plain.resources[key], rounding);
  for (const key of ['busy', 'waited'] as const) close(skipping.engines[key], plain.engines[key], rounding);
  expect(skipping.totals.copiedBytes).toBeCloseTo(plain.totals.copiedBytes, 6);
  expect(skipping.effort.iterations).toBe(plain.effort.iterations);
  return skipping;
}

/**
 * Whether the last digits of a recipe decide no more than last digits of its run. Operations that wait for each other may amplify
 * them without end: where 1 part in 10¹² of an amount moves a finish by more than 1 in 10¹⁰, no two ways of adding agree.
 */
function tame(recipe: Recipe, finish: Float64Array): boolean {
  const operations = recipe.operations.map((op, o) => {
    const by = 1 + (o % 2 === 0 ? 1e-12 : -1e-12);
    return { ...op, amount: op.amount * by, last: op.last! * by };
  });
  const moved = run(cook({ ...recipe, operations }), { skip: false });
  return finish.every((x, o) => Number.isNaN(x) || Math.abs(x - moved.finish[o]!) <= 1e-10 * x);
}

describe('skipping what repeats', () => {
  it('changes nothing in random schedules of many rounds', () => {
    let skipped = 0;
    let runs = 0;
    fc.assert(
      fc.property(recipes({ operations: 5, repeats: 400 }).filter(cookable), (recipe) => {
        const schedule = cook(recipe);
        if (!tame(recipe, run(schedule, { skip: false }).finish)) return;
        runs++;
        if (same(schedule).effort.skipped > 0) skipped++;
      }),
      { numRuns: 600 },
    );
    // The property would prove little if it rarely came to skipping.
    expect(skipped / runs).toBeGreaterThan(0.2);
    expect(runs).toBeGreaterThan(550);
  });

  it('changes nothing of a short time on a long clock', () => {
    const b = new ScheduleBuilder();
    const slow = b.resource('link', 'slow', 0.001);
    const fast = b.resource('link', 'fast', 1);
    b.operation({ amount: 4.362, repeat: 18, path: [[slow, 1]] });
    b.operation({ amount: 1.218, repeat: 9, path: [[slow, 1]] });
    // One of these after each of the first: 7 ms in 90,000 s.
    b.operation({ amount: 0.001, repeat: 7, path: [[fast, 1]], waits: [{ on: 0, lag: 1, kind: 0 }] });
    const { resources, effort } = same(built(b));
    expect(effort.skipped).toBeGreaterThan(0);
    expect(resources.busy[fast]).toBeCloseTo(0.007, 9);
  });

  it('makes the cost of a staged transfer independent of its chunks', () => {
    const staged = (size: number): Schedule => {
      const b = new ScheduleBuilder();
      const engine = b.engine('copy engine', 1);
      const pcie = b.resource('link', 'pcie', 25e9);
      const memory = b.resource('memory', 'memory', 60e9);
      const wire = b.resource('link', 'wire', 12.3e9);
      pipeline(b, {
        bytes: bytes(size),
        chunk: bytes(512 * 1024),
        window: 8,
        stages: [
          {
            label: 'd2h',
            path: [
              [pcie, 1],
              [memory, 1],
            ],
            holds: [engine],
            before: 2e-6,
            copies: 1,
            buffers: 2,
          },
          { label: 'copy', path: [[memory, 2]], copies: 1, buffers: 4 },
          {
            label: 'wire',
            path: [
              [memory, 1],
              [wire, 1],
            ],
            after: 3e-6,
          },
        ],
      });
      return built(b);
    };
    same(staged(100e6));
    const small = run(staged(1e8));
    const large = run(staged(1e12));
    expect(large.effort.events).toBeLessThan(1.2 * small.effort.events + 100);
    expect(large.effort.iterations).toBe(3 * Math.ceil(1e12 / (512 * 1024)));
    expect(large.effort.skipped).toBeGreaterThan(0.99 * large.effort.iterations);
    // At 10¹² bytes only the pace is left: that of the bound.
    expect(large.time / (1e12 / 12.3e9)).toBeGreaterThan(1);
    expect(large.time / (1e12 / 12.3e9)).toBeLessThan(1.5);
  });

  it('skips in each of several transfers that follow each other', () => {
    const b = new ScheduleBuilder();
    const link = b.resource('link', 'link', 10);
    let waits: { on: number; kind: 2 }[] = [];
    for (let i = 0; i < 5; i++) {
      const stages = [
        { label: `a${i}`, path: [[link, 1]] },
        { label: `b${i}`, path: [[link, 2]], after: 1 },
      ] as const;
      const operations = pipeline(b, { bytes: bytes(1e6 + i), chunk: bytes(10), window: 3, stages, waits });
      waits = [{ on: operations[1]!, kind: 2 }];
    }
    const { effort } = run(built(b));
    expect(effort.skipped).toBeGreaterThan(0.99 * effort.iterations);
  });

  it('changes nothing in a ring with one slow link, nor beside another transfer', () => {
    const ring = plainRing({ gpus: 24, bytes: 1e7, rate: 1e10, latency: 1e-6, software: 3e-6 });
    const rate = ring.resources.rate.slice();
    rate[5] = 4e9;
    expect(same({ ...ring, resources: { ...ring.resources, rate } }).effort.skipped).toBeGreaterThan(0);
    const b = new ScheduleBuilder();
    const link = b.resource('link', 'link', 10);
    pipeline(b, {
      bytes: bytes(5000),
      chunk: bytes(10),
      window: 2,
      stages: [
        { label: 'a', path: [[link, 1]] },
        { label: 'b', path: [[link, 1]], after: 1 },
      ],
    });
    b.operation({ amount: 1000, path: [[link, 1]], before: 100 });
    pipeline(b, { bytes: bytes(700), chunk: bytes(7), stages: [{ label: 'c', path: [[link, 1]], before: 3 }] });
    same(built(b));
  });
});
