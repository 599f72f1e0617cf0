import { type BytesPerSecond, fromGbps } from '../../base/units.ts';
import type { CapturedPacket } from '../capture.ts';
import { encodeFrame, type Frame, type Link, type Network } from '../frame.ts';
import type { Ipv4 } from '../ip/ipv4.ts';
import type { Ipv6 } from '../ip/ipv6.ts';
import { etherType } from '../link/ethernet.ts';

/** One end of a transfer. */
export interface End {
  /** 6 bytes. */
  readonly mac: Uint8Array;
  /** 4 or 16 bytes. */
  readonly ip: Uint8Array;
  readonly lid: number;
  /** 16 bytes. */
  readonly gid: Uint8Array;
  readonly queuePair: number;
}

/** Collects the packets of a transfer, each a wire time after the one before. */
export interface Recorder {
  /** `stamp` puts the packet's time into bytes of the same length, for formats that hold it twice. */
  add(linkType: number, bytes: Uint8Array, stamp?: (seconds: number, nanoseconds: number) => Uint8Array): void;
  readonly packets: readonly CapturedPacket[];
}

export function recorder(startSeconds: number, rate: BytesPerSecond = fromGbps(100)): Recorder {
  const packets: CapturedPacket[] = [];
  let elapsed = 0;
  return {
    packets,
    add(linkType, bytes, stamp) {
      elapsed += Math.max(1, Math.round((bytes.length / rate) * 1e9));
      const seconds = startSeconds + Math.floor(elapsed / 1e9);
      const nanoseconds = elapsed % 1e9;
      const kept = stamp === undefined ? bytes : stamp(seconds, nanoseconds);
      packets.push({ seconds, nanoseconds, length: kept.length, linkType, bytes: kept });
    },
  };
}

const ttl = 64;

export const ipv4Header = (from: End, to: End, protocol: number, identification = 0): Ipv4 => ({
  dscp: 0,
  ecn: 0,
  identification,
  reservedFlag: false,
  dontFragment: true,
  moreFragments: false,
  fragmentOffset: 0,
  ttl,
  protocol,
  source: from.ip,
  destination: to.ip,
  options: new Uint8Array(0),
});

export const ipv6Header = (from: End, to: End, protocol: number): Ipv6 => ({
  trafficClass: 0,
  flowLabel: 0,
  hopLimit: ttl,
  source: from.ip,
  destination: to.ip,
  extensions: [],
  protocol,
});

const shortestFrame = 60;

/** An Ethernet frame around a network packet, padded as the standard asks (IEEE 802.3, 3.2.8). */
export function ethernetFrame(from: End, to: End, network: Network): Uint8Array {
  const type = network.kind === 'ipv6' ? etherType.ipv6 : etherType.ipv4;
  const header = { destination: to.mac, source: from.mac, tags: [], type };
  const link: Link = { kind: 'ethernet', header };
  const frame: Frame = { link, network, trailer: new Uint8Array(0) };
  const bytes = encodeFrame(frame);
  if (bytes.length >= shortestFrame) return bytes;
  const missing = shortestFrame - bytes.length;
  return encodeFrame({ ...frame, trailer: new Uint8Array(missing) });
}
