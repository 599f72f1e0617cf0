import { big, flag, type Layout, layout, num, raw } from '../layout.ts';

/** Base transport header (IBTA vol. 1, 9.2; FECN and BECN as annex A17 places them). */
export interface Bth {
  readonly opcode: number;
  readonly solicited: boolean;
  readonly migrationRequest: boolean;
  readonly padCount: number;
  readonly version: number;
  readonly partitionKey: number;
  readonly fecn: boolean;
  readonly becn: boolean;
  readonly reserved6: number;
  readonly destinationQp: number;
  readonly ackRequest: boolean;
  readonly reserved7: number;
  /** 24 bits. */
  readonly psn: number;
}

export const bthLayout: Layout<Bth> = layout<Bth>(12, {
  opcode: num(0, 8),
  solicited: flag(1, 0),
  migrationRequest: flag(1, 1),
  padCount: num(1, 2, 2),
  version: num(1, 4, 4),
  partitionKey: num(2, 16),
  fecn: flag(4, 0),
  becn: flag(4, 1),
  reserved6: num(4, 6, 2),
  destinationQp: num(5, 24),
  ackRequest: flag(8, 0),
  reserved7: num(8, 7, 1),
  psn: num(9, 24),
});

/** RDMA extended transport header (9.3). */
export interface Reth {
  readonly address: bigint;
  readonly key: number;
  /** Bytes of the whole transfer. */
  readonly length: number;
}

export const rethLayout: Layout<Reth> = layout<Reth>(16, { address: big(0), key: num(8, 32), length: num(12, 32) });

/** ACK extended transport header (9.3). */
export interface Aeth {
  /** See `syndrome` in aeth.ts. */
  readonly syndrome: number;
  /** 24 bits. */
  readonly msn: number;
}

export const aethLayout: Layout<Aeth> = layout<Aeth>(4, { syndrome: num(0, 8), msn: num(1, 24) });

/** Atomic extended transport header (9.3). For compare-and-swap `swap` is stored when `compare` is there; for fetch-and-add `swap` is added. */
export interface AtomicEth {
  readonly address: bigint;
  readonly key: number;
  readonly swap: bigint;
  readonly compare: bigint;
}

export const atomicEthLayout: Layout<AtomicEth> = layout<AtomicEth>(28, {
  address: big(0),
  key: num(8, 32),
  swap: big(12),
  compare: big(20),
});

/** Atomic ACK extended transport header (9.3): what was there before. */
export interface AtomicAckEth {
  readonly original: bigint;
}

export const atomicAckEthLayout: Layout<AtomicAckEth> = layout<AtomicAckEth>(8, { original: big(0) });

/** Datagram extended transport header (9.3). */
export interface Deth {
  readonly queueKey: number;
  readonly reserved: number;
  readonly sourceQp: number;
}

export const dethLayout: Layout<Deth> = layout<Deth>(8, {
  queueKey: num(0, 32),
  reserved: num(4, 8),
  sourceQp: num(5, 24),
});

/** Immediate data (9.3): four bytes that reach the completion of the receiver. */
export interface ImmDt {
  readonly data: number;
}

export const immDtLayout: Layout<ImmDt> = layout<ImmDt>(4, { data: num(0, 32) });

/** Invalidate extended transport header (9.3). */
export interface Ieth {
  readonly key: number;
}

export const iethLayout: Layout<Ieth> = layout<Ieth>(4, { key: num(0, 32) });

/** Local route header (7.7); the packet length follows from the packet. */
export interface Lrh {
  readonly virtualLane: number;
  readonly version: number;
  readonly serviceLevel: number;
  readonly reserved2: number;
  /** 3 with a GRH, 2 without. */
  readonly nextHeader: number;
  readonly destinationLid: number;
  readonly reserved5: number;
  /** In words of 4 bytes, from the LRH up to and without the VCRC. */
  readonly packetLength: number;
  readonly sourceLid: number;
}

export const lrhLayout: Layout<Lrh> = layout<Lrh>(8, {
  virtualLane: num(0, 4),
  version: num(0, 4, 4),
  serviceLevel: num(1, 4),
  reserved2: num(1, 2, 4),
  nextHeader: num(1, 2, 6),
  destinationLid: num(2, 16),
  reserved5: num(4, 5),
  packetLength: num(4, 11, 5),
  sourceLid: num(6, 16),
});

/** Global route header (8.3). */
export interface Grh {
  readonly version: number;
  readonly trafficClass: number;
  readonly flowLabel: number;
  /** Bytes behind the GRH up to and without the VCRC. */
  readonly payloadLength: number;
  /** 0x1B: a base transport header follows. */
  readonly nextHeader: number;
  readonly hopLimit: number;
  /** 16 bytes. */
  readonly sourceGid: Uint8Array;
  readonly destinationGid: Uint8Array;
}

export const grhLayout: Layout<Grh> = layout<Grh>(40, {
  version: num(0, 4),
  trafficClass: num(0, 8, 4),
  flowLabel: num(1, 20, 4),
  payloadLength: num(4, 16),
  nextHeader: num(6, 8),
  hopLimit: num(7, 8),
  sourceGid: raw(8, 16),
  destinationGid: raw(24, 16),
});
