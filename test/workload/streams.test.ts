import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedMaximum } from '../../src/base/normal.ts';
import { Streams } from '../../src/workload/streams.ts';

describe('two streams of a GPU', () => {
  it('slow a kernel for as long as a collective runs beside it, and no longer', () => {
    const s = new Streams(0.5);
    s.collective(10, 20);
    // 10 µs alone, 20 µs at half speed, 10 µs alone.
    expect(s.kernel(0, 30)).toBe(40);
    expect(s.slowed).toBe(10);
    // The collective is past: the next kernel is alone.
    expect(s.kernel(0, 5)).toBe(45);
    s.collective(0, 4);
    expect(s.kernel(45, 1)).toBe(46);
    expect(s.communication).toBe(24);
  });

  it('agree with a clock that ticks: 300 random collectives and kernels', () => {
    const tick = 0.01;
    const some = fc.array(fc.record({ gap: fc.nat(50), duration: fc.nat(50) }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }), (collectives, kernels) => {
        const s = new Streams(0.4);
        const busy: [number, number][] = [];
        for (const c of collectives) {
          const end = s.collective(s.collectivesEnd + c.gap, c.duration);
          busy.push([end - c.duration, end]);
        }
        let now = 0;
        for (const work of kernels) {
          s.kernel(0, work);
          for (let left = work; left > 1e-9; now += tick)
            left -= tick * (busy.some(([a, b]) => now >= a && now < b) ? 0.6 : 1);
        }
        expect(Math.abs(s.kernelsEnd - now)).toBeLessThan(2 * tick * (kernels.length + collectives.length));
        const work = kernels.reduce((a, b) => a + b, 0);
        expect(s.kernelsEnd).toBeCloseTo(work + s.slowed, 6);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the largest of many draws', () => {
  it('is what integrals give (Harter, Expected Values of Normal Order Statistics, Biometrika 48, 1961)', () => {
    expect(expectedMaximum(1)).toBe(0);
    for (const [n, value] of [
      [2, 0.5642],
      [8, 1.4236],
      [16, 1.766],
      [64, 2.3437],
      [100, 2.5076],
      [400, 2.9682],
    ] as const)
      expect(Math.abs(expectedMaximum(n) - value), `${n}`).toBeLessThan(0.03);
  });
});
