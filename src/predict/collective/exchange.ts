import type { CollectiveGround } from './ground.ts';
import { inside, type Launch, meet, micros, shareOf } from './hop.ts';
import type { Speeds } from './speeds.ts';

/** Collectives that NCCL makes of sends and receives. */
export type Exchange = 'alltoall' | 'sendrecv' | 'gather' | 'scatter';

/** Sends of up to this much go by LL (NCCL_P2P_LL_THRESHOLD). */
export const llBytes = 16384;

/** The two limits of an exchange, µs: what threads move, and what wires carry. */
interface Limits {
  readonly threads: number;
  readonly wires: number;
}

/** Bytes to each peer. */
const partOf = (g: CollectiveGround, kind: Exchange, bytes: number): number =>
  kind === 'sendrecv' ? bytes : bytes / g.ranks;

export function exchangeLimits(g: CollectiveGround, s: Speeds, kind: Exchange, bytes: number): Limits {
  const { perNode, ranks } = g;
  const each = partOf(g, kind, bytes);
  const near = kind === 'sendrecv' ? (perNode > 1 ? 1 : 0) : perNode - 1;
  const far = kind === 'sendrecv' ? (g.nodes > 1 ? 1 : 0) : ranks - g.leastPerNode;
  const wire = micros(near * each, g.ring.intra * shareOf(s, { ...g.ring, duplex: false }) * s.exchangeShare);
  // Ranks of a node share its NICs; of a ring of pairs only one rank leaves, of a root all data passes one NIC.
  const users = kind === 'alltoall' ? perNode : 1;
  // One message goes by one NIC.
  const out = kind === 'alltoall' ? Math.min(g.netTotal, g.staged.all) : Math.min(g.oneNic, g.ring.inter, g.staged.one);
  const line = far > 0 ? micros(far * users * each, out * s.net.share) : 0;
  // A rank's own part is copied by the same threads that send the others.
  const threads = micros(kind === 'sendrecv' ? each : bytes, s.gpu.exchangeChannel * g.made.collChannels);
  return { threads, wires: Math.max(wire, line) };
}

/** µs of one call; `bytes` as nccl-tests counts them: the whole vector of a rank. */
export function exchangeTime(g: CollectiveGround, s: Speeds, kind: Exchange, bytes: number): number {
  const each = partOf(g, kind, bytes);
  const ll = each <= llBytes;
  const l: Launch = { algorithm: 'Ring', protocol: ll ? 'LL' : 'Simple', nChannels: 1, chunkBytes: each };
  const far = kind === 'sendrecv' ? g.nodes > 1 : g.ranks > g.leastPerNode;
  const near = g.perNode > 1;
  const { threads, wires } = exchangeLimits(g, s, kind, bytes);
  const hop = near ? inside(s, g.ring, { ...l, protocol: 'LL' }, ll ? each : 0, 1).latency : 0;
  const start = s.gpu.start + s.exchangeStart[l.protocol] + (far ? s.net.hop[l.protocol] : 0);
  return start + hop + meet(threads, wires);
}
