import type { Protocol } from '../../nccl/tuning/model.ts';

/** What one generation of GPU costs a collective; µs and GB/s. */
export interface GpuSpeeds {
  /** From the call to the kernel's first word, and from its last to the next call, when calls follow each other. */
  readonly start: number;
  /** What LL128 and Simple add: they wait for whole lines and slices. */
  readonly startLl128: number;
  readonly startSimple: number;
  /** One hop of an empty chunk by LL or LL128: store over NVLink, poll, reduce. */
  readonly hop: number;
  /** One hop of an empty slice by Simple: waited for, fenced, posted. */
  readonly slice: number;
  /** Payload that one channel's threads move by themselves. */
  readonly channel: Readonly<Record<Protocol, number>>;
  /** Share of NVLink's peak that collectives reach, and that reductions in the switch do. */
  readonly nvlinkShare: number;
  readonly nvlsShare: number;
  /** A copy inside the GPU that nothing overlaps. */
  readonly localCopy: number;
  /** NVLS: one round of a channel over all heads, empty; what a channel moves. */
  readonly round: number;
  readonly nvlsChannel: number;
  /** What a channel's threads move in exchanges, to peers and to themselves. */
  readonly exchangeChannel: number;
}

/** What one hop through NIC, wire and NIC costs, the proxies included; µs. */
export interface NetSpeeds {
  readonly hop: Readonly<Record<Protocol, number>>;
  /** Share of the line that large messages reach, beyond headers. */
  readonly share: number;
}

export interface Speeds {
  readonly gpu: GpuSpeeds;
  readonly net: NetSpeeds;
  /** Rounds of NVLS that pass before the first one is out again. */
  readonly fillRounds: number;
  /** What every further channel of LL and LL128 adds to the start. */
  readonly startChannel: number;
  /** Share of PCIe through host memory: one way; both at once. */
  readonly shmOne: number;
  readonly shmBoth: number;
  /** GB/s that a GPU gets both ways at once, however fast its link. */
  readonly shmBothMost: number;
  /** Of the copies of all loops but the last: what other channels' traffic does not hide. */
  readonly copyShare: number;
  /** Hops that are not over NVLink, in hops that are. */
  readonly slowHop: number;
  /** Share of a ring's rate that exchanges reach; of PCIe through host memory. */
  readonly exchangeShare: number;
  readonly exchangeShm: number;
  /** What a group of sends and receives adds to the start, and each message of a rank. */
  readonly exchangeStart: Readonly<Record<Protocol, number>>;
  readonly exchangeMessage: number;
}
