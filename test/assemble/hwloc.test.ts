import { describe, expect, it } from 'vitest';
import { answerReport } from '../../src/answer/report.ts';
import { linkOfSpeed, maskOf, onlyBit } from '../../src/assemble/hwloc/fields.ts';
import { pciTree } from '../../src/machine/names.ts';
import { pasted } from '../support/machines.ts';

interface Shape {
  readonly version?: string;
  /** Kinds of operating-system devices as this version numbers them: network and verbs. */
  readonly kinds?: readonly [number, number];
  readonly matrix?: string;
  readonly state?: string;
}

const links = (values: string): string =>
  [
    '  <distances2hetero nbobjs="3" kind="25" name="NVLinkBandwidth">',
    '    <indexes length="30">OSDev:21 OSDev:22 PCIDev:30 </indexes>',
    `    <u64values length="30">${values} </u64values>`,
    '  </distances2hetero>',
  ].join('\n');

/** Two GPUs and a NIC of two ports below one switch of the second of two nodes, and a drive at the first. */
const lstopo = ({
  version = '2.0',
  kinds = [2, 3],
  matrix = '',
  state = '4',
}: Shape = {}): string => `<?xml version="1.0"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="${version}">
  <object type="Machine" os_index="0" cpuset="0x0000ffff" nodeset="0x00000003" gp_index="1">
    <info name="Architecture" value="x86_64"/>
    <object type="Package" os_index="0" cpuset="0x000000ff" nodeset="0x00000001" gp_index="2">
      <info name="CPUVendor" value="GenuineIntel"/>
      <info name="CPUFamilyNumber" value="6"/>
      <info name="CPUModelNumber" value="143"/>
      <object type="NUMANode" os_index="0" cpuset="0x000000ff" nodeset="0x00000001" gp_index="3"/>
      <object type="Bridge" gp_index="4" bridge_type="0-1" depth="0" bridge_pci="0000:[10-11]">
        <object type="Bridge" gp_index="5" bridge_type="1-1" depth="1" bridge_pci="0000:[11-11]" pci_busid="0000:10:01.0" pci_type="0604 [8086:352a] [0000:0000] 04 00" pci_link_speed="7.876923">
          <object type="PCIDev" gp_index="6" pci_busid="0000:11:00.0" pci_type="0108 [144d:a80a] [144d:a801] 00 00" pci_link_speed="7.876923">
            <object type="OSDev" gp_index="7" name="nvme0n1" osdev_type="0"/>
          </object>
        </object>
      </object>
    </object>
    <object type="Package" os_index="1" cpuset="0x0000ff00" nodeset="0x00000002" gp_index="8">
      <object type="NUMANode" os_index="1" cpuset="0x0000ff00" nodeset="0x00000002" gp_index="9"/>
      <object type="Bridge" gp_index="10" bridge_type="0-1" depth="0" bridge_pci="0000:[40-45]">
        <object type="Bridge" gp_index="11" bridge_type="1-1" depth="1" bridge_pci="0000:[41-45]" pci_busid="0000:40:01.0" pci_type="0604 [8086:352a] [0000:0000] 04 00" pci_link_speed="31.507692">
          <object type="Bridge" gp_index="12" bridge_type="1-1" depth="2" bridge_pci="0000:[42-45]" pci_busid="0000:41:00.0" pci_type="0604 [1000:c010] [1000:100b] b0 00" pci_link_speed="31.507692">
            <object type="Bridge" gp_index="13" bridge_type="1-1" depth="3" bridge_pci="0000:[43-43]" pci_busid="0000:42:00.0" pci_type="0604 [1000:c010] [1000:100b] b0 00" pci_link_speed="31.507692">
              <object type="PCIDev" gp_index="14" pci_busid="0000:43:00.0" pci_type="0302 [10de:20b2] [10de:1463] a1 00" pci_link_speed="31.507692">
                <object type="OSDev" gp_index="21" name="nvml0" osdev_type="1"><info name="GPUModel" value="NVIDIA A100-SXM4-80GB"/></object>
              </object>
            </object>
            <object type="Bridge" gp_index="15" bridge_type="1-1" depth="3" bridge_pci="0000:[44-44]" pci_busid="0000:42:04.0" pci_type="0604 [1000:c010] [1000:100b] b0 00" pci_link_speed="4.000000">
              <object type="PCIDev" gp_index="16" pci_busid="0000:44:00.0" pci_type="0302 [10de:20b2] [10de:1463] a1 00" pci_link_speed="4.000000">
                <object type="OSDev" gp_index="22" name="nvml1" osdev_type="1"><info name="GPUModel" value="NVIDIA A100-SXM4-80GB"/></object>
              </object>
            </object>
            <object type="Bridge" gp_index="17" bridge_type="1-1" depth="3" bridge_pci="0000:[45-45]" pci_busid="0000:42:08.0" pci_type="0604 [1000:c010] [1000:100b] b0 00" pci_link_speed="31.507692">
              <object type="PCIDev" gp_index="18" pci_busid="0000:45:00.0" pci_type="0207 [15b3:101b] [15b3:0007] 00 00" pci_link_speed="31.507692">
                <object type="OSDev" gp_index="19" name="ib0" osdev_type="${kinds[0]}"/>
                <object type="OSDev" gp_index="20" name="mlx5_0" osdev_type="${kinds[1]}">
                  <info name="NodeGUID" value="0c42:a103:0000:0001"/>
                  <info name="Port1State" value="4"/>
                  <info name="Port2State" value="${state}"/>
                </object>
              </object>
            </object>
          </object>
        </object>
      </object>
    </object>
  </object>
${matrix}
</topology>
`;

const machineOf = (shape: Shape = {}) => {
  const machine = pasted(lstopo(shape), 'lstopo.xml');
  const [host] = machine.hosts;
  if (!host) throw new Error('no host');
  const devices = host.cpus.flatMap((c, i) => [...pciTree(c, i)].map(({ device }) => device));
  return { machine, host, devices };
};

describe('a machine out of lstopo', () => {
  it('has its devices below their switches and nodes, by their addresses', () => {
    const { host, devices } = machineOf();
    expect(host.cpus.map((c) => [c.numa, c.vendor, c.model, c.affinity])).toEqual([
      [0, 'Intel', 143, '000000ff'],
      [1, 'Intel', 143, '0000ff00'],
    ]);
    expect(devices.map((d) => [d.role, d.busId])).toEqual([
      ['nvme', '0000:11:00.0'],
      ['switch', '0000:41:00.0'],
      ['gpu', '0000:43:00.0'],
      ['gpu', '0000:44:00.0'],
      ['nic', '0000:45:00.0'],
    ]);
    expect(devices.flatMap((d) => d.gpus ?? []).map((g) => [g.dev, g.part])).toEqual([
      [0, 'a100-sxm4-80g'],
      [1, 'a100-sxm4-80g'],
    ]);
  });

  it('has links as fast as they run, but not those of a GPU that idles', () => {
    const { devices } = machineOf();
    expect(devices.map((d) => [d.link.speed, d.link.width])).toEqual([
      ['16.0 GT/s PCIe', 4],
      ['16.0 GT/s PCIe', 16],
      ['16.0 GT/s PCIe', 16],
      [undefined, undefined],
      ['16.0 GT/s PCIe', 16],
    ]);
  });

  it.each([
    ['before 3', { version: '2.0', kinds: [2, 3] }],
    ['3', { version: '3.0', kinds: [16, 32] }],
  ] as const)('has the ports that are up, as hwloc %s names them', (_, shape) => {
    const ports = (more: Shape) => machineOf({ ...shape, ...more }).devices.flatMap((d) => d.ports ?? []);
    expect(ports({}).map((p) => [p.name, p.port, p.guid])).toEqual([
      ['mlx5_0', 1, '0x0c42a10300000001'],
      ['mlx5_0', 2, '0x0c42a10300000001'],
    ]);
    expect(ports({ state: '1' }).map((p) => p.port)).toEqual([1]);
  });

  it('tells NVLinks where hwloc measured them, and else does not know', () => {
    const gpus = (matrix: string) => machineOf({ matrix }).devices.flatMap((d) => d.gpus ?? []);
    expect(gpus('').map((g) => [g.nvlinksUnknown, g.nvlinks.length])).toEqual([
      [true, 0],
      [true, 0],
    ]);
    const pair = gpus(links('1000000 100000 0 100000 1000000 0 0 0 1000000'));
    expect(pair.map((g) => g.nvlinks.map((l) => [l.to, l.target, l.count]))).toEqual([
      [['gpu', '0000:44:00.0', 4]],
      [['gpu', '0000:43:00.0', 4]],
    ]);
    const switched = gpus(links('0 0 300000 0 0 300000 300000 300000 0'));
    expect(switched.map((g) => g.nvlinks.map((l) => [l.to, l.count]))).toEqual([
      [['nvswitch', 12]],
      [['nvswitch', 12]],
    ]);
    // A matrix that is cut tells nothing.
    expect(gpus(links('0 0 300000 0 0 300000')).map((g) => g.nvlinksUnknown)).toEqual([true, true]);
  });

  it('answers what ways its GPUs take', () => {
    const { machine } = machineOf({ matrix: links('0 0 300000 0 0 300000 300000 300000 0') });
    const { rows } = answerReport(machine, {});
    expect(rows.map((r) => r.course.ways[0]?.path)).toContain('nvlink');
  });

  it('is none where the file holds no GPU', () => {
    const text = lstopo().replaceAll('0302 [10de', '0200 [8086');
    const machine = pasted(text, 'lstopo.xml');
    expect(machine.hosts).toEqual([]);
  });
});

describe('fields of hwloc', () => {
  it('reads sets of several words', () => {
    expect(onlyBit('0x00000004')).toBe(2);
    expect(onlyBit('0x00000001,,0x0')).toBe(64);
    expect(onlyBit('0x00000003')).toBeUndefined();
    expect(onlyBit('0xf...f')).toBeUndefined();
    expect(onlyBit('nonsense')).toBeUndefined();
    expect(maskOf('0x00000303,,0x3')).toBe('00000303,00000000,00000003');
  });

  it('reads the speed of a link as that of the most lanes', () => {
    expect(linkOfSpeed(15.753846, 16)).toEqual({ speed: '8.0 GT/s PCIe', width: 16 });
    expect(linkOfSpeed(63.015385, 16)).toEqual({ speed: '32.0 GT/s PCIe', width: 16 });
    expect(linkOfSpeed(7.876923, 4)).toEqual({ speed: '16.0 GT/s PCIe', width: 4 });
    expect(linkOfSpeed(4, 16)).toBeUndefined();
    expect(linkOfSpeed(0, 16)).toBeUndefined();
  });
});
