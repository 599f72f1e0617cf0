import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerEnv } from '../../src/answer/env.ts';
import { newest, releaseFor } from '../../src/nccl/release.ts';
import { parseInteger } from '../../src/nccl/settings.ts';
import { numberRead, readBy, variableNamed, variableNames } from '../../src/nccl/variables.ts';
import { readText } from '../../src/read/read-source.ts';
import { system } from '../support/machines.ts';

const verdicts = (lines: readonly string[], nccl: string, id = 'hgx-h100', nodes = 2) => {
  const { documents } = readText('job.env', `${lines.join('\n')}\n`);
  const answer = answerEnv(documents, system(id, nodes), { nccl });
  return answer.settings.map((s) => [s.name, s.verdict, s.at?.line]);
};

describe('variables of NCCL', () => {
  it('are judged one by one, each with its line', () => {
    const lines = [
      'NCCL_DEBUG=INFO',
      'export NCCL_IB_HAC=mlx5_0',
      'NCCL_P2P_DISABLE=1',
      'NCCL_NVLS_ENABLE=yes',
      'NCCL_LL_THRESHOLD=0',
      'NCCL_CTA_POLICY=1',
      'NCCL_P2P_DISABLE=0',
      'NCCL_SHM_DISABLE=0',
      'NCCL_NET_GDR_READ=1',
    ];
    expect(verdicts(lines, '2.21.5')).toEqual([
      ['NCCL_DEBUG', 'fine', 1],
      ['NCCL_IB_HAC', 'typo', 2],
      ['NCCL_P2P_DISABLE', 'left', 3],
      ['NCCL_NVLS_ENABLE', 'value', 4],
      ['NCCL_LL_THRESHOLD', 'late', 5],
      ['NCCL_CTA_POLICY', 'early', 6],
      ['NCCL_P2P_DISABLE', 'twice', 7],
      ['NCCL_SHM_DISABLE', 'standard', 8],
      // Hopper reads directly anyway.
      ['NCCL_NET_GDR_READ', 'no-effect', 9],
    ]);
  });

  it('have an effect where they change what NCCL decides, and none where they do not', () => {
    expect(verdicts(['NCCL_CROSS_NIC=0'], '2.21.5', 'dgx-1v', 1)[0]![1]).toBe('no-effect');
    expect(verdicts(['NCCL_MAX_NCHANNELS=2'], '2.21.5', 'hgx-h100', 1)[0]![1]).toBe('fine');
    expect(verdicts(['NCCL_P2P_LEVEL=NVL'], '2.21.5', 'hgx-h100', 1)[0]![1]).toBe('no-effect');
  });

  it('are misread where a level is no name that the release knows', () => {
    const lines = ['NCCL_P2P_LEVEL=FOO', 'NCCL_NET_GDR_LEVEL=phb'];
    expect(verdicts(lines, '2.21.5').map((v) => v[1])).toEqual(['value', 'value']);
    expect(verdicts(['NCCL_P2P_LEVEL=SYS', 'NCCL_NET_GDR_LEVEL=3'], '2.21.5').map((v) => v[1])).not.toContain('value');
  });

  it('are known from the first to the last release that reads them', () => {
    for (const name of variableNames) {
      const v = variableNamed(name)!;
      expect([name, /^\d+\.\d+\.\d+$/.test(v.since), v.until === undefined || /^\d+\.\d+\.\d+$/.test(v.until)]).toEqual(
        [name, true, true],
      );
      expect([name, readBy(v, releaseFor(newest)!)]).toEqual([name, v.until === undefined ? 'yes' : 'late']);
    }
    expect(variableNamed('__proto__')).toBeUndefined();
  });

  it('read numbers as NCCL does, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('0x1f', '010', '4MB', 'true', '-2', ' 3')),
        (text) => {
          const read = numberRead(text);
          if (text.trim() === '') expect(read).toBeUndefined();
          else expect(read!.value).toBe(parseInteger(text) ?? 0);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
