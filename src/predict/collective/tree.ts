import type { HopKind } from '../../collective/clock/wires.ts';
import { reducesFirst, treeThreads } from '../../collective/tree.ts';
import type { Release } from '../../nccl/release.ts';
import type { Protocol } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { type Launch, latencyOf, micros, startOf, streamed, weightsOf, wireFactor } from './hop.ts';
import { knownFor } from './known-for.ts';
import { busiest, busyOn, kinds, type Traffic } from './laid.ts';
import type { Speeds } from './speeds.ts';
import { Rounds, type Stage } from './stages.ts';

/**
 * At what rate a NIC's buffer is filled, GB/s: half of the chunks by those that reduce, half by those that hand down. What comes from
 * another NIC, piece by piece, fills it no faster than the wires that channels share let it come.
 */
export function treeRate(
  g: CollectiveGround,
  s: Speeds,
  { protocol, nChannels }: Pick<Launch, 'protocol' | 'nChannels'>,
): number {
  const { up, down } = treeThreads(protocol, g.made.release);
  const threads = (2 * s.gpu.channel[protocol]) / (1 / up + 1 / down);
  if (protocol === 'Simple') return threads;
  const busy = busyOn(g.loads.tree(nChannels).up, weightsOf(s, true), g.relief, 'net') * wireFactor[protocol];
  return busy > 0 ? Math.min(threads, 1 / (1000 * busy)) : threads;
}

/** Bytes: what a warp of LL128 passes on as soon as it is there, or eight of LL. */
const leastPiece = 2048;

/** What goes on through a tree by itself: of Simple a whole chunk, and of LL where it reduces first. */
export function treePiece(protocol: Protocol, chunk: number, release: Release): number {
  if (protocol === 'Simple' || reducesFirst(protocol, release)) return chunk;
  // Eighths of a large chunk do as well as more, and the engine has to run each.
  return Math.min(chunk, Math.max(leastPiece, protocol === 'LL128' ? chunk / 8 : 0));
}

/**
 * AllReduce up a tree and down again: the first chunk goes the longest way from a leaf to the root and back, the others follow as
 * fast as the slowest hop, on which both directions meet, is free again. µs.
 */
export function treeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const { traffic, up, ways, lines } = g.loads.tree(l.nChannels);
  const weights = weightsOf(s, true);
  const { protocol } = l;
  const per = bytes / l.nChannels;
  const chunk = Math.min(per, l.chunkBytes);
  const chunks = per / chunk;
  const threads = micros(chunk, s.gpu.channel[protocol]);
  const piece = Math.min(chunk, treePiece(protocol, l.chunkBytes, g.made.release)) / chunk;
  const split = treeThreads(protocol, g.made.release);
  const rate = treeRate(g, s, l);
  const slowest = threads / split.down;
  const quicker = threads / split.up;
  const wires = (of: Traffic, kind: HopKind): number =>
    busyOn(of, weights, g.relief, kind) * chunk * wireFactor[protocol];
  const netLatency = latencyOf(s, protocol, 'net', chunk, { rate });
  const each = (chunk * weights.net * wireFactor[protocol]) / g.relief.outside;
  const between = lines.length === 0 || chunks === 1 ? 0 : streamedBetween(g, s, l, chunks, lines, each, netLatency);
  let longest = 0;
  const within = Math.max(1, g.perNode - 1);
  const lined = (2 * weights.net * chunk * wireFactor[protocol]) / g.relief.outside;
  for (const { hops, line } of ways) {
    // Who hands down to another node does so while its threads write to the next GPU of its own.
    const level = hops.net > 0 ? (piece * line * lined) / (2 * hops.net) : 0;
    const handing = (by: number): number => (g.perNode > 1 ? Math.max(level, piece * by) : level);
    let first = hops.net * level;
    if (hops.net > 0) first += handing(threads / split.root) + (hops.net - 1) * handing(slowest);
    // The rest of the chunk follows its last piece, as fast as the slowest hop lets it.
    let behind = hops.net > 0 ? (line * lined) / (2 * hops.net) : 0;
    let rest = hops.net > 0 ? between : 0;
    for (const kind of kinds) {
      if (hops[kind] === 0) continue;
      first += 2 * hops[kind] * latencyOf(s, protocol, kind, chunk, { rate });
      if (kind === 'net') continue;
      const shared = wires(up, kind) / within;
      const near = (count: number): number => passed(2 * hops[kind], count, slowest, shared, 2 * within);
      const [rises, falls] = [Math.max(quicker, shared), Math.max(slowest, shared)];
      first += piece * hops[kind] * (rises + falls);
      behind = Math.max(behind, falls);
      rest = Math.max(rest, near(chunks) - near(1));
    }
    longest = Math.max(longest, first + (1 - piece) * behind + rest);
  }
  // However few hops of a way cross it, all chunks of all channels have to pass each wire.
  const passing = busiest(traffic.loads, weights, g.relief) * per * wireFactor[protocol];
  return startOf(s, l) + Math.max(longest, passing);
}

/**
 * For how long chunks stream over the network behind the first one: hop by hop up the levels of the trees and down again, on wires that
 * several hops share, and no more of them over one hop than its buffer has slots for.
 */
function streamedBetween(
  g: CollectiveGround,
  s: Speeds,
  l: Launch,
  chunks: number,
  lines: readonly (readonly number[])[],
  each: number,
  latency: number,
): number {
  const stages = (): Stage[] =>
    lines[0]!.map((_, hop) => {
      const load = lines.map((busy) => busy[hop]! * each);
      return { from: hop - 1, delay: hop === 0 ? 0 : latency, least: Math.max(...load), load };
    });
  const key = `tree ${l.protocol} ${l.nChannels} ${l.chunkBytes}`;
  const rounds = knownFor(g, s, key, () => new Rounds(stages()));
  const most = Math.max(...lines.map((busy) => Math.max(...busy))) * each;
  return Math.max(rounds.end(chunks) - rounds.end(1), streamed(chunks - 1, most, latency));
}

/**
 * Chunks that follow each other through so many hops, each as long on one as on another: what threads take, or wires that the chunks
 * under way share, `each` for a chunk; no more of them than are in one node at once. First ever more share them, then all that can,
 * then fewer again.
 */
function passed(hops: number, chunks: number, threads: number, each: number, sharing: number): number {
  const most = Math.min(chunks, hops, sharing);
  const tick = (active: number): number => Math.max(threads, each * active);
  const whole = Math.ceil(most) - 1;
  // Up to so many the threads are the slower ones.
  const slow = each > 0 ? Math.min(whole, Math.floor(threads / each)) : whole;
  const rising = slow * threads + (each * (whole - slow) * (whole + slow + 1)) / 2;
  return 2 * rising + (chunks + hops - 1 - 2 * whole) * tick(most);
}
