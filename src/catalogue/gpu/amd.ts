import { sourced, yes } from '../sourced.ts';
import type { GpuPart } from './part.ts';

const mi300x =
  'https://www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/data-sheets/amd-instinct-mi300x-data-sheet.pdf';
const rocm = 'https://rocm.docs.amd.com/projects/rccl/en/latest/how-to/rccl-usage-tips.html';

export const amd: readonly GpuPart[] = [
  {
    id: 'mi300x',
    vendor: 'AMD',
    architecture: 'CDNA 3',
    products: ['AMD Instinct MI300X', 'AMD Instinct MI300X OAM'],
    pciVendor: '0x1002',
    deviceIds: ['0x74a1'],
    idSource: 'https://pci-ids.ucw.cz/read/PC/1002',
    classCode: '0x120000',
    memory: sourced(192, 'GB', mi300x),
    memoryBandwidth: sourced(5300, 'GB/s', mi300x),
    pcie: { gen: sourced(5, 'PCIe generation', mi300x), lanes: sourced(16, 'lanes', mi300x) },
    nvlink: {
      links: sourced(7, 'links', mi300x),
      // 128 GB/s in both directions per Infinity Fabric link.
      perLink: sourced(64, 'GB/s per link and direction', mi300x),
      fitting: 'infinity-fabric',
    },
    gdr: yes(rocm),
    p2pPcie: yes(rocm),
  },
];
