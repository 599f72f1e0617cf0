import { bufferSlots } from '../../collective/share.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { aloneOf, blockOf, type Launch, latencyOf, micros, moveOf, startOf, weightsOf, wireFactor } from './hop.ts';
import { busyWith, kinds, none } from './laid.ts';
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
  const alone = steps === 1 ? loops : 1;
  const passed = alone * ringSteps(g, s, l, chunk, (steps * loops) / alone);
  // The copy of one loop stands alone; other channels hide a part of what the others copy.
  const copied = Math.min(share, perLoop) + s.copyShare * Math.max(0, share - perLoop);
  return startOf(s, l) + passed + micros(copied, s.gpu.localCopy);
}

function ringSteps(g: CollectiveGround, s: Speeds, l: Launch, chunk: number, steps: number): number {
  const { hops } = g.loads.ring(l.nChannels);
  const weights = weightsOf(s, true);
  const slice = sliceOf(g, l, chunk);
  const slices = Math.ceil(chunk / slice);
  // A chunk of Simple takes half of the slots, even where its first slice is all of it.
  const inFlight = l.protocol === 'Simple' ? 2 : bufferSlots;
  const costs: RingHop[] = [];
  // Most ranks pass on over the commonest kind of hop what they have read: so long they hold its slots.
  let held = 0;
  let common = 0;
  for (const hop of hops) {
    const move = moveOf(s, hop, weights, g.relief, l.protocol, chunk);
    const latency = latencyOf(s, l.protocol, hop.kind, slice, { stepped: true });
    const block = blockOf(s, l.protocol, hop.kind);
    const first = block + (move * slice) / chunk;
    const { count } = hop;
    insert(costs, { count, latency, first, all: move + slices * block });
    if (count > common) {
      common = count;
      held = first;
    }
  }
  let most = 0;
  for (const { latency, first, all } of costs) {
    const slots = Math.floor((steps - 1) / inFlight) * (latency + first + held - inFlight * all);
    most = Math.max(most, steps * all + latency + Math.max(0, slots));
  }
  return Math.max(most, along(costs, g.ranks, steps) + queued(costs, g.ranks, steps));
}

/**
 * What ranks send at once comes to the slowest hop faster than it goes over it, once: the last chunk that meets as many slow hops as the
 * first one waits for those before it. Or one more does, which meets a slow hop less. µs.
 */
function queued(hops: readonly RingHop[], ranks: number, steps: number): number {
  const slow = hops[0]!;
  const gap = Math.floor(ranks / slow.count + 1e-9);
  if (gap < 2) return 0;
  let others = 0;
  for (const { count, latency, first } of hops.slice(1)) others += count * (latency + first);
  const other = others / (ranks - slow.count);
  const behind = slow.all - other;
  if (behind <= 0) return 0;
  const last = (steps - 1) % gap;
  return Math.max(last * behind, Math.min(gap, steps) * behind - behind - (slow.latency + slow.first - other));
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

interface RingHop {
  /** Of all hops of a ring, how many are alike. */
  readonly count: number;
  /** Until what is sent is read, and until the first slice is sent and all of the chunk; µs. */
  readonly latency: number;
  readonly first: number;
  readonly all: number;
}

/** Keeps the slowest first. */
function insert(hops: RingHop[], hop: RingHop): void {
  const time = hop.latency + hop.first;
  let at = hops.length;
  hops.push(hop);
  for (; at > 0 && hops[at - 1]!.latency + hops[at - 1]!.first < time; at--) hops[at] = hops[at - 1]!;
  hops[at] = hop;
}

/** From rank to rank over so many hops in a row, wherever most of the slow ones are; at the end the rest of the chunk comes in. */
function along(hops: readonly RingHop[], ranks: number, steps: number): number {
  const rounds = Math.floor(steps / ranks);
  const share = steps / ranks - rounds;
  let slower = 0;
  let met = 0;
  let time = 0;
  let rest = 0;
  for (const { count, latency, first, all } of hops) {
    slower += count;
    // Those as slow as this or slower stand as far from each other as they can.
    const more = Math.ceil(share * slower - 1e-9) - met;
    met += more;
    time += (rounds * count + more) * (latency + first);
    rest = Math.max(rest, all - first);
  }
  return time + rest;
}

/** What a rank gathers before it passes it on, in a chain. */
export const piece = 16384;

/**
 * Broadcast and Reduce go once along the ring: the first piece meets every hop, with nothing else on the wires than what goes the same
 * way and what crossed them before, and the rest streams behind it. Where several hops share a wire, the first of them has it alone until
 * the first piece has come to the last, and that one as much of it again at the end; how much of the wire they use then is theirs, or
 * what they are fed with. µs.
 */
export function chainTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const { hops } = g.loads.chain(l.nChannels, coll === 'Reduce');
  const per = bytes / l.nChannels;
  const first = Math.min(per, piece);
  const weights = weightsOf(s, g.ranks > 2);
  const pieces = per / first;
  const each = none();
  const counts = none();
  let fill = 0;
  for (const { kind, count, own, front, ahead } of hops) {
    const latency = latencyOf(s, l.protocol, kind, first);
    const alone = aloneOf(s, { kind, own }, weights, g.relief, l.protocol, first);
    const beside = aloneOf(s, { kind, own: front }, weights, g.relief, l.protocol, first);
    // What came before is still on the wires only where there is enough of it.
    const lasting = Math.max(0, (pieces - 1) * alone - ahead * latency);
    const hop = latency + alone + Math.min(beside - alone, lasting);
    fill += count * hop;
    each[kind] += count * hop;
    counts[kind] += count;
  }
  for (const kind of kinds) if (counts[kind] > 0) each[kind] /= counts[kind];
  let behind = 0;
  for (const hop of hops) {
    const own = aloneOf(s, hop, weights, g.relief, l.protocol, first);
    behind = Math.max(behind, (pieces - 1) * own);
    for (const { busy, span, fed } of hop.loads) {
      const full = busyWith(busy, weights, g.relief) * first * wireFactor[l.protocol];
      if (full <= own) continue;
      let lead = 0;
      for (const kind of kinds) lead += span[kind] * each[kind];
      behind = Math.max(behind, pieces * full - own - lead * Math.min(1, (full - own) / (fed ? full : own)));
    }
  }
  return startOf(s, l) + fill + behind;
}
