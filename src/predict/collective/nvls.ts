import { nvlsGrain } from '../../collective/nvls.ts';
import { bufferSlots } from '../../collective/share.ts';
import type { Collective } from '../../nccl/tuning/model.ts';
import type { NvlsLoads } from './collective-loads.ts';
import type { CollectiveGround } from './ground.ts';
import { type Launch, latencyOf, micros, startOf, streamed, switchWeights } from './hop.ts';
import { knownFor } from './known-for.ts';
import { busyOn, type Traffic } from './laid.ts';
import type { Speeds } from './speeds.ts';
import { Rounds, type Stage, throughStages } from './stages.ts';

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
  /** What a byte that every message has between nodes costs a round on the wires there. */
  readonly each: number;
}

function roundOf(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, used: number): Round {
  const heads = headsOf(g);
  const mean = used / (l.nChannels * heads);
  // NCCL gives each head whole grains while there are any: a little for all heads is more for some of them, but never more than a chunk.
  const grains = Math.ceil(mean / nvlsGrain) * nvlsGrain;
  const chunk = coll === 'AllReduce' ? Math.min(l.chunkBytes, mean * heads, grains) : mean;
  const [reduces, hands] = [coll !== 'AllGather', coll !== 'ReduceScatter'];
  const { spread, handed } = g.loads.nvls(l.nChannels, reduces, hands);
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
    each: (chunk * weights.net) / g.relief.outside,
  };
}

const headsOf = (g: CollectiveGround): number => g.made.facts.nvls?.nChannels ?? 1;

/**
 * All ranks send to the switches, these to the heads; over `lines` heads meet by trees; heads send to the switches, and these to all
 * ranks.
 */
function stagesOf(r: Round, lines: NvlsLoads['lines']): Stage[] {
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
    const between = lines.map((busy) => busy[hop]! * r.each);
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

/** Whole rounds: how they go, and one of them. */
interface Whole {
  readonly rounds: Rounds;
  readonly round: Round;
}

/**
 * Until the last round of `bytes` has come to all, µs; `key` tells one kind of rounds from the others. No more of them are on one hop than
 * its buffer has slots for: of many small ones some wait until those before them have arrived.
 */
function through(
  g: CollectiveGround,
  s: Speeds,
  coll: Collective,
  l: Launch,
  key: string,
  bytes: number,
  lines: NvlsLoads['lines'] = [],
): number {
  const all = l.nChannels * headsOf(g) * l.chunkBytes;
  if (bytes <= all) {
    const part = roundOf(g, s, coll, l, bytes);
    return throughStages(stagesOf(part, lines), 1) + part.near;
  }
  const { rounds, round } = knownFor(g, s, key, (): Whole => {
    const made = roundOf(g, s, coll, l, all);
    return { rounds: new Rounds(stagesOf(made, lines)), round: made };
  });
  const end = rounds.end(bytes / all);
  const { out, back, near, far } = round;
  const latency = lines.length > 0 ? far : near;
  if (bufferSlots * Math.max(out, back) >= latency) return end + near;
  return Math.max(end, rounds.end(1) + streamed(bytes / all - 1, out, latency)) + near;
}

/** One NVLink domain, reduced in its switches. µs. */
export function nvlsTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  return startOf(s, l) + through(g, s, coll, l, `nvls ${coll} ${l.nChannels} ${l.chunkBytes}`, bytes);
}

/** Reduced in the switches of each node, then by trees between nodes, one for each head. µs. */
export function nvlsTreeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const { lines } = g.loads.nvls(l.nChannels, true, true);
  return startOf(s, l) + through(g, s, 'AllReduce', l, `nvlstree ${l.nChannels} ${l.chunkBytes}`, bytes, lines);
}
