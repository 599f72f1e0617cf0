import type { NodeGraphs } from '../communicator.ts';
import { NVB, NVL } from '../path-type.ts';
import { localCpu, localNet } from '../paths/local.ts';
import { nvlinkGBps } from '../rates/nvlink.ts';
import { atLeast, channelLimit, type Release } from '../release.ts';
import { smOf } from '../search/flow.ts';
import { parseInteger } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';

/** How sends and receives use channels. */
export interface P2pPlan {
  readonly channels: number;
  /** Channels that one message may take. */
  readonly perPeer: number;
  /** Channels that a message takes however small: as many as leave one for each message of a rank. */
  readonly least: number;
  /** Bytes of a chunk, and of the largest message that goes by LL, on each channel. */
  readonly chunkBytes: number;
  /** The variable that sets a chunk here. */
  readonly chunkFrom: string;
  readonly llBytes: number;
}

const up = (n: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, n)));

/**
 * Channels of sends and receives (src/graph/paths.cc: ncclTopoComputeP2pChannels, src/enqueue.cc): as many as the slowest pair
 * can use, since all ranks use equally many.
 */
export function p2pPlan(
  domains: readonly NodeGraphs[],
  nodes: number,
  ranks: number,
  collChannels: number,
  env: ReadonlyMap<string, string>,
  release: Release,
): P2pPlan {
  const number = (name: string, fallback: number): number => parseInteger(env.get(name)) ?? fallback;
  const wanted = Math.max(
    number('NCCL_MIN_P2P_NCHANNELS', 1),
    Math.min(collChannels, number('NCCL_MAX_P2P_NCHANNELS', 64)),
  );
  const channels = Math.min(up(wanted), channelLimit(release));
  const told = number('NCCL_NCHANNELS_PER_NET_PEER', -1);
  const set = told > 0 && atLeast(release, '2.12.7') ? told : undefined;
  // Before 2.29.2: two, or one where two for each rank are more than four messages on every channel.
  const few = atLeast(release, '2.12.7') && 2 * ranks <= 4 * wanted ? 2 : 1;
  let perPeer = 64;
  let allNvlink = true;
  for (const d of domains) {
    const { GPU } = d.ground.paths.system.nodes;
    for (const a of GPU) {
      for (const b of GPU) {
        if (a === b) continue;
        const { type, bw } = d.ground.paths.view(b, a);
        if (type !== NVL) allNvlink = false;
        const links = Math.fround(bw / Math.fround(nvlinkGBps(smOf(a), release)));
        const linked = type === NVL || (type === NVB && atLeast(release, '2.30.7'));
        perPeer = Math.min(perPeer, linked ? 2 * Math.max(1, Math.floor(links)) : 2);
      }
      if (nodes > 1) perPeer = Math.min(perPeer, set ?? netChannels(d, a, release, few));
    }
  }
  perPeer = up(perPeer);
  if (nodes > 1 && set === undefined && atLeast(release, '2.29.2')) {
    const batches = Math.ceil(number('NCCL_P2P_MAX_PEERS', ranks) / 8);
    while (perPeer > 1 && perPeer * batches > channels) perPeer /= 2;
  } else perPeer = Math.min(perPeer, channels);
  let least = perPeer;
  while (least > 1 && least * ranks > channels) least /= 2;
  const [chunkFrom, standard] =
    nodes > 1
      ? ['NCCL_P2P_NET_CHUNKSIZE', 131072]
      : allNvlink
        ? ['NCCL_P2P_NVL_CHUNKSIZE', 524288]
        : ['NCCL_P2P_PCI_CHUNKSIZE', 131072];
  const chunkBytes = number(chunkFrom, standard);
  return { channels, perPeer, least, chunkBytes, chunkFrom, llBytes: number('NCCL_P2P_LL_THRESHOLD', 16384) };
}

/** GB/s that one channel brings to a network, as 2.29.2 and later reckon. */
export const netChannelGBps = 14;

/**
 * Channels that a GPU needs to fill the NICs near it: from 2.29.2 on by their rate, before that one for each of them if those are more
 * than the `few`, and before 2.20 these alone.
 */
function netChannels(d: NodeGraphs, gpu: TopoNode, release: Release, few: number): number {
  const { paths, settings } = d.ground;
  if (!atLeast(release, '2.20.3')) return few;
  const byRate = atLeast(release, '2.29.2');
  if (paths.local(gpu, 'NET').length === 0) return byRate ? 2 : few;
  const cpu = localCpu(paths, gpu, release);
  const most = cpu ? paths.bwOf(gpu, cpu) : Number.POSITIVE_INFINITY;
  let first: TopoNode | undefined;
  let count = 0;
  let bw = 0;
  for (; count < 64 && bw < most; count++) {
    const net = localNet(paths, gpu, count, release, settings);
    if (!net || net === first) break;
    first ??= net;
    bw += paths.bwOf(gpu, net);
  }
  return byRate ? Math.max(count, Math.ceil(Math.trunc(bw) / netChannelGBps)) : Math.max(count, few);
}
