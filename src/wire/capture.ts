import type { WireReason } from './outcome.ts';

/** What a record of a capture begins with (https://www.tcpdump.org/linktypes.html). */
export const linkType = {
  ethernet: 1,
  raw: 101,
  sll: 113,
  erf: 197,
  ipv4: 228,
  ipv6: 229,
  ipoib: 242,
  infiniband: 247,
  sll2: 276,
} as const;

export interface CapturedPacket {
  /** Since 1970-01-01 UTC. */
  readonly seconds: number;
  readonly nanoseconds: number;
  /** Bytes on the wire; more than `bytes.length` when the capture kept only the beginning. */
  readonly length: number;
  readonly linkType: number;
  readonly bytes: Uint8Array;
}

export interface Capture {
  readonly format: 'pcap' | 'pcapng';
  readonly linkType: number;
  readonly littleEndian: boolean;
  /** Whether times are kept to the nanosecond; else to the microsecond. */
  readonly nanoseconds: boolean;
  readonly snapLength: number;
  readonly packets: readonly CapturedPacket[];
  /** Why reading ended before the end of the file; the packets before that are sound. */
  readonly stopped?: WireReason;
}

/** No record of a sound capture is larger (libpcap's MAXIMUM_SNAPLEN). */
export const largestRecord = 262_144;
