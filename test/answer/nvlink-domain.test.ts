import { expect, it } from 'vitest';
import { dataPaths } from '../../src/move/move.ts';
import { courseOf } from '../../src/way/course.ts';
import { system } from '../support/machines.ts';

const course = (nodes: number, from: string, to: string) => {
  const found = courseOf(system('gb200-nvl72', nodes), {}, from, to);
  if (!found.ok) throw new Error(found.error.reason.code);
  return found.value;
};

it('does not promise the network, nor NVLink, between nodes of one NVLink domain', () => {
  for (const to of ['node1/gpu0', 'node17/gpu3']) {
    const inside = course(36, 'node0/gpu0', to);
    expect([inside.direct, inside.rule.code]).toEqual(['unknown', 'rule.domain.open']);
    expect(inside.settle).toContain('Fabric');
  }
});

it('takes the network to another domain', () => {
  const across = course(36, 'node0/gpu0', 'node18/gpu0');
  expect(across.ways[0]?.path).toMatch(/rdma/);
});

it('shows both ways within a domain: over NVLink, and what the network would do', () => {
  const inside = course(36, 'node0/gpu0', 'node1/gpu3');
  expect(inside.ways.map((w) => [w.path, w.copies])).toEqual([
    ['nvlink', 1],
    ['gpudirect-rdma', 0],
  ]);
  expect(inside.ways[0]!.stages.map((s) => [s.from, s.to, s.rate])).toEqual([['node0/gpu0', 'node1/gpu3', 900e9]]);
  expect(inside.network?.direct).toBe('yes');
});

it('times NVLink between nodes of one domain, and judges the network for itself', () => {
  const models = (nodes: number, to: string) => {
    const found = dataPaths(system('gb200-nvl72', nodes), {}, 'node0/gpu0', to);
    if (!found.ok) throw new Error(found.error.code);
    return found.value;
  };
  const inside = models(36, 'node1/gpu0');
  expect(inside.slice(0, 2).map((m) => [m.path, m.allowed])).toEqual([
    ['nvlink', 'unknown'],
    ['gpudirect-rdma', 'yes'],
  ]);
  // The links of both GPUs are taken, each in its direction, so that others wait for them.
  expect(inside[0]!.stages[0]!.links.map((l) => l.key)).toEqual(['0 gpu0 nvlink out', '1 gpu0 nvlink in']);
  const within = models(36, 'node0/gpu1')[0]!;
  expect(inside[0]!.stages[0]!.rate).toBe(within.stages[0]!.rate);
  expect(models(36, 'node18/gpu0').some((m) => m.path === 'nvlink')).toBe(false);
});
