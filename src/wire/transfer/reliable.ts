import { linkType } from '../capture.ts';
import { encodeFrame, roceV2Port } from '../frame.ts';
import { encodeNative } from '../ib/native.ts';
import type { IbPacket } from '../ib/packet.ts';
import { ipProtocol } from '../ip/ipv4.ts';
import { erfInfiniband } from '../link/erf.ts';
import { type RcConfig, rcDefaults } from '../rc/config.ts';
import type { QueuePair } from '../rc/queue-pair.ts';
import { rcQueuePair } from '../rc/queue-pair.ts';
import { regions } from '../rc/regions.ts';
import type { Work } from '../rc/work.ts';
import { type End, ethernetFrame, ipv4Header, ipv6Header, type Recorder } from './recorder.ts';

export interface ReliableTransfer {
  readonly operation: 'send' | 'write' | 'read';
  readonly message: Uint8Array;
  readonly mtu: number;
  readonly ends: readonly [End, End];
}

const key = 0x1234;
const address = 0x7f0000000000n;
const everything = ['local-read', 'local-write', 'remote-read', 'remote-write'] as const;

/** Packets of a message between two queue pairs that lose nothing, in the order in which they travel; with their sender. */
function converse({ operation, message, mtu, ends }: ReliableTransfer): { from: 0 | 1; packet: IbPacket }[] {
  const [a, b] = ends;
  const common = { ...rcDefaults, mtu, migrated: true };
  const first = { ...common, queuePair: a.queuePair, startingPsn: 1000 };
  const second = { ...common, queuePair: b.queuePair, startingPsn: 2000 };
  const peer = ({ queuePair, startingPsn }: Omit<RcConfig, 'peer'>) => ({ queuePair, startingPsn });
  const filled = { key, address, bytes: message.slice(), access: everything };
  const empty = { key, address, bytes: new Uint8Array(message.length), access: everything };
  const reads = operation === 'read';
  const pairs: readonly [QueuePair, QueuePair] = [
    rcQueuePair({ ...first, peer: peer(second) }, regions([reads ? empty : filled])),
    rcQueuePair({ ...second, peer: peer(first) }, regions([reads ? filled : empty])),
  ];
  const local = { key, address, length: message.length };
  const place = { remoteAddress: address, remoteKey: key };
  const work: Work =
    operation === 'send' ? { kind: 'send', id: 1, local } : { kind: operation, id: 1, local, ...place };
  pairs[1].step(0, { kind: 'post-receive', work: { id: 1, local } });
  pairs[0].step(0, { kind: 'post', work });
  const travelled: { from: 0 | 1; packet: IbPacket }[] = [];
  while (pairs[0].ready || pairs[1].ready) {
    const from = pairs[0].ready ? 0 : 1;
    for (const effect of pairs[from].step(0, { kind: 'poll' })) {
      if (effect.kind !== 'packet') continue;
      travelled.push({ from, packet: effect.packet });
      pairs[1 - from]!.step(0, { kind: 'packet', packet: effect.packet });
    }
  }
  return travelled;
}

/** A source port that tells flows apart for the switches, as annex A17.3 wants it: of the upper ports. */
const sourcePort = (end: End): number => 0xc000 | (end.queuePair & 0x3fff);

export function recordRoce(transfer: ReliableTransfer, out: Recorder): void {
  for (const { from, packet } of converse(transfer)) {
    const [source, destination] = [transfer.ends[from], transfer.ends[1 - from]!];
    const header = { source: sourcePort(source), destination: roceV2Port };
    const body = { kind: 'udp', header, body: { kind: 'roce', packet } } as const;
    const network =
      source.ip.length === 4
        ? ({ kind: 'ipv4', header: ipv4Header(source, destination, ipProtocol.udp), body } as const)
        : ({ kind: 'ipv6', header: ipv6Header(source, destination, ipProtocol.udp), body } as const);
    out.add(linkType.ethernet, ethernetFrame(source, destination, network));
  }
}

/** The flag of an ERF record whose length is that of its packet. */
const variableLength = 4;

export function recordInfiniband(transfer: ReliableTransfer, out: Recorder): void {
  for (const { from, packet } of converse(transfer)) {
    const [source, destination] = [transfer.ends[from], transfer.ends[1 - from]!];
    const lrh = {
      virtualLane: 0,
      version: 0,
      serviceLevel: 0,
      reserved2: 0,
      destinationLid: destination.lid,
      reserved5: 0,
      sourceLid: source.lid,
    };
    const native = { lrh, packet };
    const wireLength = encodeNative(native).length;
    const record = (seconds: number, nanoseconds: number): Uint8Array => {
      const fraction = Math.floor((nanoseconds / 1e9) * 2 ** 32);
      const header = { seconds, fraction, type: erfInfiniband, flags: variableLength, lossCounter: 0, wireLength };
      const frame = { link: { kind: 'erf', header }, network: { kind: 'infiniband', packet: native } } as const;
      return encodeFrame({ ...frame, trailer: new Uint8Array(0) });
    };
    out.add(linkType.erf, record(0, 0), record);
  }
}
