import { concat, putU32le, u32le } from '../bytes.ts';
import { type Layout, layout, num, raw } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/**
 * The Extensible Record Format (LINKTYPE_ERF) holds InfiniBand packets with their LRH in a way that Wireshark and
 * tshark read; LINKTYPE_INFINIBAND (247) they do not.
 */
export interface Erf {
  readonly seconds: number;
  /** Of a second, in units of 2⁻³² s. */
  readonly fraction: number;
  readonly type: number;
  readonly flags: number;
  readonly lossCounter: number;
  /** Bytes of the packet on the wire. */
  readonly wireLength: number;
}

interface Fixed {
  readonly timestamp: Uint8Array;
  readonly type: number;
  readonly flags: number;
  readonly recordLength: number;
  readonly lossCounter: number;
  readonly wireLength: number;
}

const fixed: Layout<Fixed> = layout<Fixed>(16, {
  timestamp: raw(0, 8),
  type: num(8, 8),
  flags: num(9, 8),
  recordLength: num(10, 16),
  lossCounter: num(12, 16),
  wireLength: num(14, 16),
});

export const erfInfiniband = 21;

/** `next` is the first byte of the packet; records with extension headers (top bit of the type) are declined. */
export function decodeErf(b: Uint8Array, offset = 0): Decoding<Erf> {
  const read = fixed.decode(b, offset);
  if (!read.ok) return read;
  const { timestamp, recordLength, ...rest } = read.value.value;
  if (rest.type & 0x80) return refused('unknown-link');
  if (recordLength !== b.length - offset) return refused('bad-length');
  return decoded({ fraction: u32le(timestamp, 0), seconds: u32le(timestamp, 4), ...rest }, read.value.next);
}

export function encodeErf(value: Erf, packet: Uint8Array): Uint8Array {
  const timestamp = new Uint8Array(8);
  putU32le(timestamp, 0, value.fraction);
  putU32le(timestamp, 4, value.seconds);
  return concat([fixed.encode({ ...value, timestamp, recordLength: fixed.size + packet.length }), packet]);
}
