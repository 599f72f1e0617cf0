import { atLeast } from '../release.ts';
import {
  type Algorithm,
  algorithms,
  type Collective,
  type Model,
  type Protocol,
  protocols,
  type TuningFacts,
} from './model.ts';
import type { BlockFacts } from './restrict.ts';
import { treeCorrection } from './tables.ts';

/** How many channels there are and how they are cut: what launch decisions need besides the model. */
export interface LaunchFacts extends BlockFacts {
  readonly channels: number;
  readonly nvlsChannels: number;
  readonly nvlsChunk: number;
  readonly nvlsTreeChunk: number;
}

export interface Choice {
  readonly bytes: number;
  readonly algorithm: Algorithm;
  readonly protocol: Protocol;
  readonly timeUs: number;
  readonly nChannels: number;
  readonly threads: number;
  readonly chunkBytes: number;
}

/** Predicted µs of one call (ncclTopoGetAlgoTime); undefined where the pair is not to be used. */
function timeOf(
  facts: TuningFacts,
  channels: number,
  model: Model,
  coll: Collective,
  a: Algorithm,
  p: Protocol,
  bytes: number,
): number | undefined {
  let { bw, lat } = model[a][p];
  if (bw === 0) return undefined;
  const allReduce = coll === 'AllReduce';
  const log = Math.floor(Math.log2(bytes / 64));
  const blackwellX86 = facts.minSm >= 100 && facts.cpu.arch === 'x86_64' && atLeast(facts.release, '2.29.2');
  if (allReduce && log >= 0) {
    if (a === 'Tree' && log < 23) bw *= treeCorrection[p][log]!;
    if (a === 'NVLSTree' && blackwellX86 && log < 24) bw *= treeCorrection[p][log]!;
  }
  if (a === 'Ring' && p === 'Simple' && allReduce && facts.nodes > 1) lat *= plateau(facts, channels, bytes);
  return lat + bytes / (1000 * bw);
}

/** Rings over several nodes fall behind from some size on: for each of all the communicator's channels, since 2.18.1. */
function plateau({ release, ranks, minSm }: TuningFacts, channels: number, bytes: number): number {
  if (atLeast(release, '2.18.1')) {
    return bytes / (channels * ranks) >= 64 ? (minSm < 80 ? 1.9 : 1.4) : 1;
  }
  if (!atLeast(release, '2.7.3') || bytes < (ranks / 16) * 65536) return 1;
  return atLeast(release, '2.17.1') && minSm >= 90 ? 1.5 : 1.9;
}

/** What NCCL uses for a size: the least predicted time, then channels, threads and the size of a chunk. */
export function choose(
  facts: TuningFacts,
  launch: LaunchFacts,
  model: Model,
  coll: Collective,
  bytes: number,
): Choice | undefined {
  let best: { a: Algorithm; p: Protocol; time: number } | undefined;
  // More ranks than an NVLS tree has arms: AllReduce alone goes by it.
  const crowded = coll !== 'AllReduce' && facts.ranks / facts.nodes > 32 && atLeast(facts.release, '2.21.5');
  for (const a of algorithms) {
    if (crowded && (a === 'NVLS' || a === 'NVLSTree')) continue;
    for (const p of protocols) {
      const time = timeOf(facts, launch.channels, model, coll, a, p, bytes);
      if (time !== undefined && (!best || Math.fround(time) < Math.fround(best.time))) best = { a, p, time };
    }
  }
  if (!best && facts.ranks === 1) best = { a: 'Ring', p: 'Simple', time: 0 };
  if (!best) return undefined;
  const { a, p } = best;
  const { nChannels, threads } = sizeLaunch(facts, launch, a, p, bytes);
  return {
    bytes,
    algorithm: a,
    protocol: p,
    timeUs: best.time,
    nChannels,
    threads,
    chunkBytes: chunkOf(facts, launch, coll, a, p, nChannels, bytes),
  };
}

function sizeLaunch(
  facts: TuningFacts,
  launch: LaunchFacts,
  a: Algorithm,
  p: Protocol,
  bytes: number,
): { nChannels: number; threads: number } {
  const slow = a === 'Ring' && p === 'Simple' && facts.ring.bwIntra * facts.ring.nChannels <= 12;
  let threads = p === 'LL128' ? launch.ll128Threads : (launch.threads ?? (slow ? 256 : 512));
  if (a === 'NVLS' || a === 'NVLSTree') {
    const capped = a === 'NVLS' && facts.nodes > 1 && atLeast(facts.release, '2.28.3');
    return { nChannels: capped ? Math.min(launch.nvlsChannels, launch.channels) : launch.nvlsChannels, threads: 640 };
  }
  // Alone there is nothing to exchange, and nothing is fitted.
  if (facts.ranks === 1) return { nChannels: launch.channels, threads: (launch.threads ?? 512) + 32 };
  // NCCL's table sets no thread limit for PAT, so nothing is taken off it either.
  if (a === 'PAT') return { nChannels: launch.channels, threads: 640 };
  const set = a === 'Tree' || a === 'Ring' ? launch.thresholds?.[a]?.[p] : undefined;
  const threshold = set ?? (p === 'Simple' ? 64 : p === 'LL' && a === 'Ring' ? 8 * facts.ranks : 8);
  let nChannels = launch.channels;
  while (nChannels > 1 && bytes < nChannels * threads * threshold) nChannels--;
  while (threads % 128 === 0 && bytes < nChannels * threads * threshold) threads /= 2;
  if (p === 'Simple' && a === 'Ring') threads += 32;
  threads = Math.max(threads, 96);
  if (a === 'Tree') threads = 640;
  return { nChannels, threads };
}

/** Slots that a buffer is cut into. */
const slots = 8;
const grains: Readonly<Record<Protocol, number>> = { LL: 16, LL128: 1920, Simple: 512 };

function chunkOf(
  facts: TuningFacts,
  launch: LaunchFacts,
  coll: Collective,
  a: Algorithm,
  p: Protocol,
  channels: number,
  bytes: number,
): number {
  const { nodes, ranks } = facts;
  const slot = Math.floor(launch.bufferBytes[p] / slots);
  const steps = p === 'Simple' && a === 'Ring' && coll !== 'Broadcast' && coll !== 'Reduce' ? 4 : 1;
  let chunk = slot * steps;
  if (p === 'LL') chunk /= 2;
  if (p === 'LL128') chunk = Math.floor(chunk / 16) * 15;
  const heads = facts.nvls?.nChannels ?? 1;
  const below = (times: number): boolean => bytes < times * channels * heads * chunk;
  if (a === 'Tree' && p === 'LL128') {
    const perNode = ranks / nodes;
    const depth = 1 + (31 - Math.clz32(nodes)) + 0.1 * perNode;
    const loops = (): number => Math.floor(bytes / (channels * chunk));
    while (loops() < (depth * 64) / perNode && chunk > 131072) chunk /= 2;
    while (loops() < (depth * 16) / perNode && chunk > 32768) chunk /= 2;
  } else if (a === 'NVLS') {
    const narrow = nodes > 1 && facts.nvls!.bwInter * heads < 150;
    chunk = Math.min(chunk, narrow ? Math.min(32768, launch.nvlsChunk) : launch.nvlsChunk);
    if (chunk > 65536 && below(64)) chunk = 65536;
    if (chunk > 32768 && below(8)) chunk = 32768;
    if (chunk > 16384 && below(2)) chunk = 16384;
  } else if (a === 'NVLSTree') {
    // Not bounded by the buffer, as that of NVLS is.
    chunk = Math.min(launch.nvlsChunk, launch.nvlsTreeChunk);
    if (chunk > 262144 && below(32)) chunk = 262144;
    if (chunk > 131072 && below(16)) chunk = 131072;
    if (chunk > 65536 && below(4)) chunk = 65536;
    if (chunk > 32768 && below(1)) chunk = 32768;
  } else if (a === 'PAT') {
    const times = coll === 'AllGather' ? 32 : 16;
    while (chunk * channels * times > bytes && chunk > 65536) chunk /= 2;
  }
  // Less than one grain moves nothing: NCCL itself would go round for ever.
  return Math.max(1, Math.floor(chunk / grains[p])) * grains[p];
}
