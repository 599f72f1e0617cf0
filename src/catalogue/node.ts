import type { PcieGen } from './pcie.ts';

/** How the GPUs of a node reach each other without PCIe. */
export const linkKinds = ['nvswitch', 'nvlink-hybrid-cube-mesh', 'nvlink-all-to-all', 'nvlink-pairs', 'pcie'] as const;
export type LinkKind = (typeof linkKinds)[number];

export const transports = ['infiniband', 'roce', 'iwarp', 'ipoib', 'tcp', 'efa', 'tcpx', 'tcpxo', 'slingshot'] as const;

/** A node as parts and counts: what a cluster description says, and what a system of the catalogue is. */
export interface NodeParts {
  /** GPU id of the catalogue. */
  readonly gpu: string;
  readonly gpus: number;
  readonly link: LinkKind;
  /** NVLinks between two GPUs, for all-to-all and pairs; default: as many as the GPU has to give. */
  readonly nvlinksPerPair?: number;
  /** Port rate in Gb/s. */
  readonly nicGbps?: number;
  /** NIC id of the catalogue; default: the usual one for rate, board and network. */
  readonly nicPart?: string;
  readonly nics: number;
  /** CPU id of the catalogue. */
  readonly cpu: string;
  readonly sockets: number;
  readonly numaPerSocket?: number;
  /** Fastest PCIe generation of the board. */
  readonly pcie: PcieGen;
  /** GPUs below one PCIe switch; 0: straight to the socket. */
  readonly gpusPerSwitch: number;
  /** NICs below one PCIe switch; 0: straight to the socket. */
  readonly nicsPerSwitch: number;
  /** The NUMA id of each group of GPUs in turn, where a board does not count upwards (DGX A100: 3, 1, 7, 5). */
  readonly numaOrder?: readonly number[];
  /** Each GPU sits below a switch stage of its own inside the shared switch (DGX A100). */
  readonly gpuStage?: boolean;
  /** NVSwitch chips a node has, where they are inside the node. */
  readonly nvswitches?: number;
}

/** The keys of `NodeParts` and of systems that count parts of a description: covered by the description's own source. */
export const countedKeys: ReadonlySet<string> = new Set([
  'gpus',
  'nvlinksPerPair',
  'nicGbps',
  'nics',
  'sockets',
  'numaPerSocket',
  'gpusPerSwitch',
  'nicsPerSwitch',
  'numaOrder',
  'nvswitches',
  'nvlinkDomain',
  'rateGbps',
]);
