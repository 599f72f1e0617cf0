import type { HopKind } from '../../collective/clock/wires.ts';
import { bufferSlots } from '../../collective/share.ts';
import type { Algorithm, Protocol } from '../../nccl/tuning/model.ts';
import { type ByKind, busiest, type HopClass, type Relief } from './laid.ts';
import type { Speeds } from './speeds.ts';

/** How a collective is launched, as NCCL decides by size. */
export interface Launch {
  readonly algorithm: Algorithm;
  readonly protocol: Protocol;
  readonly nChannels: number;
  readonly chunkBytes: number;
}

/** Bytes on the wire for one of payload: LL sends a flag with every word, LL128 8 bytes of 128. */
export const wireFactor: Readonly<Record<Protocol, number>> = { LL: 2, LL128: 128 / 120, Simple: 1 };

/** µs for bytes at GB/s. */
export const micros = (bytes: number, rate: number): number => bytes / (1000 * rate);

/** Until the first word is sent, µs. */
export function startOf(s: Speeds, { protocol, nChannels }: Pick<Launch, 'protocol' | 'nChannels'>): number {
  const { start } = s.gpu;
  if (protocol === 'Simple') return start;
  return start + (protocol === 'LL' ? 0 : s.startLl128) + (nChannels - 1) * s.startChannel;
}

/** What of a hop differs from one algorithm to the next. */
interface HopIn {
  /** A rank goes on when a whole step has come. */
  readonly stepped?: boolean;
  /** At what rate threads fill a NIC's buffer, and read it; GB/s of payload. */
  readonly rate?: number | undefined;
}

/**
 * µs from the last byte sent until the receiver can go on: store, poll and reduce, or a slice waited for, fenced and posted. A NIC sends
 * what threads have filled a slot of its buffer with: `slice` bytes. On the other side they read words with flags and lines as they land,
 * and a slice when it is whole. In rings, whose ranks step together, a line's hop comes near a slice's, the more nodes there are.
 */
export function latencyOf(
  s: Speeds,
  protocol: Protocol,
  kind: HopKind,
  slice: number,
  { stepped = false, rate = s.gpu.channel[protocol] }: HopIn = {},
): number {
  const sliced = protocol === 'Simple';
  if (kind === 'net') {
    const { hop, lines } = s.net;
    const lined = protocol === 'LL128' && stepped;
    const part = sliced ? 1 : lined ? lines : 0;
    const filled = sliced ? 2 : lined ? lines : 1;
    return hop.LL + part * (hop.Simple - hop.LL) + filled * micros(slice, rate);
  }
  return (kind === 'nvlink' ? s.gpu.hop : s.slowHop) + (sliced ? s.gpu.hop * (s.sliceHops - 1) : 0);
}

/** Threads that send a slice fence it and post it before they go on: a hop of LL each. */
const blockHops = 2;

/** µs for which the sending threads are held by a slice besides its bytes; those that fill the buffer of a NIC are not waited for. */
export function blockOf(s: Speeds, protocol: Protocol, kind: HopKind): number {
  if (kind === 'net' || protocol !== 'Simple') return 0;
  return (kind === 'nvlink' ? s.gpu.hop : s.slowHop) * blockHops;
}

/** Bytes that each byte costs the wires it crosses: what arrives is less than they carry, by the way it goes. */
export const weightsOf = (s: Speeds, both: boolean): ByKind => ({
  nvlink: 1 / s.gpu.nvlinkShare,
  pci: 1,
  shm: 1 / (both ? s.shmBoth : s.shmOne),
  net: 1 / s.net.share,
});

export const switchWeights = (s: Speeds): ByKind => ({ ...weightsOf(s, true), nvlink: 1 / s.nvlsShare });

/** The same for messages of exchanges; where each GPU only sends to the next, they get what a ring does. */
export function exchangeWeights(s: Speeds, toNext: boolean): ByKind {
  const share = toNext ? 1 : s.exchangeShare;
  return { nvlink: 1 / (s.gpu.nvlinkShare * share), pci: 1 / share, shm: 1 / s.shmBoth, net: 1 / s.net.share };
}

/**
 * For how long a chunk of every channel keeps a hop busy, µs. Threads fill the buffer of a NIC while it sends, so that they do not
 * count there.
 */
export function moveOf(
  s: Speeds,
  { kind, loads }: Pick<HopClass, 'kind' | 'loads'>,
  weights: ByKind,
  relief: Relief,
  protocol: Protocol,
  chunk: number,
): number {
  const wires = busiest(loads, weights, relief) * chunk * wireFactor[protocol];
  return kind === 'net' ? wires : Math.max(micros(chunk, s.gpu.channel[protocol]), wires);
}

/** The same while nothing but what goes the same way is on the wires. */
export function aloneOf(
  s: Speeds,
  { kind, own }: Pick<HopClass, 'kind' | 'own'>,
  weights: ByKind,
  { inside, outside }: Relief,
  protocol: Protocol,
  chunk: number,
): number {
  const wires = (own * weights[kind] * chunk * wireFactor[protocol]) / (kind === 'net' ? outside : inside);
  return kind === 'net' ? wires : Math.max(micros(chunk, s.gpu.channel[protocol]), wires);
}

/** For how long `count` more messages stream over a hop, whose buffer's slots are free again when a message has arrived; µs. */
export function streamed(count: number, move: number, latency: number): number {
  const turns = Math.floor(count / bufferSlots);
  return Math.max(count * move, turns * (latency + move) + (count - turns * bufferSlots) * move);
}
