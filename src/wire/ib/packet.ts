import { concat, copyOf } from '../bytes.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import {
  type Aeth,
  type AtomicEth,
  aethLayout,
  atomicAckEthLayout,
  atomicEthLayout,
  type Bth,
  bthLayout,
  type Deth,
  dethLayout,
  iethLayout,
  immDtLayout,
  type Reth,
  rethLayout,
} from './headers.ts';
import { extendedHeaders } from './opcode.ts';

/**
 * A transport packet of InfiniBand from the BTH to the end of the padding, without the ICRC, which needs the headers
 * before it. Which extended headers are there is the opcode's to say (IBTA vol. 1, 9.2).
 */
export interface IbPacket {
  readonly bth: Omit<Bth, 'padCount'>;
  readonly deth?: Deth;
  readonly reth?: Reth;
  readonly atomicEth?: AtomicEth;
  readonly aeth?: Aeth;
  /** The value that was there before an atomic operation. */
  readonly original?: bigint;
  readonly immediate?: number;
  /** The key that a SEND with invalidate withdraws. */
  readonly invalidate?: number;
  /** The 16 reserved bytes of a CNP. */
  readonly cnp?: Uint8Array;
  readonly payload: Uint8Array;
  /** 0 to 3 bytes, so that the ICRC lies on a multiple of 4. */
  readonly pad: Uint8Array;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const padFor = (payload: Uint8Array): Uint8Array => new Uint8Array(-payload.length & 3);

export function decodeIbPacket(b: Uint8Array, offset: number, end: number): Decoding<IbPacket> {
  const view = b.subarray(0, end);
  const base = bthLayout.decode(view, offset);
  if (!base.ok) return base;
  const { padCount, ...bth } = base.value.value;
  if (bth.version !== 0) return refused('bad-version');
  const headers = extendedHeaders(bth.opcode);
  if (headers === undefined) return refused('unknown-opcode');
  const packet: Mutable<IbPacket> = { bth, payload: new Uint8Array(0), pad: new Uint8Array(0) };
  let at = base.value.next;
  for (const header of headers) {
    if (header === 'cnp') {
      if (at + 16 > end) return refused('cut');
      packet.cnp = copyOf(b, at, at + 16);
      at += 16;
      continue;
    }
    const read = readers[header](packet, view, at);
    if (!read.ok) return read;
    at = read.value.next;
  }
  if (at + padCount > end) return refused('bad-length');
  packet.payload = copyOf(b, at, end - padCount);
  packet.pad = copyOf(b, end - padCount, end);
  return decoded(packet, end);
}

type Reader = (packet: Mutable<IbPacket>, b: Uint8Array, at: number) => Decoding<unknown>;

const readers: Readonly<
  Record<'deth' | 'reth' | 'atomicEth' | 'aeth' | 'atomicAckEth' | 'immediate' | 'ieth', Reader>
> = {
  deth: (packet, b, at) => {
    const read = dethLayout.decode(b, at);
    if (read.ok) packet.deth = read.value.value;
    return read;
  },
  reth: (packet, b, at) => {
    const read = rethLayout.decode(b, at);
    if (read.ok) packet.reth = read.value.value;
    return read;
  },
  atomicEth: (packet, b, at) => {
    const read = atomicEthLayout.decode(b, at);
    if (read.ok) packet.atomicEth = read.value.value;
    return read;
  },
  aeth: (packet, b, at) => {
    const read = aethLayout.decode(b, at);
    if (read.ok) packet.aeth = read.value.value;
    return read;
  },
  atomicAckEth: (packet, b, at) => {
    const read = atomicAckEthLayout.decode(b, at);
    if (read.ok) packet.original = read.value.value.original;
    return read;
  },
  immediate: (packet, b, at) => {
    const read = immDtLayout.decode(b, at);
    if (read.ok) packet.immediate = read.value.value.data;
    return read;
  },
  ieth: (packet, b, at) => {
    const read = iethLayout.decode(b, at);
    if (read.ok) packet.invalidate = read.value.value.key;
    return read;
  },
};

function missing(opcode: number): never {
  throw new RangeError(`a header of opcode ${opcode} is missing`);
}

/** The bytes of a packet. An opcode whose header is missing is a fault of the caller and throws. */
export function encodeIbPacket(packet: IbPacket): Uint8Array {
  const { opcode } = packet.bth;
  const need = <T>(value: T | undefined): T => value ?? missing(opcode);
  const parts = [bthLayout.encode({ ...packet.bth, padCount: packet.pad.length })];
  for (const header of extendedHeaders(opcode) ?? missing(opcode)) {
    if (header === 'deth') parts.push(dethLayout.encode(need(packet.deth)));
    else if (header === 'reth') parts.push(rethLayout.encode(need(packet.reth)));
    else if (header === 'atomicEth') parts.push(atomicEthLayout.encode(need(packet.atomicEth)));
    else if (header === 'aeth') parts.push(aethLayout.encode(need(packet.aeth)));
    else if (header === 'atomicAckEth') parts.push(atomicAckEthLayout.encode({ original: need(packet.original) }));
    else if (header === 'immediate') parts.push(immDtLayout.encode({ data: need(packet.immediate) }));
    else if (header === 'ieth') parts.push(iethLayout.encode({ key: need(packet.invalidate) }));
    else parts.push(need(packet.cnp));
  }
  return concat([...parts, packet.payload, packet.pad]);
}
