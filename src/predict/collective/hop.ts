import type { Algorithm, Protocol } from '../../nccl/tuning/model.ts';
import type { WireRates } from './ground.ts';
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

/** How long a chunk takes to the next rank, and how long it keeps that way busy; µs. */
export interface Hop {
  readonly latency: number;
  readonly busy: number;
}

export const noHop: Hop = { latency: 0, busy: 0 };

/** Two limits that rule by turns: neither is met exactly near their crossing. Never less than either. */
const sharpness = 3;
export function meet(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === 0 ? 0 : most * ((a / most) ** sharpness + (b / most) ** sharpness) ** (1 / sharpness);
}

export function startOf(s: Speeds, l: Launch): number {
  const { start, startSimple, startLl128 } = s.gpu;
  if (l.protocol === 'Simple') return start + startSimple;
  return start + (l.protocol === 'LL' ? 0 : startLl128) + (l.nChannels - 1) * s.startChannel;
}

/** What of the wires' rate arrives: NVLink's own share; through host memory less where a GPU reads and writes at once. */
export function shareOf(s: Speeds, { via, duplex, intra }: WireRates): number {
  if (via === 'nvlink') return s.gpu.nvlinkShare;
  if (via === 'shm') return duplex ? Math.min(s.shmBoth, s.shmBothMost / intra) : s.shmOne;
  return 1;
}

/** Between ranks of a node: `slices` are what Simple cuts a chunk into. */
export function inside(s: Speeds, rates: WireRates, l: Launch, chunk: number, slices: number): Hop {
  const { gpu } = s;
  const p = l.protocol;
  const empty = (p === 'Simple' ? gpu.slice * slices : gpu.hop) * (rates.via === 'nvlink' ? 1 : s.slowHop);
  const busy = micros(chunk * wireFactor[p] * l.nChannels, rates.intra * shareOf(s, rates));
  return { latency: meet(empty + micros(chunk, gpu.channel[p]), busy), busy };
}

/** Between nodes. */
export function outside(s: Speeds, rates: WireRates, l: Launch, chunk: number): Hop {
  const busy = micros(chunk * wireFactor[l.protocol] * l.nChannels, rates.inter * s.net.share);
  return { latency: s.net.hop[l.protocol] + busy, busy };
}
