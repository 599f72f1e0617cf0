import { describe, expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { gpusOf, portsOf as portsIn } from '../../src/machine/names.ts';
import { usualRates } from '../../src/physics/usual-rates.ts';
import { pasted } from '../support/machines.ts';

const matrix = [
  '\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity',
  'GPU0\t X \tNV12\tPXB\tSYS\t0-31\t0',
  'GPU1\tNV12\t X \tSYS\tPXB\t32-63\t1',
  'NIC0\tPXB\tSYS\t X \tSYS\t\t',
  'NIC1\tSYS\tPXB\tSYS\t X \t\t',
  '',
  'NIC Legend:',
  '',
  '  NIC0: mlx5_2',
  '  NIC1: mlx5_5',
  '',
].join('\n');

const list = [0, 1]
  .map((i) => `GPU ${i}: NVIDIA A100-SXM4-80GB (UUID: GPU-0a1b2c3d-1111-2222-3333-44445555666${i})`)
  .join('\n');

const ibstat = (name: string, state: string, rate: number, layer: string): string =>
  [
    `CA '${name}'`,
    '\tCA type: MT4123',
    '\tNumber of ports: 1',
    '\tPort 1:',
    `\t\tState: ${state}`,
    `\t\tPhysical state: ${state === 'Active' ? 'LinkUp' : 'Disabled'}`,
    `\t\tRate: ${rate}`,
    `\t\tLink layer: ${layer}`,
    '',
  ].join('\n');

const query = (width: string): string =>
  [
    '==============NVSMI LOG==============',
    '',
    'Attached GPUs                             : 1',
    'GPU 00000000:07:00.0',
    '    Product Name                          : NVIDIA A100-SXM4-40GB',
    '    PCI',
    '        GPU Link Info',
    '            PCIe Generation',
    '                Max                       : 4',
    '                Current                   : 1',
    '            Link Width',
    '                Max                       : 16x',
    `                Current                   : ${width}`,
    '',
  ].join('\n');

const portsOf = (m: Machine) =>
  m.hosts[0]!.cpus.flatMap((c) =>
    c.devices.flatMap((d) => [d, ...d.children, ...d.children.flatMap((x) => x.children)]),
  )
    .flatMap((d) => d.ports ?? [])
    .map((p) => [p.name, p.speedMbps, p.layer]);

describe('what tools add to a matrix', () => {
  it('nvidia-smi -L names its GPUs, ibstat gives its ports their rate', () => {
    const m = pasted(
      `${matrix}\n${list}\n\n${ibstat('mlx5_2', 'Active', 200, 'InfiniBand')}${ibstat('mlx5_5', 'Active', 100, 'InfiniBand')}`,
    );
    expect(gpusOf(m.hosts[0]!).map((g) => [g.part, g.sm])).toEqual([
      ['a100-sxm4-80g', 80],
      ['a100-sxm4-80g', 80],
    ]);
    expect(portsOf(m)).toEqual([
      ['mlx5_2', 200_000, 'infiniband'],
      ['mlx5_5', 100_000, 'infiniband'],
    ]);
    expect(m.fabric.transport?.value).toBe('infiniband');
  });

  it('a board whose driver refuses GPUDirect RDMA is why data does not go direct, not the side of the NIC', () => {
    const gdr = (board: string) => {
      const m = pasted(`${matrix}\n${list.replaceAll('NVIDIA A100-SXM4-80GB', board)}\n`);
      return [gpusOf(m.hosts[0]!)[0]!.gdr, portsIn(m.hosts[0]!)[0]!.gdr];
    };
    expect(gdr('NVIDIA GeForce RTX 5090')).toEqual([false, true]);
    expect(gdr('NVIDIA A100-SXM4-80GB')).toEqual([undefined, undefined]);
  });

  it('the make of the CPU is told by lscpu, by the kernel, or by two GPUs that reach each other across it', () => {
    const pair = '\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNODE\t0-95\t0\nGPU1\tNODE\t X \t0-95\t0\n';
    const cpuOf = (matrix: string, ...more: string[]) => {
      const { arch, vendor, family, model } = pasted(`${matrix}\n${more.join('\n')}\n`).hosts[0]!.cpus[0]!;
      return [arch, vendor, family, model];
    };
    const cpu = (...more: string[]) => cpuOf(pair, ...more);
    const lscpu = ['Architecture:        x86_64', 'CPU(s):              96'];
    const intel = ['Vendor ID:           GenuineIntel', 'CPU family:          6', 'Model:               143'];
    expect(cpu(...lscpu, ...intel)).toEqual(['x86_64', 'Intel', 6, 143]);
    expect(cpu(...lscpu, 'Vendor ID:           AuthenticAMD')).toEqual(['x86_64', 'AMD', undefined, undefined]);
    expect(cpu('[    0.512346] AMD-Vi: Interrupt remapping enabled')).toEqual(['x86_64', 'AMD', undefined, undefined]);
    const way = (text: string) => `birch:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via ${text}`;
    expect(cpu(way('P2P/CUMEM'))).toEqual(['x86_64', 'AMD', undefined, undefined]);
    expect(cpu(way('SHM/direct/direct'))[1]).toBeUndefined();
    // Below one switch they reach each other whatever the CPU is.
    expect(cpuOf(pair.replaceAll('NODE', 'PIX'), way('P2P/CUMEM'))[1]).toBeUndefined();
    expect(
      cpu('birch:7:9 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to SYS', way('P2P/CUMEM'))[1],
    ).toBeUndefined();
  });

  it('RDMA ports on Ethernet are RoCE; ports that are down say nothing of their rate; two layers leave the network open', () => {
    const roce = pasted(
      `${matrix}\n${ibstat('mlx5_2', 'Active', 400, 'Ethernet')}${ibstat('mlx5_5', 'Down', 40, 'Ethernet')}`,
    );
    expect(roce.fabric.transport?.value).toBe('roce');
    expect(portsOf(roce)).toEqual([['mlx5_2', 400_000, 'ethernet']]);
    const both = pasted(
      `${matrix}\n${ibstat('mlx5_2', 'Active', 400, 'Ethernet')}${ibstat('mlx5_5', 'Active', 400, 'InfiniBand')}`,
    );
    expect(both.fabric.transport).toBeUndefined();
  });

  it('nvidia-smi -q tells the link of a GPU, narrower where it runs narrower', () => {
    const link = (width: string) => {
      const m = pasted(`${matrix}\n${query(width)}`);
      const found = m.hosts[0]!.cpus.flatMap((c) => c.devices)
        .flatMap((d) => [d, ...d.children, ...d.children.flatMap((x) => x.children)])
        .find((d) => d.gpus?.[0]?.dev === 0);
      return found?.link;
    };
    expect(link('16x')).toMatchObject({ speed: '16.0 GT/s PCIe', width: 16 });
    expect(link('8x')).toMatchObject({ speed: '16.0 GT/s PCIe', width: 8 });
  });

  it('leaves out a port that is down beside others that are up, and says so; all down leave the machine as it is wired', () => {
    const one = pasted(
      `${matrix}\n${ibstat('mlx5_2', 'Down', 40, 'InfiniBand')}${ibstat('mlx5_5', 'Active', 200, 'InfiniBand')}`,
    );
    expect(portsOf(one).map((p) => p[0])).toEqual(['mlx5_5']);
    expect(one.notes.map((n) => n.message.code)).toContain('assemble.port-down');
    const moved = answerMove({ ...one, nodes: 2 }, {}, 'gpu0', 'node1/gpu0', {
      sizes: [2 ** 30],
      depth: 1,
      threads: 1,
      both: false,
    });
    if (!moved.ok) throw new Error(moved.error.code);
    for (const path of moved.value.paths) expect(path.rows[0]!.bandwidthGBps).toBeLessThanOrEqual(25);
    const none = pasted(
      `${matrix}\n${ibstat('mlx5_2', 'Down', 40, 'InfiniBand')}${ibstat('mlx5_5', 'Down', 40, 'InfiniBand')}`,
    );
    expect(portsOf(none)).toHaveLength(2);
    expect(none.notes.map((n) => n.message.code)).not.toContain('assemble.port-down');
  });

  it('takes ports of which nothing is told for those beside them', () => {
    const m = pasted(`${matrix}\n${ibstat('mlx5_2', 'Active', 200, 'InfiniBand')}`);
    const usual = usualRates(m);
    expect(portsOf(usual.machine).map((p) => p[1])).toEqual([200_000, 200_000]);
    expect(usual.assumed.map((a) => a.code)).toContain('usual.port-beside');
    expect(usualRates(pasted(matrix)).assumed.map((a) => a.code)).toContain('usual.port');
  });
});
