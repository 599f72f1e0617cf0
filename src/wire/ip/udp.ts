import { putU16 } from '../bytes.ts';
import { type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { addWords, foldSum, type Pseudo, pseudoSum } from './checksum.ts';

/** A UDP header (RFC 768); the length follows from the payload. */
export interface Udp {
  readonly source: number;
  readonly destination: number;
  /** Only when another checksum travels than the one that the bytes call for; 0 means none, as RoCE v2 may send. */
  readonly checksum?: number;
}

interface Fixed {
  readonly source: number;
  readonly destination: number;
  readonly length: number;
  readonly checksum: number;
}

export const udpLayout: Layout<Fixed> = layout<Fixed>(8, {
  source: num(0, 16),
  destination: num(2, 16),
  length: num(4, 16),
  checksum: num(6, 16),
});

/** A computed zero travels as all ones, since zero says that there is none. */
function udpChecksum(header: Uint8Array, payload: Uint8Array, pseudo: Pseudo): number {
  const length = header.length + payload.length;
  const sum = foldSum(addWords(addWords(pseudoSum(pseudo, length), header), payload));
  return sum === 0 ? 0xffff : sum;
}

export function decodeUdp(b: Uint8Array, offset: number, end: number, pseudo: Pseudo): Decoding<Udp> {
  const read = udpLayout.decode(b.subarray(0, end), offset);
  if (!read.ok) return read;
  const { length, checksum, ...ports } = read.value.value;
  if (length !== end - offset) return refused('bad-length');
  const bare = udpLayout.encode({ ...read.value.value, checksum: 0 });
  const right = udpChecksum(bare, b.subarray(read.value.next, end), pseudo) === checksum;
  return decoded(right ? ports : { ...ports, checksum }, read.value.next);
}

export function encodeUdp(value: Udp, payload: Uint8Array, pseudo: Pseudo): Uint8Array {
  const length = udpLayout.size + payload.length;
  const header = udpLayout.encode({ source: value.source, destination: value.destination, length, checksum: 0 });
  putU16(header, 6, value.checksum ?? udpChecksum(header, payload, pseudo));
  return header;
}
