import { nvlsGrain } from '../../collective/nvls.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { type Launch, latencyOf, micros, startOf, streamedInTree, switchWeights } from './hop.ts';
import { busyOn, type Traffic } from './laid.ts';
import type { Speeds } from './speeds.ts';
import type { WayUp } from './ways-up.ts';

/** A round moves one chunk of every channel to and from every head; µs. */
interface Round {
  /** Until the first round is added up and with the heads, from there with the switches again, and handed out to all ranks. */
  readonly added: number;
  readonly given: number;
  readonly handed: number;
  /** From one round to the next, and all of them after the first. */
  readonly period: number;
  readonly rest: number;
  readonly count: number;
  /** The network's part of a round, both directions; one hop; the way of the first one up to the root. */
  readonly line: number;
  readonly far: number;
  readonly up: number;
  /** What the first round's chunks take of the line at each of so many levels. */
  readonly own: number;
  readonly levels: number;
  readonly bothWays: boolean;
}

function roundOf(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): Round {
  const heads = g.made.facts.nvls?.nChannels ?? 1;
  const used = Math.min(bytes, l.nChannels * heads * l.chunkBytes);
  const mean = used / (l.nChannels * heads);
  // NCCL gives each head whole grains while there are any: a little for all heads is more for some of them.
  const chunk = coll === 'AllReduce' ? Math.min(mean * heads, Math.ceil(mean / nvlsGrain) * nvlsGrain) : mean;
  // What one head has, of what all have together.
  const part = chunk / (mean * heads);
  const count = bytes / used;
  const [reduces, hands] = [coll !== 'AllGather', coll !== 'ReduceScatter'];
  const { traffic, spread, handed, between, bothWays, ways } = g.loads.nvls(l.nChannels, reduces, hands);
  const weights = switchWeights(s);
  // What the switches take counts as theirs, not as the wires'.
  const relief = { ...g.relief, inside: 1 };
  const inside = (of: Traffic): number => busyOn(of, weights, relief, 'nvlink') * mean;
  const threads = micros(chunk, s.gpu.dividedChannel);
  // One group of threads sends to all heads.
  const sending = reduces ? micros(mean * heads, s.gpu.dividedChannel) : threads;
  const wires = inside(traffic);
  const [out, back] = [inside(spread), inside(handed)];
  const period = Math.max(sending, wires);
  const hops = 2 * latencyOf(s, 'Simple', 'nvlink', chunk);
  const { up, own, levels } = farthest(s, ways, chunk, weights.net / g.relief.outside);
  const kept = reduces && wires >= sending ? behind(out, Math.max(0, out - hops - out * part), count - 1) : 0;
  return {
    added: reduces ? hops + Math.max(sending, out) + out * part : 0,
    given: hands ? hops + Math.max(threads, back * part) : 0,
    handed: hands ? back : 0,
    period,
    rest: (count - 1) * period + kept,
    count,
    line: busyOn(between, weights, relief, 'net') * chunk,
    far: latencyOf(s, 'Simple', 'net', chunk),
    up,
    own,
    levels,
    bothWays,
  };
}

/** The longest way up the trees between nodes, µs, how many levels it has, and the line's part of each; `each`: what a byte on a wire costs. */
function farthest(s: Speeds, ways: readonly WayUp[], chunk: number, each: number) {
  let [up, own, levels] = [0, 0, 0];
  for (const { hops, line } of ways) {
    const wires = line * chunk * each;
    const time = hops.net * latencyOf(s, 'Simple', 'net', chunk) + wires;
    if (time <= up) continue;
    up = time;
    levels = hops.net;
    own = wires / levels;
  }
  return { up, own, levels };
}

/**
 * What ranks send runs ahead of what heads send, and leaves them but a share of the wire: so much later the last round is through. At
 * first only what is `left` of the next round when a head has its chunk stands before it; the rest is how the engine's waits add up.
 */
const behind = (out: number, left: number, more: number): number =>
  Math.min(more * left, 1.55 * out * (1 - Math.exp(-more / 3)));

/** One NVLink domain, reduced in its switches. µs. */
export function nvlsTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const { added, given, handed, rest } = roundOf(g, s, coll, l, bytes);
  return startOf(s, l) + added + given + handed + rest;
}

/**
 * Reduced in the switches of each node, then by trees between nodes, one for each head. Of the two trees' channels one half is
 * handed out while the other is still on its way. µs.
 */
export function nvlsTreeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const r = roundOf(g, s, 'AllReduce', l, bytes);
  const first = startOf(s, l) + r.added + 2 * r.up + r.given + r.handed / 2;
  const stream = { count: r.count - 1, own: r.own, full: r.line, latency: r.far, up: r.levels, bothWays: r.bothWays };
  return first + Math.max(r.rest, streamedInTree(stream));
}
