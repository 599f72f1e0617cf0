import { describe, expect, it } from 'vitest';
import { bridgesOf } from '../../../src/doctor/pci-below.ts';
import { expectRead } from '../expect-read.ts';

const verbose = [
  '00:01.1 PCI bridge [0604]: Advanced Micro Devices, Inc. [AMD] Starship/Matisse GPP Bridge [1022:1483] (prog-if 00 [Normal decode])',
  '\tControl: I/O+ Mem+ BusMaster+ SpecCycle-',
  '\tNUMA node: 0',
  '\tBus: primary=00, secondary=17, subordinate=18, sec-latency=0',
  '\tCapabilities: [58] Express (v2) Root Port (Slot+), MSI 00',
  '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L1, Exit Latency L1 <64us',
  '\t\tLnkSta:\tSpeed 16GT/s (ok), Width x8 (downgraded)',
  '\t\tLnkCap2: Supported Link Speeds: 2.5-16GT/s',
  '\tCapabilities: [2a0 v1] Access Control Services',
  '\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+',
  '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-',
  '\tKernel driver in use: pcieport',
  '',
  '17:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 PCIe] [10de:2331] (rev a1)',
  '\tNUMA node: 0',
  '\tCapabilities: [60] Express (v2) Endpoint, MSI 00',
  '\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported',
  '\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x8 (downgraded)',
  '\tKernel driver in use: nvidia',
];

describe('lspci', () => {
  it('gives devices with link, ACS, buses, NUMA node and driver', async () => {
    const { devices } = await expectRead(verbose, 'lspci');
    expect(
      devices.map((d) => [d.address, d.className, d.ids, d.port, d.below, d.numa?.value, d.driver?.value]),
    ).toEqual([
      ['0000:00:01.1', 'PCI bridge', '1022:1483', 'Root Port', { from: 0x17, to: 0x18 }, 0, 'pcieport'],
      ['0000:17:00.0', '3D controller', '10de:2331', 'Endpoint', undefined, 0, 'nvidia'],
    ]);
    expect(devices[1]!.linkSta).toEqual({
      speed: 16,
      width: 8,
      downgraded: { speed: true, width: true },
      at: { file: 'input.txt', line: 18 },
    });
    expect(devices[0]!.acs).toMatchObject({ redirect: true, sourceValidation: true, at: { line: 11 } });
  });

  it('is the same with blanks for tabs and with domains', async () => {
    const blanks = (
      await expectRead(
        verbose.map((l) => l.replace(/\t/g, '        ')),
        'lspci',
      )
    ).devices;
    expect(blanks).toEqual((await expectRead(verbose, 'lspci')).devices);
    const domains = verbose.map((l) => (/^\d/.test(l) ? `000f:${l}` : l));
    expect((await expectRead(domains, 'lspci')).devices.map((d) => d.address)).toEqual([
      '000f:00:01.1',
      '000f:17:00.0',
    ]);
  });

  it('keeps lines of a grep apart: no device is known for them', async () => {
    const { devices, loose } = await expectRead(
      [
        '\t\tACSCtl:\tSrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-',
        '                ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-',
      ],
      'lspci',
    );
    expect(devices).toEqual([]);
    expect(loose.map((l) => [l.redirect, l.off])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it('reads what a loop over devices prints', async () => {
    const { loose } = await expectRead(
      [
        '17:00.0 ACSCtl: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+',
        'a1:00.0 ACSCtl: SrcValid- TransBlk- ReqRedir- CmpltRedir-',
      ],
      'lspci',
    );
    expect(loose.map((l) => [l.address, l.redirect])).toEqual([
      ['0000:17:00.0', true],
      ['0000:a1:00.0', false],
    ]);
  });

  it('knows which addresses grep left in front', async () => {
    const { devices } = await expectRead(
      [
        '40:01.1 PCI bridge: Advanced Micro Devices, Inc. [AMD] Bridge',
        '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-',
      ],
      'lspci',
    );
    expect(devices[0]!.acs?.redirect).toBe(true);
  });

  it('draws the tree of -tv', async () => {
    const { tree } = await expectRead(
      [
        '-+-[0000:60]-+-00.0  Advanced Micro Devices, Inc. [AMD] Root Complex',
        ' |           +-03.1-[61]--+-00.0  NVIDIA Corporation AD102GL',
        ' |           |            \\-00.1  NVIDIA Corporation Audio',
        ' |           \\-08.1-[62-64]--+-00.0  Advanced Micro Devices, Inc. [AMD] Dummy',
        ' \\-[0000:40]-+-00.0  Advanced Micro Devices, Inc. [AMD] Root Complex',
        '             \\-01.1-[41-45]----00.0-[42-45]--+-04.0-[43]----00.0  NVIDIA Corporation GA100',
        '                                             \\-10.0-[45]----00.0  Mellanox Technologies MT28908',
      ],
      'lspci',
    );
    expect(tree.map((e) => `${e.bridge}>${e.bus.slice(5)}`)).toEqual([
      '0000:60:03.1>61',
      '0000:60:08.1>62',
      '0000:40:01.1>41',
      '0000:41:00.0>42',
      '0000:42:04.0>43',
      '0000:42:10.0>45',
    ]);
  });

  it('finds what hangs below a bridge: by bus numbers, by the tree, by order', async () => {
    const carries = async (lines: readonly string[]) =>
      bridgesOf([await expectRead(lines, 'lspci')]).map((b) => b.carries);
    expect(await carries(verbose)).toEqual(['gpu-or-nic']);
    expect(await carries(verbose.filter((l) => !l.includes('Bus:')))).toEqual(['gpu-or-nic']);
    expect(
      await carries(verbose.map((l) => l.replace('secondary=17, subordinate=18', 'secondary=19, subordinate=19'))),
    ).toEqual(['other']);
    // Two levels of a switch, without any numbers: depth first.
    const acs = '\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-';
    expect(
      await carries([
        '00:01.0 PCI bridge: Intel Corporation Root Port',
        acs,
        '10:00.0 PCI bridge: PLX Technology, Inc. Switch',
        '11:08.0 PCI bridge: PLX Technology, Inc. Switch',
        acs,
        '11:0c.0 PCI bridge: PLX Technology, Inc. Switch',
        acs,
        '12:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 40GB]',
        '13:00.0 Non-Volatile memory controller: Samsung Electronics Co Ltd NVMe SSD Controller',
      ]),
    ).toEqual(['gpu-or-nic', 'gpu-or-nic', 'other']);
  });

  it('reads 17,000 lines at once', async () => {
    const lines = Array.from({ length: 900 }, (_, i) =>
      verbose.map((l) => l.replace(/^(\d\d):/, `${(i % 200).toString(16).padStart(4, '0')}:$1:`)),
    ).flat();
    const begun = performance.now();
    const { devices } = await expectRead(lines.slice(0, 17_000), 'lspci');
    expect(devices.length).toBeGreaterThan(1700);
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});

describe('hwloc', () => {
  it('is read behind its DOCTYPE', async () => {
    const { root, complete } = await expectRead(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE topology SYSTEM "hwloc2.dtd">',
        '<topology version="2.0">',
        ' <object type="Machine"/>',
        '</topology>',
      ],
      'hwloc-xml',
    );
    expect([root.name, complete]).toEqual(['topology', true]);
  });
});
