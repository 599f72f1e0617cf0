import { collective } from '../../catalogue/collective.ts';
import type { Transport } from '../../machine/machine.ts';
import { atLeast } from '../../nccl/release.ts';
import type { CollectiveGround } from './ground.ts';
import { wireFactor } from './hop.ts';
import type { GpuSpeeds, NetSpeeds, Speeds } from './speeds.ts';

export type CollectiveFigures = typeof collective;

/** The catalogue's figures for a machine; others of the same kind where a fit tries them. */
export function speedsFor(g: CollectiveGround, figures: CollectiveFigures = collective): Speeds {
  const { nvls, shm } = figures;
  return {
    gpu: gpuSpeeds(g.sm, figures),
    net: netSpeeds(g.machine.fabric.transport?.value, g.sm, figures.net),
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
  };
}

function netSpeeds(transport: Transport | undefined, sm: number, net: CollectiveFigures['net']): NetSpeeds {
  const { ll, slices, share } = net;
  const own = ownFigures(transport, sm, net);
  const more = own?.hop.value ?? 0;
  return {
    hop: { LL: ll.value + more, Simple: slices.value + more },
    share: share.value * (own?.share.value ?? 1),
  };
}

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
