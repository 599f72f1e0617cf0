import { bufferSlots } from '../../collective/share.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { blockOf, type Launch, latencyOf, micros, moveOf, startOf, weightsOf } from './hop.ts';
import type { Speeds } from './speeds.ts';

/** The first slice of a chunk: of Simple a half, but not less than what is not worth to be cut further. */
export function sliceOf(g: CollectiveGround, l: Pick<Launch, 'protocol'>, chunk: number): number {
  if (l.protocol !== 'Simple') return chunk;
  const slot = g.made.launch.bufferBytes.Simple / bufferSlots;
  return Math.min(chunk, Math.max(chunk / 2, (2 * slot) / 32));
}

/**
 * AllReduce, AllGather and ReduceScatter: ranks step together. A step takes what the hops of the ring take on average, since a
 * chunk meets them all, or as long as the slowest hop is busy, or as it takes until slots of a buffer are free again. µs.
 */
export function ringTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const n = g.ranks;
  const steps = coll === 'AllReduce' ? 2 * (n - 1) : n - 1;
  const share = bytes / n;
  const perLoop = l.nChannels * l.chunkBytes;
  // Loops of equal chunks: the last, smaller one of a real run costs the same on average.
  const loops = Math.max(1, Math.ceil(share / perLoop));
  const { step, last } = ringStep(g, s, l, share / loops / l.nChannels);
  // The copy of one loop stands alone; other channels hide a part of what the others copy.
  const copied = Math.min(share, perLoop) + s.copyShare * Math.max(0, share - perLoop);
  return startOf(s, l) + steps * loops * step + last + micros(copied, s.gpu.localCopy);
}

/** `last`: what follows the last step, of which only one slice was waited for. */
function ringStep(
  g: CollectiveGround,
  s: Speeds,
  l: Launch,
  chunk: number,
): { readonly step: number; readonly last: number } {
  const { hops } = g.loads.ring(l.nChannels);
  const weights = weightsOf(s, true);
  const slice = sliceOf(g, l, chunk);
  // A chunk of Simple takes half of the slots, even where its first slice is all of it.
  const inFlight = l.protocol === 'Simple' ? 2 : bufferSlots;
  let mean = 0;
  let most = 0;
  let last = 0;
  for (const hop of hops) {
    const move = moveOf(s, hop, weights, g.relief, l.protocol, chunk);
    const latency = latencyOf(s, l.protocol, hop.kind, slice, { stepped: true });
    const block = blockOf(s, l.protocol, hop.kind);
    const one = latency + block + (move * slice) / chunk;
    last = Math.max(last, Math.min(latency, slice < chunk ? block + move * (1 - slice / chunk) : 0));
    mean += (hop.count * one) / g.ranks;
    most = Math.max(most, move + Math.ceil(chunk / slice) * block, one / inFlight);
  }
  return { step: Math.max(mean, most), last };
}

/** What a rank gathers before it passes it on, in a chain. */
export const piece = 16384;

/** Broadcast and Reduce go once along the ring: the first piece meets every hop, the rest streams behind it. µs. */
export function chainTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const { hops } = g.loads.chain(l.nChannels, coll === 'Reduce');
  const per = bytes / l.nChannels;
  const first = Math.min(per, piece);
  const weights = weightsOf(s, g.ranks > 2);
  const pieces = per / first;
  const all = hops.reduce((sum, { count }) => sum + count, 0);
  // A chain with fewer pieces than hops has no more of them under way at once.
  const active = Math.min(1, pieces / all);
  let fill = 0;
  let most = 0;
  for (const hop of hops) {
    const move = (part: number): number => moveOf(s, hop, weights, g.relief, l.protocol, first, part);
    fill += hop.count * (latencyOf(s, l.protocol, hop.kind, first) + move(active));
    most = Math.max(most, move(1));
  }
  return startOf(s, l) + fill + (pieces - 1) * most;
}
