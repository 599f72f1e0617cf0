import { type Bytes, bytes } from '../base/units.ts';
import { largestUlpdu, type WireKind, type WireOptions } from './efficiency.ts';
import { bthLayout, dethLayout, grhLayout, lrhLayout } from './ib/headers.ts';
import { ipv4Layout } from './ip/ipv4.ts';
import { ipv6Layout } from './ip/ipv6.ts';
import { tcpLayout } from './ip/tcp.ts';
import { udpLayout } from './ip/udp.ts';
import { ddpTaggedLayout, ddpUntaggedLayout } from './iwarp/ddp.ts';
import { ipoibLayout } from './link/ipoib.ts';

/** A header or trailer by the name that the field gives it. */
export interface PacketPart {
  readonly name:
    | 'preamble, FCS and gap'
    | 'Ethernet'
    | 'VLAN'
    | 'IPv4'
    | 'IPv6'
    | 'UDP'
    | 'TCP'
    | 'TCP timestamps'
    | 'LRH'
    | 'GRH'
    | 'BTH'
    | 'DETH'
    | 'ICRC'
    | 'VCRC'
    | 'IPoIB'
    | 'MPA'
    | 'DDP and RDMAP'
    | 'payload';
  readonly bytes: Bytes;
}

const part = (name: PacketPart['name'], size: number): PacketPart => ({ name, bytes: bytes(size) });

function infiniband(options: WireOptions): PacketPart[] {
  return [part('LRH', lrhLayout.size), ...(options.grh ? [part('GRH', grhLayout.size)] : [])];
}

function ethernet(options: WireOptions): PacketPart[] {
  const { ethernetOverhead = true, vlanTags = 0 } = options;
  return [
    ...(ethernetOverhead ? [part('preamble, FCS and gap', 24)] : []),
    part('Ethernet', 14),
    ...(vlanTags > 0 ? [part('VLAN', 4 * vlanTags)] : []),
  ];
}

const ip = (options: WireOptions): PacketPart =>
  options.ip === 6 ? part('IPv6', ipv6Layout.size) : part('IPv4', ipv4Layout.size);

function tcp(options: WireOptions): PacketPart[] {
  return [
    ip(options),
    part('TCP', tcpLayout.size),
    ...((options.timestamps ?? true) ? [part('TCP timestamps', 12)] : []),
  ];
}

const sum = (parts: readonly PacketPart[]): number => parts.reduce((total, p) => total + p.bytes, 0);
const icrc = part('ICRC', 4);
const vcrc = part('VCRC', 2);

/**
 * The layers of a full packet in the middle of a large message, outermost first, with the payload that it carries.
 * Trailers stand behind the payload. Markers of iWARP lie between packets as often as within and are left to
 * `wireCost`; so is IPoIB's connected mode, whose packets differ within one datagram.
 */
export function packetParts(kind: Exclude<WireKind, 'ipoib-connected'>, options: WireOptions): readonly PacketPart[] {
  const bth = part('BTH', bthLayout.size);
  const payload = part('payload', options.mtu);
  if (kind === 'infiniband') return [...infiniband(options), bth, payload, icrc, vcrc];
  if (kind === 'roce-v2') {
    return [...ethernet(options), ip(options), part('UDP', udpLayout.size), bth, payload, icrc];
  }
  const inner = tcp(options);
  const segment = options.mtu - sum(inner);
  if (kind === 'tcp') return [...ethernet(options), ...inner, part('payload', segment)];
  if (kind === 'ipoib-datagram') {
    const outer = [...infiniband(options), bth, part('DETH', dethLayout.size), part('IPoIB', ipoibLayout.size)];
    return [...outer, ...inner, part('payload', segment), icrc, vcrc];
  }
  const ddp = (options.operation ?? 'write') === 'send' ? ddpUntaggedLayout.size : ddpTaggedLayout.size;
  const data = largestUlpdu(segment, false) - ddp;
  return [...ethernet(options), ...inner, part('MPA', 6), part('DDP and RDMAP', ddp), part('payload', data)];
}
