import { expect, it } from 'vitest';
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
