import { concat, copyOf, putU16, u16 } from '../bytes.ts';
import { flag, type Layout, layout, num, raw } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { addWords, foldSum } from './checksum.ts';

/** An IPv4 header (RFC 791, with the DSCP of RFC 2474 and the ECN of RFC 3168). Lengths follow from the content. */
export interface Ipv4 {
  readonly dscp: number;
  readonly ecn: number;
  readonly identification: number;
  readonly reservedFlag: boolean;
  readonly dontFragment: boolean;
  readonly moreFragments: boolean;
  /** In units of 8 bytes. */
  readonly fragmentOffset: number;
  readonly ttl: number;
  readonly protocol: number;
  /** 4 bytes. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  /** A multiple of 4 bytes, at most 40. */
  readonly options: Uint8Array;
  /** Only when another checksum travels than the one that the header calls for. */
  readonly checksum?: number;
}

interface Fixed extends Omit<Ipv4, 'options' | 'checksum'> {
  readonly version: number;
  readonly words: number;
  readonly totalLength: number;
  readonly checksum: number;
}

export const ipv4Layout: Layout<Fixed> = layout<Fixed>(20, {
  version: num(0, 4),
  words: num(0, 4, 4),
  dscp: num(1, 6),
  ecn: num(1, 2, 6),
  totalLength: num(2, 16),
  identification: num(4, 16),
  reservedFlag: flag(6, 0),
  dontFragment: flag(6, 1),
  moreFragments: flag(6, 2),
  fragmentOffset: num(6, 13, 3),
  ttl: num(8, 8),
  protocol: num(9, 8),
  checksum: num(10, 16),
  source: raw(12, 4),
  destination: raw(16, 4),
});

export const ipProtocol = { hopByHop: 0, icmp: 1, tcp: 6, udp: 17, routing: 43, fragment: 44, icmp6: 58, options: 60 };

/** An IP header and the span of its payload; bytes behind `end` are the link's padding. */
export interface IpPart<T> {
  readonly header: T;
  readonly end: number;
}

export function decodeIpv4(b: Uint8Array, offset = 0): Decoding<IpPart<Ipv4>> {
  const read = ipv4Layout.decode(b, offset);
  if (!read.ok) return read;
  const { version, words, totalLength, checksum, ...rest } = read.value.value;
  if (version !== 4) return refused('bad-version');
  if (words < 5 || totalLength < words * 4) return refused('bad-length');
  const start = offset + words * 4;
  const end = offset + totalLength;
  if (end > b.length) return refused('cut');
  const header = { ...rest, options: copyOf(b, read.value.next, start) };
  const right = u16(encodeIpv4(header, totalLength - words * 4), 10) === checksum;
  return decoded({ header: right ? header : { ...header, checksum }, end }, start);
}

/** The header of a packet that carries `payloadLength` bytes. */
export function encodeIpv4(value: Ipv4, payloadLength: number): Uint8Array {
  const size = ipv4Layout.size + value.options.length;
  const fixed = { ...value, version: 4, words: size / 4, totalLength: size + payloadLength, checksum: 0 };
  const out = concat([ipv4Layout.encode(fixed), value.options]);
  putU16(out, 10, value.checksum ?? foldSum(addWords(0, out)));
  return out;
}
