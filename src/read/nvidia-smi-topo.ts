import type { Where } from '../fact/fact.ts';

/** `nvidia-smi topo -m` as printed: letters, affinity columns and the NIC legend. */
export interface TopoMatrix {
  readonly kind: 'topo-matrix';
  readonly file: string;
  readonly line: number;
  /** The devices of the columns, in order (GPUs first, then NICs). */
  readonly devices: readonly TopoDevice[];
  /** `cells[row][column]`: `X`, `NV12`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`, `SOC` …; undefined where the paste is cut. */
  readonly cells: readonly (readonly (string | undefined)[])[];
  /** True when rows or columns are missing. */
  readonly truncated: boolean;
}

export interface TopoDevice {
  /** As printed: `GPU0`, `NIC3`, `mlx5_2`. */
  readonly label: string;
  readonly kind: 'gpu' | 'nic';
  /** N of GPUN / NICN; for NIC columns that carry names, their order. */
  readonly index: number;
  /** RDMA name, from the NIC legend or the column itself. */
  readonly name?: string;
  readonly cpuAffinity?: string;
  /** NUMA affinity as printed; `N/A` is left out. */
  readonly numaAffinity?: string;
  readonly gpuNumaId?: string;
  /** The device's own row, or the header when the row is missing. */
  readonly at: Where;
}
