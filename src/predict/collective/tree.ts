import type { CollectiveGround } from './ground.ts';
import { inside, type Launch, noHop, outside, startOf } from './hop.ts';
import type { Speeds } from './speeds.ts';

/** AllReduce up a tree and down again: the first chunk meets every hop twice, the others follow one slowest hop apart. µs. */
export function treeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const { perNode } = g;
  const per = bytes / l.nChannels;
  const chunk = Math.min(per, l.chunkBytes);
  const i = perNode > 1 ? inside(s, g.tree, l, chunk, 1) : noHop;
  const o = g.nodes > 1 ? outside(s, g.tree, l, chunk) : noHop;
  const fill = 2 * ((perNode - 1) * i.latency + Math.floor(Math.log2(g.nodes)) * o.latency);
  return startOf(s, l) + fill + Math.max(0, per / chunk - 1) * Math.max(i.latency, o.busy);
}
