import { no, sourced, yes } from '../sourced.ts';
import type { GpuPart } from './part.ts';
import { capability, openModules, p2pDocs, rdmaDocs } from './sources.ts';

const a100 =
  'https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf';
const a100Paper =
  'https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/nvidia-ampere-architecture-whitepaper.pdf';
const a100Brief = 'https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/A100-PCIE-Prduct-Brief.pdf';
const a800 =
  'https://www.reuters.com/technology/exclusive-nvidia-offers-new-advanced-chip-china-that-meets-us-export-controls-2022-11-08/';
const a30 = 'https://www.nvidia.com/content/dam/en-zz/Solutions/data-center/products/a30-gpu/pdf/a30-datasheet.pdf';
const a40 = 'https://images.nvidia.com/content/Solutions/data-center/a40/nvidia-a40-datasheet.pdf';
const a10 = 'https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf';
const a10g = 'https://d1.awsstatic.com/product-marketing/ec2/NVIDIA_AWS_A10G_DataSheet_FINAL_02_17_2022.pdf';
const a6000 =
  'https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/quadro-product-literature/proviz-print-nvidia-rtx-a6000-datasheet-us-nvidia-1454980-r9-web%20(1).pdf';
const ga102 = 'https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf';
/** Reports of the stock driver's refusal on 3090 boards. */
const no3090 = 'https://github.com/NVIDIA/nccl/issues/1127';

const gen4 = (source: string) => ({
  gen: sourced(4, 'PCIe generation', source),
  lanes: sourced(16, 'lanes', source),
});
const nvlink3 = (links: number, fitting: 'board' | 'bridge', source: string) => ({
  generation: sourced(3, 'NVLink generation', a100Paper),
  links: sourced(links, 'links', source),
  perLink: sourced(25, 'GB/s per link and direction', a100Paper),
  fitting,
});
/** GA102 runs its four links at 14.0625 GB/s each way, slower than GA100's. */
const ga102Links = (source: string) => ({
  generation: sourced(3, 'NVLink generation', source),
  links: sourced(4, 'links', ga102),
  perLink: sourced(14.0625, 'GB/s per link and direction', ga102),
  fitting: 'bridge' as const,
});

const common = { vendor: 'NVIDIA', architecture: 'Ampere', pciVendor: '0x10de', idSource: openModules } as const;
const centre = { ...common, classCode: '0x030200', gdr: yes(rdmaDocs), p2pPcie: yes(p2pDocs) } as const;
const sm80 = sourced(80, 'compute capability × 10', capability);
const sm86 = sourced(86, 'compute capability × 10', capability);

export const ampere: readonly GpuPart[] = [
  {
    ...centre,
    id: 'a100-sxm4-40g',
    products: ['NVIDIA A100-SXM4-40GB', 'A100-SXM4-40GB'],
    deviceIds: ['0x20b0'],
    sm: sm80,
    memory: sourced(40, 'GB', a100Paper),
    memoryBandwidth: sourced(1555, 'GB/s', a100Paper),
    pcie: gen4(a100Paper),
    nvlink: nvlink3(12, 'board', a100Paper),
  },
  {
    ...centre,
    id: 'a100-sxm4-80g',
    products: ['NVIDIA A100-SXM4-80GB', 'A100-SXM4-80GB'],
    deviceIds: ['0x20b2'],
    sm: sm80,
    memory: sourced(80, 'GB', a100),
    memoryBandwidth: sourced(2039, 'GB/s', a100),
    pcie: gen4(a100),
    nvlink: nvlink3(12, 'board', a100),
  },
  {
    ...centre,
    id: 'a100-pcie-40g',
    products: ['NVIDIA A100-PCIE-40GB', 'A100-PCIE-40GB'],
    deviceIds: ['0x20f1'],
    sm: sm80,
    memory: sourced(40, 'GB', a100Brief),
    memoryBandwidth: sourced(1555, 'GB/s', a100Brief),
    pcie: gen4(a100Brief),
    nvlink: nvlink3(12, 'bridge', a100Brief),
  },
  {
    ...centre,
    id: 'a100-pcie-80g',
    products: ['NVIDIA A100 80GB PCIe', 'A100 80GB PCIe'],
    deviceIds: ['0x20b5'],
    sm: sm80,
    memory: sourced(80, 'GB', a100),
    memoryBandwidth: sourced(1935, 'GB/s', a100),
    pcie: gen4(a100),
    nvlink: nvlink3(12, 'bridge', a100),
  },
  {
    ...centre,
    id: 'a800-sxm4-80g',
    products: ['NVIDIA A800-SXM4-80GB'],
    deviceIds: ['0x20f3'],
    sm: sm80,
    memory: sourced(80, 'GB', openModules),
    pcie: gen4(a100),
    // 400 instead of 600 GB/s in both directions together: eight links where the A100 has twelve.
    nvlink: nvlink3(8, 'board', a800),
  },
  {
    ...centre,
    id: 'a30',
    products: ['NVIDIA A30', 'A30'],
    deviceIds: ['0x20b7'],
    sm: sm80,
    memory: sourced(24, 'GB', a30),
    memoryBandwidth: sourced(933, 'GB/s', a30),
    pcie: gen4(a30),
    nvlink: nvlink3(4, 'bridge', a30),
  },
  {
    ...centre,
    id: 'a40',
    products: ['NVIDIA A40', 'A40'],
    deviceIds: ['0x2235'],
    sm: sm86,
    memory: sourced(48, 'GB', a40),
    memoryBandwidth: sourced(696, 'GB/s', a40),
    pcie: gen4(a40),
    nvlink: ga102Links(a40),
  },
  {
    ...centre,
    id: 'a10',
    products: ['NVIDIA A10', 'A10'],
    deviceIds: ['0x2236'],
    sm: sm86,
    memory: sourced(24, 'GB', a10),
    memoryBandwidth: sourced(600, 'GB/s', a10),
    pcie: gen4(a10),
  },
  {
    ...centre,
    id: 'a10g',
    products: ['NVIDIA A10G', 'A10G'],
    deviceIds: ['0x2237'],
    sm: sm86,
    memory: sourced(24, 'GB', a10g),
    memoryBandwidth: sourced(600, 'GB/s', a10g),
    pcie: gen4(a10g),
  },
  {
    ...common,
    id: 'rtx-a6000',
    products: ['NVIDIA RTX A6000', 'RTX A6000'],
    deviceIds: ['0x2230'],
    classCode: '0x030000',
    sm: sm86,
    memory: sourced(48, 'GB', a6000),
    memoryBandwidth: sourced(768, 'GB/s', a6000),
    pcie: gen4(a6000),
    nvlink: ga102Links(a6000),
    gdr: yes(rdmaDocs),
    p2pPcie: yes(p2pDocs),
  },
  {
    ...common,
    id: 'rtx-3090',
    products: ['NVIDIA GeForce RTX 3090', 'GeForce RTX 3090'],
    deviceIds: ['0x2204'],
    classCode: '0x030000',
    sm: sm86,
    memory: sourced(24, 'GB', ga102),
    memoryBandwidth: sourced(936, 'GB/s', ga102),
    pcie: gen4(ga102),
    nvlink: ga102Links(ga102),
    gdr: no(rdmaDocs),
    stagedInTurn: yes(no3090),
    p2pPcie: no(no3090),
  },
];
