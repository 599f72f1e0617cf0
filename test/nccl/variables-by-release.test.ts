import { describe, expect, it } from 'vitest';
import { answerPredict } from '../../src/answer/predict.ts';
import { jobOf } from '../../src/nccl/of-machine.ts';
import { variableNamed, variableNames } from '../../src/nccl/variables/variable.ts';
import { described, system } from '../support/machines.ts';

describe('variables before and after their time', () => {
  it('are no part of the job of a release that does not read them', () => {
    const env = new Map(variableNames.map((name) => [name, '1']));
    for (const nccl of ['2.6.4', '2.13.4', '2.30.7']) {
      const kept = jobOf(system('hgx-h100', 2), 0, { nccl, env }).env;
      expect(kept.has('NCCL_P2P_NET_CHUNKSIZE')).toBe(nccl !== '2.6.4' && nccl !== '2.13.4');
      expect(kept.has('NCCL_RINGS')).toBe(false);
      for (const name of kept.keys()) expect(variableNamed(name)).toBeDefined();
    }
    const other = new Map([['OMP_NUM_THREADS', '4']]);
    expect(jobOf(system('hgx-h100', 2), 0, { env: other }).env.get('OMP_NUM_THREADS')).toBe('4');
  });

  it('change no exchange: a chunk of no bytes ends only a release that reads it', async () => {
    const machine = await described('node: dgx-a100-40g\nnodes: 2\nnetwork: {transport: infiniband, rate: 200Gb/s}\n');
    const time = (nccl: string, value?: string): number | string => {
      const env = new Map(value === undefined ? [] : [['NCCL_P2P_NET_CHUNKSIZE', value]]);
      const a = answerPredict(machine, { nccl, env }, { name: 'sendrecv', datatype: 'float', sizes: [2 ** 24] });
      return a.ok ? a.value.rows[0]!.timeUs : a.error.reason.code;
    };
    expect(time('2.12.12', '0')).toBe(time('2.12.12'));
    expect(time('2.12.12', '4096')).toBe(time('2.12.12'));
    expect(time('2.14.3', '0')).toBe('predict.chunk');
    expect(time('2.27.7', '4096')).not.toBe(time('2.27.7'));
  });
});
