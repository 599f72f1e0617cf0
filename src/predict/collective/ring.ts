import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { inside, type Launch, micros, noHop, outside, startOf } from './hop.ts';
import type { Speeds } from './speeds.ts';

/**
 * AllReduce, AllGather and ReduceScatter: ranks step together. A step takes what the hops of the ring take on average, since a
 * chunk meets them all, or as long as the slowest wire is busy. µs.
 */
export function ringTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const n = g.ranks;
  const steps = coll === 'AllReduce' ? 2 * (n - 1) : n - 1;
  const share = bytes / n;
  const perLoop = l.nChannels * l.chunkBytes;
  // Loops of equal chunks: the last, smaller one of a real run costs the same on average.
  const loops = Math.max(1, Math.ceil(share / perLoop));
  const moved = steps * loops * ringStep(g, s, l, share / loops / l.nChannels);
  // The copy of one loop stands alone; other channels hide a part of what the others copy.
  const copied = Math.min(share, perLoop) + s.copyShare * Math.max(0, share - perLoop);
  return startOf(s, l) + moved + micros(copied, s.gpu.localCopy);
}

function ringStep(g: CollectiveGround, s: Speeds, l: Launch, chunk: number): number {
  const i = inside(s, g.ring, l, chunk, 2);
  if (g.nodes === 1) return i.latency;
  const o = outside(s, g.ring, l, chunk);
  if (g.ranks === g.nodes) return Math.max(o.latency, o.busy);
  const mean = (i.latency * (g.ranks - g.nodes) + o.latency * g.nodes) / g.ranks;
  return Math.max(mean, o.busy, i.busy);
}

/** What a rank gathers before it passes it on, in a chain. */
export const piece = 16384;

/** Broadcast and Reduce go once along the ring: the first piece meets every hop, the rest streams behind it. µs. */
export function chainTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const per = bytes / l.nChannels;
  const first = Math.min(per, piece);
  const far = g.nodes - 1;
  const near = g.ranks - 1 - far;
  const i = near > 0 ? inside(s, g.chain, l, first, 1) : noHop;
  const o = far > 0 ? outside(s, g.chain, l, first) : noHop;
  const stream = (chunk: number): number =>
    Math.max(near > 0 ? inside(s, g.chain, l, chunk, 0).latency : 0, far > 0 ? outside(s, g.chain, l, chunk).busy : 0);
  return startOf(s, l) + near * i.latency + far * o.latency + Math.max(0, stream(per) - stream(first));
}
