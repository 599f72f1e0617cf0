import type { Conflict, Fact, Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import type { Host } from './host.ts';
import type { Observed } from './observed.ts';

/** Everything known about the machine a report is about: nodes, the network between them, the software on them. */
export interface Machine {
  /** The distinct hosts seen. With equal nodes (`copies`) only the first stands here. */
  readonly hosts: readonly Host[];
  /** How many nodes take part in a job: hosts.length, or more when equal nodes are asked for. */
  readonly nodes: number;
  readonly fabric: Fabric;
  readonly software: Software;
  readonly storage?: Storage;
  readonly launch?: CallLaunch;
  /** GPUs that share one NVLink domain across nodes. */
  readonly nvlinkDomain?: number;
  /** What a log shows in use. */
  readonly observed?: Observed;
  readonly conflicts: readonly Conflict[];
  /** What a person should know about how the machine was put together. */
  readonly notes: readonly { readonly message: Message; readonly at: readonly Where[] }[];
}

/** How collectives are started: by CUDA graphs or one by one on streams, and on how many GPUs one thread of a process starts them. */
export interface CallLaunch {
  readonly mode: 'graph' | 'stream' | 'unknown';
  readonly gpusPerThread?: number;
}

export type Transport = 'infiniband' | 'roce' | 'iwarp' | 'ipoib' | 'tcp' | 'efa' | 'tcpx' | 'tcpxo' | 'slingshot';

export interface Fabric {
  readonly transport?: Fact<Transport>;
  /** Sockets that a job ran over because its own variables left it nothing else: they say nothing of the network itself. */
  readonly sockets?: Fact<'tcp' | 'ipoib'>;
  /** Megabits per second and port. */
  readonly rateMbps?: Fact<number>;
  readonly mtu?: Fact<number>;
  readonly shape?: 'single-switch' | 'fat-tree' | 'rail';
  readonly oversubscription?: number;
}

/** Facts about drivers, kernel and libraries. Absent = not known. */
export interface Software {
  readonly nccl?: Fact<string>;
  readonly driver?: Fact<string>;
  readonly cuda?: Fact<string>;
  /** The job's environment: NAME -> value. */
  readonly env: ReadonlyMap<string, Fact<string>>;
  /** Both GPU and NIC side can do GPUDirect RDMA. */
  readonly gdr?: Fact<boolean>;
  /** What NVML reports as P2P status between GPUs (not NCCL_P2P_DISABLE). */
  readonly p2pStatus?: Fact<boolean>;
  /** The same by pair of GPU numbers (`0 1`), where a table tells; wins over `p2pStatus`. */
  readonly p2pPairs?: ReadonlyMap<string, Fact<boolean>>;
  readonly acs?: Fact<boolean>;
  readonly iommu?: Fact<boolean>;
  readonly peermem?: Fact<boolean>;
  readonly dmabuf?: Fact<boolean>;
  /** Kernel and driver are set up for peer-to-peer DMA between drives and GPUs (CONFIG_PCI_P2PDMA, static BAR1). */
  readonly p2pdma?: Fact<boolean>;
}

export interface Storage {
  readonly type: 'nvme' | 'nvmeof' | 'nfs-rdma' | 'nfs';
  readonly count: number;
  readonly perDeviceGBps?: number;
  readonly readLatencyUs?: number;
  readonly perDeviceWriteGBps?: number;
  readonly writeLatencyUs?: number;
  readonly placement: 'same-switch' | 'same-socket' | 'other-socket';
  readonly filesystem?: string;
  readonly gds?: boolean;
}
