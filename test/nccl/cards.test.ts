import { describe, expect, it } from 'vitest';
import { answerPredict } from '../../src/answer/predict.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { portsOf } from '../../src/machine/names.ts';
import { type Ask, jobOf } from '../../src/nccl/of-machine.ts';
import { described } from '../support/machines.ts';

const yaml = (nic: string, nics: number, below: number, transport = 'roce', pcie = 'gen5'): string =>
  `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: ${nic}Gb/s, nics: ${nics}, cpu: intel-spr, sockets: 2, pcie: ${pcie}, gpusPerSwitch: 1, nicsPerSwitch: ${below}}\nnodes: 2\nnetwork: {transport: ${transport}, rate: ${nic}Gb/s}\nsoftware: {gdr: true}\n`;
const two = await described(yaml('200', 16, 2));

const ask = (nccl: string, ...env: [string, string][]): Ask => ({ nccl, env: new Map(env) });
const seen = (machine: Machine, asked: Ask): number[] =>
  portsOf(jobOf(machine, 0, asked).host).map((p) => p.speedMbps! / 1000);
const eight = (rate: number): number[] => Array.from({ length: 8 }, () => rate);
const sixteen = [...eight(200), ...eight(200)];

describe('two ports of a card', () => {
  it('are one NIC since 2.20.3', () => {
    expect(seen(two, ask('2.19.4'))).toEqual(sixteen);
    expect(seen(two, ask('2.20.3'))).toEqual(eight(400));
    expect(seen(two, ask('2.30.7'))).toEqual(eight(400));
    expect(portsOf(jobOf(two, 0, ask('2.30.7')).host)[0]!.name).toBe('mlx5_0+mlx5_1');
  });

  it('stay apart where a variable says so', () => {
    expect(seen(two, ask('2.23.4', ['NCCL_IB_MERGE_NICS', '0']))).toEqual(sixteen);
    expect(seen(two, ask('2.27.3', ['NCCL_NET_MERGE_LEVEL', 'LOC']))).toEqual(sixteen);
    // That release does not know it yet.
    expect(seen(two, ask('2.23.4', ['NCCL_NET_MERGE_LEVEL', 'LOC']))).toEqual(eight(400));
  });

  it('are joined only where NCCL_IB_HCA leaves both', () => {
    const first = Array.from({ length: 8 }, (_, i) => `mlx5_${2 * i}`).join(',');
    expect(seen(two, ask('2.27.3', ['NCCL_IB_HCA', `=${first}`]))).toEqual(sixteen);
    expect(seen(two, ask('2.27.3', ['NCCL_IB_HCA', '=mlx5_0,mlx5_1']))[0]).toBe(400);
  });

  it('are only taken for such where both fill a slot, over verbs', async () => {
    const of = async (...how: Parameters<typeof yaml>) => seen(await described(yaml(...how)), ask('2.27.3')).length;
    expect(await of('400', 16, 2)).toBe(16);
    expect(await of('200', 8, 1)).toBe(8);
    expect(await of('100', 16, 2)).toBe(16);
    expect(await of('100', 16, 2, 'infiniband', 'gen4')).toBe(8);
    expect(await of('100', 32, 4)).toBe(32);
    expect(await of('200', 16, 2, 'tcp')).toBe(16);
  });

  it('carry what both carry, and a prediction says what it took them for', () => {
    const at = (asked: Ask) => {
      const a = answerPredict(two, asked, { name: 'all_reduce', datatype: 'float', sizes: [2 ** 32] });
      if (!a.ok) throw new Error(a.error.reason.code);
      return { codes: a.value.assumptions.map((m) => m.code), busbw: a.value.rows[0]!.busbwGBps };
    };
    const joined = at(ask('2.23.4'));
    expect(joined.codes).toContain('predict.cards');
    expect(at(ask('2.19.4')).codes).not.toContain('predict.cards');
    // Eight NICs of 400 Gb/s under NVLSTree; measured were 467 GB/s (OCI's BM.GPU.H100.8, NCCL 2.23.4).
    expect(joined.busbw).toBeGreaterThan(440);
    expect(at(ask('2.23.4', ['NCCL_IB_MERGE_NICS', '0'])).busbw).toBeLessThan(380);
  });

  it('lie in a slot that passes both, also where a port alone would need less', async () => {
    const links = async (...how: Parameters<typeof yaml>) => {
      const nics = (await described(yaml(...how))).hosts[0]!.cpus.flatMap((c) =>
        c.devices.flatMap((d) => d.children.filter((x) => x.role === 'nic')),
      );
      return [...new Set(nics.map((n) => `${n.ports![0]!.part} ${n.link.speed}`))];
    };
    // Two ports of 400 Gb/s are a ConnectX-8's, whose slot is gen6: a ConnectX-7's gen5 would halve them.
    expect(await links('400', 16, 2, 'roce', 'gen6')).toEqual(['connectx-8 64.0 GT/s PCIe']);
    expect(await links('200', 16, 2)).toEqual(['connectx-7 32.0 GT/s PCIe']);
    expect(await links('100', 16, 2, 'infiniband', 'gen4')).toEqual(['connectx-5-ex 16.0 GT/s PCIe']);
    expect(await links('400', 8, 1, 'roce', 'gen6')).toEqual(['connectx-7 32.0 GT/s PCIe']);
  });

  it('do not make NCCL_IB_HCA seem to leave NICs out', () => {
    const a = answerPredict(two, ask('2.27.3', ['NCCL_IB_HCA', 'mlx5']), {
      name: 'all_reduce',
      datatype: 'float',
      sizes: [2 ** 30],
    });
    expect(a.ok && a.value.assumptions.map((m) => m.code)).not.toContain('predict.hca');
  });
});
