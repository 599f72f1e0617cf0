import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from '../../src/base/random.ts';
import { fromGBps } from '../../src/base/units.ts';
import { buildProgram, type Ways } from '../../src/collective/build.ts';
import { compile } from '../../src/collective/clock/compile.ts';
import { type Costs, costsOf, type Hop, type Link } from '../../src/collective/clock/costs.ts';
import { type TimeOptions, timeCollective } from '../../src/collective/clock/time.ts';
import { interpret } from '../../src/collective/interpret.ts';
import { bufferSizes } from '../../src/collective/kinds.ts';
import type { Program, Task } from '../../src/collective/program.ts';
import { fold } from '../../src/engine/fold.ts';
import { render } from '../../src/words/render.ts';
import { referenceTime } from './clock-reference.ts';
import { cases, waysFor, without } from './random-ways.ts';

function programOf(task: Task, ways: Ways): Program {
  const built = buildProgram(task, ways);
  if (!built.ok) throw new Error(render(built.error, 'en'));
  return built.value;
}

function timed(program: Program, costs: Costs, options: TimeOptions = {}): number {
  const made = timeCollective(program, costs, options);
  if (!made.ok) throw new Error(render(made.error as never, 'en'));
  expect(made.value.run.stuck).toEqual([]);
  return made.value.time;
}

/** Every connection with links of its own, some over a proxy. */
function ownLinks(program: Program, seed: number): Costs {
  const rng = random(seed);
  const links: Link[] = [];
  const link = (): number => links.push({ name: `link ${links.length}`, rate: fromGBps(1 + rng.below(20)) }) - 1;
  return costsOf(
    program,
    links,
    (): Hop => ({
      links: rng.below(4) === 0 ? [link(), link()] : [link()],
      blockUs: rng.below(3) / 2,
      latencyUs: rng.below(4),
      ...(rng.below(3) === 0 ? { weight: 1 + rng.below(3) / 2 } : {}),
      ...(rng.below(3) === 0 ? { proxyUs: rng.below(3) } : {}),
      ...(rng.below(2) === 0 ? { blockLinks: [link()] } : {}),
    }),
    { startUs: 5, finishUs: 2 },
  );
}

describe('a program on the clock', () => {
  it('takes what a calculation by hand, message by message, gives', () => {
    let runs = 0;
    fc.assert(
      fc.property(cases(), fc.nat(), (c, seed) => {
        const program = programOf(c.task, c.ways);
        const costs = ownLinks(program, seed);
        const want = referenceTime(program, costs);
        const got = timed(program, costs, { single: true, fold: 'none' });
        expect(Math.abs(got - want)).toBeLessThanOrEqual(1e-9 * want);
        runs++;
      }),
      { numRuns: 300 },
    );
    expect(runs).toBe(300);
  });
});

/** GPUs that share NVLink ports among channels and leave by a NIC each; one NIC may be slow. */
function cluster(program: Program, perNode: number, names: readonly number[], slowNic = -1): Costs {
  const links: Link[] = [];
  const each = (name: string, rate: number): number => {
    for (const r of names) {
      links.push({ name: `${name} ${r}`, rate: fromGBps(name.startsWith('nic') && r === slowNic ? rate / 2 : rate) });
    }
    return links.length - names.length;
  };
  const [out, into, nicOut, nicIn] = [each('out', 360), each('in', 360), each('nic out', 48), each('nic in', 48)];
  const nodeOf = (x: number): number => (x >= names.length ? x - names.length : Math.floor(names[x]! / perNode));
  return costsOf(program, links, (from, to): Hop => {
    if (nodeOf(from) !== nodeOf(to)) {
      return { links: [nicOut + from, nicIn + to], blockUs: 0.5, latencyUs: 4, proxyUs: 1 };
    }
    const [a, b] = [from < names.length ? [out + from] : [], to < names.length ? [into + to] : []];
    return { links: [...a, ...b], blockUs: 0.5, latencyUs: 1 };
  });
}

const task = (algorithm: Task['algorithm'], collective: Task['collective'], count: number): Task => ({
  collective,
  algorithm,
  protocol: 'Simple',
  count,
  elementBytes: 4,
  root: 0,
  channels: 4,
  chunkBytes: 2 ** 18,
});

describe('the schedule of runs', () => {
  it('takes what the schedule of single slices takes, but for uneven turns', () => {
    let exact = 0;
    let runs = 0;
    fc.assert(
      fc.property(cases(), fc.nat(), (c, seed) => {
        const program = programOf(c.task, c.ways);
        const costs = ownLinks(program, seed);
        const single = timed(program, costs, { single: true, fold: 'none' });
        const ratio = timed(program, costs, { fold: 'none' }) / single;
        runs++;
        if (Math.abs(ratio - 1) < 1e-9) exact++;
        expect(ratio).toBeGreaterThan(0.9);
        expect(ratio).toBeLessThan(1.15);
      }),
      { numRuns: 300 },
    );
    expect(exact / runs).toBeGreaterThan(0.85);
  });

  it('is folded without changing a thing, also with one slow NIC or a GPU missing', () => {
    for (const [algorithm, collective] of [
      ['Ring', 'all_reduce'],
      ['Ring', 'all_gather'],
      ['Ring', 'broadcast'],
      ['Tree', 'all_reduce'],
      ['NVLSTree', 'all_reduce'],
      ['Direct', 'alltoall'],
    ] as const) {
      for (const odd of ['', 'slow NIC', 'missing GPU']) {
        if (algorithm === 'NVLSTree' && odd === 'missing GPU') continue;
        const whole = waysFor(4, 4, 2, 11);
        const ways = odd === 'missing GPU' ? without(whole, 6) : whole;
        const names = Array.from({ length: 16 }, (_, r) => r).filter((r) => odd !== 'missing GPU' || r !== 6);
        const per = collective === 'all_reduce' || collective === 'broadcast' ? 1 : names.length;
        const program = programOf(task(algorithm, collective, Math.floor(2 ** 20 / per)), ways);
        const costs = cluster(program, 4, names, odd === 'slow NIC' ? 5 : -1);
        const folded = timed(program, costs);
        const plain = timed(program, costs, { fold: 'none' });
        const oneByOne = timed(program, costs, { fold: 'none', skip: false });
        expect(Math.abs(folded - plain)).toBeLessThanOrEqual(1e-9 * plain);
        expect(Math.abs(plain - oneByOne)).toBeLessThanOrEqual(1e-9 * plain);
      }
    }
  });

  it('moves over each link just what the program sends, and is never faster than the fullest link', () => {
    fc.assert(
      fc.property(cases(), (c) => {
        const program = programOf(c.task, c.ways);
        const { ranks } = program;
        const perNode = c.ways.nvls!.nodes[0]!.length;
        const costs = cluster(
          program,
          perNode,
          Array.from({ length: ranks }, (_, r) => r),
        );
        const { input } = bufferSizes(c.task.collective, c.task.count, ranks);
        const done = interpret(
          program,
          Array.from({ length: ranks }, () => new Int32Array(input)),
        );
        if (!done.ok) throw new Error(render(done.error, 'en'));
        const load = new Float64Array(costs.links.length);
        costs.hops.forEach((hop, k) => {
          const bytes = done.value.sent[k]! * c.task.elementBytes * costs.wireFactor;
          for (const l of hop.links) load[l]! += bytes;
        });
        const whole = timeCollective(program, costs);
        const made = timeCollective(program, costs, { single: true });
        if (!made.ok || !whole.ok) throw new Error('not compiled');
        let bound = 0;
        load.forEach((bytes, l) => {
          expect(Math.abs(made.value.run.resources.load[l]! - bytes)).toBeLessThanOrEqual(1e-6 * bytes + 1e-6);
          bound = Math.max(bound, bytes / costs.links[l]!.rate);
        });
        expect(made.value.time).toBeGreaterThanOrEqual(bound * (1 - 1e-9));
        // Runs average an uneven turn over the ranks, and lose nothing.
        const sum = (x: Float64Array): number => x.reduce((a, b) => a + b, 0);
        const all = sum(load);
        const kinds = sum(whole.value.run.resources.load);
        expect(Math.abs(kinds - all)).toBeLessThanOrEqual(1e-6 * all + 1e-6);
      }),
      { numRuns: 300 },
    );
  });

  it('is never faster than the wires, and with much data nearly as fast', () => {
    for (const nodes of [2, 4, 8]) {
      const n = nodes * 4;
      const one = { ...task('Ring', 'all_reduce', 2 ** 28), channels: 1, chunkBytes: 2 ** 21 };
      const program = programOf(one, waysFor(nodes, 4, 1, 3));
      const seconds = timed(
        program,
        cluster(
          program,
          4,
          Array.from({ length: n }, (_, r) => r),
        ),
      );
      const bound = (2 * (n - 1) * 2 ** 30) / n / 48e9;
      expect(seconds).toBeGreaterThan(bound);
      // Each message takes the proxy a microsecond beside the 22 for its bytes, and each step its latency.
      expect(seconds).toBeLessThan(1.12 * bound);
    }
  });

  it('is what a packet simulator gives on a plain network', () => {
    // 8 GPUs on one switch, 2,880 Gb/s and 25 ns a link, 3 µs of software per send.
    for (const [mib, ms] of [
      [64, 0.369],
      [512, 2.654],
      [1024, 5.263],
    ] as const) {
      const vector = mib * 2 ** 20;
      const plain = { ...task('Ring', 'all_reduce', vector / 4), channels: 1, chunkBytes: vector / 8 };
      // One message a step: no slices.
      const program = programOf({ ...plain, protocol: 'LL' }, waysFor(1, 8, 1, 1));
      const links = Array.from({ length: 16 }, (_, i) => ({ name: `link ${i}`, rate: fromGBps(360) }));
      const hop = (from: number, to: number): Hop => ({ links: [from, 8 + to], blockUs: 3, latencyUs: 0.05 });
      const costs = { ...costsOf(program, links, hop), wireFactor: 1 };
      expect(Math.abs(timed(program, costs) * 1e3 - ms) / ms).toBeLessThan(0.005);
    }
  });

  it('may be folded by the near neighbourhood alone, and comes within 1 % of the whole', () => {
    for (const [algorithm, nodes, perNode, slowNic] of [
      ['Tree', 4, 4, -1],
      ['Tree', 9, 4, -1],
      ['Tree', 33, 4, -1],
      ['Tree', 24, 4, 13],
      ['Tree', 128, 2, -1],
      ['NVLSTree', 12, 4, -1],
    ] as const) {
      const ways = waysFor(nodes, perNode, 2, 5);
      const program = programOf({ ...task(algorithm, 'all_reduce', 2 ** 24), chunkBytes: 2 ** 18 }, ways);
      const names = Array.from({ length: nodes * perNode }, (_, r) => r);
      const costs = cluster(program, perNode, names, slowNic);
      const near = timed(program, costs, { fold: 'near' });
      expect(Math.abs(near / timed(program, costs) - 1)).toBeLessThan(0.01);
      const built = compile(program, costs);
      if (!built.ok) throw new Error(built.error.code);
      const exactly = fold(built.value).schedule.operations.count;
      const nearly = fold(built.value, 4).schedule.operations.count;
      expect(nearly).toBeLessThanOrEqual(exactly);
      if (nodes === 128) expect(nearly).toBeLessThan(0.7 * exactly);
    }
    // What folds exactly is the same either way.
    const ring = programOf(task('Ring', 'all_reduce', 2 ** 24), waysFor(3, 4, 2, 5));
    const costs = cluster(
      ring,
      4,
      Array.from({ length: 12 }, (_, r) => r),
    );
    expect(timed(ring, costs, { fold: 'near' })).toBeCloseTo(timed(ring, costs), 9);
  });
});
