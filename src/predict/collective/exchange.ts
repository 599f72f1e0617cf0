import type { HopKind } from '../../collective/clock/wires.ts';
import { channelsOf } from '../../collective/direct.ts';
import { bufferSlots } from '../../collective/share.ts';
import { p2pWays } from '../../collective/ways.ts';
import type { Protocol } from '../../nccl/tuning/model.ts';
import { type Weights, wireWeights } from './exchange-wires.ts';
import type { CollectiveGround } from './ground.ts';
import { micros, wireFactor } from './hop.ts';
import type { Traffic } from './laid.ts';
import type { Speeds } from './speeds.ts';

/** Collectives that NCCL makes of sends and receives. */
export type Exchange = 'alltoall' | 'sendrecv' | 'gather' | 'scatter';

/** Sends of up to this much go by LL (NCCL_P2P_LL_THRESHOLD). */
export const llBytes = 16384;

/** GB/s of payload that the threads of a channel send, and as much that they receive. */
export const exchangeRate = (s: Speeds, protocol: Protocol): number =>
  protocol === 'LL' ? Math.min(s.gpu.channel.LL, s.gpu.exchangeChannel) : s.gpu.exchangeChannel;

/** µs of one call; `bytes` as nccl-tests counts them: the whole vector of a rank. */
export function exchangeTime(g: CollectiveGround, s: Speeds, kind: Exchange, bytes: number): number {
  const { p2p } = g.made;
  const each = kind === 'sendrecv' ? bytes : bytes / g.ranks;
  const protocol = each <= llBytes ? 'LL' : 'Simple';
  const parts = channelsOf(each, p2p.channels, p2pWays(g.made));
  const traffic = g.exchange.loads.of(kind, parts);
  // Messages take channels in turn, a rank's own part among them: one channel may have one more than others.
  const messages = kind === 'sendrecv' ? 1 : g.ranks;
  const most = Math.ceil((messages * parts) / p2p.channels);
  const threads = micros((most * each) / parts, exchangeRate(s, protocol));
  const weight = wireWeights(s);
  let longest = 0;
  // Messages go side by side: each kind of way takes its own hop, and waits for the most crowded of its wires.
  for (const way of traffic.kinds) {
    const wires = busyOn(g, weight, traffic, way) * each * wireFactor[protocol];
    const busy = Math.max(threads, wires);
    const hop = way === 'net' ? s.net.hop[protocol] : s.gpu.hop * (way === 'nvlink' ? 1 : s.slowHop);
    longest = Math.max(longest, hop + Math.max(busy, inSlots(g, each / parts, busy, hop)));
  }
  return s.gpu.start + s.exchangeStart[protocol] + longest;
}

/** For how long the most crowded wire of a way is busy with one byte to every peer, µs. */
function busyOn({ exchange }: CollectiveGround, weight: Weights, { loads }: Traffic, way: HopKind): number {
  let most = 0;
  for (const load of loads) {
    if (load[way] === 0) continue;
    const inside = load.nvlink * weight.nvlink + load.pci * weight.pci + load.shm * weight.shm;
    most = Math.max(most, inside / exchange.inside + (load.net * weight.net) / exchange.outside);
  }
  return most;
}

/** A connection has so many slots, each of which is free again when its chunk has arrived: far away that takes longer than to send. */
function inSlots({ made }: CollectiveGround, part: number, busy: number, hop: number): number {
  const slot = made.launch.bufferBytes.Simple / bufferSlots;
  const chunks = Math.ceil(part / Math.min(made.p2p.chunkBytes, slot));
  const turns = Math.floor((chunks - 1) / bufferSlots);
  const one = busy / chunks;
  return turns * (hop + one) + (chunks - turns * bufferSlots) * one;
}
