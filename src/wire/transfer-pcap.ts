import { fail, ok, type Result } from '../base/result.ts';
import type { BytesPerSecond } from '../base/units.ts';
import { type CapturedPacket, linkType } from './capture.ts';
import type { WireKind } from './efficiency.ts';
import { encodeFrame, type Network } from './frame.ts';
import { ipv4Layout } from './ip/ipv4.ts';
import { ipv6Layout } from './ip/ipv6.ts';
import { tcpLayout } from './ip/tcp.ts';
import { etherType } from './link/ethernet.ts';
import { ipoibConnectedMtu, ipoibDatagramMtu } from './link/ipoib.ts';
import { writePcap } from './pcap.ts';
import { sayIwarp } from './transfer/iwarp.ts';
import { type End, ethernetFrame, type Recorder, recorder } from './transfer/recorder.ts';
import { recordInfiniband, recordRoce } from './transfer/reliable.ts';
import { tcpTalk } from './transfer/tcp-talk.ts';

export interface TransferOptions {
  /** TCP and IPoIB know only `send`. */
  readonly operation?: 'send' | 'write' | 'read';
  readonly ip?: 4 | 6;
  /** Bytes; for RoCE and InfiniBand the path MTU (256 … 4,096), else that of the IP interface. */
  readonly mtu?: number;
  readonly markers?: boolean;
  readonly crc?: boolean;
  /** Seconds since 1970 of the first packet. */
  readonly startSeconds?: number;
  /** Line rate, from which the times of the packets follow. */
  readonly rate?: BytesPerSecond;
  readonly ends?: readonly [End, End];
}

export interface Transfer {
  /** Of all packets. */
  readonly linkType: number;
  readonly packets: readonly CapturedPacket[];
}

/** Why a transfer cannot be written. Words for people: `wire.transfer.*`. */
export type TransferRefusal = 'message-too-large' | 'bad-mtu' | 'no-such-operation';

/** A capture is for reading: a larger message shows nothing more. */
export const largestTransfer = 16 * 1024 * 1024;
const pathMtus = [256, 512, 1024, 2048, 4096];
const timestampOption = 12;
const port = 18515;
const clientPort = 40000;

/** Two hosts of the documentation's address ranges (RFC 5737, RFC 3849) with locally administered MACs. */
export function exampleEnds(ip: 4 | 6 = 4): readonly [End, End] {
  const end = (n: number): End => {
    const six = Uint8Array.from([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, n]);
    const gid = Uint8Array.from([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0xff, 0xfe, 0, 0, n]);
    const mac = Uint8Array.of(2, 0, 0, 0, 0, n);
    return { mac, ip: ip === 4 ? Uint8Array.of(192, 0, 2, n) : six, lid: n, gid, queuePair: 0x10 + n };
  };
  return [end(1), end(2)];
}

function defaultMtu(kind: WireKind): number {
  if (kind === 'infiniband') return 4096;
  if (kind === 'roce-v2') return 1024;
  if (kind === 'ipoib-datagram') return ipoibDatagramMtu(2048);
  return kind === 'ipoib-connected' ? ipoibConnectedMtu : 1500;
}

/** How a network packet leaves: on Ethernet, or behind IPoIB's header with the link address of the receiver. */
function transmitter(kind: WireKind, ends: readonly [End, End], out: Recorder): (from: 0 | 1, n: Network) => void {
  return (from, network) => {
    const [source, destination] = [ends[from], ends[1 - from]!];
    if (kind === 'tcp' || kind === 'iwarp') {
      out.add(linkType.ethernet, ethernetFrame(source, destination, network));
      return;
    }
    const { queuePair, gid } = destination;
    const address = { unused: new Uint8Array(20), flags: kind === 'ipoib-connected' ? 0x80 : 0, queuePair, gid };
    const header = { type: network.kind === 'ipv6' ? etherType.ipv6 : etherType.ipv4, reserved: 0 };
    const link = { kind: 'ipoib', address, header } as const;
    out.add(linkType.ipoib, encodeFrame({ link, network, trailer: new Uint8Array(0) }));
  };
}

/**
 * The packets of one message, from the first to the last acknowledgment, as a capture beside the sender would hold
 * them. InfiniBand goes into ERF records and IPoIB behind its link address, which is what tshark reads.
 */
export function transferPackets(
  kind: WireKind,
  message: Uint8Array,
  options: TransferOptions = {},
): Result<Transfer, TransferRefusal> {
  const { ip = 4, startSeconds = 0, markers = false, crc = true } = options;
  const { mtu = defaultMtu(kind), operation = kind === 'tcp' || kind.startsWith('ipoib') ? 'send' : 'write' } = options;
  const ends = options.ends ?? exampleEnds(ip);
  if (message.length > largestTransfer) return fail('message-too-large');
  const out = recorder(startSeconds, options.rate);
  if (kind === 'roce-v2' || kind === 'infiniband') {
    if (!pathMtus.includes(mtu)) return fail('bad-mtu');
    const transfer = { operation, message, mtu, ends };
    if (kind === 'roce-v2') recordRoce(transfer, out);
    else recordInfiniband(transfer, out);
    return ok({ linkType: kind === 'roce-v2' ? linkType.ethernet : linkType.erf, packets: out.packets });
  }
  if (kind !== 'iwarp' && operation !== 'send') return fail('no-such-operation');
  const header = (ends[0].ip.length === 4 ? ipv4Layout.size : ipv6Layout.size) + tcpLayout.size + timestampOption;
  // 576 bytes: what every IPv4 host takes (RFC 791); an IP packet has at most 65,535.
  if (!Number.isInteger(mtu) || mtu < 576 || mtu > 0xffff) return fail('bad-mtu');
  const segment = mtu - header;
  const talk = tcpTalk(ends, [clientPort, port], segment, transmitter(kind, ends, out));
  talk.connect();
  if (kind === 'iwarp') sayIwarp({ operation, message, framing: { markers, crc }, segment }, talk);
  else talk.say(0, message);
  talk.settle();
  talk.close();
  const type = kind === 'iwarp' || kind === 'tcp' ? linkType.ethernet : linkType.ipoib;
  return ok({ linkType: type, packets: out.packets });
}

/** The same as a pcap file with times in nanoseconds. */
export function transferPcap(
  kind: WireKind,
  message: Uint8Array,
  options: TransferOptions = {},
): Result<Uint8Array, TransferRefusal> {
  const made = transferPackets(kind, message, options);
  if (!made.ok) return made;
  return ok(writePcap(made.value.packets, { linkType: made.value.linkType, nanoseconds: true }));
}
