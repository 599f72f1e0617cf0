import { collective } from '../../catalogue/collective.ts';
import type { Transport } from '../../machine/machine.ts';
import { atLeast } from '../../nccl/release.ts';
import type { CollectiveGround } from './ground.ts';
import type { GpuSpeeds, NetSpeeds, Speeds } from './speeds.ts';

/** The catalogue's figures for a machine. */
export function speedsFor(g: CollectiveGround): Speeds {
  const { nvls, shm, exchange } = collective;
  return {
    gpu: gpuSpeeds(g.sm),
    net: netSpeeds(g.machine.fabric.transport?.value),
    startLl128: collective.startLl128.value,
    startSimple: collective.startSimple.value,
    startChannel: atLeast(g.made.release, '2.12.7') ? 0 : collective.startChannel.value,
    nvlsShare: (g.sm >= 100 ? nvls.blackwell : nvls.hopper).value,
    shmOne: shm.one.value,
    shmBoth: shm.both.value,
    copyShare: collective.copyShare.value,
    slowHop: collective.slowHop.value,
    sliceHops: collective.sliceHops.value,
    blockHops: collective.blockHops.value,
    exchangeMessage: exchange.message.value,
    exchangeShare: exchange.share.value,
    exchangeShm: exchange.shm.value,
  };
}

function gpuSpeeds(sm: number): GpuSpeeds {
  const f =
    sm >= 100 ? collective.blackwell : sm >= 90 ? collective.hopper : sm >= 80 ? collective.ampere : collective.volta;
  const { threads, copy } = collective;
  const simple = f.threads.value;
  return {
    start: f.start.value,
    hop: f.hop.value,
    channel: { LL: threads.ll.value * simple, LL128: threads.ll128.value * simple, Simple: simple },
    nvlinkShare: f.nvlinkShare.value,
    localCopy: copy.value * f.memory.value,
    dividedChannel: threads.divided.value * simple,
  };
}

function netSpeeds(transport: Transport | undefined): NetSpeeds {
  const { ll, slices, share } = collective.net;
  const own = ownFigures(transport);
  const times = own?.hop.value ?? 1;
  return {
    hop: { LL: ll.value * times, LL128: slices.value * times, Simple: slices.value * times },
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
