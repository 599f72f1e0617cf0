import { describe, expect, it } from 'vitest';
import { answerPredict } from '../../src/answer/predict.ts';
import { priceOf } from '../../src/answer/price.ts';
import { allReduceCost } from '../../src/answer/price-collective.ts';
import { typicalMachine } from '../../src/answer/typical.ts';
import { assume } from '../../src/assemble/assume.ts';
import { systemMachine } from '../../src/assemble/build/machine.ts';
import { finding } from '../../src/doctor/finding.ts';
import { findingIds } from '../../src/doctor/ids.ts';
import { say } from '../../src/words/message.ts';
import { render } from '../../src/words/render.ts';

const dgx = await typicalMachine(undefined);
const pcie = systemMachine('dgx-1v')!;

describe('the price of a finding', () => {
  it('is what the detour costs on this machine', () => {
    const staged = render(priceOf(dgx, {}, 'gdr-disabled-peermem-missing')!, 'en');
    expect(staged).toMatch(/^Here: [\d.]+ instead of [\d.]+ GB\/s from gpu0 to node1\/gpu0, \d+ % lost\.$/);
    const [slow, fast] = /([\d.]+) instead of ([\d.]+)/.exec(staged)!.slice(1).map(Number);
    expect(slow!).toBeLessThan(fast! / 1.02);
    expect(priceOf(dgx, {}, 'ipoib-used-instead-of-verbs')?.code).toBe('doctor.cost.rate');
  });

  it('is none where nothing takes a detour, and never a fault', () => {
    expect(priceOf(dgx, {}, 'shm-too-small')).toBeUndefined();
    // A GPU far from its NICs is priced itself, not its neighbour.
    const far = priceOf(dgx, {}, 'gpu-nic-cross-numa', ['gpu5', 'gpu6']);
    expect(far ? render(far, 'en') : 'gpu5').toContain('gpu5');
    for (const machine of [dgx, pcie, { ...dgx, hosts: [] }]) for (const id of findingIds) priceOf(machine, {}, id);
  });
});

describe('the price of a finding in AllReduce of 1 GiB', () => {
  const at = { file: 'x', line: 1 };
  const predicted = (gdr: boolean): number => {
    const two = assume({ ...dgx, nodes: 2 }, [{ fact: 'gdr', on: gdr }]);
    if (!two.ok) throw new Error('assumed nothing');
    const made = answerPredict(two.value, {}, { name: 'all_reduce', datatype: 'float', sizes: [2 ** 30] });
    if (!made.ok) throw new Error('predicted nothing');
    return made.value.rows[0]!.timeUs / 1000;
  };

  it('is what predict says of the machine with and without it', () => {
    const cost = allReduceCost(dgx, {}, finding('gdr-disabled-peermem-missing', { evidence: [at] }))!;
    expect([cost.code, cost.args['sick'], cost.args['well']]).toEqual([
      'doctor.cost.all-reduce',
      predicted(false).toPrecision(3),
      predicted(true).toPrecision(3),
    ]);
    expect(render(cost, 'en')).toMatch(/over 16 GPUs on 2 nodes takes [\d.]+ ms instead of [\d.]+: \d+ % of/);
    expect(render(cost, 'zh-CN')).toMatch(/2 个节点共 16 块 GPU .*带宽损失 \d+%。$/);
  });

  it('of a workaround is that of its variable, on one node as well', () => {
    const left = (name: string, value: string) =>
      allReduceCost(
        { ...pcie, nodes: 1 },
        {},
        finding('workaround-env-left', { evidence: [at], absent: [say('doctor.set', { name, value })] }),
      );
    expect(left('NCCL_P2P_DISABLE', '1')?.code).toBe('doctor.cost.all-reduce-node');
    // There is no NVSwitch whose sums could be switched off.
    expect(left('NCCL_NVLS_ENABLE', '0')).toBeUndefined();
  });

  it('is none of what is no change of a machine, and never a fault', () => {
    for (const machine of [dgx, pcie, { ...dgx, hosts: [] }])
      for (const id of findingIds) allReduceCost(machine, {}, finding(id, { evidence: [at] }));
    expect(allReduceCost(dgx, {}, finding('shm-too-small', { evidence: [at] }))).toBeUndefined();
  });
});
