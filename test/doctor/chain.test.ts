import { describe, expect, it } from 'vitest';
import { type ChainedWay, chainedWays, chainOf } from '../../src/doctor/chain.ts';
import type { Document } from '../../src/read/documents.ts';
import { readText } from '../../src/read/read-source.ts';

const docs = (files: Readonly<Record<string, readonly string[]>>): Document[] =>
  Object.entries(files).flatMap(([name, lines]) => [...readText(name, `${lines.join('\n')}\n`).documents]);
const answers = (files: Readonly<Record<string, readonly string[]>>, way: ChainedWay = 'gpudirect-rdma') =>
  Object.fromEntries(chainOf(docs(files), way).map((l) => [l.link, l.answer]));

const log = (gdr: string): string[] => [
  'birch:7:7 [0] NCCL INFO NCCL version 2.21.5+cuda12.4',
  'birch:7:7 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:192.0.2.7<0>',
  `birch:7:7 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0${gdr}`,
];
const lsmod = (...names: string[]): string[] => [
  'Module                  Size  Used by',
  ...names.map((n) => `${n.padEnd(22)} 100000  0`),
];

describe('the support chain', () => {
  it('is unknown where nothing is told, with the command that would tell', () => {
    for (const way of chainedWays) {
      for (const link of chainOf(docs({ 'a.env': ['NCCL_DEBUG=INFO'] }), way)) {
        expect([way, link.link, link.answer, link.settle !== undefined]).toEqual([way, link.link, 'unknown', true]);
      }
    }
  });

  it('says yes only by a line, and each link has its own', () => {
    const all = answers({
      'nccl.log': log('/GDRDMA'),
      'lsmod.txt': lsmod('nvidia', 'nvidia_peermem', 'mlx5_ib'),
      'cmdline.txt': ['BOOT_IMAGE=/boot/vmlinuz root=UUID=1 ro intel_iommu=on iommu=pt'],
    });
    expect(all).toMatchObject({ driver: 'yes', memory: 'yes', nic: 'yes', verbs: 'yes', iommu: 'yes', library: 'yes' });
    expect(all).toMatchObject({ acs: 'unknown', place: 'unknown' });
  });

  it('says no where a finding does, and why', () => {
    const files = {
      'nccl.log': [...log(''), "birch:7:7 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'"],
      'lsmod.txt': lsmod('nvidia', 'mlx5_ib'),
    };
    const memory = chainOf(docs(files), 'gpudirect-rdma').find((l) => l.link === 'memory')!;
    expect([memory.answer, memory.because?.code]).toEqual(['no', 'doctor.title.gdr-disabled-peermem-missing']);
  });

  it('takes silence about an IOMMU for no answer', () => {
    expect(answers({ 'cmdline.txt': ['BOOT_IMAGE=/boot/vmlinuz root=UUID=1 ro quiet'] })['iommu']).toBe('unknown');
  });

  it('counts a variable against the way that it switches off, and no other', () => {
    const of = (setting: string, way: ChainedWay) =>
      chainOf(docs({ 'env.txt': [setting] }), way).find((l) => l.link === 'library')!;
    expect([of('NCCL_P2P_DISABLE=1', 'p2p').answer, of('NCCL_P2P_DISABLE=1', 'gpudirect-rdma').answer]).toEqual([
      'no',
      'unknown',
    ]);
    const gdr = of('NCCL_NET_GDR_LEVEL=LOC', 'gpudirect-rdma');
    expect([gdr.answer, gdr.because?.code, gdr.evidence[0]?.line]).toEqual(['no', 'doctor.set', 1]);
    expect(of('NCCL_NET_GDR_LEVEL=LOC', 'p2p').answer).toBe('unknown');
  });

  it('wants one port that is up of several, and remarks on those that are down', () => {
    const ca = (name: string, state: string, physical: string): string[] => [
      `CA '${name}'`,
      '\tCA type: MT4129',
      '\tNumber of ports: 1',
      '\tPort 1:',
      `\t\tState: ${state}`,
      `\t\tPhysical state: ${physical}`,
      '\t\tRate: 400',
      '\t\tLink layer: InfiniBand',
    ];
    const mixed = [...ca('mlx5_0', 'Active', 'LinkUp'), ...ca('mlx5_1', 'Down', 'Polling')];
    const nic = (files: Readonly<Record<string, readonly string[]>>) =>
      chainOf(docs(files), 'gpudirect-rdma').find((l) => l.link === 'nic')!;
    const one = nic({ 'ibstat.txt': mixed });
    expect([one.answer, one.remark?.args['devices'], one.evidence.map((e) => e.line)]).toEqual([
      'yes',
      'mlx5_1',
      [5, 13],
    ]);
    // Of a card with two ports the one that is down is named, as NCCL_IB_HCA would.
    const second = ca('mlx5_0', 'Down', 'Polling')
      .slice(3)
      .map((l) => l.replace('Port 1', 'Port 2'));
    expect(nic({ 'ibstat.txt': [...ca('mlx5_0', 'Active', 'LinkUp'), ...second] }).remark?.args['devices']).toBe(
      'mlx5_0:2',
    );
    expect(nic({ 'ibstat.txt': mixed, 'a.env': ['NCCL_IB_HCA=mlx5_0'] }).remark).toBeUndefined();
    expect(nic({ 'ibstat.txt': mixed, 'a.env': ['NCCL_IB_HCA=mlx5_1'] }).answer).toBe('no');
    expect(nic({ 'ibstat.txt': ca('mlx5_0', 'Down', 'Disabled') }).answer).toBe('no');
    // A node of its own that has none is without.
    expect(nic({ 'a.txt': mixed, 'b.txt': ca('mlx5_0', 'Down', 'Polling') }).answer).toBe('no');
    const log = (name: string): string[] => [
      'birch:7:7 [0] NCCL INFO NCCL version 2.21.5+cuda12.4',
      `birch:7:7 [0] NCCL INFO NET/IB : Using [0]${name}:1/IB [RO]; OOB eth0:192.0.2.7<0>`,
    ];
    expect(nic({ 'ibstat.txt': mixed, 'nccl.log': log('mlx5_0') }).answer).toBe('yes');
    expect(nic({ 'ibstat.txt': mixed, 'nccl.log': log('mlx5_1') }).answer).toBe('no');
  });

  it('takes the rows of gdscheck for GPUDirect Storage', () => {
    const check = (nvme: string, p2pdma: string) =>
      answers(
        {
          'check.txt': [
            ' GDS release version: 1.15.0.1',
            ' nvidia_fs version:  2.25 libcufile version: 2.12',
            ` NVMe P2PDMA        : ${p2pdma}`,
            ` NVMe               : ${nvme}`,
          ],
        },
        'gpudirect-storage',
      );
    expect(check('Supported', 'Unsupported')).toMatchObject({ 'nvidia-fs': 'yes', drives: 'yes' });
    expect(check('Unsupported', 'Unsupported')).toMatchObject({ drives: 'no' });
  });
});
