import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes, seconds } from '../../src/base/units.ts';
import { run, workDone } from '../../src/engine/run.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import { coreFactor } from '../../src/schedule/core.ts';
import { pipeline } from '../../src/schedule/pipeline.ts';
import { Wait } from '../../src/schedule/schedule.ts';
import { built, plainRing } from './plain-ring.ts';
import { reference } from './reference.ts';
import { cook, cookable, recipes } from './schedules.ts';

const near = (a: number, b: number, part = 1e-9): boolean =>
  (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= part * Math.max(Math.abs(a), Math.abs(b), 1e-9);

describe('a run', () => {
  it('is given up after so much work, and what has not ended is stuck', () => {
    const b = new ScheduleBuilder();
    const link = b.resource('link', 'link', 10);
    const ops = Array.from({ length: 20 }, (_, i) =>
      b.operation({ amount: 100 + i, repeat: 3, path: [[link, 1]], ...(i > 0 ? { waits: [{ on: i - 1 }] } : {}) }),
    );
    const schedule = built(b);
    const whole = run(schedule);
    expect(whole.stuck).toEqual([]);
    const done = workDone(whole.effort);
    expect(run(schedule, { most: done })).toEqual(whole);
    const part = run(schedule, { most: done / 2 });
    expect(part.stuck).toContain(ops.at(-1));
    expect(part.stuck).not.toContain(ops[0]);
    expect(workDone(part.effort)).toBeLessThan(done);
  });

  it('takes the time worked out by hand', () => {
    const b = new ScheduleBuilder();
    const link = b.resource('link', 'link', 10);
    const slow = b.resource('link', 'slow', 2);
    const one = b.operation({ amount: 100, path: [[link, 1]], before: 1, after: 3 });
    const two = b.operation({
      amount: 10,
      path: [
        [link, 1],
        [slow, 1],
      ],
      before: 1,
    });
    const then = b.operation({ amount: 20, path: [[link, 1]], waits: [{ on: two }] });
    const { time, finish, start, resources, stuck } = run(built(b));
    // 1–6 s: 8 and 2 a second. Then `then` shares with `one`: 5 and 5 until 10 s, and 40 are left for `one` alone.
    expect(finish[two]).toBe(6);
    expect(start[then]).toBe(6);
    expect(finish[then]).toBe(10);
    expect(finish[one]).toBeCloseTo(14 + 3, 12);
    expect(time).toBeCloseTo(17, 12);
    expect([...resources.load]).toEqual([130, 10]);
    expect(resources.busy[link]).toBeCloseTo(13, 12);
    expect(resources.busy[slow]).toBe(5);
    expect(resources.utilisation[link]).toBeCloseTo(130 / 170, 12);
    // `one` is held by the link all its 13 s, `two` by the slow one, `then` by the link.
    expect(resources.held[link]).toBeCloseTo(13 + 4, 12);
    expect(resources.held[slow]).toBe(5);
    expect(stuck).toEqual([]);
  });

  it('pipelines chunks: the slowest stage sets the pace, the others add one chunk each', () => {
    const b = new ScheduleBuilder();
    const pcie = b.resource('link', 'pcie', 20);
    const wire = b.resource('link', 'wire', 10);
    const far = b.resource('link', 'far pcie', 40);
    const stages = [
      { label: 'd2h', path: [[pcie, 1]], copies: 1 },
      { label: 'wire', path: [[wire, 1]], after: 5 },
      { label: 'h2d', path: [[far, 1]], copies: 1 },
    ] as const;
    pipeline(b, { bytes: bytes(1000), chunk: bytes(40), stages });
    const { time, totals } = run(built(b));
    expect(time).toBeCloseTo(2 + 100 + 5 + 1, 9);
    expect(totals.copiedBytes).toBe(2000);
  });

  it('holds a pipeline back when only so many chunks may be on their way', () => {
    const paced = (window: number): number => {
      const b = new ScheduleBuilder();
      const wire = b.resource('link', 'wire', 10);
      const stages = [{ label: 'wire', path: [[wire, 1]], after: 6 }] as const;
      pipeline(b, { bytes: bytes(1000), chunk: bytes(20), window, stages });
      return run(built(b)).time;
    };
    expect(paced(1)).toBeCloseTo(50 * 8, 9);
    // Two chunks of 2 s in every 8 s.
    expect(paced(2)).toBeCloseTo(25 * 8 + 2, 9);
    expect(paced(4)).toBeCloseTo(106, 9);
    expect(paced(100)).toBeCloseTo(106, 9);
  });

  it('gives slots first come, first served, and says how long others waited', () => {
    const b = new ScheduleBuilder();
    const engine = b.engine('copy engine', 1);
    const link = b.resource('link', 'link', 1);
    const first = b.operation({ amount: 3, path: [[link, 1]], holds: [engine] });
    const second = b.operation({ amount: 2, path: [[link, 1]], holds: [engine] });
    const third = b.operation({ amount: 1, path: [[link, 1]], holds: [engine], before: 1 });
    const { finish, engines, limits } = run(built(b), { limits: 10 });
    expect([finish[first], finish[second], finish[third]]).toEqual([3, 5, 7]);
    expect(engines.busy[engine]).toBe(7);
    expect(engines.waited[engine]).toBe(3 + 5);
    expect(limits.waits).toEqual([
      { operation: second, iteration: 0, engine, from: 0, to: 3 },
      { operation: third, iteration: 0, engine, from: 0, to: 5 },
    ]);
    expect(limits.held.map((h) => h.resource)).toEqual([link, link, link]);
  });

  it('counts CPU seconds and memory traffic by their factors', () => {
    const b = new ScheduleBuilder();
    const core = b.resource('core', 'core', 1);
    const memory = b.resource('memory', 'memory', 100);
    b.operation({
      amount: 60,
      path: [
        [core, 0.05],
        [memory, 2],
      ],
      copies: 1,
    });
    const { time, totals, resources } = run(built(b));
    expect(time).toBeCloseTo(3, 12);
    expect(totals).toEqual({ copiedBytes: 60, cpuSeconds: 3, memoryBytes: 120, linkBytes: 0 });
    expect(resources.utilisation[core]).toBeCloseTo(1, 12);
  });

  it('charges a core per byte, per packet and per operation', () => {
    const cost = { perByte: seconds(0.01), perPacket: seconds(0.5), perOperation: seconds(1) };
    expect(coreFactor(cost, bytes(0))).toBe(0.01);
    const b = new ScheduleBuilder();
    const core = b.resource('core', 'core', 1);
    // 100 bytes in three packets, twice: 2 × (1 + 1.5 + 1) seconds, and the wire is faster.
    const wire = b.resource('link', 'wire', 100);
    b.operation({
      amount: 100,
      repeat: 2,
      path: [
        [core, coreFactor(cost, bytes(100), bytes(40))],
        [wire, 1],
      ],
    });
    const { time, totals } = run(built(b));
    expect(time).toBeCloseTo(7, 12);
    expect(totals.cpuSeconds).toBeCloseTo(7, 12);
  });

  it('keeps the order of a flow, and says what can never end', () => {
    const b = new ScheduleBuilder();
    const link = b.resource('link', 'link', 10);
    const dead = b.resource('link', 'dead', 0);
    const flow = [3, 2, 1].map((amount) =>
      b.operation({ amount: amount * 10, path: [[link, 1]], after: 100, flow: 'queue pair' }),
    );
    const never = b.operation({ amount: 1, path: [[dead, 1]] });
    const nor = b.operation({ amount: 1, waits: [{ on: never, kind: Wait.WholeSent }] });
    const { finish, stuck } = run(built(b));
    expect(flow.map((o) => finish[o])).toEqual([103, 105, 106]);
    expect(stuck).toEqual([never, nor]);
  });

  it('meets a packet-level simulator on a plain network within 5 %', () => {
    for (const [mib, ms] of [
      [64, 0.369],
      [512, 2.654],
      [1024, 5.263],
    ] as const) {
      const ring = plainRing({ gpus: 8, bytes: mib * 2 ** 20, rate: 2880e9 / 8, latency: 25e-9, software: 3e-6 });
      expect(Math.abs(run(ring).time * 1e3 - ms) / ms).toBeLessThan(0.05);
    }
  });

  it('moves exactly the bytes asked for, never faster than the narrowest hop', () => {
    fc.assert(
      fc.property(recipes().filter(cookable), (recipe) => {
        const schedule = cook(recipe);
        const { resources, stuck, time, finish, start } = run(schedule);
        expect(stuck).toEqual([]);
        recipe.rates.forEach((rate, r) => {
          const asked = recipe.operations.reduce((sum, o) => {
            const factor = o.path?.find(([x]) => x === r)?.[1] ?? 0;
            return sum + factor * (o.amount * (o.repeat! - 1) + o.last!);
          }, 0);
          expect(near(resources.load[r]!, asked)).toBe(true);
          expect(resources.busy[r]!).toBeLessThanOrEqual(time * (1 + 1e-9));
          expect(resources.load[r]!).toBeLessThanOrEqual(rate * resources.busy[r]! * (1 + 1e-9));
        });
        recipe.operations.forEach((o, i) => {
          const amount = o.amount * (o.repeat! - 1) + o.last!;
          const narrowest = Math.min(...(o.path ?? []).map(([r, factor]) => recipe.rates[r]! / factor));
          const least = amount / narrowest + o.before! * o.repeat! + o.after!;
          expect(finish[i]! - start[i]!).toBeGreaterThanOrEqual(least * (1 - 1e-9));
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with a second, plain way to run it', () => {
    fc.assert(
      fc.property(recipes({ repeats: 12, holds: 1 }).filter(cookable), (recipe) => {
        const schedule = cook(recipe);
        const want = reference(schedule);
        const { finish } = run(schedule);
        want.forEach((t, o) => {
          if (!near(finish[o]!, t, 1e-8)) throw new Error(`operation ${o}: ${finish[o]} instead of ${t}`);
        });
      }),
      { numRuns: 1500 },
    );
  });

  it('gives the same bits every time, and the same times in any order', () => {
    fc.assert(
      fc.property(recipes({ engines: false }).filter(cookable), fc.nat(1000), (recipe, seed) => {
        const plain = run(cook(recipe));
        expect([...run(cook(recipe)).finish]).toEqual([...plain.finish]);
        const order = recipe.operations
          .map((_, o) => o)
          .sort((a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101) || a - b);
        const other = run(cook(recipe, { order }));
        order.forEach((o, i) => {
          expect(near(other.finish[i]!, plain.finish[o]!)).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('takes no less time for more bytes of one transfer', () => {
    const rate = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(rate, fc.nat(3)), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        fc.option(fc.integer({ min: 1, max: 5 })),
        fc.array(fc.nat(300), { minLength: 2, maxLength: 8 }),
        (stages, chunk, window, sizes) => {
          const time = (size: number): number => {
            const b = new ScheduleBuilder();
            const legs = stages.map(([r, after], i) => ({
              label: `${i}`,
              path: [[b.resource('link', `${i}`, r), 1]] as const,
              after,
              before: 0.5,
            }));
            pipeline(b, {
              bytes: bytes(size),
              chunk: bytes(chunk),
              ...(window === null ? {} : { window }),
              stages: legs,
            });
            return run(built(b)).time;
          };
          const times = sizes.sort((a, b) => a - b).map(time);
          for (let i = 1; i < times.length; i++) expect(times[i]!).toBeGreaterThanOrEqual(times[i - 1]! * (1 - 1e-12));
        },
      ),
      { numRuns: 300 },
    );
  });
});
