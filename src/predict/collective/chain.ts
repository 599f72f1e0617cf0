import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { aloneOf, type Launch, latencyOf, startOf, weightsOf, wireFactor } from './hop.ts';
import { busyWith, kinds, none } from './laid.ts';
import type { Speeds } from './speeds.ts';

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
