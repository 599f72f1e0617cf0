import type { Where } from '../../fact/fact.ts';

/**
 * What a log written under `NCCL_DEBUG` (NCCL 2.4 … 2.30, RCCL) says, condensed: every list holds distinct things with the
 * line of the first and a count of all. Wordings by release: NCCL src/init.cc, graph/, transport/ at each tag.
 */
export interface NcclLog {
  readonly kind: 'nccl-log';
  readonly file: string;
  /** The first line that belongs to the log. */
  readonly line: number;
  /** Records by level. */
  readonly records: { readonly info: number; readonly warn: number; readonly call: number; readonly trace: number };
  readonly versions: readonly NcclVersion[];
  readonly hosts: readonly NcclHost[];
  readonly environment: readonly EnvSetting[];
  readonly networks: readonly HostNetwork[];
  readonly gdr: readonly GdrDecision[];
  readonly communicators: readonly Communicator[];
  readonly connections: readonly Connection[];
  readonly rings: readonly Ring[];
  readonly trees: readonly TreeNode[];
  readonly channelCounts: readonly ChannelCount[];
  readonly systems: readonly PrintedSystem[];
  readonly graphs: readonly PrintedGraph[];
  readonly tuning: readonly TuningTable[];
  readonly choices: readonly Choice[];
  readonly calls: readonly Call[];
  readonly nvls: readonly NvlsLine[];
  readonly mnnvl: readonly MnnvlLine[];
  readonly p2p: readonly P2pLine[];
  readonly milestones: readonly Milestone[];
  readonly warnings: readonly Warning[];
  /** `file.cc:123 -> 2` lines: the way an error took up through the library. */
  readonly returns: readonly Counted[];
  /** Lines of a kind that is not evaluated: how many, and the first few. */
  readonly other: { readonly count: number; readonly samples: readonly Counted[] };
}

/** Something said once or many times. */
export interface Counted {
  readonly text: string;
  readonly count: number;
  readonly at: Where;
}

export interface NcclVersion {
  /** The number alone: `2.21.5`. */
  readonly text: string;
  /** With what follows it: `2.21.5+cuda12.4`, `2.22.3-HEAD:0123456`. */
  readonly printed: string;
  /** CUDA toolkit of the build (`12.4`), from `+cuda12.4`. */
  readonly cuda?: string;
  /** For RCCL: HIP and ROCm as printed. */
  readonly hip?: string;
  readonly rocm?: string;
  readonly flavour: 'nccl' | 'rccl';
  readonly at: Where;
  readonly count: number;
}

export interface NcclHost {
  /** As in the prefix of its records; empty when records stand there without one. */
  readonly name: string;
  /** Distinct process ids. */
  readonly processes: number;
  /** CUDA devices that stood in the prefix, ascending. */
  readonly devices: readonly number[];
  /** `cudaDriverVersion`, such as 12040 for 12.4. */
  readonly driver?: { readonly value: number; readonly at: Where };
  readonly at: Where;
}

export interface EnvSetting {
  readonly name: string;
  readonly value: string;
  /** From the environment of the process, or from `nccl.conf` when the log says so. */
  readonly source: 'environment' | 'conf';
  /** NCCL's remark when it could not use the value. */
  readonly invalid?: boolean;
  readonly hosts: readonly string[];
  readonly count: number;
  readonly at: Where;
}

/** An interface and address as NCCL prints them: `eth0:10.0.0.1<0>`. */
export interface Endpoint {
  readonly index?: number;
  readonly interface: string;
  readonly address: string;
}

export interface IbDevice {
  readonly index: number;
  readonly name: string;
  readonly port: number;
  readonly layer: 'IB' | 'RoCE' | string;
  readonly rail?: number;
  readonly plane?: number;
  /** Ports merged into this device (2.20 … 2.23). */
  readonly members?: readonly { readonly name: string; readonly port: number; readonly layer: string }[];
}

/** How one host reaches the others. */
export interface HostNetwork {
  readonly host: string;
  readonly bootstrap?: Endpoint & { readonly at: Where };
  /** `Using network X`: `IB`, `Socket`, `AWS Libfabric`, … in the order seen. */
  readonly using: readonly (Counted & { readonly name: string })[];
  readonly ib?: {
    readonly devices: readonly IbDevice[];
    readonly relaxedOrdering: boolean;
    readonly oob?: Endpoint;
    readonly at: Where;
  };
  /** `NET/IB : No device found.` */
  readonly ibNone?: Where;
  /** `Failed to open libibverbs.so`. */
  readonly verbsMissing?: Where;
  readonly socket?: { readonly interfaces: readonly Endpoint[]; readonly at: Where };
  readonly virtualDevices: readonly {
    readonly index: number;
    readonly name: string;
    readonly speed: number;
    readonly members: number;
    readonly at: Where;
  }[];
  readonly plugins: readonly PluginLine[];
  /** `GPU Direct RDMA Enabled|Disabled for HCA n 'name'`: what the NIC side can do, not what was decided. */
  readonly hcas: readonly {
    readonly index: number;
    readonly name: string;
    readonly gdr: boolean;
    readonly network: string;
    /** Words in parentheses, such as `no module`. */
    readonly reason?: string;
    readonly at: Where;
  }[];
  /** GPUs for which `DMA-BUF is available` was printed. */
  readonly dmaBuf: readonly { readonly gpu: number; readonly at: Where }[];
  /** Lines of the OFI plugin (EFA): provider, number of NICs. */
  readonly ofi: readonly Counted[];
}

export interface PluginLine {
  readonly kind: 'net' | 'tuner' | 'profiler' | 'env' | 'gin';
  readonly state: 'loaded' | 'missing' | 'failed' | 'assigned' | 'named' | 'internal';
  /** Name or library, when the line gives one. */
  readonly name?: string;
  readonly text: string;
  readonly count: number;
  readonly at: Where;
}

/** One decision "GPU Direct RDMA Enabled|Disabled for GPU … / HCA …" (until 2.29). */
export interface GdrDecision {
  readonly host: string;
  readonly enabled: boolean;
  readonly gpu: {
    readonly text: string;
    readonly rank?: number;
    readonly cudaDev?: number;
    readonly nvmlDev?: number;
    /** As printed, hexadecimal without separators. */
    readonly busId?: string;
  };
  /** Device number of the NIC (low part of NCCL's id), and its text. */
  readonly hca: { readonly text: string; readonly dev?: number };
  /** Path type number of that release; the right side of the comparison is the level. */
  readonly distance?: number;
  readonly level?: number;
  readonly compare?: string;
  /** 0 receive, 1 send (the NIC reads GPU memory). */
  readonly read?: number;
  readonly mode?: string;
  /** The GPU through which PXN goes. */
  readonly pxn?: string;
  readonly reason?: string;
  readonly count: number;
  readonly at: Where;
}

export interface Communicator {
  /** Equal on all ranks; releases before 2.16.2 print none. */
  readonly commId?: string;
  readonly nRanks: number;
  /** `ncclCommInitRank`, `ncclCommSplit`, … when printed. */
  readonly api?: string;
  readonly nNodes?: number;
  readonly ranks: readonly CommRank[];
  readonly at: Where;
}

export interface CommRank {
  readonly rank: number;
  readonly host: string;
  readonly pid: number;
  readonly cudaDev: number;
  readonly nvmlDev?: number;
  /** As printed: hexadecimal without separators (`1b000` is 0000:1b:00.0). */
  readonly busId?: string;
  readonly pointer: string;
  readonly localRank?: number;
  readonly localRanks?: number;
  readonly mnnvl?: number;
  readonly started?: Where;
  readonly complete?: Where;
  readonly ended?: { readonly how: 'Destroy' | 'Abort'; readonly at: Where };
  /** Seconds, from `Init timings`. */
  readonly initSeconds?: number;
}

/** Channels of one way from a rank to another, over one transport. */
export interface Connection {
  /** Index into `communicators` when the thread had announced one. */
  readonly communicator?: number;
  readonly from: ConnectionEnd;
  readonly to: ConnectionEnd;
  /** Who printed it: the `[send]` side, the `[receive]` side, or unmarked (P2P and SHM, by the sender). */
  readonly direction: 'send' | 'receive' | 'both';
  readonly kind: 'P2P' | 'SHM' | 'NET' | 'COLLNET' | 'other';
  /** What follows the kind: `IPC`, `CUMEM`, `MNNVL`, `direct pointer`, `indirect`, `common device`; for SHM `direct/direct`. */
  readonly method?: string;
  /** For NET: name and device index as that rank sees it. */
  readonly network?: { readonly name: string; readonly dev: number; readonly proxyRank?: number };
  readonly via?: string;
  readonly gdr: boolean;
  /** Suffixes: the other side's memory is read, a copy engine is used, buffers are shared, DMA by the PCI way. */
  readonly read: boolean;
  readonly copyEngine: boolean;
  readonly shared: boolean;
  readonly pciMode: boolean;
  /** Connection index: 0 collectives, 1 point to point. */
  readonly connIndex?: number;
  /** Text after `via`, as printed. */
  readonly text: string;
  /** Distinct channel numbers, ascending. */
  readonly channels: readonly number[];
  /** Lines. */
  readonly count: number;
  /** The host that printed the first of them. */
  readonly host: string;
  readonly at: Where;
}

export interface ConnectionEnd {
  /** −1 for the network as the far end of a CollNet line. */
  readonly rank: number;
  /** In brackets: NVML device (before 2.5 and since 2.18.3) … */
  readonly device?: number;
  /** … or bus id, hexadecimal (2.5 … 2.18.1). */
  readonly busId?: string;
}

/** A whole ring as rank 0 prints it. */
export interface Ring {
  readonly communicator?: number;
  readonly channel: number;
  readonly channels?: number;
  readonly ranks: readonly number[];
  /** The printed line ends before the ring does (20 ranks until 2.22; 127 characters since). */
  readonly truncated: boolean;
  readonly at: Where;
}

/** Where a rank stands in one tree. */
export interface TreeNode {
  readonly communicator?: number;
  readonly channel: number;
  readonly rank: number;
  /** −1 at the root. */
  readonly up: number;
  readonly down: readonly number[];
  /** Releases 2.5 … 2.7 print two halves of a tree. */
  readonly half?: 'up' | 'down';
  readonly at: Where;
}

export interface ChannelCount {
  readonly communicator?: number;
  readonly coll: number;
  readonly p2p: number;
  readonly p2pPerPeer: number;
  readonly nvls?: number;
  readonly collnet?: number;
  readonly count: number;
  readonly at: Where;
}

/** The tree between `=== System` and `====`, and the path rows that follow it. */
export interface PrintedSystem {
  readonly hosts: readonly string[];
  readonly maxBw: number;
  readonly totalBw?: number;
  readonly nodes: readonly SystemNode[];
  readonly links: readonly SystemLink[];
  readonly paths: readonly SystemPath[];
  /** The closing line was seen. */
  readonly complete: boolean;
  /** False when the text has lost its leading blanks: the links then hang on the wrong nodes. */
  readonly indented: boolean;
  readonly count: number;
  readonly at: Where;
}

export interface SystemNode {
  /** NCCL's text: `GPU/1b000` (until 2.20) or `GPU/0-1b000`. */
  readonly id: string;
  readonly type: 'GPU' | 'PCI' | 'NVS' | 'CPU' | 'NIC' | 'NET' | 'DEV' | 'GIN' | string;
  readonly rank?: number;
  /** CPU: arch/vendor/model numbers as printed. */
  readonly cpu?: { readonly arch: number; readonly vendor: number; readonly model: number };
  /** PCI switch id (hex) when printed. */
  readonly device?: string;
  /** NET: asic (hex), port and GB/s when printed. */
  readonly net?: { readonly asic: string; readonly port: number; readonly speed: number };
  readonly at: Where;
}

export interface SystemLink {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** GB/s. */
  readonly bw: number;
}

export interface SystemPath {
  readonly from: string;
  readonly to: string;
  readonly hops: number;
  readonly bw: number;
  /** Name, or the number that 2.5 prints. */
  readonly type: string;
}

export interface PrintedGraph {
  readonly hosts: readonly string[];
  readonly pattern: number;
  readonly crossNic: number;
  readonly nChannels: number;
  readonly bwIntra: number;
  readonly bwInter: number;
  readonly typeIntra?: string;
  readonly typeInter?: string;
  readonly sameChannels: number;
  /** Items as printed: `NET/0-0`, `GPU/3`, `GPU/0-1b000`. */
  readonly channels: readonly (readonly string[])[];
  readonly count: number;
  readonly at: Where;
}

export interface TuningTable {
  readonly host: string;
  readonly cells: readonly {
    readonly collective: string;
    readonly algorithm: string;
    readonly protocol: string;
    readonly latencyUs: number;
    readonly bw: number;
  }[];
  readonly maxThreads: readonly { readonly algorithm: string; readonly protocol: string; readonly value: number }[];
  readonly at: Where;
}

/** `AllReduce: 1048576 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..23}` and older forms. */
export interface Choice {
  readonly collective?: string;
  readonly bytes: number;
  /** Name, or the number older releases print. */
  readonly algorithm: string;
  readonly protocol: string;
  readonly timeUs?: number;
  readonly channels?: { readonly lo: number; readonly hi: number };
  readonly count: number;
  readonly at: Where;
}

/** Calls of the API under COLL, by size. */
export interface Call {
  readonly collective: string;
  readonly elements: number;
  readonly datatype: number;
  readonly count: number;
  readonly at: Where;
}

export interface NvlsLine extends Counted {
  readonly kind: 'available' | 'unavailable' | 'other';
  readonly host: string;
  readonly dev?: number;
}

export interface MnnvlLine extends Counted {
  readonly host: string;
  readonly busId?: string;
  readonly fabric?: string;
  readonly cliqueId?: string;
  readonly state?: number;
  readonly healthMask?: string;
  readonly cliqueSize?: number;
}

export interface P2pLine extends Counted {
  readonly kind: 'refused' | 'disabled' | 'query-failed' | 'legacy-ipc' | 'check';
  readonly host: string;
  readonly devices: readonly number[];
}

export interface Milestone {
  readonly kind: 'rings' | 'trees' | 'binomial-trees' | 'nvls-tree' | 'collnet';
  /** Of `Connected all rings, use ring PXN 0 GDR 1`: the last ones seen. */
  readonly pxn?: boolean;
  readonly gdr?: boolean;
  readonly hosts: readonly string[];
  readonly count: number;
  readonly at: Where;
}

/** Fault families of nccl warnings; `other` is a warning not known here. */
export type WarningKind =
  | 'cuda-failure'
  | 'ib-completion'
  | 'ib-async-event'
  | 'ib-modify-qp'
  | 'ib-register-memory'
  | 'ib-open-device'
  | 'ib-verbs-missing'
  | 'ib-verbs'
  | 'nvml'
  | 'open-files'
  | 'name-lookup'
  | 'mixed-links'
  | 'ranks'
  | 'usage'
  | 'network-plugin'
  | 'no-transport'
  | 'handle-socket'
  | 'gdrcopy'
  | 'goes-on'
  | 'no-interface'
  | 'subnet'
  | 'connection-closed'
  | 'connect-failed'
  | 'wrong-magic'
  | 'truncated'
  | 'version-mismatch'
  | 'duplicate-gpu'
  | 'p2p-disabled-nvlink'
  | 'mnnvl'
  | 'nvls-bind'
  | 'topology'
  | 'shared-memory'
  | 'cumem-host'
  | 'collnet'
  | 'no-algorithm'
  | 'bad-parameter'
  | 'proxy'
  | 'mixed-nics'
  | 'rail'
  | 'hang'
  | 'iommu-passthrough'
  | 'ofi'
  | 'other';

export interface Warning extends Counted {
  readonly kind: WarningKind;
  /** `NCCL WARN`, or an INFO line that says the same. */
  readonly level: 'WARN' | 'INFO' | 'bare';
  /** Source file and line of the library, as printed: `transport/net_ib.cc:839`. */
  readonly source?: string;
  readonly function?: string;
  readonly hosts: readonly string[];
  /** Numbers that decide what it means: IB status, CUDA error, errno. */
  readonly code?: number;
}
