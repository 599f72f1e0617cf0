import { bufferSlots } from '../../collective/share.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { aloneOf, blockOf, type Launch, latencyOf, micros, moveOf, startOf, weightsOf } from './hop.ts';
import { passedOn, type RingHop } from './ring-steps.ts';
import type { Speeds } from './speeds.ts';

/** The first slice of a chunk: of Simple a half, but not less than what is not worth to be cut further. */
export function sliceOf(g: CollectiveGround, l: Pick<Launch, 'protocol'>, chunk: number): number {
  if (l.protocol !== 'Simple') return chunk;
  const slot = g.made.launch.bufferBytes.Simple / bufferSlots;
  return Math.min(chunk, Math.max(chunk / 2, (2 * slot) / 32));
}

/**
 * AllReduce, AllGather and ReduceScatter: ranks step together. What takes longest counts: the chunk that meets the slowest hops from
 * rank to rank, or a hop over which one chunk after the other streams, as long as it is busy with each or until slots of its buffer
 * are free again. µs.
 */
export function ringTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const n = g.ranks;
  const steps = coll === 'AllReduce' ? 2 * (n - 1) : n - 1;
  const share = bytes / n;
  const perLoop = l.nChannels * l.chunkBytes;
  // Loops of equal chunks: the last, smaller one of a real run costs the same on average.
  const loops = Math.max(1, Math.ceil(share / perLoop));
  const chunk = share / loops / l.nChannels;
  // Of two ranks neither passes anything on: they begin the next loop when all of this one has come.
  const freely = steps === 1 && outOfStep(g, l.nChannels);
  const alone = steps === 1 && !freely ? loops : 1;
  const passed = alone * ringSteps(g, s, l, chunk, (steps * loops) / alone, freely);
  // The copy of one loop stands alone; other channels hide a part of what the others copy.
  const copied = Math.min(share, perLoop) + s.copyShare * Math.max(0, share - perLoop);
  return startOf(s, l) + passed + micros(copied, s.gpu.localCopy);
}

/**
 * Whether two ranks with a NIC between them share it among channels. These do not keep step: while one waits for what comes, others send,
 * so that the NIC is never idle. Two DGX Sparks, whose channels would wait a fifth of the time in step, reach the line's rate.
 */
export function outOfStep(g: CollectiveGround, channels: number): boolean {
  if (g.ranks !== 2 || g.nodes !== 2) return false;
  const [one] = g.loads.ring(1).hops;
  return g.loads.ring(channels).hops.every((hop) => hop.kind === 'net' && hop.own > 1.5 * one!.own);
}

/** µs for so many steps of one chunk of every channel; `freely`: of nothing but what each rank sends of its own. */
function ringSteps(g: CollectiveGround, s: Speeds, l: Launch, chunk: number, steps: number, freely: boolean): number {
  const weights = weightsOf(s, true);
  const slice = sliceOf(g, l, chunk);
  const slices = Math.ceil(chunk / slice);
  const hops = g.loads.ring(l.nChannels).hops.map((hop): RingHop => {
    const { kind, count, shared } = hop;
    return {
      kind,
      count,
      shared,
      latency: latencyOf(s, l.protocol, kind, slice, { stepped: true }),
      held: blockOf(s, l.protocol, kind) * slices,
      alone: aloneOf(s, hop, weights, g.relief, l.protocol, chunk),
      move: moveOf(s, hop, weights, g.relief, l.protocol, chunk),
    };
  });
  // A chunk of Simple takes half of the slots, even where its first slice is all of it.
  const inFlight = l.protocol === 'Simple' ? 2 : bufferSlots;
  return passedOn(hops, { ranks: g.ranks, steps, slices, part: slice / chunk, inFlight, freely });
}

/** PAT: one message after the other, each of which is sent when the one before has come. µs. */
export function patTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const share = bytes / g.ranks;
  const loops = Math.max(1, Math.ceil(share / (l.nChannels * l.chunkBytes)));
  const chunk = share / loops / l.nChannels;
  const weights = weightsOf(s, true);
  let around = 0;
  for (const hop of g.loads.ring(l.nChannels).hops) {
    const move = moveOf(s, hop, weights, g.relief, l.protocol, chunk);
    around += hop.count * (latencyOf(s, l.protocol, hop.kind, chunk) + move);
  }
  return startOf(s, l) + (loops * (g.ranks - 1) * around) / g.ranks;
}
