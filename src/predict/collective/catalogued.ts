import { collective } from '../../catalogue/collective.ts';
import type { Transport } from '../../machine/machine.ts';
import { atLeast } from '../../nccl/release.ts';
import type { CollectiveGround } from './ground.ts';
import type { GpuSpeeds, NetSpeeds, Speeds } from './speeds.ts';

/** The catalogue's figures for a machine. */
export function speedsFor(g: CollectiveGround): Speeds {
  const early = !atLeast(g.made.release, '2.12.7');
  return {
    gpu: gpuSpeeds(g.sm),
    net: netSpeeds(g.machine.fabric.transport?.value),
    fillRounds: collective.nvls.fillRounds.value,
    startChannel: early ? collective.startChannel.value : 0,
    shmOne: collective.shmOne.value,
    shmBoth: collective.shmBoth.value,
    shmBothMost: collective.shmBothMost.value,
    copyShare: collective.copyShare.value,
    slowHop: collective.slowHop.value,
    exchangeShare: collective.exchange.share.value,
    exchangeMessage: collective.exchange.message.value,
    exchangeShm: collective.exchange.shm.value,
    exchangeStart: {
      LL: collective.exchange.startLl.value,
      LL128: collective.exchange.startLl.value,
      Simple: collective.exchange.startSimple.value,
    },
  };
}

function gpuSpeeds(sm: number): GpuSpeeds {
  const f =
    sm >= 100 ? collective.blackwell : sm >= 90 ? collective.hopper : sm >= 80 ? collective.ampere : collective.volta;
  const nvls = sm >= 100 ? collective.nvls.blackwell : collective.nvls.hopper;
  return {
    start: f.start.value,
    startLl128: f.startLl128.value,
    startSimple: f.startSimple.value,
    hop: f.hop.value,
    slice: f.slice.value,
    channel: { LL: f.channelLl.value, LL128: f.channelLl128.value, Simple: f.channelSimple.value },
    nvlinkShare: f.nvlinkShare.value,
    nvlsShare: nvls.share.value,
    localCopy: f.localCopy.value,
    round: nvls.round.value,
    nvlsChannel: nvls.channel.value,
    exchangeChannel: f.exchangeChannel.value,
  };
}

function netSpeeds(transport: Transport | undefined): NetSpeeds {
  const { ll, ll128, simple, share } = collective.net;
  const own = ownFigures(transport);
  const times = own?.hop.value ?? 1;
  return {
    hop: { LL: ll.value * times, LL128: ll128.value * times, Simple: simple.value * times },
    share: share.value * (own?.share.value ?? 1),
  };
}

function ownFigures(transport: Transport | undefined) {
  const { efa, tcpx, tcpxo, slingshot, sockets } = collective.net;
  switch (transport) {
    case 'efa':
      return efa;
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
