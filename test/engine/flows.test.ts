import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fill } from '../../src/engine/fill.ts';
import { Flows } from '../../src/engine/flows.ts';
import { flowPaths } from '../../src/engine/paths.ts';
import { networks } from './networks.ts';
import { maxMinByLp } from './oracle.ts';

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-300);

function solved(capacity: number[], paths: [number, number][][]): Flows {
  const flows = new Flows(Float64Array.from(capacity), flowPaths(paths));
  paths.forEach((_, f) => {
    flows.add(f);
  });
  flows.solve();
  return flows;
}

describe('rates of flows', () => {
  it('are those worked out by hand', () => {
    // One link of 10: halves. The second flow also crosses a link of 2, so the first gets the rest.
    expect([...solved([10], [[[0, 1]], [[0, 1]]]).rate]).toEqual([5, 5]);
    expect([
      ...solved(
        [10, 2],
        [
          [[0, 1]],
          [
            [0, 1],
            [1, 1],
          ],
        ],
      ).rate,
    ]).toEqual([8, 2]);
    // Memory that is written and read: twice the load, and both flows still rise together.
    expect([...solved([30], [[[0, 1]], [[0, 2]]]).rate]).toEqual([10, 10]);
    // The parking lot: a long flow over three links, one short flow on each.
    const lot = solved(
      [6, 4, 12],
      [
        [
          [0, 1],
          [1, 1],
          [2, 1],
        ],
        [[0, 1]],
        [[1, 1]],
        [[2, 1]],
      ],
    );
    expect([...lot.rate]).toEqual([2, 4, 2, 10]);
    expect([...lot.heldBy]).toEqual([1, 0, 1, 2]);
  });

  it('are infinite for a flow that crosses nothing and zero on a dead link', () => {
    expect([...solved([0], [[], [[0, 1]]]).rate]).toEqual([Number.POSITIVE_INFINITY, 0]);
  });

  it('follow every arrival and departure as if solved from nothing', () => {
    fc.assert(
      fc.property(
        networks(),
        fc.array(fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }), { maxLength: 30 }),
        ({ capacity, paths }, steps) => {
          const table = flowPaths(paths);
          const cap = Float64Array.from(capacity);
          const flows = new Flows(cap, table);
          const known = new Float64Array(paths.length);
          for (const step of steps) {
            for (const pick of step) {
              const f = pick % paths.length;
              if (flows.isActive(f)) flows.remove(f);
              else flows.add(f);
              known[f] = 0;
            }
            flows.solve();
            for (let i = 0; i < flows.changes; i++) known[flows.changed[i]!] = flows.rate[flows.changed[i]!]!;
            const want = fill(cap, table, (f) => flows.isActive(f));
            for (let f = 0; f < paths.length; f++) {
              if (!close(flows.rate[f]!, want[f]!))
                throw new Error(`flow ${f}: ${flows.rate[f]} instead of ${want[f]}`);
              // Whoever keeps rates of their own is told of every change.
              if (flows.isActive(f) && known[f] !== flows.rate[f]) throw new Error(`flow ${f} changed in silence`);
            }
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('leave every flow held by a full resource on which nobody is faster', () => {
    fc.assert(
      fc.property(networks(12, 40), ({ capacity, paths }) => {
        const { rate, heldBy } = solved(capacity, paths);
        const load = capacity.map((_, r) =>
          paths.reduce((sum, path, f) => sum + (path.find(([x]) => x === r)?.[1] ?? 0) * rate[f]!, 0),
        );
        load.forEach((l, r) => {
          expect(l).toBeLessThanOrEqual(capacity[r]! * (1 + 1e-9));
        });
        paths.forEach((path, f) => {
          const r = heldBy[f]!;
          expect(path.some(([x]) => x === r)).toBe(true);
          expect(close(load[r]!, capacity[r]!)).toBe(true);
          const fastest = Math.max(...paths.map((other, g) => (other.some(([x]) => x === r) ? rate[g]! : 0)));
          expect(close(fastest, rate[f]!)).toBe(true);
          // No flow beats its narrowest hop.
          for (const [x, factor] of path) expect(rate[f]! * factor).toBeLessThanOrEqual(capacity[x]! * (1 + 1e-9));
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('are equal for equal flows, and the same in any order', () => {
    fc.assert(
      fc.property(networks(), fc.nat(), ({ capacity, paths }, seed) => {
        const twice = solved(capacity, [...paths, ...paths]).rate;
        paths.forEach((_, f) => {
          expect(close(twice[f]!, twice[f + paths.length]!)).toBe(true);
        });
        const order = paths
          .map((_, f) => f)
          .sort((a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101) || a - b);
        const plain = solved(capacity, paths).rate;
        const shuffled = solved(
          capacity,
          order.map((f) => paths[f]!),
        ).rate;
        order.forEach((f, i) => {
          expect(close(shuffled[i]!, plain[f]!)).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('agree with a linear program', async () => {
    const oracle = await maxMinByLp();
    fc.assert(
      fc.property(networks(6, 8), ({ capacity, paths }) => {
        const want = oracle(capacity, paths);
        const { rate } = solved(capacity, paths);
        const full = fill(Float64Array.from(capacity), flowPaths(paths));
        want.forEach((x, f) => {
          if (!close(rate[f]!, x) || !close(full[f]!, x)) throw new Error(`flow ${f}: ${rate[f]}, ${full[f]}; LP ${x}`);
        });
      }),
      { numRuns: 150 },
    );
  });
});
