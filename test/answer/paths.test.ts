import { describe, expect, it } from 'vitest';
import { answerPaths } from '../../src/answer/paths.ts';
import { pasted } from '../support/machines.ts';

const matrix =
  '\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\tPHB\t0-7\t0\nGPU1\tNV18\t X \tPHB\t0-7\t0\nNIC0\tPHB\tPHB\t X \n';

describe('paths of a matrix, whose link rates nobody tells', () => {
  // Before 2.28.7 a job on one node drops the NICs, and with them the nodes that the whole system has.
  it.each(['2.18.3', '2.21.5', '2.27.3', '2.30.7'])('as NCCL %s sees them', (version) => {
    const answer = answerPaths(pasted(matrix), { nccl: version });
    expect(answer.ok && answer.value.pairs.find((p) => p.from === 'gpu0' && p.to === 'gpu1')).toMatchObject({
      type: 'NVL',
      p2p: { via: 'P2P' },
    });
  });
});
