import { no, sourced, yes } from '../sourced.ts';
import type { GpuPart } from './part.ts';
import { capability, nvlinkPage, openModules, p2pDocs, rdmaDocs } from './sources.ts';

const b200 = 'https://resources.nvidia.com/en-us-dgx-systems/dgx-b200-datasheet';
const hgx = 'https://www.nvidia.com/en-us/data-center/hgx/';
const b300 = 'https://resources.nvidia.com/en-us-dgx-systems/dgx-b300-datasheet';
const gb200 = 'https://www.nvidia.com/en-us/data-center/gb200-nvl72/';
const gb300 = 'https://www.nvidia.com/en-us/data-center/gb300-nvl72/';
const blackwellUltra =
  'https://developer.nvidia.com/blog/inside-nvidia-blackwell-ultra-the-chip-powering-the-ai-factory-era/';
const rtx5090 = 'https://www.nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5090/';
const gb202 = 'https://images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf';
const pro6000 = 'https://www.nvidia.com/en-us/data-center/rtx-pro-6000-blackwell-server-edition/';
const rtx6000d = 'https://www.weeklypost.kr/news/articleView.html?idxno=10587';
/** `nvidia-smi topo -p2p` of two 5090 with the stock driver: GNS, not supported by the GPU. */
const no5090 = 'https://github.com/noonghunna/club-3090/issues/1130';
/** 128 GB of LPDDR5X that CPU and GPU share. */
const spark = 'https://docs.nvidia.com/dgx/dgx-spark/hardware.html';
/** "Hence the GPUDirect RDMA technology is not supported, and … nvidia-peermem …, dma-buf or GDRCopy, do not work." */
const sparkPorting = 'https://docs.nvidia.com/dgx/dgx-spark-porting-guide/porting/cuda.html';
/** A topology that NCCL wrote on a DGX Spark: eight C2C links of 43125 MB/s, and a PCIe link that nothing uses. */
const sparkDump = 'https://github.com/NVIDIA/nccl/pull/2202';
/** A dump of a GB300 tray: five C2C links of 44712 MB/s per GPU, half of Grace's 900 GB/s in both directions. */
const c2cDump =
  'https://github.com/datacrunch-research/nccl-eBPF/blob/f23bfc0/.agents/debug/2026-08-14-mnnvl-channel-collapse/topo/mnnvl_topo_2tray_0405.xml';

const gen5 = (source: string) => ({
  gen: sourced(5, 'PCIe generation', source),
  lanes: sourced(16, 'lanes', source),
});
const gen6 = (source: string) => ({
  gen: sourced(6, 'PCIe generation', source),
  lanes: sourced(16, 'lanes', source),
});
const nvlink5 = (source: string) => ({
  generation: sourced(5, 'NVLink generation', nvlinkPage),
  links: sourced(18, 'links', nvlinkPage),
  // 1.8 TB/s in both directions over 18 links.
  perLink: sourced(50, 'GB/s per link and direction', source),
  fitting: 'board' as const,
});
const grace = {
  mbpsEach: sourced(44712, 'MB/s per link and direction', c2cDump),
  count: sourced(5, 'links', c2cDump),
  perDirection: sourced(225, 'GB/s per direction', gb200),
};

const base = { vendor: 'NVIDIA', architecture: 'Blackwell', pciVendor: '0x10de', idSource: openModules } as const;
const centre = { ...base, classCode: '0x030200', gdr: yes(rdmaDocs), p2pPcie: yes(p2pDocs) } as const;
const sm = (value: number) => sourced(value, 'compute capability × 10', capability);

export const blackwell: readonly GpuPart[] = [
  {
    ...centre,
    id: 'b200',
    products: ['NVIDIA B200'],
    deviceIds: ['0x2901', '0x2909'],
    sm: sm(100),
    memory: sourced(180, 'GB', b200),
    memoryBandwidth: sourced(8000, 'GB/s', b200),
    pcie: gen5(hgx),
    nvlink: nvlink5(b200),
  },
  {
    ...centre,
    id: 'b300',
    products: ['NVIDIA B300 SXM6 AC', 'NVIDIA B300'],
    deviceIds: ['0x3182'],
    sm: sm(103),
    memory: sourced(288, 'GB', blackwellUltra),
    memoryBandwidth: sourced(8000, 'GB/s', blackwellUltra),
    pcie: gen6(blackwellUltra),
    nvlink: nvlink5(b300),
  },
  {
    ...centre,
    id: 'gb200',
    products: ['NVIDIA GB200'],
    deviceIds: ['0x2941'],
    sm: sm(100),
    memory: sourced(186, 'GB', gb200),
    memoryBandwidth: sourced(8000, 'GB/s', gb200),
    pcie: gen5(gb200),
    nvlink: nvlink5(gb200),
    c2c: grace,
  },
  {
    ...centre,
    id: 'gb300',
    products: ['NVIDIA GB300'],
    deviceIds: ['0x31c2', '0x31c3'],
    sm: sm(103),
    memory: sourced(288, 'GB', blackwellUltra),
    memoryBandwidth: sourced(8000, 'GB/s', blackwellUltra),
    pcie: gen6(blackwellUltra),
    nvlink: nvlink5(gb300),
    c2c: grace,
  },
  {
    ...base,
    id: 'gb10',
    products: ['NVIDIA GB10'],
    deviceIds: ['0x2e12'],
    idSource: sparkDump,
    classCode: '0x030000',
    sm: sm(121),
    memory: sourced(128, 'GB', spark),
    memoryBandwidth: sourced(273, 'GB/s', spark),
    pcie: {
      gen: sourced(1, 'PCIe generation', sparkDump),
      lanes: sourced(16, 'lanes', sparkDump),
    },
    c2c: {
      mbpsEach: sourced(43125, 'MB/s per link and direction', sparkDump),
      count: sourced(8, 'links', sparkDump),
      perDirection: sourced(300, 'GB/s per direction', 'https://www.nvidia.com/en-us/products/workstations/dgx-spark/'),
    },
    unified: yes(spark),
    gdr: no(sparkPorting),
  },
  {
    ...base,
    id: 'rtx-5090',
    products: ['NVIDIA GeForce RTX 5090', 'NVIDIA GeForce RTX 5090 D'],
    deviceIds: ['0x2b85', '0x2b87'],
    classCode: '0x030000',
    sm: sm(120),
    memory: sourced(32, 'GB', rtx5090),
    memoryBandwidth: sourced(1792, 'GB/s', gb202),
    pcie: gen5(gb202),
    gdr: no(rdmaDocs),
    p2pPcie: no(no5090),
  },
  {
    ...base,
    id: 'rtx-pro-6000',
    products: [
      'NVIDIA RTX PRO 6000 Blackwell Server Edition',
      'NVIDIA RTX PRO 6000 Blackwell Workstation Edition',
      'NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition',
    ],
    deviceIds: ['0x2bb5', '0x2bb1', '0x2bb4'],
    classCode: '0x030200',
    sm: sm(120),
    memory: sourced(96, 'GB', pro6000),
    memoryBandwidth: sourced(1597, 'GB/s', pro6000),
    pcie: gen5(pro6000),
    gdr: yes(rdmaDocs),
    p2pPcie: yes(p2pDocs),
  },
  {
    ...base,
    id: 'rtx-6000d',
    products: ['NVIDIA RTX 6000D'],
    deviceIds: ['0x2bb9'],
    classCode: '0x030200',
    sm: sm(120),
    memory: sourced(84, 'GB', rtx6000d),
    pcie: gen5(pro6000),
    gdr: yes(rdmaDocs),
    p2pPcie: yes(p2pDocs),
  },
];
