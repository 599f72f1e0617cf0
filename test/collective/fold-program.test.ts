import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromGBps } from '../../src/base/units.ts';
import { buildProgram, type Ways } from '../../src/collective/build.ts';
import { type Costs, costsOf, type Hop, type Link } from '../../src/collective/clock/costs.ts';
import { foldProgram } from '../../src/collective/clock/fold-program.ts';
import { timeCollective } from '../../src/collective/clock/time.ts';
import type { Program, Task } from '../../src/collective/program.ts';
import { render } from '../../src/words/render.ts';
import { cases, waysFor } from './random-ways.ts';

const perNode = 4;

const allReduce: Task = {
  collective: 'all_reduce',
  algorithm: 'Ring',
  protocol: 'Simple',
  count: 2 ** 20,
  elementBytes: 4,
  root: 0,
  channels: 2,
  chunkBytes: 2 ** 16,
};

function programOf(task: Task, ways: Ways): Program {
  const built = buildProgram(task, ways);
  if (!built.ok) throw new Error(render(built.error, 'en'));
  return built.value;
}

/** What may set one hop or link apart, after the machine is laid out. */
interface Odd {
  /** Rate of a rank's NIC, GB/s. */
  readonly nic?: (rank: number) => number;
  readonly latencyUs?: (from: number) => number;
  /** A link that all nodes share. */
  readonly spine?: boolean;
}

/** Nodes of GPUs that leave by a NIC each; switches of a node stand after the ranks. */
function cluster(program: Program, gpus: number, odd: Odd = {}): Costs {
  const links: Link[] = [];
  const each = (name: string, rate: (rank: number) => number): number => {
    for (let r = 0; r < program.ranks; r++) links.push({ name: `${name} ${r}`, rate: fromGBps(rate(r)) });
    return links.length - program.ranks;
  };
  const ports = [each('out', () => 360), each('in', () => 360)] as const;
  const nics = [each('nic out', odd.nic ?? (() => 48)), each('nic in', () => 48)] as const;
  const spine = links.push({ name: 'spine', rate: fromGBps(100) }) - 1;
  const nodeOf = (x: number): number => (x >= program.ranks ? x - program.ranks : Math.floor(x / gpus));
  return costsOf(program, links, (from, to): Hop => {
    const latencyUs = odd.latencyUs?.(from) ?? 1;
    if (nodeOf(from) !== nodeOf(to)) {
      const way = [nics[0] + (from % program.ranks), nics[1] + (to % program.ranks)];
      return { links: odd.spine ? [...way, spine] : way, blockUs: 0.5, latencyUs: 4 + latencyUs, proxyUs: 1 };
    }
    const leave = from < program.ranks ? [ports[0] + from] : [];
    const enter = to < program.ranks ? [ports[1] + to] : [];
    return { links: [...leave, ...enter], blockUs: 0.5, latencyUs };
  });
}

const ringOf = (nodes: number): Program => programOf(allReduce, waysFor(nodes, perNode, 2, 7));

describe('a program folded before it becomes a schedule', () => {
  it('is one node for all where nodes are alike', () => {
    const program = ringOf(64);
    const folded = foldProgram(program, cluster(program, perNode))!;
    expect(folded.times).toBe(64);
    expect(folded.program.workers.count).toBe(perNode * 2);
    expect(folded.program.connections.count).toBe(perNode * 2);
    // Four GPUs with two ports each, and the NICs by which the two channels leave and enter.
    const crossed = new Set(folded.link.filter((l) => l >= 0));
    expect(crossed.size).toBe(folded.costs.links.length);
    expect(folded.costs.links.length).toBeLessThanOrEqual(perNode * 4);
  });

  it('is every second node where every second one differs', () => {
    const program = ringOf(8);
    const costs = cluster(program, perNode, { nic: (r) => (Math.floor(r / perNode) % 2 === 0 ? 48 : 24) });
    expect(foldProgram(program, costs)!.times).toBe(4);
  });

  it('is left whole where one NIC is slow, one hop takes longer, or all nodes share a link', () => {
    const program = ringOf(8);
    const leaving = [...program.connections.from].find(
      (from, c) => Math.floor(from / perNode) !== Math.floor(program.connections.to[c]! / perNode),
    )!;
    for (const odd of [
      { nic: (r: number) => (r === leaving ? 24 : 48) },
      { latencyUs: (from: number) => (from === 5 ? 2 : 1) },
      { spine: true },
    ]) {
      expect(foldProgram(program, cluster(program, perNode, odd))).toBeUndefined();
    }
  });

  it('takes the same time and loads every link alike, whatever the collective', () => {
    let folds = 0;
    fc.assert(
      fc.property(cases(), fc.nat(), (c, seed) => {
        const program = programOf(c.task, c.ways);
        const gpus = c.ways.nvls!.nodes[0]!.length;
        const costs = cluster(
          program,
          gpus,
          seed % 3 === 0 ? { nic: (r) => (r % gpus === seed % gpus ? 24 : 48) } : {},
        );
        if (foldProgram(program, costs)) folds++;
        const whole = timeCollective(program, costs, { fold: 'none' });
        const folded = timeCollective(program, costs);
        if (!whole.ok || !folded.ok) throw new Error('not compiled');
        const { time, run } = whole.value;
        expect(Math.abs(folded.value.time - time)).toBeLessThanOrEqual(1e-9 * time);
        expect(folded.value.run.stuck).toEqual([]);
        run.resources.load.forEach((bytes, l) => {
          expect(Math.abs(folded.value.run.resources.load[l]! - bytes)).toBeLessThanOrEqual(1e-9 * bytes + 1e-9);
        });
        expect(folded.value.run.totals.linkBytes).toBeCloseTo(run.totals.linkBytes, 3);
        expect(folded.value.run.effort.iterations).toBeCloseTo(run.effort.iterations, 3);
      }),
      { numRuns: 400 },
    );
    expect(folds).toBeGreaterThan(50);
  });
});
