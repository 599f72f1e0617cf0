import { concat, copyOf, noBytes, putU32le, u32le } from './bytes.ts';
import { linkType } from './capture.ts';
import { roceIcrc } from './ib/icrc.ts';
import { decodeMad, encodeMad, type Mad, madHeaderLayout } from './ib/mad.ts';
import { decodeNative, encodeNative, type NativePacket } from './ib/native.ts';
import { operation, service } from './ib/opcode.ts';
import { decodeIbPacket, encodeIbPacket, type IbPacket } from './ib/packet.ts';
import type { Pseudo } from './ip/checksum.ts';
import { decodeIpv4, encodeIpv4, type Ipv4, ipProtocol } from './ip/ipv4.ts';
import { decodeIpv6, encodeIpv6, type Ipv6, isFragment } from './ip/ipv6.ts';
import { decodeTcp, encodeTcp, type Tcp } from './ip/tcp.ts';
import { decodeUdp, encodeUdp, type Udp } from './ip/udp.ts';
import { type Arp, decodeArp, encodeArp } from './link/arp.ts';
import { decodeErf, type Erf, encodeErf, erfInfiniband } from './link/erf.ts';
import { decodeEthernet, type Ethernet, encodeEthernet, etherType } from './link/ethernet.ts';
import { type Ipoib, type IpoibAddress, ipoibAddressLayout, ipoibLayout } from './link/ipoib.ts';
import { type Sll, type Sll2, sll2Layout, sllLayout } from './link/sll.ts';
import { type Decoding, decoded, refused } from './outcome.ts';

/** What the capture's link type says a record begins with. */
export type Link =
  | { readonly kind: 'ethernet'; readonly header: Ethernet }
  | { readonly kind: 'sll'; readonly header: Sll }
  | { readonly kind: 'sll2'; readonly header: Sll2 }
  | { readonly kind: 'raw' }
  | { readonly kind: 'ipoib'; readonly address: IpoibAddress; readonly header: Ipoib }
  | { readonly kind: 'infiniband' }
  | { readonly kind: 'erf'; readonly header: Erf };

/** RoCE v2: a transport packet of InfiniBand behind UDP port 4791 (annex A17). */
export interface Roce {
  readonly kind: 'roce';
  /** Its payload is empty where `mad` holds it. */
  readonly packet: IbPacket;
  readonly mad?: Mad;
  /** Only when another ICRC travels than the one that the bytes call for. */
  readonly icrc?: number;
}

export type UdpBody = Roce | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export type Transport =
  | { readonly kind: 'udp'; readonly header: Udp; readonly body: UdpBody }
  | { readonly kind: 'tcp'; readonly header: Tcp; readonly payload: Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export type Network =
  | { readonly kind: 'ipv4'; readonly header: Ipv4; readonly body: Transport }
  | { readonly kind: 'ipv6'; readonly header: Ipv6; readonly body: Transport }
  | { readonly kind: 'arp'; readonly arp: Arp }
  | { readonly kind: 'infiniband'; readonly packet: NativePacket }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** One record of a capture in typed layers, from which alone its bytes are made again. */
export interface Frame {
  readonly link: Link;
  readonly network: Network;
  /** Bytes behind the network packet: an Ethernet frame is padded to 60 bytes. */
  readonly trailer: Uint8Array;
}

export const roceV2Port = 4791;
const generalServices = 1;
const icrcSize = 4;

export function decodeFrame(type: number, b: Uint8Array): Decoding<Frame> {
  const link = decodeLink(type, b);
  if (!link.ok) return link;
  const { value, next } = link.value;
  const network = decodeNetwork(value.protocol, b, next);
  if (!network.ok) return network;
  const trailer = copyOf(b, network.value.next, b.length);
  return decoded({ link: value.link, network: network.value.value, trailer }, b.length);
}

export function encodeFrame(frame: Frame): Uint8Array {
  const network = concat([encodeNetwork(frame.network), frame.trailer]);
  const { link } = frame;
  if (link.kind === 'ethernet') return concat([encodeEthernet(link.header), network]);
  if (link.kind === 'sll') return concat([sllLayout.encode(link.header), network]);
  if (link.kind === 'sll2') return concat([sll2Layout.encode(link.header), network]);
  if (link.kind === 'erf') return encodeErf(link.header, network);
  if (link.kind === 'ipoib') {
    return concat([ipoibAddressLayout.encode(link.address), ipoibLayout.encode(link.header), network]);
  }
  return network;
}

/** `infiniband` stands for a packet that begins with its LRH, `ip` for one whose first four bits tell. */
type Protocol = number | 'infiniband' | 'ip';

function decodeLink(type: number, b: Uint8Array): Decoding<{ readonly link: Link; readonly protocol: Protocol }> {
  if (type === linkType.ethernet) {
    const read = decodeEthernet(b);
    if (!read.ok) return read;
    const header = read.value.value;
    return decoded({ link: { kind: 'ethernet', header }, protocol: header.type }, read.value.next);
  }
  if (type === linkType.sll) {
    const read = sllLayout.decode(b);
    if (!read.ok) return read;
    const header = read.value.value;
    return decoded({ link: { kind: 'sll', header }, protocol: header.protocol }, read.value.next);
  }
  if (type === linkType.sll2) {
    const read = sll2Layout.decode(b);
    if (!read.ok) return read;
    const header = read.value.value;
    return decoded({ link: { kind: 'sll2', header }, protocol: header.protocol }, read.value.next);
  }
  if (type === linkType.ipoib) {
    const address = ipoibAddressLayout.decode(b);
    if (!address.ok) return address;
    const read = ipoibLayout.decode(b, address.value.next);
    if (!read.ok) return read;
    const header = read.value.value;
    return decoded(
      { link: { kind: 'ipoib', address: address.value.value, header }, protocol: header.type },
      read.value.next,
    );
  }
  if (type === linkType.erf) {
    const read = decodeErf(b);
    if (!read.ok) return read;
    const header = read.value.value;
    const protocol = header.type === erfInfiniband ? 'infiniband' : 0;
    return decoded({ link: { kind: 'erf', header }, protocol }, read.value.next);
  }
  if (type === linkType.infiniband) return decoded({ link: { kind: 'infiniband' }, protocol: 'infiniband' }, 0);
  if (type === linkType.raw || type === linkType.ipv4 || type === linkType.ipv6) {
    return decoded({ link: { kind: 'raw' }, protocol: 'ip' }, 0);
  }
  return refused('unknown-link');
}

function decodeNetwork(protocol: Protocol, b: Uint8Array, at: number): Decoding<Network> {
  const version = protocol === 'ip' ? (b[at] ?? 0) >> 4 : 0;
  if (protocol === etherType.ipv4 || version === 4) return decodeIp4(b, at);
  if (protocol === etherType.ipv6 || version === 6) return decodeIp6(b, at);
  if (protocol === 'ip') return refused(b.length === 0 ? 'cut' : 'bad-version');
  if (protocol === etherType.arp) {
    const read = decodeArp(b, at);
    return read.ok ? decoded({ kind: 'arp', arp: read.value.value }, read.value.next) : read;
  }
  if (protocol === 'infiniband') {
    const read = decodeNative(b, at);
    return read.ok ? decoded({ kind: 'infiniband', packet: read.value.value }, read.value.next) : read;
  }
  return decoded({ kind: 'bytes', bytes: copyOf(b, at, b.length) }, b.length);
}

function decodeIp4(b: Uint8Array, at: number): Decoding<Network> {
  const read = decodeIpv4(b, at);
  if (!read.ok) return read;
  const { header, end } = read.value.value;
  const whole = header.fragmentOffset === 0 && !header.moreFragments;
  const body = decodeTransport(header, whole, b, read.value.next, end, b.subarray(at, read.value.next));
  return body.ok ? decoded({ kind: 'ipv4', header, body: body.value.value }, end) : body;
}

function decodeIp6(b: Uint8Array, at: number): Decoding<Network> {
  const read = decodeIpv6(b, at);
  if (!read.ok) return read;
  const { header, end } = read.value.value;
  const body = decodeTransport(header, !isFragment(header), b, read.value.next, end, b.subarray(at, read.value.next));
  return body.ok ? decoded({ kind: 'ipv6', header, body: body.value.value }, end) : body;
}

function decodeTransport(
  pseudo: Pseudo,
  whole: boolean,
  b: Uint8Array,
  at: number,
  end: number,
  ip: Uint8Array,
): Decoding<Transport> {
  if (whole && pseudo.protocol === ipProtocol.udp) {
    const read = decodeUdp(b, at, end, pseudo);
    if (!read.ok) return read;
    const header = read.value.value;
    const body = decodeUdpBody(header, b, at, end, ip);
    return body.ok ? decoded({ kind: 'udp', header, body: body.value.value }, end) : body;
  }
  if (whole && pseudo.protocol === ipProtocol.tcp) {
    const read = decodeTcp(b, at, end, pseudo);
    if (!read.ok) return read;
    return decoded({ kind: 'tcp', header: read.value.value, payload: copyOf(b, read.value.next, end) }, end);
  }
  return decoded({ kind: 'bytes', bytes: copyOf(b, at, end) }, end);
}

function decodeUdpBody(header: Udp, b: Uint8Array, udpAt: number, end: number, ip: Uint8Array): Decoding<UdpBody> {
  const at = udpAt + 8;
  if (header.destination !== roceV2Port) return decoded({ kind: 'bytes', bytes: copyOf(b, at, end) }, end);
  if (end - icrcSize < at) return refused('cut');
  const read = decodeIbPacket(b, at, end - icrcSize);
  if (!read.ok) return read;
  const packet = read.value.value;
  const carried = u32le(b, end - icrcSize);
  const right = roceIcrc(ip, b.subarray(udpAt, at), b.subarray(at, end - icrcSize)) === carried;
  const icrc = right ? {} : { icrc: carried };
  const mad = isMad(packet) ? decodeMad(packet.payload) : undefined;
  if (mad?.ok) {
    return decoded({ kind: 'roce', packet: { ...packet, payload: noBytes }, mad: mad.value.value, ...icrc }, end);
  }
  return decoded({ kind: 'roce', packet, ...icrc }, end);
}

/** Queue pair 1 takes management datagrams, which are always 256 bytes (IBTA vol. 1, 13.5). */
function isMad(packet: IbPacket): boolean {
  const { opcode, destinationQp } = packet.bth;
  const size = madHeaderLayout.size + 232;
  return (
    opcode === (service.ud | operation.sendOnly) && destinationQp === generalServices && packet.payload.length === size
  );
}

function encodeNetwork(network: Network): Uint8Array {
  if (network.kind === 'bytes') return network.bytes;
  if (network.kind === 'arp') return encodeArp(network.arp);
  if (network.kind === 'infiniband') return encodeNative(network.packet);
  const { body, header } = network;
  const ip = (length: number): Uint8Array =>
    network.kind === 'ipv4' ? encodeIpv4(network.header, length) : encodeIpv6(network.header, length);
  if (body.kind === 'bytes') return concat([ip(body.bytes.length), body.bytes]);
  if (body.kind === 'tcp') {
    const tcp = encodeTcp(body.header, body.payload, header);
    return concat([ip(tcp.length + body.payload.length), tcp, body.payload]);
  }
  const payload = body.body.kind === 'bytes' ? body.body.bytes : encodeRoce(body.header, body.body, ip);
  const udp = encodeUdp(body.header, payload, header);
  return concat([ip(udp.length + payload.length), udp, payload]);
}

function encodeRoce(udp: Udp, roce: Roce, ip: (length: number) => Uint8Array): Uint8Array {
  const packet = roce.mad === undefined ? roce.packet : { ...roce.packet, payload: encodeMad(roce.mad) };
  const transport = encodeIbPacket(packet);
  const length = 8 + transport.length + icrcSize;
  // The UDP checksum counts as ones in the ICRC, so any will do here; the real one is made over the ICRC.
  const ports = encodeUdp({ ...udp, checksum: 0 }, new Uint8Array(transport.length + icrcSize), {
    source: noBytes,
    destination: noBytes,
    protocol: 0,
  });
  const icrc = new Uint8Array(icrcSize);
  putU32le(icrc, 0, roce.icrc ?? roceIcrc(ip(length), ports, transport));
  return concat([transport, icrc]);
}
