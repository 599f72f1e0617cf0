import { describe, expect, it } from 'vitest';
import { generateTopology, lintTopology, onVirtualAddresses } from '../../src/answer/topo-file.ts';
import { readText } from '../../src/read/read-source.ts';
import { ncclXml } from '../../src/tell/nccl-xml.ts';
import { pasted, system } from '../support/machines.ts';

/** What a virtual machine of eight GPUs and NICs prints, addresses in no order. */
const lspci = (gpus: number): string =>
  [
    ...Array.from(
      { length: gpus },
      (_, i) => `000${gpus - i}:00:00.0 3D controller [0302]: NVIDIA Corporation GH100 [10de:2330] (rev a1)`,
    ),
    ...Array.from(
      { length: 8 },
      (_, i) =>
        `010${i + 1}:00:00.0 Infiniband controller [0207]: Mellanox Technologies mlx5Gen Virtual Function [15b3:101e]`,
    ),
  ].join('\n');

describe('a topology file', () => {
  it('made of a flavour stands on the addresses that a virtual machine shows, in their order', () => {
    const { documents } = readText('lspci.txt', lspci(8));
    const placed = onVirtualAddresses(system('azure-ndv5'), documents);
    if (!placed.ok) throw new Error(placed.error.code);
    const xml = ncclXml(generateTopology(placed.value, {}).host);
    const addresses = [...xml.matchAll(/busid="([^"]*)" class="0x030200"/g)].map((m) => m[1]);
    expect(addresses).toEqual(Array.from({ length: 8 }, (_, i) => `000${i + 1}:00:00.0`));
    // Read again, GPU and NIC of a switch are near to each other.
    const again = pasted(xml, 'topo.xml');
    expect(again.hosts[0]!.cpus.flatMap((c) => c.devices)).toHaveLength(8);
  });

  it('is made just so from lspci without numbers, and asks for lspci where no GPU is listed', () => {
    const bare = lspci(8).replaceAll(/ \[[0-9a-f:]{4,9}\]/g, '');
    expect(onVirtualAddresses(system('azure-ndv5'), readText('lspci.txt', bare).documents).ok).toBe(true);
    const tree =
      '-[0000:15]-+-00.0  Intel Corporation Device\n           \\-01.0-[16]----00.0  NVIDIA Corporation GH100\n';
    expect(onVirtualAddresses(system('azure-ndv5'), readText('tree.txt', tree).documents)).toMatchObject({
      ok: false,
      error: { code: 'topo-file.no-gpus' },
    });
  });

  it('is refused where the virtual machine is another flavour', () => {
    const { documents } = readText('lspci.txt', lspci(4));
    expect(onVirtualAddresses(system('azure-ndv5'), documents)).toMatchObject({
      ok: false,
      error: { code: 'topo-file.counts' },
    });
  });

  it('is worth what direct ways to the NICs are worth', () => {
    const made = generateTopology(system('azure-ndv5'), {});
    expect(made.after! / made.before!).toBeGreaterThan(1.2);
  });

  it('is told what is wrong with it, by line', () => {
    const xml = `<system version="1">
  <cpu numaid="0" affinity="ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="ffff:ff:01.0" class="0x060400" link_speed="2.5 GT/s PCIe" link_width="1">
      <pci busid="0001:00:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/>
      <pci busid="0101:00:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16"/>
    </pci>
  </cpu>
</system>
`;
    const bad = lintTopology(readText('topo.xml', xml).documents);
    expect(bad.findings.map((f) => [f.id, f.evidence[0]?.line])).toEqual([['topo-file-bottleneck', 3]]);
    const good = lintTopology(
      readText('topo.xml', xml.replace('2.5 GT/s PCIe" link_width="1"', '16.0 GT/s PCIe" link_width="16"')).documents,
    );
    expect(good.findings).toEqual([]);
  });
});
