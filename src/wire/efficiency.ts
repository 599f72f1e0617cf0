import { type Bytes, type BytesPerSecond, bytes, bytesPerSecond } from '../base/units.ts';
import { aethLayout, bthLayout, dethLayout, grhLayout, lrhLayout, rethLayout } from './ib/headers.ts';
import { ipv4Layout } from './ip/ipv4.ts';
import { ipv6Layout } from './ip/ipv6.ts';
import { tcpLayout } from './ip/tcp.ts';
import { udpLayout } from './ip/udp.ts';
import { ddpTaggedLayout, ddpUntaggedLayout } from './iwarp/ddp.ts';
import { fpduPad, markerSize, markerSpacing } from './iwarp/fpdu.ts';
import { readRequestLayout } from './iwarp/rdmap.ts';
import { ipoibLayout } from './link/ipoib.ts';

/** The ways whose headers are counted; every size comes from the codec that writes the header. */
export type WireKind = 'infiniband' | 'roce-v2' | 'iwarp' | 'ipoib-datagram' | 'ipoib-connected' | 'tcp';

export interface WireOptions {
  /**
   * Bytes. For `infiniband` and `roce-v2` the path MTU, which is payload alone (256 to 4,096); for `iwarp` and `tcp`
   * the MTU of the Ethernet link (1,500, 9,000); for IPoIB that of the IP interface (2,044, 4,092, 65,520).
   */
  readonly mtu: Bytes;
  /** How the message moves; a READ's data flows from the target. TCP knows no difference. */
  readonly operation?: 'send' | 'write' | 'read';
  readonly ip?: 4 | 6;
  /** Count what a wire carries around an Ethernet frame: preamble 8, FCS 4, gap 12. True unless said otherwise. */
  readonly ethernetOverhead?: boolean;
  readonly vlanTags?: number;
  /** InfiniBand across subnets carries a GRH. */
  readonly grh?: boolean;
  /** MPA's markers; the CRC field is there whether used or not. */
  readonly markers?: boolean;
  /** TCP timestamps, 12 bytes a segment, as Linux uses them. True unless said otherwise. */
  readonly timestamps?: boolean;
  /** Path MTU of the InfiniBand below IPoIB's connected mode. */
  readonly ibMtu?: Bytes;
}

export interface WireTraffic {
  readonly packets: number;
  /** All bytes that occupy the wire. */
  readonly bytes: Bytes;
}

export interface WireCost {
  /** The way the data goes. */
  readonly forward: WireTraffic;
  /** Acknowledgments or, for a READ, its request. */
  readonly reverse: WireTraffic;
  /** Message bytes over wire bytes of the forward way. */
  readonly efficiency: number;
}

const icrc = 4;
const vcrc = 2;
const ethernetHeader = 14;
const vlanTag = 4;
/** A shorter frame is padded; without the FCS (IEEE 802.3, 3.2.8). */
const shortestFrame = 60;
const preambleFcsGap = 8 + 4 + 12;
const timestampOption = 12;
/** MPA: two bytes of length, four of CRC. */
const mpaFrame = 6;

const padded = (n: number): number => Math.ceil(n / 4) * 4;

/** Bytes around a packet's payload by its place in the message, and what turns content into wire bytes. */
interface Shape {
  readonly perPacket: number;
  readonly first: number;
  readonly wire: (content: number) => number;
}

function onEthernet(options: WireOptions): (content: number) => number {
  const { vlanTags = 0, ethernetOverhead = true } = options;
  return (content) =>
    Math.max(shortestFrame, ethernetHeader + vlanTags * vlanTag + content) + (ethernetOverhead ? preambleFcsGap : 0);
}

const ipHeader = (options: WireOptions): number => (options.ip === 6 ? ipv6Layout.size : ipv4Layout.size);

/** What stands before and behind an InfiniBand transport packet on each kind of wire. */
function transportWire(kind: 'infiniband' | 'roce-v2', options: WireOptions): (content: number) => number {
  if (kind === 'infiniband') {
    const around = lrhLayout.size + (options.grh ? grhLayout.size : 0) + icrc + vcrc;
    return (content) => around + content;
  }
  const ethernet = onEthernet(options);
  const around = ipHeader(options) + udpLayout.size + icrc;
  return (content) => ethernet(around + content);
}

/** A message cut into packets of at most `mtu`: the first and last of them carry more headers than the others. */
function cut(message: number, mtu: number, shape: Shape, last = 0): WireTraffic {
  const packets = Math.max(1, Math.ceil(message / mtu));
  const ends = (first: boolean, isLast: boolean, payload: number): number =>
    shape.wire(shape.perPacket + (first ? shape.first : 0) + (isLast ? last : 0) + padded(payload));
  const rest = message - (packets - 1) * mtu;
  if (packets === 1) return { packets, bytes: bytes(ends(true, true, rest)) };
  const middle = (packets - 2) * ends(false, false, mtu);
  return { packets, bytes: bytes(ends(true, false, mtu) + middle + ends(false, true, rest)) };
}

const cost = (message: number, forward: WireTraffic, reverse: WireTraffic): WireCost => ({
  forward,
  reverse,
  efficiency: message / forward.bytes,
});

function reliable(kind: 'infiniband' | 'roce-v2', message: number, options: WireOptions): WireCost {
  const wire = transportWire(kind, options);
  const { operation = 'write', mtu } = options;
  const perPacket = bthLayout.size;
  if (operation === 'read') {
    // First and last responses carry an AETH; a single one carries it once.
    const single = message <= mtu;
    const shape = { perPacket, first: aethLayout.size, wire };
    const request = { packets: 1, bytes: bytes(wire(bthLayout.size + rethLayout.size)) };
    return cost(message, cut(message, mtu, shape, single ? 0 : aethLayout.size), request);
  }
  const first = operation === 'write' ? rethLayout.size : 0;
  const ack = { packets: 1, bytes: bytes(wire(bthLayout.size + aethLayout.size)) };
  return cost(message, cut(message, mtu, { perPacket, first, wire }), ack);
}

const tcpHeader = (options: WireOptions): number =>
  tcpLayout.size + ((options.timestamps ?? true) ? timestampOption : 0);

/** A receiver acknowledges every second segment (RFC 9293 3.8.6.3). */
function acks(segments: number, wire: (content: number) => number, header: number): WireTraffic {
  const packets = Math.ceil(segments / 2);
  return { packets, bytes: bytes(packets * wire(header)) };
}

function overTcp(message: number, options: WireOptions, wire: (content: number) => number): WireCost {
  const header = ipHeader(options) + tcpHeader(options);
  const segment = options.mtu - header;
  const packets = Math.max(1, Math.ceil(message / segment));
  const last = message - (packets - 1) * segment;
  const total = (packets - 1) * wire(options.mtu) + wire(header + last);
  return cost(message, { packets, bytes: bytes(total) }, acks(packets, wire, header));
}

/** The largest DDP segment that still fits one TCP segment with its framing (RFC 5044 section 5.1, MULPDU). */
export function largestUlpdu(segment: number, markers: boolean): number {
  const forMarkers = markers ? markerSize * Math.ceil(segment / markerSpacing) : 0;
  return segment - (mpaFrame + forMarkers + (segment % 4));
}

function iwarp(message: number, options: WireOptions): WireCost {
  const wire = onEthernet(options);
  const header = ipHeader(options) + tcpHeader(options);
  const markers = options.markers ?? false;
  const ddp = (options.operation ?? 'write') === 'send' ? ddpUntaggedLayout.size : ddpTaggedLayout.size;
  const payload = largestUlpdu(options.mtu - header, markers) - ddp;
  const packets = Math.max(1, Math.ceil(message / payload));
  const unit = (data: number): number => mpaFrame + ddp + data + fpduPad(ddp + data);
  const last = message - (packets - 1) * payload;
  const content = (packets - 1) * unit(payload) + unit(last);
  // Between two markers lie 508 bytes; the stream begins with one.
  const forMarkers = markers ? markerSize * Math.ceil(content / (markerSpacing - markerSize)) : 0;
  const full = wire(header + unit(payload));
  const total = (packets - 1) * full + wire(header + unit(last)) + forMarkers;
  const forward = { packets, bytes: bytes(total) };
  if (options.operation !== 'read') return cost(message, forward, acks(packets, wire, header));
  const request = wire(header + mpaFrame + ddpUntaggedLayout.size + readRequestLayout.size + fpduPad(46));
  const acknowledged = acks(packets, wire, header);
  return cost(message, forward, {
    packets: acknowledged.packets + 1,
    bytes: bytes(acknowledged.bytes + request),
  });
}

/** A datagram is one packet of an unreliable queue pair (RFC 4391). */
function datagramWire(options: WireOptions): (content: number) => number {
  const around = lrhLayout.size + (options.grh ? grhLayout.size : 0) + bthLayout.size + dethLayout.size;
  return (content) => around + padded(ipoibLayout.size + content) + icrc + vcrc;
}

/** In connected mode a datagram is a message of a reliable queue pair (RFC 4755), cut at the path MTU. */
function connectedWire(options: WireOptions): (content: number) => number {
  const wire = transportWire('infiniband', options);
  const shape = { perPacket: bthLayout.size, first: 0, wire };
  const mtu = options.ibMtu ?? bytes(4096);
  return (content) => cut(ipoibLayout.size + content, mtu, shape).bytes;
}

/** What a message of `message` bytes puts on the wire. `mtu` must hold the headers that count against it. */
export function wireCost(kind: WireKind, message: Bytes, options: WireOptions): WireCost {
  if (kind === 'infiniband' || kind === 'roce-v2') return reliable(kind, message, options);
  if (kind === 'iwarp') return iwarp(message, options);
  if (kind === 'tcp') return overTcp(message, options, onEthernet(options));
  return overTcp(message, options, kind === 'ipoib-datagram' ? datagramWire(options) : connectedWire(options));
}

/** The rate at which payload arrives when the wire is full: payload over wire bytes times the line rate. */
export function goodput(kind: WireKind, message: Bytes, options: WireOptions, line: BytesPerSecond): BytesPerSecond {
  return bytesPerSecond(wireCost(kind, message, options).efficiency * line);
}
