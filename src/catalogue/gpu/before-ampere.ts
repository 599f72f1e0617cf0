import { no, sourced, yes } from '../sourced.ts';
import type { GpuPart } from './part.ts';
import { capability, openModules, p2pDocs, pciIds, rdmaDocs } from './sources.ts';

const volta = 'https://images.nvidia.com/content/volta-architecture/pdf/volta-architecture-whitepaper.pdf';
const v100 = 'https://images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf';
const dgx2 = 'https://images.nvidia.com/content/pdf/dgx2-system-architecture-whitepaper.pdf';
const p40 = 'https://images.nvidia.com/content/pdf/tesla/184427-Tesla-P40-Datasheet-NV-Final-Letter-Web.pdf';
const turing =
  'https://images.nvidia.com/aem-dam/en-zz/Solutions/design-visualization/technologies/turing-architecture/NVIDIA-Turing-Architecture-Whitepaper.pdf';
/** Measured with NVIDIA's own samples: peer access only where an NVLink bridge joins the cards. */
const turingP2p =
  'https://www.pugetsystems.com/labs/hpc/P2P-peer-to-peer-on-NVIDIA-RTX-2080Ti-vs-GTX-1080Ti-GPUs-1331/';

/** 5.7 GB/s through host memory where the link carries 12: each copy waits for the other. */
const inTurn =
  'https://github.com/Anthony-Hoo/Anthony-Hoo.github.io/blob/main/posts/AutoDL_Multi-GPU_Interconnection_Test.md';

const v100Base = {
  vendor: 'NVIDIA',
  architecture: 'Volta',
  pciVendor: '0x10de',
  idSource: pciIds,
  classCode: '0x030200',
  sm: sourced(70, 'compute capability × 10', capability),
  memoryBandwidth: sourced(900, 'GB/s', v100),
  pcie: { gen: sourced(3, 'PCIe generation', v100), lanes: sourced(16, 'lanes', v100) },
  nvlink: {
    generation: sourced(2, 'NVLink generation', volta),
    links: sourced(6, 'links', volta),
    perLink: sourced(25, 'GB/s per link and direction', volta),
    fitting: 'board',
  },
  gdr: yes(rdmaDocs),
  p2pPcie: yes(p2pDocs),
} as const;

/** Pascal, Volta, Turing. */
export const beforeAmpere: readonly GpuPart[] = [
  {
    ...v100Base,
    id: 'v100-sxm2-16g',
    products: ['Tesla V100-SXM2-16GB'],
    deviceIds: ['0x1db1'],
    memory: sourced(16, 'GB', v100),
  },
  {
    ...v100Base,
    id: 'v100-sxm2-32g',
    products: ['Tesla V100-SXM2-32GB', 'Tesla V100-SXM2-32GB-LS'],
    deviceIds: ['0x1db5'],
    memory: sourced(32, 'GB', v100),
  },
  {
    ...v100Base,
    id: 'v100-sxm3-32g',
    products: ['Tesla V100-SXM3-32GB', 'Tesla V100-SXM3-32GB-H'],
    deviceIds: ['0x1db8'],
    memory: sourced(32, 'GB', dgx2),
  },
  {
    id: 'p40',
    vendor: 'NVIDIA',
    architecture: 'Pascal',
    products: ['Tesla P40'],
    pciVendor: '0x10de',
    deviceIds: ['0x1b38'],
    idSource: pciIds,
    classCode: '0x030200',
    sm: sourced(61, 'compute capability × 10', capability),
    memory: sourced(24, 'GB', p40),
    memoryBandwidth: sourced(346, 'GB/s', p40),
    pcie: { gen: sourced(3, 'PCIe generation', p40), lanes: sourced(16, 'lanes', p40) },
    gdr: yes(rdmaDocs),
    p2pPcie: yes(p2pDocs),
  },
  {
    id: 'rtx-2080-ti',
    vendor: 'NVIDIA',
    architecture: 'Turing',
    products: ['NVIDIA GeForce RTX 2080 Ti', 'GeForce RTX 2080 Ti'],
    pciVendor: '0x10de',
    deviceIds: ['0x1e07', '0x1e04'],
    idSource: openModules,
    classCode: '0x030000',
    sm: sourced(75, 'compute capability × 10', capability),
    memory: sourced(11, 'GB', turing),
    memoryBandwidth: sourced(616, 'GB/s', turing),
    stagedInTurn: yes(inTurn),
    pcie: { gen: sourced(3, 'PCIe generation', turing), lanes: sourced(16, 'lanes', turing) },
    nvlink: {
      generation: sourced(2, 'NVLink generation', turing),
      links: sourced(2, 'links', turing),
      perLink: sourced(25, 'GB/s per link and direction', turing),
      fitting: 'bridge',
    },
    gdr: no(rdmaDocs),
    p2pPcie: no(turingP2p),
  },
];
