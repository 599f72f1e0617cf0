import { collective } from '../../catalogue/collective.ts';
import type { HostMemory, Wires } from '../../collective/clock/wires.ts';
import type { Machine } from '../../machine/machine.ts';
import { isRdma, rdmaShare } from '../../move/wires.ts';
import type { NodeGraphs } from '../../nccl/communicator.ts';
import { checkGdr } from '../../nccl/decide/gdr.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import type { Release } from '../../nccl/release.ts';
import type { LinkType, TopoNode } from '../../nccl/system/node.ts';
import type { CollectiveGround } from './ground.ts';

/** Raw peak of one NVLink, one direction, by compute capability: GB/s. */
export function linkPeak(sm: number): number {
  if (sm >= 100) return 50;
  if (sm === 86) return 14.0625;
  if (sm >= 70) return 25;
  return 20;
}

/** NCCL counts a PCIe link a little below what it carries. */
export const pciePayload = 1.07;
const stagedShare = collective.stagedShare.value;

/** GB/s of payload that a port takes one way. */
export function line(machine: Machine, net: TopoNode): number {
  const network = machine.fabric.rateMbps ? machine.fabric.rateMbps.value / 8000 : Number.POSITIVE_INFINITY;
  const rails = machine.fabric.transport?.value === 'efa' ? Math.max(1, Math.round(net.net!.bw / network)) : 1;
  return Math.min(net.net!.bw, network * rails) * (isRdma(machine.fabric.transport?.value) ? rdmaShare(machine) : 0.95);
}

/** What a link carries, in the rate that NCCL counts with. */
export function linkShares(
  { sm, made, netTotal }: Pick<CollectiveGround, 'sm' | 'made' | 'netTotal'>,
  { links, type }: Wires,
): Partial<Record<LinkType, number>> {
  const ports = links.filter((l, i) => type[i] === 'NET' && l.name.startsWith('node0 ') && l.name.includes('→ NET'));
  const counted = ports.reduce((sum, l) => sum + l.rate, 0);
  return {
    NVL: linkPeak(sm) / nvlinkGBps(sm, made.release),
    PCI: pciePayload,
    ...(counted > 0 ? { NET: (netTotal * 1e9) / counted } : {}),
  };
}

/** What a GPU's way to host memory leaves to messages that are staged there, in NCCL's GB/s. */
export const hostMemory = (machine: Machine, release: Release): HostMemory => ({
  staged: (domain, gpu, net, send) => {
    const up = domain.ground.paths.links(gpu, net).find((l) => l.type === 'PCI');
    return up && isStaged(machine, release, domain, gpu, net, send) ? up.bw * stagedShare : undefined;
  },
  // Messages that go both ways weigh what the share for both makes them weigh.
  shared: (2 * collective.shm.most.value) / collective.shm.both.value / pciePayload,
});

/** Told to be off, or refused by NCCL for a reason other than that no input tells whether it is possible. */
function isStaged(
  machine: Machine,
  release: Release,
  domain: NodeGraphs,
  gpu: TopoNode,
  net: TopoNode,
  send: boolean,
): boolean {
  const told = machine.software.gdr?.value;
  if (told === false) return true;
  // A log or a topology file that says of one of the two that it cannot; sockets never could, and their own figures hold it.
  const cannot = net.net!.port.gdr === false || gpu.gpu!.gpu.gdr === false;
  if (cannot && isRdma(machine.fabric.transport?.value)) return true;
  // A description that says nothing of it leaves the way to the NIC open.
  if (told === undefined && machine.hosts[0]!.system === undefined) return false;
  const { paths, settings } = domain.ground;
  const { mode, rule } = checkGdr(paths, gpu, net, send, release, settings);
  return mode === 'Disabled' && rule !== 'nic-cannot' && rule !== 'gpu-cannot';
}
