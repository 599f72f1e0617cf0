import { sourced, yes } from '../sourced.ts';
import type { GpuPart } from './part.ts';
import { capability, openModules, p2pDocs, rdmaDocs } from './sources.ts';

const h100 = 'https://resources.nvidia.com/en-us-gpu-resources/h100-datasheet-24306';
const h100Paper = 'https://resources.nvidia.com/en-us-tensor-core/gtc22-whitepaper-hopper';
const h100Nvl = 'https://www.nvidia.com/en-us/data-center/h100/';
const h800 = 'https://www.reuters.com/technology/nvidia-tweaks-flagship-h100-chip-export-china-h800-2023-03-21/';
const h200 = 'https://www.nvidia.com/en-us/data-center/h200/';
const h20 =
  'https://www.tomshardware.com/pc-components/gpus/new-nvidia-ai-gpus-designed-to-get-around-us-export-bans-come-to-china-h20-l20-and-l2-to-fill-void-left-by-restricted-models';
const gh200 = 'https://resources.nvidia.com/en-us-grace-cpu/grace-hopper-superchip';
/**
 * The rate NCCL writes per C2C link stands in a dump of a GB300 tray (5 links a GPU, half of Grace's 450 GB/s each way);
 * a GH200 has the whole Grace to itself, hence ten.
 */
const c2cDump =
  'https://github.com/datacrunch-research/nccl-eBPF/blob/f23bfc0/.agents/debug/2026-08-14-mnnvl-channel-collapse/topo/mnnvl_topo_2tray_0405.xml';

const gen5 = (source: string) => ({
  gen: sourced(5, 'PCIe generation', source),
  lanes: sourced(16, 'lanes', source),
});
const nvlink4 = (links: number, fitting: 'board' | 'bridge', source: string) => ({
  generation: sourced(4, 'NVLink generation', h100Paper),
  links: sourced(links, 'links', source),
  perLink: sourced(25, 'GB/s per link and direction', h100Paper),
  fitting,
});

const base = {
  vendor: 'NVIDIA',
  architecture: 'Hopper',
  pciVendor: '0x10de',
  idSource: openModules,
  classCode: '0x030200',
  sm: sourced(90, 'compute capability × 10', capability),
  gdr: yes(rdmaDocs),
  p2pPcie: yes(p2pDocs),
} as const;

export const hopper: readonly GpuPart[] = [
  {
    ...base,
    id: 'h100-sxm5-80g',
    products: ['NVIDIA H100 80GB HBM3'],
    deviceIds: ['0x2330'],
    memory: sourced(80, 'GB', h100),
    memoryBandwidth: sourced(3350, 'GB/s', h100),
    pcie: gen5(h100),
    nvlink: nvlink4(18, 'board', h100Paper),
  },
  {
    ...base,
    id: 'h100-pcie-80g',
    products: ['NVIDIA H100 PCIe'],
    deviceIds: ['0x2331'],
    memory: sourced(80, 'GB', h100Paper),
    memoryBandwidth: sourced(2000, 'GB/s', h100Paper),
    pcie: gen5(h100Paper),
    nvlink: nvlink4(12, 'bridge', h100Paper),
  },
  {
    ...base,
    id: 'h100-nvl-94g',
    products: ['NVIDIA H100 NVL'],
    deviceIds: ['0x2321'],
    memory: sourced(94, 'GB', h100Nvl),
    memoryBandwidth: sourced(3900, 'GB/s', h100Nvl),
    pcie: gen5(h100Nvl),
    nvlink: nvlink4(12, 'bridge', h100Nvl),
  },
  {
    ...base,
    id: 'h800-sxm5-80g',
    products: ['NVIDIA H800'],
    deviceIds: ['0x2324'],
    memory: sourced(80, 'GB', h800),
    pcie: gen5(h100),
    // 400 instead of 900 GB/s in both directions together: eight links.
    nvlink: nvlink4(8, 'board', h800),
  },
  {
    ...base,
    id: 'h200-sxm5-141g',
    products: ['NVIDIA H200'],
    deviceIds: ['0x2335'],
    memory: sourced(141, 'GB', h200),
    memoryBandwidth: sourced(4800, 'GB/s', h200),
    pcie: gen5(h200),
    nvlink: nvlink4(18, 'board', h200),
  },
  {
    ...base,
    id: 'h20',
    products: ['NVIDIA H20', 'NVIDIA H20-3e'],
    deviceIds: ['0x2329', '0x232c'],
    memory: sourced(96, 'GB', h20),
    memoryBandwidth: sourced(4000, 'GB/s', h20),
    pcie: gen5(h20),
    nvlink: nvlink4(18, 'board', h20),
  },
  {
    ...base,
    id: 'gh200-120g',
    products: ['NVIDIA GH200 120GB', 'NVIDIA GH200 480GB', 'NVIDIA GH200 144G HBM3e'],
    deviceIds: ['0x2342', '0x2348'],
    memory: sourced(96, 'GB', gh200),
    memoryBandwidth: sourced(4000, 'GB/s', gh200),
    pcie: gen5(gh200),
    nvlink: nvlink4(18, 'board', gh200),
    c2c: {
      mbpsEach: sourced(44712, 'MB/s per link and direction', c2cDump),
      count: sourced(10, 'links', c2cDump),
      perDirection: sourced(450, 'GB/s per direction', gh200),
    },
  },
];
