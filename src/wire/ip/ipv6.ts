import { concat, copyOf } from '../bytes.ts';
import { type Layout, layout, num, raw } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { type IpPart, ipProtocol } from './ipv4.ts';

/** An extension header of IPv6 (RFC 8200 section 4): hop-by-hop options, routing, destination options or fragment. */
export interface Ipv6Extension {
  /** The number by which the header before it announces it. */
  readonly type: number;
  /** Behind the next-header byte and, but for a fragment header, the length byte. */
  readonly body: Uint8Array;
}

/** An IPv6 header (RFC 8200 section 3). Lengths and the chain of next headers follow from the content. */
export interface Ipv6 {
  readonly trafficClass: number;
  readonly flowLabel: number;
  readonly hopLimit: number;
  /** 16 bytes. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly extensions: readonly Ipv6Extension[];
  /** What lies behind the last extension header. */
  readonly protocol: number;
}

interface Fixed extends Omit<Ipv6, 'extensions' | 'protocol'> {
  readonly version: number;
  readonly payloadLength: number;
  readonly nextHeader: number;
}

export const ipv6Layout: Layout<Fixed> = layout<Fixed>(40, {
  version: num(0, 4),
  trafficClass: num(0, 8, 4),
  flowLabel: num(1, 20, 4),
  payloadLength: num(4, 16),
  nextHeader: num(6, 8),
  hopLimit: num(7, 8),
  source: raw(8, 16),
  destination: raw(24, 16),
});

const chained = new Set([ipProtocol.hopByHop, ipProtocol.routing, ipProtocol.fragment, ipProtocol.options]);
const mostExtensions = 16;

export function decodeIpv6(b: Uint8Array, offset = 0): Decoding<IpPart<Ipv6>> {
  const read = ipv6Layout.decode(b, offset);
  if (!read.ok) return read;
  const { version, payloadLength, nextHeader, ...rest } = read.value.value;
  if (version !== 6) return refused('bad-version');
  const end = read.value.next + payloadLength;
  if (end > b.length) return refused('cut');
  const extensions: Ipv6Extension[] = [];
  let at = read.value.next;
  let type = nextHeader;
  while (chained.has(type)) {
    if (at + 8 > end) return refused('cut');
    if (extensions.length === mostExtensions) return refused('too-large');
    const fragment = type === ipProtocol.fragment;
    const size = fragment ? 8 : (b[at + 1]! + 1) * 8;
    if (at + size > end) return refused('cut');
    extensions.push({ type, body: copyOf(b, at + (fragment ? 1 : 2), at + size) });
    type = b[at]!;
    at += size;
  }
  return decoded({ header: { ...rest, extensions, protocol: type }, end }, at);
}

/** The headers of a packet that carries `payloadLength` bytes behind the last of them. */
export function encodeIpv6(value: Ipv6, payloadLength: number): Uint8Array {
  const chain = value.extensions.map((extension, i) => {
    const next = value.extensions[i + 1]?.type ?? value.protocol;
    if (extension.type === ipProtocol.fragment) return concat([Uint8Array.of(next), extension.body]);
    return concat([Uint8Array.of(next, (extension.body.length + 2) / 8 - 1), extension.body]);
  });
  const behind = concat(chain);
  const fixed = {
    ...value,
    version: 6,
    payloadLength: behind.length + payloadLength,
    nextHeader: value.extensions[0]?.type ?? value.protocol,
  };
  return concat([ipv6Layout.encode(fixed), behind]);
}

/** The offset within a fragment decides whether the payload begins with a transport header. */
export function isFragment(value: Ipv6): boolean {
  return value.extensions.some((extension) => extension.type === ipProtocol.fragment);
}
