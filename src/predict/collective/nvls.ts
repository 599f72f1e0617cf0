import { nvlsGrain } from '../../collective/nvls.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { type Launch, latencyOf, micros, startOf, streamedInTree, switchWeights } from './hop.ts';
import { busyOn, type Traffic } from './laid.ts';
import type { Speeds } from './speeds.ts';
import { followed, type Load, type Stage, type Steady, steadyStages, throughStages } from './stages.ts';
import type { WayUp } from './ways-up.ts';

/** A round moves one chunk of every channel to and from every head; µs. */
interface Round {
  readonly reduces: boolean;
  readonly hands: boolean;
  /** What all ranks send to the switches, and what these hand out to all, take of a GPU's wires; of either, what a head has. */
  readonly out: number;
  readonly back: number;
  readonly part: number;
  /** What the threads take of a rank that sends to all heads, and of a head. */
  readonly sending: number;
  readonly threads: number;
  /** Until who gets something can go on, within a node and over the network. */
  readonly near: number;
  readonly far: number;
  /** The network's part of a round, both directions; the way of the first chunks up to the root, and what they take at each of its levels. */
  readonly line: number;
  readonly up: number;
  readonly own: number;
  readonly levels: number;
  readonly bothWays: boolean;
}

function roundOf(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, used: number): Round {
  const heads = headsOf(g);
  const mean = used / (l.nChannels * heads);
  // NCCL gives each head whole grains while there are any: a little for all heads is more for some of them.
  const chunk = coll === 'AllReduce' ? Math.min(mean * heads, Math.ceil(mean / nvlsGrain) * nvlsGrain) : mean;
  const [reduces, hands] = [coll !== 'AllGather', coll !== 'ReduceScatter'];
  const { spread, handed, between, bothWays, ways } = g.loads.nvls(l.nChannels, reduces, hands);
  const weights = switchWeights(s);
  // What the switches take counts as theirs, not as the wires'.
  const relief = { ...g.relief, inside: 1 };
  const inside = (of: Traffic): number => busyOn(of, weights, relief, 'nvlink') * mean;
  return {
    reduces,
    hands,
    out: inside(spread),
    back: inside(handed),
    part: chunk / (mean * heads),
    // One group of threads sends to all heads.
    sending: micros(mean * heads, s.gpu.dividedChannel),
    threads: micros(chunk, s.gpu.dividedChannel),
    near: latencyOf(s, 'Simple', 'nvlink', chunk),
    far: latencyOf(s, 'Simple', 'net', chunk),
    line: busyOn(between, weights, relief, 'net') * chunk,
    bothWays,
    ...farthest(s, ways, chunk, weights.net / g.relief.outside),
  };
}

const headsOf = (g: CollectiveGround): number => g.made.facts.nvls?.nChannels ?? 1;

/**
 * All ranks send to the switches, these to the heads; heads meet over the network by trees of so many levels, for which they wait
 * `apart`; heads send to the switches, and these to all ranks.
 */
function stagesOf(r: Round, levels: number, apart = 0): Stage[] {
  const { out, back, part, near, far } = r;
  const stages: Stage[] = [];
  const stage = (from: number, delay: number, load: Load, held = 0): number =>
    stages.push({ from, delay, load, least: Math.max(...load, held) }) - 1;
  let last = -1;
  if (r.reduces) {
    last = stage(last, 0, [out, 0, 0], r.sending);
    last = stage(last, near, [0, out * part, 0]);
  }
  // Of the two trees' channels one half is handed out by who passes it on to the last node, while the other is on its way there.
  const half = levels > 0 ? 1 / 2 : 1;
  for (let hop = 1; hop <= 2 * levels; hop++) {
    const passes = hop === 2 * levels;
    const line = r.line / (2 * levels);
    last = stage(last, hop === 1 ? near : far, [passes ? back * part * half : 0, 0, line], r.own);
    if (passes) stage(last, near, [0, back * half, 0]);
  }
  if (r.hands) {
    const delay = levels > 0 ? far : r.reduces ? near : 0;
    last = stage(last, delay + apart, [back * part * half, 0, 0], r.threads);
    stage(last, near, [0, back * half, 0]);
  }
  return stages;
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

/** Many rounds are all alike: how they go is worked out once for a machine, its speeds and a chunk. */
const known = new WeakMap<CollectiveGround, { readonly speeds: Speeds; readonly steady: Map<string, Steady> }>();

/** When `count` rounds are through the stages, µs; `key` tells one kind of rounds from the others. */
function through(g: CollectiveGround, s: Speeds, key: string, count: number, stages: () => Stage[]): number {
  if (count <= followed) return throughStages(stages(), count);
  let own = known.get(g);
  if (own?.speeds !== s) {
    own = { speeds: s, steady: new Map() };
    known.set(g, own);
  }
  const steady = own.steady.get(key) ?? steadyStages(stages());
  own.steady.set(key, steady);
  return steady.end + (count - followed) * steady.each;
}

/** One NVLink domain, reduced in its switches. µs. */
export function nvlsTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const used = Math.min(bytes, l.nChannels * headsOf(g) * l.chunkBytes);
  const r = roundOf(g, s, coll, l, used);
  const key = `${coll} ${l.nChannels} ${l.chunkBytes}`;
  return startOf(s, l) + through(g, s, key, bytes / used, () => stagesOf(r, 0)) + r.near;
}

/** More levels than this are not followed one by one. */
const fewLevels = 2;

/** Reduced in the switches of each node, then by trees between nodes, one for each head. µs. */
export function nvlsTreeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const used = Math.min(bytes, l.nChannels * headsOf(g) * l.chunkBytes);
  const r = roundOf(g, s, 'AllReduce', l, used);
  const count = bytes / used;
  const key = `tree ${l.nChannels} ${l.chunkBytes}`;
  if (r.levels <= fewLevels) {
    return startOf(s, l) + through(g, s, key, count, () => stagesOf(r, r.levels)) + r.near;
  }
  const within = (): Stage[] => stagesOf(r, 0, 2 * r.up);
  const first = within().reduce((sum, { delay, least }) => sum + delay + least, 0);
  const stream = { count: count - 1, own: r.own, full: r.line, latency: r.far, up: r.levels, bothWays: r.bothWays };
  const rest = Math.max(through(g, s, key, count, within) - first, streamedInTree(stream));
  return startOf(s, l) + first - r.back / 2 + rest + r.near;
}
