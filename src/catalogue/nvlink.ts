import { type Sourced, sourced } from './sourced.ts';

const pascal = 'https://images.nvidia.com/content/pdf/tesla/whitepaper/pascal-architecture-whitepaper.pdf';
const volta = 'https://images.nvidia.com/content/volta-architecture/pdf/volta-architecture-whitepaper.pdf';
const ampere =
  'https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/nvidia-ampere-architecture-whitepaper.pdf';
const hopper = 'https://resources.nvidia.com/en-us-tensor-core/gtc22-whitepaper-hopper';
const nvlink = 'https://www.nvidia.com/en-us/data-center/nvlink/';
const nvswitch1 = 'https://images.nvidia.com/content/pdf/nvswitch-technical-overview.pdf';
const hotChips34 =
  'https://developer.nvidia.com/blog/upgrading-multi-gpu-interconnectivity-with-the-third-generation-nvidia-nvswitch/';

/** One generation of NVLink. */
export interface NvlinkGeneration {
  readonly generation: Sourced;
  /** Peak of one link in one direction. */
  readonly perLink: Sourced;
  /** Differential pairs of one link in one direction. Absent where no public document tells. */
  readonly pairs?: Sourced;
}

export const nvlinkGenerations: readonly NvlinkGeneration[] = [
  {
    generation: sourced(1, 'NVLink generation', pascal),
    perLink: sourced(20, 'GB/s per link and direction', pascal),
    pairs: sourced(8, 'differential pairs per link and direction', pascal),
  },
  {
    generation: sourced(2, 'NVLink generation', volta),
    perLink: sourced(25, 'GB/s per link and direction', volta),
    pairs: sourced(8, 'differential pairs per link and direction', volta),
  },
  {
    generation: sourced(3, 'NVLink generation', ampere),
    perLink: sourced(25, 'GB/s per link and direction', ampere),
    pairs: sourced(4, 'differential pairs per link and direction', ampere),
  },
  {
    generation: sourced(4, 'NVLink generation', hopper),
    perLink: sourced(25, 'GB/s per link and direction', hopper),
    pairs: sourced(2, 'differential pairs per link and direction', hopper),
  },
  { generation: sourced(5, 'NVLink generation', nvlink), perLink: sourced(50, 'GB/s per link and direction', nvlink) },
];

/** A generation of NVSwitch chip. */
export interface NvswitchGeneration {
  readonly id: string;
  readonly ports: Sourced;
  /** All ports, both directions. */
  readonly total: Sourced;
  /** Reduces and multicasts in the switch (NVLink SHARP, what NCCL's NVLS needs). */
  readonly sharp: Sourced<boolean>;
  readonly deviceIds: readonly string[];
  readonly idSource?: string;
}

const yesNo = (value: boolean, source: string): Sourced<boolean> => ({ value, unit: 'yes/no', source });

export const nvswitches: readonly NvswitchGeneration[] = [
  {
    id: 'nvswitch1',
    ports: sourced(18, 'NVLink ports', nvswitch1),
    total: sourced(900, 'GB/s both directions', nvswitch1),
    sharp: yesNo(false, hotChips34),
    deviceIds: [],
  },
  {
    id: 'nvswitch2',
    ports: sourced(36, 'NVLink ports', hotChips34),
    total: sourced(1800, 'GB/s both directions', hotChips34),
    sharp: yesNo(false, hotChips34),
    deviceIds: ['0x1af1'],
    idSource: 'https://pci-ids.ucw.cz/read/PC/10de/1af1',
  },
  {
    id: 'nvswitch3',
    ports: sourced(64, 'NVLink ports', hotChips34),
    total: sourced(3200, 'GB/s both directions', hotChips34),
    sharp: yesNo(true, hotChips34),
    deviceIds: ['0x22a3'],
    idSource: 'https://github.com/aws/aws-parallelcluster-cookbook/pull/3018',
  },
  {
    id: 'nvswitch4',
    ports: sourced(72, 'NVLink ports', nvlink),
    total: sourced(7200, 'GB/s both directions', nvlink),
    sharp: yesNo(true, nvlink),
    deviceIds: [],
  },
];
