import type { HopKind } from '../../collective/clock/wires.ts';
import { atOnce, channelsOf } from '../../collective/p2p.ts';
import { bufferSlots } from '../../collective/share.ts';
import { p2pChunk } from '../../collective/ways.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import type { Protocol } from '../../nccl/tuning/model.ts';
import type { CollectiveGround } from './ground.ts';
import { exchangeWeights, latencyOf, micros, wireFactor } from './hop.ts';
import { besides, busyOn, none } from './laid.ts';
import type { Speeds } from './speeds.ts';

/** Collectives that NCCL makes of sends and receives. */
export type Exchange = 'alltoall' | 'sendrecv' | 'gather' | 'scatter';

/** GB/s of payload that the threads of a channel send, and as much that they receive. */
export const exchangeRate = (s: Speeds, protocol: Protocol): number =>
  protocol === 'LL' ? Math.min(s.gpu.channel.LL, s.gpu.exchangeChannel) : s.gpu.exchangeChannel;

/** Threads that send a chunk fence it, post it, and see that the next has a slot: a hop of LL each. */
const chunkHops = 3;

/**
 * The same of one part of a message, which has less where it is alone on its channel: its threads move nothing while they fence and post
 * (what comes after the last fence is the way to the receiver), and over a network a connection has no more chunks on their way than its
 * buffer has slots.
 */
export function messageRate(c: Communicator, s: Speeds, protocol: Protocol, part: number): Record<HopKind, number> {
  const rate = exchangeRate(s, protocol);
  if (protocol === 'LL') return { nvlink: rate, pci: rate, shm: rate, net: rate };
  const chunk = p2pChunk(c);
  const chunks = Math.ceil(part / chunk);
  const near = part / (part / rate + 1000 * (chunkHops * chunks - 2) * s.gpu.hop);
  return { nvlink: near, pci: near, shm: near, net: Math.min(rate, (bufferSlots * chunk) / (1000 * s.net.round)) };
}

/** Bytes to each peer. */
const partOf = (g: CollectiveGround, kind: Exchange, bytes: number): number =>
  kind === 'sendrecv' ? bytes : bytes / g.ranks;

/** A message goes by LL where each of its channels has little to send. */
const protocolOf = (g: CollectiveGround, each: number, parts: number): 'LL' | 'Simple' =>
  each <= parts * g.made.p2p.llBytes ? 'LL' : 'Simple';

/** How NCCL carries the messages of an exchange out. */
export function exchangePlan(g: CollectiveGround, kind: Exchange, bytes: number) {
  const each = partOf(g, kind, bytes);
  const parts = channelsOf(each, g.made.p2p.channels, g.exchange.ways);
  return { protocol: protocolOf(g, each, parts), channels: g.made.p2p.channels } as const;
}

/** Until the first word is sent, µs: every message of the busiest rank is set up. */
export function exchangeStart(g: CollectiveGround, s: Speeds, kind: Exchange): number {
  const messages = kind === 'sendrecv' ? 1 : g.ranks - 1;
  return s.gpu.start + (messages * s.gpu.hop) / 2;
}

/** From the last byte sent until it is there, µs; what came last has still to be copied out of the buffer, but for LL. */
export function exchangeHops(c: Communicator, s: Speeds, protocol: Protocol, part: number): Record<HopKind, number> {
  const rate = exchangeRate(s, protocol);
  const chunk = Math.min(part, p2pChunk(c));
  const out = protocol === 'LL' ? 0 : micros(chunk, rate);
  const hop = (kind: HopKind): number =>
    kind === 'net' ? latencyOf(s, protocol, kind, chunk, { rate }) : latencyOf(s, 'LL', kind, chunk) + out;
  return { nvlink: hop('nvlink'), pci: hop('pci'), shm: hop('shm'), net: hop('net') };
}

/** µs of one call; `bytes` as nccl-tests counts them: the whole vector of a rank. */
export function exchangeTime(g: CollectiveGround, s: Speeds, kind: Exchange, bytes: number): number {
  const each = partOf(g, kind, bytes);
  const parts = channelsOf(each, g.made.p2p.channels, g.exchange.ways);
  const protocol = protocolOf(g, each, parts);
  const traffic = g.exchange.of(kind, parts);
  const part = each / parts;
  const channel = micros(traffic.most * part, exchangeRate(s, protocol));
  // Messages that a channel works on at once have threads of their own; those that come after take their turn there.
  const alone = messageRate(g.made, s, protocol, part);
  const inTurn = Math.ceil(traffic.most / atOnce);
  const threads = (way: HopKind): number => Math.max(channel, micros(inTurn * part, alone[way]));
  const weight = exchangeWeights(s, kind === 'sendrecv');
  const hops = exchangeHops(g.made, s, protocol, part);
  const onWire = each * wireFactor[protocol];
  const lasting = none();
  for (const way of traffic.kinds)
    lasting[way] = Math.max(threads(way) / onWire, busyOn(traffic, weight, g.relief, way));
  let longest = 0;
  // Messages go side by side: each kind of way takes its own hop, and waits for the most crowded of its wires.
  for (const way of traffic.kinds) {
    const busy = Math.max(threads(way), besides(traffic, weight, g.relief, way, lasting) * onWire);
    const hop = hops[way];
    longest = Math.max(longest, hop + Math.max(busy, inSlots(g, part, busy, hop)));
  }
  return exchangeStart(g, s, kind) + longest;
}

/** A connection has so many slots, each of which is free again when its chunk has arrived: far away that takes longer than to send. */
function inSlots({ made }: CollectiveGround, part: number, busy: number, hop: number): number {
  const chunks = Math.ceil(part / p2pChunk(made));
  const turns = Math.floor((chunks - 1) / bufferSlots);
  const one = busy / chunks;
  return turns * (hop + one) + (chunks - turns * bufferSlots) * one;
}
