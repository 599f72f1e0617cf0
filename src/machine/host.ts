import type { Fact, Where } from '../fact/fact.ts';

/**
 * One node (a host) as a tree: NUMA nodes hold PCIe devices, switches hold more of them; GPUs also carry NVLinks.
 * Order is the order of the source: NCCL's choices depend on it. What no input told is absent, never guessed.
 */
export interface Host {
  /** What the inputs call this host; empty when none names it. */
  readonly names: readonly string[];
  readonly cpus: readonly Cpu[];
  /** NVSwitch chips where their number is known; GPUs tell by their NVLinks that they are attached to some. */
  readonly nvswitches?: Fact<number>;
  /** Catalogue id of the whole system, when the machine came from there or was recognised. */
  readonly system?: string;
  /** True when the source tells how devices are placed but not how fast their links are (a matrix). */
  readonly ratesUnknown?: boolean;
}

export type CpuArch = 'x86_64' | 'arm64' | 'ppc64';
export type CpuVendor = 'Intel' | 'AMD' | 'Zhaoxin' | 'IBM' | 'Arm' | 'other';

/** A NUMA node: the `cpuN` of people, NCCL's CPU node. */
export interface Cpu {
  /** The kernel's NUMA id; -1 where the firmware gives none. */
  readonly numa: number;
  /** Which socket it belongs to, when known. */
  readonly socket?: number;
  /** Hosts fused into one topology (an NVLink domain) are told apart by this (NCCL's host_hash). */
  readonly hostHash?: string;
  readonly arch?: CpuArch;
  readonly vendor?: CpuVendor;
  readonly family?: number;
  readonly model?: number;
  /** CPU mask or range as the source spells it. */
  readonly affinity?: string;
  readonly devices: readonly PciDevice[];
  readonly at: readonly Where[];
}

/** What a PCIe function is for. `port`: a NIC port that the source hangs on the CPU without any PCIe function. */
export type PciRole = 'switch' | 'gpu' | 'nic' | 'nvme' | 'nvswitch' | 'bridge' | 'port' | 'other';

export interface PciDevice {
  readonly role: PciRole;
  /** `domain:bus:device.function`, lower case, as the source spells it. Absent when a matrix only showed that it exists. */
  readonly busId?: string;
  /** The bus id is a stand-in for one that no input tells; it ties NVLinks together and is never shown. */
  readonly standIn?: boolean;
  /** PCI class, such as `0x060400`. */
  readonly classCode?: string;
  readonly vendor?: string;
  readonly device?: string;
  readonly subsystemVendor?: string;
  readonly subsystemDevice?: string;
  /** The link to the parent. */
  readonly link: PcieLink;
  readonly children: readonly PciDevice[];
  readonly gpus?: readonly Gpu[];
  readonly ports?: readonly NicPort[];
  /** Bus ids of switches reached by a private switch-to-switch link (NCCL's `<pcilink>`). */
  readonly peers?: readonly string[];
  /** Host bridge (root complex) below the NUMA node; devices with different ones are `NODE`, not `PHB`, to nvidia-smi. */
  readonly hostBridge?: string;
  /** True when no input names it: its existence follows from a matrix. */
  readonly deduced?: boolean;
  /** One function of an RDMA card: a source that is not NCCL's shows its ports apart, which NCCL joins. */
  readonly apart?: boolean;
  readonly at: readonly Where[];
}

/** PCIe link as sources give it: NCCL and the kernel print speed as text such as `32.0 GT/s PCIe`. */
export interface PcieLink {
  /** Speed text as NCCL reads it (sysfs max_link_speed). Absent or empty: not known. */
  readonly speed?: string;
  /** Lanes; 0 or absent: not known. */
  readonly width?: number;
  /**
   * Lanes as a source writes them where no link has so many: the kernel's 255 for "unknown", or 63 read from a device that
   * does not answer. NCCL reckons with them all the same.
   */
  readonly widthTold?: number;
  /** What the link runs at now, when a source tells (drops when idle: normal). */
  readonly currentSpeed?: string;
  readonly currentWidth?: number;
  readonly at?: readonly Where[];
}

export interface Gpu {
  /** CUDA/NVML index: the N of `gpuN`. */
  readonly dev: number;
  /** Compute capability as major*10+minor, such as 90. */
  readonly sm?: number;
  /** NCCL rank in the source; GPUs without one are invisible to NCCL. */
  readonly rank?: number;
  /** GPUDirect RDMA attribute of the GPU. */
  readonly gdr?: boolean;
  /** Catalogue part id, such as `h100-sxm5-80g`, when known. */
  readonly part?: string;
  /** Name as a tool prints it, such as `NVIDIA H100 80GB HBM3`. */
  readonly product?: string;
  /** Half of a GPU split by MLOPart. */
  readonly mloPart?: number;
  readonly nvlinks: readonly NvLink[];
  /** The source does not list NVLinks at all (a file made for injection). */
  readonly nvlinksUnknown?: boolean;
  readonly c2c?: { readonly mbps: number; readonly count: number };
  readonly at: readonly Where[];
}

export interface NvLink {
  /** Bus id of the other end; for a switch it names nothing real (`fffffff:ff:ff.0`). */
  readonly target?: string;
  readonly to: 'gpu' | 'nvswitch' | 'cpu';
  readonly count: number;
  /** PCI class of the target as NCCL writes it. */
  readonly targetClass: string;
  readonly at: readonly Where[];
}

export type LinkLayer = 'infiniband' | 'ethernet';

/** A network port as a library counts it: the N of `nicN` (NCCL's NET device number). */
export interface NicPort {
  readonly dev: number;
  /** RDMA or interface name, such as `mlx5_0`. */
  readonly name?: string;
  /** Megabits per second, as NCCL's file has it. */
  readonly speedMbps?: number;
  readonly port?: number;
  readonly guid?: string;
  readonly latencyUs?: number;
  readonly maxConnections?: number;
  /** Can the NIC side do GPUDirect RDMA (peermem or DMA-BUF)? */
  readonly gdr?: boolean;
  /** The lines that tell, when they are not the port's own. */
  readonly gdrAt?: readonly Where[];
  /** No line says so: it follows from what NCCL did. */
  readonly gdrInferred?: boolean;
  readonly collectives?: boolean;
  /** NCCL's net/gin/rma capability attributes (net defaults to true). */
  readonly net?: boolean;
  readonly gin?: boolean;
  readonly rma?: boolean;
  readonly rail?: number;
  readonly plane?: number;
  /** Ports, or rails of a plugin, that a library shows as this one. */
  readonly joined?: number;
  readonly layer?: LinkLayer;
  readonly part?: string;
  readonly at: readonly Where[];
}
