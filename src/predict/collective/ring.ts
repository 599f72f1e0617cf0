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
  const full = Math.floor(share / perLoop);
  const rest = (share - full * perLoop) / l.nChannels;
  const step = (chunk: number): number => ringStep(g, s, l, chunk);
  const moved = steps * (full * (full > 0 ? step(l.chunkBytes) : 0) + (rest > 0 ? step(rest) : 0));
  // The last loop's copy stands alone; other channels hide a part of the earlier ones.
  const last = Math.min(share, rest > 0 && full > 0 ? rest * l.nChannels : perLoop);
  return startOf(s, l) + moved + micros(last + s.copyShare * (share - last), s.gpu.localCopy);
}

function ringStep(g: CollectiveGround, s: Speeds, l: Launch, chunk: number): number {
  const i = inside(s, g.ring, l, chunk, 2);
  if (g.nodes === 1) return i.latency;
  const o = outside(s, g.ring, l, chunk);
  if (g.ranks === g.nodes) return Math.max(o.latency, o.busy);
  const mean = (i.latency * (g.ranks - g.nodes) + o.latency * g.nodes) / g.ranks;
  return Math.max(mean, o.busy, i.busy);
}

/** Broadcast and Reduce go once along the ring, chunk after chunk. µs. */
export function chainTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const per = bytes / l.nChannels;
  const chunk = Math.min(per, l.chunkBytes);
  const i = g.ranks > g.nodes ? inside(s, g.chain, l, chunk, 1) : noHop;
  const o = g.nodes > 1 ? outside(s, g.chain, l, chunk) : noHop;
  const fill = (g.ranks - g.nodes) * i.latency + (g.nodes - 1) * o.latency;
  return startOf(s, l) + fill + Math.max(0, per / chunk - 1) * Math.max(i.latency, o.busy);
}
