import { collective } from '../../catalogue/collective.ts';
import { bufferSlots } from '../../collective/share.ts';
import type { Transport } from '../../machine/machine.ts';
import { atLeast } from '../../nccl/release.ts';
import { netChannelGBps } from '../../nccl/tuning/p2p.ts';
import type { CollectiveGround } from './ground.ts';
import { wireFactor } from './hop.ts';
import type { GpuSpeeds, NetSpeeds, Speeds } from './speeds.ts';

export type CollectiveFigures = typeof collective;

/** The catalogue's figures for a machine; others of the same kind where a fit tries them. */
export function speedsFor(g: CollectiveGround, figures: CollectiveFigures = collective): Speeds {
  const { nvls, shm } = figures;
  return {
    gpu: gpuSpeeds(g.sm, figures),
    net: netSpeeds(g, figures.net),
    startLl128: figures.startLl128.value,
    startChannel: atLeast(g.made.release, '2.12.7') ? 0 : figures.startChannel.value,
    nvlsShare: (g.sm >= 100 ? nvls.blackwell : nvls.hopper).value,
    shmOne: figures.net.share.value,
    shmBoth: shm.both.value,
    slowHop: figures.net.ll.value,
    sliceHops: figures.sliceHops.value,
    copyShare: figures.copyShare.value,
    exchangeShare: figures.exchangeShare.value,
  };
}

/**
 * Warps that move data: of twenty of a channel's ten send in an exchange, of which one only posts what the others have moved
 * (src/device/sendrecv.h); a ring has sixteen for what it receives and sends on.
 */
const sendingWarps = 9;
const ringWarps = 16;

/**
 * µs: NCCL counts 14 GB/s for a channel to a network (src/graph/paths.cc, 2.29.2), which sends chunks of 128 KiB and has as many as its
 * buffer has slots on their way.
 */
const netRound = (bufferSlots * 131072) / (1000 * netChannelGBps);

function gpuSpeeds(sm: number, figures: CollectiveFigures): GpuSpeeds {
  const f = sm >= 100 ? figures.blackwell : sm >= 90 ? figures.hopper : sm >= 80 ? figures.ampere : figures.volta;
  const { flagged, copy } = figures;
  const simple = f.threads.value;
  const flags = flagged.value * simple;
  return {
    start: f.start.value,
    hop: f.hop.value,
    channel: { LL: flags / wireFactor.LL, LL128: flags / wireFactor.LL128, Simple: simple },
    nvlinkShare: f.nvlinkShare.value,
    localCopy: copy.value * f.memory.value,
    dividedChannel: simple / 2,
    exchangeChannel: (simple * sendingWarps) / ringWarps,
  };
}

function netSpeeds(g: CollectiveGround, net: CollectiveFigures['net']): NetSpeeds {
  const { ll, slices, share } = net;
  const transport = g.machine.fabric.transport?.value;
  const own = ownFigures(transport, g.sm, net);
  const more = own?.hop.value ?? 0;
  // Through a plugin, and with the proxies of 2.8, lines take what slices do, however few nodes there are.
  const asSlices = own !== undefined || !atLeast(g.made.release, '2.12.7');
  return {
    hop: { LL: ll.value + more, Simple: slices.value + more },
    lines: asSlices ? 1 : linesOver(g.nodes),
    share: share.value * (own?.share.value ?? 1),
    round: netRound,
  };
}

/**
 * Ranks that step together wait for the slowest of their hops, and more nodes have a slower one. Half of it for two nodes and a quarter
 * for each doubling are chosen, not fitted; tables of two and of four nodes, and the published scaling of training over 8 to 64, agree with it.
 */
const linesOver = (nodes: number): number => Math.min(1, (1 + Math.log2(Math.max(2, nodes))) / 4);

function ownFigures(
  transport: Transport | undefined,
  sm: number,
  { efa, efaLater, tcpx, tcpxo, slingshot, sockets }: CollectiveFigures['net'],
) {
  switch (transport) {
    case 'efa':
      return sm < 90 ? efa : efaLater;
    case 'tcpx':
      return tcpx;
    case 'tcpxo':
      return tcpxo;
    case 'slingshot':
      return slingshot;
    case 'tcp':
    case 'ipoib':
      return sockets;
    default:
      return undefined;
  }
}
