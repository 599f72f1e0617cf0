import { nvlsGrain } from '../../collective/nvls.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { type Launch, latencyOf, micros, startOf, switchWeights } from './hop.ts';
import { busyOn, type Traffic } from './laid.ts';
import { roundsFor } from './rounds-known.ts';
import type { Speeds } from './speeds.ts';
import { type Stage, throughStages } from './stages.ts';

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
  /** Of each wire between nodes that can be the most crowded, for how long a round keeps it busy on each hop up the trees and down. */
  readonly lines: readonly (readonly number[])[];
}

function roundOf(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, used: number): Round {
  const heads = headsOf(g);
  const mean = used / (l.nChannels * heads);
  // NCCL gives each head whole grains while there are any: a little for all heads is more for some of them.
  const chunk = coll === 'AllReduce' ? Math.min(mean * heads, Math.ceil(mean / nvlsGrain) * nvlsGrain) : mean;
  const [reduces, hands] = [coll !== 'AllGather', coll !== 'ReduceScatter'];
  const { spread, handed, lines } = g.loads.nvls(l.nChannels, reduces, hands);
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
    lines: lines.map((hops) => hops.map((busy) => (busy * chunk * weights.net) / g.relief.outside)),
  };
}

const headsOf = (g: CollectiveGround): number => g.made.facts.nvls?.nChannels ?? 1;

/**
 * All ranks send to the switches, these to the heads; over `lines` heads meet by trees; heads send to the switches, and these to all
 * ranks.
 */
function stagesOf(r: Round, lines: Round['lines'] = []): Stage[] {
  const { out, back, part, near, far } = r;
  const hops = lines[0]?.length ?? 0;
  const unused = lines.map(() => 0);
  const stages: Stage[] = [];
  const stage = (
    from: number,
    delay: number,
    inside: readonly [number, number],
    held = 0,
    between = unused,
  ): number => {
    const load = [...inside, ...between];
    return stages.push({ from, delay, load, least: Math.max(...load, held) }) - 1;
  };
  let last = -1;
  if (r.reduces) {
    last = stage(last, 0, [out, 0], r.sending);
    last = stage(last, near, [0, out * part]);
  }
  // Of the two trees' channels one half is handed out by who passes it on to the last node, while the other is on its way there.
  const half = hops > 0 ? 1 / 2 : 1;
  for (let hop = 0; hop < hops; hop++) {
    const passes = hop === hops - 1;
    const between = lines.map((busy) => busy[hop]!);
    last = stage(last, hop === 0 ? near : far, [passes ? back * part * half : 0, 0], 0, between);
    if (passes) stage(last, near, [0, back * half]);
  }
  if (r.hands) {
    const delay = hops > 0 ? far : r.reduces ? near : 0;
    last = stage(last, delay, [back * part * half, 0], r.threads);
    stage(last, near, [0, back * half]);
  }
  return stages;
}

/** When `count` rounds are through the stages, µs; `key` tells one kind of rounds from the others. */
function through(g: CollectiveGround, s: Speeds, key: string, count: number, stages: () => Stage[]): number {
  // One that is no whole round is like no other.
  return count === 1 ? throughStages(stages(), 1) : roundsFor(g, s, key, stages).end(count);
}

/** One NVLink domain, reduced in its switches. µs. */
export function nvlsTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const used = Math.min(bytes, l.nChannels * headsOf(g) * l.chunkBytes);
  const r = roundOf(g, s, coll, l, used);
  const key = `${coll} ${l.nChannels} ${l.chunkBytes}`;
  return startOf(s, l) + through(g, s, key, bytes / used, () => stagesOf(r)) + r.near;
}

/** Reduced in the switches of each node, then by trees between nodes, one for each head. µs. */
export function nvlsTreeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const used = Math.min(bytes, l.nChannels * headsOf(g) * l.chunkBytes);
  const r = roundOf(g, s, 'AllReduce', l, used);
  const key = `tree ${l.nChannels} ${l.chunkBytes}`;
  return startOf(s, l) + through(g, s, key, bytes / used, () => stagesOf(r, r.lines)) + r.near;
}
