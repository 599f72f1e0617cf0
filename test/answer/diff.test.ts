import { describe, expect, it } from 'vitest';
import { answerDiff } from '../../src/answer/diff.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import type { Document } from '../../src/read/documents.ts';
import { readText } from '../../src/read/read-source.ts';

const docs = (files: Readonly<Record<string, readonly string[]>>): Document[] =>
  Object.entries(files).flatMap(([name, lines]) => [...readText(name, `${lines.join('\n')}\n`).documents]);
const kinds = (a: readonly Document[], b: readonly Document[]) =>
  answerDiff(a, b, {}).differences.map((d) => [d.kind, d.what.code, d.a !== undefined, d.b !== undefined]);

const log = (host: string, gdr: boolean): string[] => [
  `${host}:7:7 [0] NCCL INFO NCCL version 2.21.5+cuda12.4`,
  `${host}:7:7 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:192.0.2.7<0>`,
  `${host}:7:7 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0${gdr ? '/GDRDMA' : ''}`,
];
const lsmod = (...names: string[]): string[] => [
  'Module                  Size  Used by',
  ...names.map((n) => `${n.padEnd(22)} 100000  0`),
];

describe('two nodes', () => {
  const good = docs({ 'nccl.log': log('birch', true), 'lsmod.txt': lsmod('nvidia', 'nvidia_peermem', 'mlx5_ib') });
  const bad = docs({ 'nccl.log': log('ash', false), 'lsmod.txt': lsmod('nvidia', 'mlx5_ib') });

  it('that are alike differ in nothing, whatever they are called', () => {
    const same = docs({ 'n2.log': log('ash', true), 'm2.txt': lsmod('mlx5_ib', 'nvidia_peermem', 'nvidia') });
    expect(answerDiff(good, same, {})).toEqual({ differences: [], apart: false });
  });

  it('differ by the way that is direct on one, and by what is found on the other', () => {
    const found = kinds(good, bad);
    expect(found).toContainEqual(['way', 'doctor.way.gpudirect-rdma', true, true]);
    expect(kinds(bad, good)).toContainEqual(['way', 'doctor.way.gpudirect-rdma', true, true]);
  });

  it('differ by settings where both show them', () => {
    const a = docs({ 'a.env': ['NCCL_IB_HCA=mlx5_0', 'NCCL_DEBUG=INFO'] });
    const b = docs({ 'b.env': ['NCCL_IB_HCA=mlx5_1', 'NCCL_DEBUG=WARN'] });
    expect(kinds(a, b)).toEqual([['setting', 'diff.setting', true, true]]);
    expect(kinds(a, good)).toEqual([['way', 'doctor.way.gpudirect-rdma', false, true]]);
  });

  it('differ by a rate where the ways are the same, once for both directions, and by verdicts before rates', async () => {
    const rack = async (pcie: string, nics: number): Promise<Document[]> => {
      const read = await readClusterYaml(
        `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: ${nics}, cpu: intel-spr, sockets: 2, pcie: ${pcie}, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nsoftware: {gdr: true}\n`,
        'rack.yaml',
      );
      if (!read.ok) throw new Error('no description');
      return [read.value];
    };
    const said = (a: Document[], b: Document[]) =>
      answerDiff(a, b, {}).differences.map((d) => [d.what.args['pair'], d.a?.value.code]);
    const slow = said(await rack('gen4', 8), await rack('gen5', 8));
    expect(slow[0]).toEqual(['node0/gpu0 → node0/nic0', 'diff.pair.rate']);
    expect(slow.map(([pair]) => pair)).not.toContain('node0/nic0 → node0/gpu0');
    expect(said(await rack('gen5', 8), await rack('gen5', 8))).toEqual([]);
    const both = said(await rack('gen4', 4), await rack('gen5', 8)).map(([, code]) => code);
    expect(both.filter((code) => code !== undefined)).not.toEqual([]);
    expect(both[0]).not.toBe('diff.pair.rate');
  });

  it('that show different things are said to', () => {
    const a = docs({ 'lsmod.txt': lsmod('nvidia') });
    const b = docs({ 'a.env': ['NCCL_DEBUG=INFO'] });
    expect(answerDiff(a, b, {})).toEqual({ differences: [], apart: true });
  });
});
