import { describe, expect, it } from 'vitest';
import { bytes } from '../../src/base/units.ts';
import { run } from '../../src/engine/run.ts';
import { runFolded } from '../../src/engine/run-folded.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import { pipeline } from '../../src/schedule/pipeline.ts';
import { built } from './plain-ring.ts';

const GB = 1e9;

describe('contention', () => {
  it('two GPUs and two NICs behind one uplink: their rates add up to it, in each direction apart', () => {
    const b = new ScheduleBuilder();
    const up = b.resource('link', 'uplink up', 25 * GB);
    const down = b.resource('link', 'uplink down', 25 * GB);
    const nics = [0, 1].map((i) => b.resource('link', `nic${i}`, 24 * GB));
    const sends = nics.map((nic, i) =>
      b.operation({
        label: `gpu${i} → nic${i}`,
        amount: GB,
        path: [
          [up, 1],
          [nic, 1],
        ],
      }),
    );
    const back = b.operation({ label: 'nic0 → gpu0', amount: GB, path: [[down, 1]] });
    const { finish, limits, resources } = run(built(b), { limits: 100 });
    for (const send of sends) expect(GB / finish[send]!).toBeCloseTo(12.5 * GB, 0);
    expect(GB / finish[back]!).toBeCloseTo(25 * GB, 0);
    // Who was held by what: both by the uplink, all the time.
    for (const send of sends) {
      const held = limits.held.filter((h) => h.operation === send);
      expect(held.every((h) => h.resource === up)).toBe(true);
      expect(held.reduce((sum, h) => sum + h.to - h.from, 0)).toBeCloseTo(finish[send]!, 9);
    }
    expect(resources.utilisation[up]).toBeCloseTo(1, 9);
    expect(resources.utilisation[nics[0]!]).toBeCloseTo(12.5 / 24, 9);
  });

  it('eight pairs at once: full rate each through a switch that has it, a share each through one that has not', () => {
    for (const [core, rate] of [
      [8 * 150, 150],
      [4 * 150, 75],
    ] as const) {
      const b = new ScheduleBuilder();
      const middle = b.resource('link', 'switch', core * GB);
      for (let pair = 0; pair < 8; pair++) {
        const out = b.resource('link', `out ${pair}`, 150 * GB);
        const into = b.resource('link', `in ${pair}`, 150 * GB);
        b.operation({
          amount: GB,
          path: [
            [out, 1],
            [middle, 1],
            [into, 1],
          ],
        });
      }
      const { finish } = runFolded(built(b));
      for (const t of finish) expect(GB / t / GB).toBeCloseTo(rate, 6);
    }
  });

  it('a checkpoint beside a ring takes its fair share of the one NIC they share, and the ring waits for it', () => {
    const build = (checkpoint: boolean) => {
      const b = new ScheduleBuilder();
      const out = Array.from({ length: 8 }, (_, g) => b.resource('link', `nic${g} out`, 50 * GB));
      for (let g = 0; g < 8; g++) {
        b.operation({
          label: `ring ${g}`,
          amount: GB / 8,
          repeat: 14,
          path: [[out[g]!, 1]],
          waits: [{ on: (g + 7) % 8, lag: 1 }],
        });
      }
      if (checkpoint)
        pipeline(b, {
          bytes: bytes(4 * GB),
          chunk: bytes(1 << 20),
          stages: [{ label: 'checkpoint', path: [[out[3]!, 1]] }],
        });
      return built(b);
    };
    const alone = run(build(false));
    const beside = run(build(true));
    expect(alone.time).toBeCloseTo(14 / 8 / 50, 9);
    // While the checkpoint runs (it outlasts the ring), GPU 3 has half its NIC, and everyone ends up at its pace.
    const ring = beside.finish.subarray(0, 8);
    expect(Math.max(...ring)).toBeGreaterThan(1.7 * alone.time);
    expect(Math.max(...ring)).toBeLessThanOrEqual(2 * alone.time * (1 + 1e-9));
    expect(beside.resources.held[3]).toBeGreaterThan(beside.finish[8]!);
    expect(beside.resources.load[3]).toBeCloseTo(4 * GB + (14 / 8) * GB, 0);
    // The NIC is never idle while the checkpoint lasts.
    expect(beside.finish[8]).toBeCloseTo((4 * GB + beside.resources.load[2]!) / (50 * GB), 2);
  });
});
