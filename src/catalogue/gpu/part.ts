import type { Sourced } from '../sourced.ts';

/** How the NVLinks of a part leave it: to an SXM board or switch, by a bridge between cards, or over AMD's Infinity Fabric. */
export type LinkFitting = 'board' | 'bridge' | 'infinity-fabric';

/** A GPU as sold, under the id of a cluster description. */
export interface GpuPart {
  readonly id: string;
  readonly vendor: 'NVIDIA' | 'AMD';
  readonly architecture: string;
  /** As `nvidia-smi -L` or `amd-smi` prints it, newest spelling first. */
  readonly products: readonly string[];
  /** PCI vendor and device ids, `0x10de`-style; where they can be looked up is in `idSource`. */
  readonly pciVendor: string;
  readonly deviceIds: readonly string[];
  readonly idSource: string;
  /** `0x030200` (3D controller) for data-centre parts, `0x030000` (VGA) for those with displays. */
  readonly classCode: string;
  /** Compute capability as major*10+minor. Absent for AMD. */
  readonly sm?: Sourced;
  /** As the data sheet counts it (GB; HBM sizes are in fact powers of two). */
  readonly memory: Sourced;
  readonly memoryBandwidth?: Sourced;
  readonly pcie: { readonly gen: Sourced; readonly lanes: Sourced };
  readonly nvlink?: {
    readonly generation?: Sourced;
    readonly links: Sourced;
    /** GB/s per link and direction. */
    readonly perLink: Sourced;
    readonly fitting: LinkFitting;
  };
  /** Coherent link to the CPU on the same module, as NCCL's file writes it (`bw` in MB/s times `count`). */
  readonly c2c?: { readonly mbpsEach: Sourced; readonly count: Sourced; readonly perDirection: Sourced };
  /** Is its memory that of the CPU? A copy between the two then reads and writes the same memory. */
  readonly unified?: Sourced<boolean>;
  /** Does its driver copy into host memory and out of it one after the other, where peer access is off? */
  readonly stagedInTurn?: Sourced<boolean>;
  /** May its memory be the target of another device's DMA (GPUDirect RDMA)? */
  readonly gdr?: Sourced<boolean>;
  /** Does NVIDIA's stock driver offer peer access over PCIe? */
  readonly p2pPcie?: Sourced<boolean>;
}
