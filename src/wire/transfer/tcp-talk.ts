import type { Network } from '../frame.ts';
import { ipProtocol } from '../ip/ipv4.ts';
import {
  maximumSegment,
  noOperation,
  sackPermitted,
  type Tcp,
  type TcpOption,
  timestamps,
  windowScale,
} from '../ip/tcp.ts';
import { type End, ipv4Header, ipv6Header } from './recorder.ts';

/** A TCP connection that loses nothing: what each side says, in segments, acknowledged every second one. */
export interface TcpTalk {
  connect(): void;
  say(side: 0 | 1, bytes: Uint8Array): void;
  /** Acknowledges what has come and was not acknowledged. */
  settle(): void;
  close(): void;
}

interface Side {
  readonly port: number;
  next: number;
  /** Segments that came and wait for an acknowledgment. */
  unacked: number;
  datagrams: number;
}

type Flags = Partial<Pick<Tcp, 'syn' | 'ack' | 'fin' | 'psh'>>;

export function tcpTalk(
  ends: readonly [End, End],
  ports: readonly [number, number],
  /** Bytes of payload in a segment, options counted off. */
  segment: number,
  transmit: (from: 0 | 1, network: Network) => void,
): TcpTalk {
  const sides: readonly [Side, Side] = [
    { port: ports[0], next: 0x10000000, unacked: 0, datagrams: 1 },
    { port: ports[1], next: 0x20000000, unacked: 0, datagrams: 1 },
  ];
  let clock = 1;
  const timeOption = (): TcpOption[] => [noOperation, noOperation, timestamps(clock, clock - 1)];

  const send = (from: 0 | 1, flags: Flags, payload: Uint8Array, options: readonly TcpOption[]): void => {
    const [me, peer] = [sides[from], sides[1 - from]!];
    const header: Tcp = {
      source: me.port,
      destination: peer.port,
      sequence: me.next,
      acknowledgment: flags.ack ? peer.next : 0,
      reserved: 0,
      cwr: false,
      ece: false,
      urg: false,
      ack: flags.ack ?? false,
      psh: flags.psh ?? false,
      rst: false,
      syn: flags.syn ?? false,
      fin: flags.fin ?? false,
      window: 0xffff,
      urgentPointer: 0,
      options,
    };
    me.next = (me.next + payload.length + (flags.syn || flags.fin ? 1 : 0)) >>> 0;
    me.unacked = 0;
    clock++;
    const [source, destination] = [ends[from], ends[1 - from]!];
    const body = { kind: 'tcp', header, payload } as const;
    const network: Network =
      source.ip.length === 4
        ? { kind: 'ipv4', header: ipv4Header(source, destination, ipProtocol.tcp, me.datagrams++), body }
        : { kind: 'ipv6', header: ipv6Header(source, destination, ipProtocol.tcp), body };
    transmit(from, network);
  };
  const none = new Uint8Array(0);
  const acknowledge = (side: 0 | 1): void => send(side, { ack: true }, none, timeOption());

  return {
    connect() {
      const opening = [
        maximumSegment(Math.min(0xffff, segment + 12)),
        sackPermitted,
        timestamps(clock, 0),
        noOperation,
        windowScale(7),
      ];
      send(0, { syn: true }, none, opening);
      send(1, { syn: true, ack: true }, none, opening);
      acknowledge(0);
    },
    say(side, bytes) {
      const other = side === 0 ? 1 : 0;
      for (let from = 0; from < bytes.length; from += segment) {
        const part = bytes.slice(from, from + segment);
        send(side, { ack: true, psh: from + segment >= bytes.length }, part, timeOption());
        if (++sides[other].unacked === 2) acknowledge(other);
      }
    },
    settle() {
      for (const side of [0, 1] as const) if (sides[side].unacked > 0) acknowledge(side);
    },
    close() {
      send(0, { fin: true, ack: true }, none, timeOption());
      send(1, { fin: true, ack: true }, none, timeOption());
      acknowledge(0);
    },
  };
}
