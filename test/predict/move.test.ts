import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { legsOf } from '../../src/move/legs.ts';
import { copiesOf, type DataPathModel, hostMemoryOf, movePaths, moveRow } from '../../src/move/model.ts';
import type { ScheduleNames } from '../../src/move/schedule.ts';
import { ByteMover, runMove } from '../../src/predict/move.ts';
import { everyPath } from '../support/data-paths.ts';

const names: ScheduleNames = {
  memory: (side) => `${side} memory`,
  core: (side) => `${side} core`,
  control: 'control',
  launch: 'launch',
  start: 'start',
  handOver: (stage) => `${stage}: hand over`,
};
const named = (m: { readonly code: string }): string => m.code;

const all: readonly DataPathModel[] = (await everyPath()).map((p) => p.m);
const anyModel = fc.constantFrom(...all);
const size = fc
  .tuple(fc.integer({ min: 3, max: 27 }), fc.double({ min: 1, max: 2, noNaN: true }))
  .map(([e, f]) => Math.floor(2 ** e * f));

/** Where several stages keep the same core busy, or workers meet at a leg, the engine knows better than the closed form. */
const tolerance = (m: DataPathModel): number =>
  m.timing.workers || m.stages.filter((s) => s.cpuPerByte * s.rate > 0.5).length > 1 ? 0.02 : 1e-9;

describe('a data path on the engine', () => {
  it('covers every kind of path', () => {
    expect(new Set(all.map((m) => m.path)).size).toBe(movePaths.length);
  });

  it('takes the time that the closed form says', () => {
    fc.assert(
      fc.property(anyModel, size, fc.integer({ min: 1, max: 24 }), (model, bytes, depth) => {
        const row = moveRow(model, bytes, { depth, threads: depth, both: false });
        const alone = runMove(model, { bytes, depth: 1, threads: 1, named, names });
        if (!alone.ok) throw new Error(alone.error.code);
        if (!model.timing.workers) {
          expect(Math.abs((alone.value.seconds * 1e6) / row.latencyUs - 1)).toBeLessThan(tolerance(model));
        }
        const many = runMove(model, { bytes, depth, threads: depth, rounds: 400, named, names });
        if (!many.ok) throw new Error(many.error.code);
        expect(Math.abs(many.value.rate / 1e9 / row.bandwidthGBps - 1)).toBeLessThan(tolerance(model));
      }),
      { numRuns: 3000 },
    );
  });

  it('counts the copies, the host memory and the core work of the model', () => {
    fc.assert(
      fc.property(anyModel, size, fc.integer({ min: 1, max: 4 }), (model, bytes, depth) => {
        const ran = runMove(model, { bytes, depth, threads: depth, named, names });
        if (!ran.ok) throw new Error(ran.error.code);
        const { totals } = ran.value.result;
        const payload = bytes * depth;
        expect(totals.copiedBytes).toBe(copiesOf(model) * payload);
        expect(totals.memoryBytes / payload).toBeCloseTo(hostMemoryOf(model), 9);
        const cores = model.stages.reduce((sum, s) => sum + s.cpuPerByte, 0) * payload;
        expect(totals.cpuSeconds / (cores + model.timing.cpuPerOperation * depth)).toBeCloseTo(1, 6);
      }),
      { numRuns: 1000 },
    );
  });

  it('brings every byte, and none without one of its legs', () => {
    fc.assert(
      fc.property(
        anyModel,
        fc.integer({ min: 1, max: 3 << 20 }),
        fc.integer({ min: 1, max: 3 }),
        (model, bytes, depth) => {
          const payloads = Array.from({ length: depth }, (_, t) =>
            Uint8Array.from({ length: bytes }, (_, i) => (i * 7 + t + 1) & 0xff),
          );
          let bytesMoved: ByteMover | undefined;
          const ran = runMove(
            model,
            { bytes, depth, threads: depth, named, names },
            {
              mover: (made) => (bytesMoved = new ByteMover(made, model, payloads)),
            },
          );
          expect(ran.ok).toBe(true);
          payloads.forEach((p, t) => {
            expect(Buffer.compare(bytesMoved!.buffers[t]!.at(-1)!, p)).toBe(0);
          });
          // Whichever leg does not move its bytes: nothing of what it left out arrives.
          for (let left = 0; left < legsOf(model, bytes).length; left++) {
            let without: ByteMover | undefined;
            runMove(
              model,
              { bytes, depth, threads: depth, named, names },
              {
                mover: (made) => {
                  const mover = new ByteMover(made, model, payloads);
                  without = mover;
                  return {
                    copy: (o, i) => {
                      if (made.legs.get(o)?.leg !== left) mover.copy(o, i);
                    },
                  };
                },
              },
            );
            for (const buffers of without!.buffers) expect(buffers.at(-1)!.some((b) => b !== 0)).toBe(false);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
