import { describe, expect, it } from 'vitest';
import { answerGraph } from '../../src/answer/graph.ts';
import { answerPaths } from '../../src/answer/paths.ts';
import { pasted } from '../support/machines.ts';

/** A tree as 2.30.3 and later print it: devices are nodes of their own, and no rank is shown. */
const tree = (more = ''): string =>
  [
    'NCCL version 2.30.7+cuda13.0',
    '=== System : maxBw 24.0 totalBw 24.0 ===',
    'CPU/0-0 (1/1/3)',
    '+ PCI[24.0] - DEV/0-2a000 (10de20b210de1463)',
    '              + LOC[5000.0] - GPU/0-2a000',
    '+ PCI[24.0] - DEV/0-18000 (10de20b210de1463)',
    '              + LOC[5000.0] - GPU/0-18000',
    '+ PCI[24.0] - NIC/0-3b000',
    '              + NET[25.0] - NET/0-0 (0/1/1/25.000000)',
    '==========================================',
    ...(more === '' ? [] : [more]),
  ]
    .map((line) => `box:10:10 [0] NCCL INFO ${line}`)
    .join('\n');

const announced = [0, 1]
  .map((rank) => {
    const bus = rank === 0 ? '2a000' : '18000';
    return `ncclCommInitRank comm 0x${rank + 1} rank ${rank} nranks 2 cudaDev ${rank} nvmlDev ${rank} busId ${bus} commId 0x9 - Init START`;
  })
  .join('\nbox:10:10 [0] NCCL INFO ');

const ranksOf = (text: string): (readonly [string | undefined, number | undefined])[] => {
  const answer = answerPaths(pasted(`${text}\n`, 'nccl.log'));
  if (!answer.ok) throw new Error(answer.error.reason.code);
  return answer.value.devices.filter((d) => d.kind === 'gpu').map((d) => [d.busId, d.rank] as const);
};

describe('a printed tree that shows no ranks', () => {
  it('has its GPUs dealt out by their buses', () => {
    expect(ranksOf(tree())).toEqual([
      ['0000:2a:00.0', 1],
      ['0000:18:00.0', 0],
    ]);
    const graph = answerGraph(pasted(`${tree()}\n`, 'nccl.log'));
    expect(graph.ok && graph.value.communicator.ranks).toBe(2);
  });

  it('or as the communicator beside it announces them', () => {
    expect(ranksOf(tree(announced))).toEqual([
      ['0000:2a:00.0', 0],
      ['0000:18:00.0', 1],
    ]);
  });
});
