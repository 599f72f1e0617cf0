import { calibration } from '../../catalogue/calibration.ts';
import { cloudNetworks } from '../../catalogue/cloud-networks.ts';
import { collective } from '../../catalogue/collective.ts';
import type { Machine, Transport } from '../../machine/machine.ts';
import { type Message, say } from '../../words/message.ts';
import type { Timing } from '../model.ts';
import { us } from './costs.ts';

/** Posting a work request and polling its completion. */
const postCpu = 0.5 * us;

const verbsTo = (gpuEnds: number): Timing => ({
  oneWay: (calibration.rdmaOneWay.value + gpuEnds * calibration.gpuEnd.value) * us,
  cycle: calibration.rdmaCycle.value * us,
  startRate: calibration.messageRate.value,
  cpuPerOperation: postCpu,
});

/** A network whose hop takes so many µs more than InfiniBand's, as collectives between GPUs over it were measured. */
const slower = (more: number): Timing => {
  const between = verbsTo(2);
  return { ...between, oneWay: between.oneWay + more * us, cycle: between.cycle + more * us };
};

/** How operations follow each other where a NIC moves memory by itself, of so many GPUs. */
export function nicTiming(machine: Machine, gpuEnds: number): Timing {
  const verbs = verbsTo(gpuEnds);
  switch (machine.fabric.transport?.value) {
    case 'efa': {
      const oneWay = cloudNetworks.efaOneWay.value * us;
      // A datagram is done when its acknowledgment is there, which takes as long as it did.
      return { ...verbs, oneWay, cycle: 2 * oneWay };
    }
    case 'slingshot':
      return { ...verbs, startRate: cloudNetworks.slingshotMessages.value };
    case 'tcpx':
      return { ...slower(collective.net.tcpx.hop.value), cpuPerOperation: 2 * us };
    case 'tcpxo':
      return slower(collective.net.tcpxo.hop.value);
    default:
      return verbs;
  }
}

/** What of a network is not public, and what stands for it. */
const open: Partial<Record<Transport, Message>> = {
  efa: say('move.note.efa'),
  slingshot: say('move.note.slingshot'),
  tcpx: say('move.note.tcpx'),
  tcpxo: say('move.note.tcpxo'),
};

export const notPublic = (machine: Machine): Message | undefined => {
  const transport = machine.fabric.transport?.value;
  return transport && open[transport];
};
