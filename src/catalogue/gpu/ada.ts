import { no, sourced, yes } from '../sourced.ts';
import type { GpuPart } from './part.ts';
import { capability, openModules, p2pDocs, rdmaDocs } from './sources.ts';

const l4 = 'https://resources.nvidia.com/en-us-data-center-overview/l4-gpu-datasheet';
const l40 =
  'https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/support-guide/NVIDIA-L40-Datasheet-January-2023.pdf';
const l40s = 'https://resources.nvidia.com/en-us-l40s/l40s-datasheet-28413';
const l20 =
  'https://www.tomshardware.com/pc-components/gpus/new-nvidia-ai-gpus-designed-to-get-around-us-export-bans-come-to-china-h20-l20-and-l2-to-fill-void-left-by-restricted-models';
const ada = 'https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf';
/** NVIDIA's answer to dual-4090 owners: peer to peer is not supported on this card. */
const no4090 =
  'https://forums.developer.nvidia.com/t/standard-nvidia-cuda-tests-fail-with-dual-rtx-4090-linux-box/233202';

const gen4 = (source: string) => ({
  gen: sourced(4, 'PCIe generation', source),
  lanes: sourced(16, 'lanes', source),
});
const base = {
  vendor: 'NVIDIA',
  architecture: 'Ada Lovelace',
  pciVendor: '0x10de',
  idSource: openModules,
  sm: sourced(89, 'compute capability × 10', capability),
} as const;
const centre = { ...base, classCode: '0x030200', gdr: yes(rdmaDocs), p2pPcie: yes(p2pDocs) } as const;

/** None of them has NVLink. */
export const adaLovelace: readonly GpuPart[] = [
  {
    ...centre,
    id: 'l4',
    products: ['NVIDIA L4'],
    deviceIds: ['0x27b8'],
    memory: sourced(24, 'GB', l4),
    memoryBandwidth: sourced(300, 'GB/s', l4),
    pcie: gen4(l4),
  },
  {
    ...centre,
    id: 'l20',
    products: ['NVIDIA L20'],
    deviceIds: ['0x26ba'],
    memory: sourced(48, 'GB', l20),
    memoryBandwidth: sourced(864, 'GB/s', l20),
    pcie: gen4(l20),
  },
  {
    ...centre,
    id: 'l40',
    products: ['NVIDIA L40'],
    deviceIds: ['0x26b5'],
    memory: sourced(48, 'GB', l40),
    memoryBandwidth: sourced(864, 'GB/s', l40),
    pcie: gen4(l40),
  },
  {
    ...centre,
    id: 'l40s',
    products: ['NVIDIA L40S'],
    deviceIds: ['0x26b9'],
    memory: sourced(48, 'GB', l40s),
    memoryBandwidth: sourced(864, 'GB/s', l40s),
    pcie: gen4(l40s),
  },
  {
    ...base,
    id: 'rtx-4090',
    products: ['NVIDIA GeForce RTX 4090', 'NVIDIA GeForce RTX 4090 D'],
    deviceIds: ['0x2684', '0x2685'],
    classCode: '0x030000',
    memory: sourced(24, 'GB', ada),
    memoryBandwidth: sourced(1008, 'GB/s', ada),
    pcie: gen4(ada),
    gdr: no(rdmaDocs),
    p2pPcie: no(no4090),
  },
];
