import type { Collective } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { type Launch, meet, micros } from './hop.ts';
import type { Speeds } from './speeds.ts';

/** A round moves one chunk of every channel to and from every head. */
interface Round {
  readonly time: number;
  readonly count: number;
  /** Bytes of one chunk. */
  readonly chunk: number;
  readonly heads: number;
}

function roundOf(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): Round {
  const heads = g.made.facts.nvls?.nChannels ?? 1;
  const used = Math.min(bytes, l.nChannels * heads * l.chunkBytes);
  const chunk = used / (l.nChannels * heads);
  const { perNode } = g;
  // The switch reads every rank's part and writes every result: all bytes once each way; a gather spares a rank's own.
  const crossing = coll === 'AllReduce' ? used : (used * (perNode - 1)) / perNode;
  const wire = micros(crossing, g.nvlink * s.gpu.nvlsShare);
  return { time: meet(s.gpu.round + micros(chunk, s.gpu.nvlsChannel), wire), count: bytes / used, chunk, heads };
}

/** One NVLink domain, reduced in its switches. µs. */
export function nvlsTime(g: CollectiveGround, s: Speeds, coll: Collective, l: Launch, bytes: number): number {
  const r = roundOf(g, s, coll, l, bytes);
  return s.gpu.start + s.gpu.startSimple + (r.count + s.fillRounds) * r.time;
}

/** Reduced in the switches of each node, then by trees between nodes, one for each head. µs. */
export function nvlsTreeTime(g: CollectiveGround, s: Speeds, l: Launch, bytes: number): number {
  const r = roundOf(g, s, 'AllReduce', l, bytes);
  // Inside a binary tree a node sends up once and down twice, at its edge up once; half of the channels swap the parts.
  const passes = g.nodes === 2 ? 1 : 2;
  const pass = micros(r.chunk * l.nChannels * r.heads, g.headsTotal * s.net.share);
  const hops = 2 * Math.floor(Math.log2(g.nodes)) * (s.net.hop.Simple + pass);
  const more = Math.max(0, r.count - 1) * Math.max(r.time, passes * pass);
  return s.gpu.start + s.gpu.startSimple + s.fillRounds * r.time + hops + more;
}
