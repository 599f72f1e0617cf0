import { calibration } from '../../catalogue/calibration.ts';
import { collective } from '../../catalogue/collective.ts';
import { pcieBytesPerSecond } from '../../catalogue/pcie.ts';
import { type GpuLimits, rootPort } from '../../collective/clock/limit-links.ts';
import type { Wires } from '../../collective/clock/wires.ts';
import type { Machine } from '../../machine/machine.ts';
import { gpusOf } from '../../machine/names.ts';
import { redirects } from '../../move/ends.ts';
import { isRdma, kernelWire, peerReadRate, rdmaShare, rootShare } from '../../move/wires.ts';
import type { NodeGraphs } from '../../nccl/communicator.ts';
import { checkGdr } from '../../nccl/decide/gdr.ts';
import { interCpuGBps } from '../../nccl/rates/cpu.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import { pcieGBps } from '../../nccl/rates/pcie.ts';
import type { Release } from '../../nccl/release.ts';
import type { LinkType, TopoNode } from '../../nccl/system/node.ts';
import { cpuPart, socketRate } from '../../physics/link-rate.ts';
import { pciePayloadRate, pciePayloadShare, usualMaxPayload } from '../../physics/pcie.ts';
import type { CollectiveGround } from './ground.ts';

/** Raw peak of one NVLink, one direction, by compute capability: GB/s. */
export function linkPeak(sm: number): number {
  if (sm >= 100) return 50;
  if (sm === 86) return 14.0625;
  if (sm >= 70) return 25;
  return 20;
}

/** NCCL counts sixteen lanes of Gen5 as 48 GB/s, and other links alike; raw they are 63. */
const rawPcie = pcieBytesPerSecond('gen5', 16) / 48e9;

/**
 * What PCIe links carry of payload, in the rate that NCCL counts with; by the fastest generation in a node, which an old release may
 * take for Gen3.
 */
function pciePayload(machine: Machine, release: Release): number {
  let most = 0;
  let share = rawPcie * pciePayloadShare(usualMaxPayload(4));
  for (const { devices } of machine.hosts[0]!.cpus) {
    for (const { link } of devices) {
      const payload = pciePayloadRate(link) ?? 0;
      if (payload <= most) continue;
      most = payload;
      share = payload / 1e9 / pcieGBps(link.speed, link.width, release);
    }
  }
  return share;
}

/** The same of the links between sockets, whose bytes NCCL counts far below their wires. */
function socketLinks(machine: Machine, release: Release): number {
  const cpu = machine.hosts[0]!.cpus[0];
  const rate = cpu && socketRate(cpu);
  return rate ? Math.max(1, rate / 1e9 / interCpuGBps(cpu, release)) : 1;
}

const stagedShare = collective.stagedShare.value;

/** GB/s of payload that a port takes one way. */
export function line(machine: Machine, net: TopoNode): number {
  const network = machine.fabric.rateMbps ? machine.fabric.rateMbps.value / 8000 : Number.POSITIVE_INFINITY;
  const ports = net.net!.port.joined ?? 1;
  return Math.min(net.net!.bw, network * ports) * (isRdma(machine.fabric.transport?.value) ? rdmaShare(machine) : 0.95);
}

/** What a link carries, in the rate that NCCL counts with. */
export function linkShares(
  { sm, made, netTotal, machine }: Pick<CollectiveGround, 'sm' | 'made' | 'netTotal' | 'machine'>,
  { links, type }: Wires,
): Partial<Record<LinkType, number>> {
  const ports = links.filter((l, i) => type[i] === 'NET' && l.name.startsWith('node0 ') && l.name.includes('→ NET'));
  const counted = ports.reduce((sum, l) => sum + l.rate, 0);
  return {
    NVL: linkPeak(sm) / nvlinkGBps(sm, made.release),
    PCI: pciePayload(machine, made.release),
    SYS: socketLinks(machine, made.release),
    ...(counted > 0 ? { NET: (netTotal * 1e9) / counted } : {}),
  };
}

/** What holds the GPUs of a machine beyond its links, in NCCL's GB/s. */
export const gpuLimits = (machine: Machine, release: Release): GpuLimits => ({
  staged: (domain, gpu, net, send) => {
    // Where a GPU hangs on its CPU by C2C it reaches host memory so, however slow the NIC's link is.
    const up = domain.ground.paths.links(gpu, net).find((l) => l.type === 'PCI' || l.type === 'C2C');
    if (!up || !isStaged(machine, release, domain, gpu, net, send)) return undefined;
    return (up.bw * stagedShare) / (up.type === 'C2C' ? pciePayload(machine, release) : 1);
  },
  shared: sharedMost(machine, release),
  read: readMost(machine, release),
  peers: ({ ground: { paths } }, gpu) => {
    const up = rootPort(paths, gpu);
    if (!up) return undefined;
    // Shares of what arrives.
    const most = up.bw / collective.net.share.value;
    return { root: most * rootShare(machine.hosts[0]!.cpus[0]), socket: most * calibration.socketPeer.value };
  },
  kernel: kernelMost(machine, release),
  redirects: redirects(machine),
});

/** What arrives of the memory of a Volta GPU, whose answers to NICs are slower than its link. */
function readMost(machine: Machine, release: Release): number | undefined {
  const most = Math.min(...gpusOf(machine.hosts[0]!).map(peerReadRate)) / 1e9;
  return Number.isFinite(most) ? most / collective.net.share.value / pciePayload(machine, release) : undefined;
}

/**
 * What one core passes through the kernel. The proxy of a rank sends and receives for all its channels, with more threads only where
 * NCCL_SOCKET_NTHREADS says so.
 */
function kernelMost(machine: Machine, release: Release): number | undefined {
  if (!overSockets(machine)) return undefined;
  const { perByte } = kernelWire(machine, machine.fabric.transport?.value === 'tcp' ? 'tcp' : 'ipoib-connected');
  const { share, sockets } = { share: collective.net.share.value, sockets: collective.net.sockets.share.value };
  return socketThreads(machine) / perByte / 1e9 / (share * sockets) / pciePayload(machine, release);
}

function socketThreads({ software }: Machine): number {
  const told = Number(software.env.get('NCCL_SOCKET_NTHREADS')?.value ?? 1);
  return Number.isInteger(told) && told >= 1 && told <= 16 ? told : 1;
}

/** What the slowest kind of CPU lets GPUs that meet in its memory have, where it is known to hold them below their links. */
function sharedMost(machine: Machine, release: Release): number | undefined {
  const known = machine.hosts.flatMap((h) => h.cpus.flatMap((c) => cpuPart(c)?.gpusInMemory?.value ?? []));
  if (known.length === 0) return undefined;
  // Messages that go both ways weigh what the share for both makes them weigh.
  return (2 * Math.min(...known)) / collective.shm.both.value / pciePayload(machine, release);
}

const overSockets = ({ fabric: { transport } }: Machine): boolean =>
  transport?.value === 'tcp' || transport?.value === 'ipoib';

/** Told to be off, or refused by NCCL for a reason other than that no input tells whether it is possible. */
function isStaged(
  machine: Machine,
  release: Release,
  domain: NodeGraphs,
  gpu: TopoNode,
  net: TopoNode,
  send: boolean,
): boolean {
  const transport = machine.fabric.transport?.value;
  if (overSockets(machine)) return false;
  const told = machine.software.gdr?.value;
  if (told === false) return true;
  // A log or a topology file that says of one of the two that it cannot.
  const cannot = net.net!.port.gdr === false || gpu.gpu!.gpu.gdr === false;
  if (cannot && isRdma(transport)) return true;
  // A description that says nothing of it leaves the way to the NIC open.
  if (told === undefined && machine.hosts[0]!.system === undefined) return false;
  const { paths, settings } = domain.ground;
  const { mode, rule } = checkGdr(paths, gpu, net, send, release, settings);
  return mode === 'Disabled' && rule !== 'nic-cannot' && rule !== 'gpu-cannot';
}
