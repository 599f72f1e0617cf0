import type { Protocol } from '../../nccl/tuning/model.ts';

/** What one generation of GPU costs a collective; µs and GB/s. */
export interface GpuSpeeds {
  /** From the call to the kernel's first word, and from its last to the next call, when calls follow each other. */
  readonly start: number;
  /** One hop by LL or LL128: store over NVLink, poll, reduce. */
  readonly hop: number;
  /** Payload that one channel's threads move by themselves. */
  readonly channel: Readonly<Record<Protocol, number>>;
  /** Share of NVLink's peak that collectives reach. */
  readonly nvlinkShare: number;
  /** A copy inside the GPU that nothing overlaps. */
  readonly localCopy: number;
  /** What half of a channel's threads send to the switch where the other half receives. */
  readonly dividedChannel: number;
  /** What those of a channel's threads send that do so in exchanges, while others receive. */
  readonly exchangeChannel: number;
}

/** What one hop through NIC, wire and NIC costs, the proxies included; µs. */
export interface NetSpeeds {
  readonly hop: Readonly<Record<'LL' | 'Simple', number>>;
  /** In rings, the part of what a slice's hop takes more than a word's that a line's does. */
  readonly lines: number;
  /** Share of the line that large messages reach, beyond headers. */
  readonly share: number;
  /** Until a chunk of a connection's buffer is free again, where threads, proxies and NICs pass chunks on all the time; µs. */
  readonly round: number;
}

export interface Speeds {
  readonly gpu: GpuSpeeds;
  readonly net: NetSpeeds;
  /** What LL128 adds to the start. */
  readonly startLl128: number;
  /** What every further channel of LL and LL128 adds to the start. */
  readonly startChannel: number;
  /** Share of NVLink's peak that reductions in the switch reach. */
  readonly nvlsShare: number;
  /** Share of PCIe through host memory: one way; where a GPU reads and writes at once. */
  readonly shmOne: number;
  readonly shmBoth: number;
  /** Of the copies of all loops but the last: what other channels' traffic does not hide. */
  readonly copyShare: number;
  /** A hop of LL or LL128 over PCIe or through host memory. */
  readonly slowHop: number;
  /** One hop of a slice by Simple, waited for, fenced and posted, in hops of LL. */
  readonly sliceHops: number;
  /** Share of a ring's rate that exchanges between all pairs reach; neighbours alone reach all of it. */
  readonly exchangeShare: number;
}
