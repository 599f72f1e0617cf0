import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { pcieLetter } from '../../src/machine/letters.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { findDevice, gpusOf } from '../../src/machine/names.ts';
import { classOfName } from '../../src/read/pci/kind.ts';
import { readText } from '../../src/read/read-source.ts';

const tree = [
  '-+-[0000:00]-+-00.0  Intel Corporation Device 09a2',
  ' |           +-00.1  Intel Corporation Ice Lake Memory Map/VT-d',
  ' |           \\-1f.0  Intel Corporation Device 1b81',
  ' +-[0000:15]-+-00.0  Intel Corporation Ice Lake Memory Map/VT-d',
  ' |           \\-01.0-[16-1b]----00.0-[17-1b]--+-00.0-[18]----00.0  Mellanox Technologies MT2910 Family [ConnectX-7]',
  ' |                                           +-01.0-[19]----00.0  NVIDIA Corporation GH100 [H100 SXM5 80GB]',
  ' |                                           +-02.0-[1a]----00.0  Samsung Electronics Co Ltd NVMe SSD Controller PM173X',
  ' |                                           \\-1f.0-[1b]--+-00.0  Broadcom / LSI PCIe Switch management endpoint',
  ' |                                                        \\-00.1  Broadcom / LSI Device 02b2',
  ' +-[0000:26]-+-00.0  Intel Corporation Ice Lake Memory Map/VT-d',
  ' |           \\-01.0-[27]--+-00.0  Intel Corporation Ethernet Controller X710 for 10GBASE-T',
  ' |                        \\-00.1  Intel Corporation Ethernet Controller X710 for 10GBASE-T',
  ' +-[0000:37]-+-00.0  Intel Corporation Ice Lake Memory Map/VT-d',
  ' |           \\-01.0-[38-3d]----00.0-[39-3d]--+-00.0-[3a]----00.0  Mellanox Technologies MT2910 Family [ConnectX-7]',
  ' |                                           \\-01.0-[3b]----00.0  NVIDIA Corporation GH100 [H100 SXM5 80GB]',
  ' \\-[0000:97]-+-00.0  Intel Corporation Ice Lake Memory Map/VT-d',
  '             \\-01.0-[98-9d]----00.0-[99-9d]--+-00.0-[9a]----00.0  Mellanox Technologies MT2910 Family [ConnectX-7]',
  '                                             \\-01.0-[9b]----00.0  NVIDIA Corporation GH100 [H100 SXM5 80GB]',
].join('\n');

const matrix = [
  '\tGPU0\tGPU1\tGPU2\tNIC0\tNIC1\tNIC2\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID',
  'GPU0\t X \tNV18\tNV18\tPIX\tNODE\tSYS\t0-55,112-167\t0\t\tN/A',
  'GPU1\tNV18\t X \tNV18\tNODE\tPIX\tSYS\t0-55,112-167\t0\t\tN/A',
  'GPU2\tNV18\tNV18\t X \tSYS\tSYS\tPIX\t56-111,168-223\t1\t\tN/A',
  'NIC0\tPIX\tNODE\tSYS\t X \tNODE\tSYS\t\t\t\t',
  'NIC1\tNODE\tPIX\tSYS\tNODE\t X \tSYS\t\t\t\t',
  'NIC2\tSYS\tSYS\tPIX\tSYS\tSYS\t X \t\t\t\t',
  '',
  'Legend:',
  '',
  '  X    = Self',
  '',
  'NIC Legend:',
  '',
  '  NIC0: mlx5_0',
  '  NIC1: mlx5_1',
  '  NIC2: mlx5_2',
].join('\n');

const list = [
  '18:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]',
  '19:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)',
  '1a:00.0 Non-Volatile memory controller [0108]: Samsung Electronics Co Ltd NVMe SSD Controller PM173X [144d:a824]',
  '3a:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]',
  '3b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)',
  '9a:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]',
  '9b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)',
].join('\n');

const verbose = (address: string, what: string, ...more: string[]): string =>
  [`${address} ${what}`, ...more.map((m) => `\t${m}`), ''].join('\n');

const bridge = (address: string, secondary: string, port: string, numa = 0): string =>
  verbose(
    address,
    'PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch',
    `NUMA node: ${numa}`,
    `Bus: primary=00, secondary=${secondary}, subordinate=ff, sec-latency=0`,
    `Capabilities: [68] Express (v2) ${port}, MSI 00`,
  );

const gpu = (address: string): string =>
  verbose(
    address,
    '3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)',
    'NUMA node: 1',
    'Capabilities: [60] Express (v2) Endpoint, MSI 00',
    '\tLnkCap:\tPort #0, Speed 32GT/s, Width x16',
  );

const pasted = (...texts: string[]): Machine =>
  assemble(texts.flatMap((text, i) => [...readText(`${i}.txt`, text).documents]));

const letter = (m: Machine, a: string, b: string): string | undefined =>
  pcieLetter(m.hosts[0]!, findDevice(m, a)!.path, findDevice(m, b)!.path);

const codes = (m: Machine): string[] => m.notes.map((n) => n.message.code);

describe('a tree of lspci -tv', () => {
  it('places GPUs, NICs and drives by their names, and says that NUMA nodes are open', () => {
    const m = pasted(tree);
    expect(gpusOf(m.hosts[0]!).map((g) => g.part)).toEqual(['h100-sxm5-80g', 'h100-sxm5-80g', 'h100-sxm5-80g']);
    expect(letter(m, 'gpu0', 'nic0')).toBe('PIX');
    expect(letter(m, 'gpu0', 'nvme0')).toBe('PIX');
    expect(letter(m, 'gpu0', 'gpu1')).toBe('NODE');
    expect(findDevice(m, 'gpu1')!.busId).toBe('0000:3b:00.0');
    // X710 does no RDMA, and a switch's own endpoint is nobody's NIC.
    expect(findDevice(m, 'nic3')).toBeUndefined();
    expect(codes(m)).toContain('assemble.tree.numa');
    expect(m.hosts[0]!.cpus.map((c) => c.numa)).toEqual([-1]);
    expect(gpusOf(m.hosts[0]!)[0]!.at[0]!.line).toBe(6);
  });

  it('is the same with every row quoted', () => {
    const m = pasted(tree.replace(/^/gm, '> '));
    expect(letter(m, 'gpu0', 'nic0')).toBe('PIX');
    expect(letter(m, 'gpu0', 'gpu1')).toBe('NODE');
    expect(gpusOf(m.hosts[0]!)).toHaveLength(3);
  });

  it('is the same beside a list with classes and ids', () => {
    const m = pasted(tree, list);
    expect(m.conflicts).toEqual([]);
    expect(letter(m, 'gpu2', 'nic2')).toBe('PIX');
    expect(gpusOf(m.hosts[0]!)).toHaveLength(3);
  });

  it('takes names, NVLinks and NUMA nodes from a matrix of the same machine', () => {
    const m = pasted(tree, matrix);
    expect(m.conflicts).toEqual([]);
    expect(codes(m)).not.toContain('assemble.tree.numa');
    expect(findDevice(m, 'nic2')).toMatchObject({ name: 'mlx5_2', busId: '0000:9a:00.0' });
    expect(letter(m, 'gpu0', 'gpu2')).toBe('SYS');
    expect(letter(m, 'gpu0', 'nvme0')).toBe('PIX');
    expect(gpusOf(m.hosts[0]!).every((g) => g.nvlinks[0]?.to === 'nvswitch')).toBe(true);
  });

  it('leaves the machine to a matrix that contradicts it, and says where', () => {
    const other = matrix
      .replace(/PIX\tNODE\tSYS\t0-55/, 'NODE\tPIX\tSYS\t0-55')
      .replace(/NODE\tPIX\tSYS\t0-55/, 'NODE\tNODE\tSYS\t0-55');
    const m = pasted(tree, other);
    expect(m.conflicts.map((c) => c.about.code)).toContain('assemble.conflict.letter');
    expect(findDevice(m, 'nvme0')).toBeUndefined();
    const fewer = pasted(tree.replace(/.*\[9b\].*/, ''), matrix);
    expect(gpusOf(fewer.hosts[0]!)).toHaveLength(3);
    expect(fewer.conflicts.map((c) => c.about.code)).toContain('assemble.conflict.gpus');
  });

  it('leaves the machine to a matrix with NICs that the tree lacks, and says how many', () => {
    const m = pasted(tree.replace(/.*ConnectX.*\n/, ''), matrix);
    expect(m.conflicts.map((c) => [c.about.code, c.claims.map((x) => x.value), c.used])).toEqual([
      ['assemble.conflict.nics', ['2', '3'], 1],
    ]);
  });

  it('says when a list names GPUs that the tree lacks', () => {
    const m = pasted(tree.replace(/.*\[9b\].*/, ''), list);
    expect(m.conflicts.map((c) => c.about.code)).toEqual(['assemble.conflict.gpus']);
  });

  it('makes two nodes of two trees', () => {
    const m = pasted(tree, tree);
    expect(m.nodes).toBe(2);
    expect(findDevice(m, 'node1/gpu2')).toBeDefined();
  });

  it('tells nothing from numbers alone', () => {
    const bare = tree.replace(/([0-9a-f]\.[0-7]) {2}\S.*$/gm, '$1');
    expect(pasted(bare).hosts).toEqual([]);
    // Beside a list they are enough.
    expect(letter(pasted(bare, list), 'gpu0', 'nic0')).toBe('PIX');
  });
});

describe('lspci -vv', () => {
  it('is a tree as well where bus numbers lead from root ports to all GPUs', () => {
    const m = pasted(
      [
        bridge('00:01.0', '16', 'Root Port', 1),
        bridge('16:00.0', '17', 'Upstream Port'),
        bridge('17:00.0', '18', 'Downstream Port'),
        bridge('17:01.0', '19', 'Downstream Port'),
        gpu('18:00.0'),
        gpu('19:00.0'),
      ].join('\n'),
    );
    expect(letter(m, 'gpu0', 'gpu1')).toBe('PIX');
    expect(m.hosts[0]!.cpus.map((c) => c.numa)).toEqual([1]);
    expect(codes(m)).not.toContain('assemble.tree.numa');
  });

  it('is none where a grep took bridges away', () => {
    const m = pasted([bridge('17:00.0', '18', 'Downstream Port'), gpu('18:00.0'), gpu('19:00.0')].join('\n'));
    expect(m.hosts).toEqual([]);
  });
});

describe('the class by a name', () => {
  it.each([
    ['NVIDIA Corporation GA100 [A100 SXM4 40GB]', '0x030200'],
    ['NVIDIA Corporation Device 2330', '0x030200'],
    ['NVIDIA Corporation Device ffff', '0xff0000'],
    ['NVIDIA Corporation TU102 USB Type-C UCSI Controller', '0xff0000'],
    ['NVIDIA Corporation AD102 High Definition Audio Controller', '0xff0000'],
    ['NVIDIA Corporation GH100 [H100 NVSwitch]', '0x068000'],
    ['Mellanox Technologies MT43244 BlueField-3 integrated ConnectX-7 network controller', '0x020000'],
    ['Mellanox Technologies MT43244 BlueField-3 SoC Management Interface', '0xff0000'],
    ['Amazon.com, Inc. Elastic Fabric Adapter (EFA)', '0x020000'],
    ['Broadcom Inc. and subsidiaries BCM57508 NetXtreme-E 10Gb/25Gb/40Gb/50Gb/100Gb/200Gb Ethernet', '0x020000'],
    ['Intel Corporation Ethernet Controller E810-C for QSFP', '0x020000'],
    ['Micron Technology Inc 7450 PRO NVMe SSD', '0x010802'],
    ['Intel Corporation Volume Management Device NVMe RAID Controller', '0xff0000'],
  ])('%s', (name, code) => expect(classOfName(name)).toBe(code));
});
