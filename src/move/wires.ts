import { bytes } from '../base/units.ts';
import { calibration } from '../catalogue/calibration.ts';
import { cloudNetworks } from '../catalogue/cloud-networks.ts';
import { collective } from '../catalogue/collective.ts';
import type { Cpu, Gpu } from '../machine/host.ts';
import type { Machine, Transport } from '../machine/machine.ts';
import { deviceAt, type NamedDevice, type TreePath } from '../machine/names.ts';
import { type Leg, treeLeg } from '../physics/leg.ts';
import { portRate } from '../physics/link-rate.ts';
import { pciePayloadRate } from '../physics/pcie.ts';
import { type WireKind, wireCost } from '../wire/efficiency.ts';
import type { MoveEnd } from './ends.ts';
import { type SharedLink, treeLinks } from './links.ts';
import { packetMtu } from './packets.ts';

const large = bytes(1 << 20);
const fastest = Number.POSITIVE_INFINITY;

/** Payload bytes per second of a leg over PCIe; links whose rate no input tells do not narrow it. */
export function legRate(end: MoveEnd, leg: Leg): number {
  let rate = fastest;
  for (const link of leg.links) {
    if (link.kind === 'socket') {
      if (link.rate !== undefined) rate = Math.min(rate, link.rate);
      continue;
    }
    const device = deviceAt(end.host, link.owner);
    const payload = device ? pciePayloadRate(device.link) : undefined;
    if (payload !== undefined) rate = Math.min(rate, payload);
  }
  return rate;
}

/**
 * Traffic from device to device. A root complex, and the link between sockets, pass less of it than of their own: a share of
 * what the widest link on the way could bring them.
 */
export function peerRate(end: MoveEnd, a: TreePath, b: TreePath, limit = rootLimit(end, a, b)): number {
  if (!redirected(end, a, b)) return Math.min(legRate(end, treeLeg(end.host, a, b)), limit);
  const root = a.slice(0, 1);
  return Math.min(legRate(end, treeLeg(end.host, a, root)), legRate(end, treeLeg(end.host, root, b)), limit);
}

/** How fast a GPU lets other devices read its memory; writes to it, and reads of later GPUs, keep up with the link. */
export const peerReadRate = (gpu: Gpu | undefined): number =>
  gpu?.sm !== undefined && gpu.sm >= 70 && gpu.sm < 75 ? calibration.voltaPeerRead.value * 1e9 : fastest;

/** Would a switch pass it from device to device, did ACS not send it up to the root complex and down again? */
export const redirected = (end: MoveEnd, a: TreePath, b: TreePath): boolean =>
  end.acs && treeLeg(end.host, a, b).crosses === 'switch';

/** The wires of traffic from device to device. */
export const peerLinks = (end: MoveEnd, a: TreePath, b: TreePath): SharedLink[] =>
  redirected(end, a, b)
    ? [...treeLinks(end, a, a.slice(0, 1)), ...treeLinks(end, a.slice(0, 1), b)]
    : treeLinks(end, a, b);

/** What the host's own part of a way between two devices passes; unbounded where a switch passes it by itself. */
export function rootLimit(end: MoveEnd, a: TreePath, b: TreePath): number {
  const leg = treeLeg(end.host, a, b);
  if (leg.crosses === 'socket') return calibration.socketPeer.value * widest(end, leg);
  if (leg.crosses === 'host-bridge' || redirected(end, a, b)) return rootShare(end.host.cpus[a[0]!]) * widest(end, leg);
  return fastest;
}

export function widest(end: MoveEnd, leg: Leg): number {
  let most = 0;
  for (const link of leg.links) {
    const device = link.kind === 'pcie' ? deviceAt(end.host, link.owner) : undefined;
    most = Math.max(most, (device && pciePayloadRate(device.link)) ?? 0);
  }
  return most === 0 ? fastest : most;
}

/** Of a PCIe link, what a root complex passes from device to device. */
export const rootShare = (cpu: Cpu | undefined): number =>
  cpu?.vendor === 'Intel' ? calibration.rootPeerIntel.value : calibration.rootPeerOther.value;

/** Bytes per second between a device and memory of a NUMA node. */
export const memoryRate = (end: MoveEnd, device: NamedDevice, cpu: NamedDevice): number =>
  legRate(end, treeLeg(end.host, device.path, cpu.path));

/** The NUMA node a device hangs on. */
export const cpuOf = (end: MoveEnd, device: NamedDevice): NamedDevice =>
  end.devices.find((d) => d.kind === 'cpu' && d.path[0] === device.path[0])!;

const order: readonly Leg['crosses'][] = ['nothing', 'switch', 'host-bridge', 'socket'];

/** The NIC nearest to a device; the faster ones of equals; of several such, GPUs take turns as NCCL lets them. */
export function nearestNic(end: MoveEnd, device: NamedDevice): NamedDevice | undefined {
  const nics = equalNics(end, device);
  if (nics.length < 2 || device.kind !== 'gpu') return nics[0];
  const gpus = end.devices.filter((d) => d.kind === 'gpu' && equalNics(end, d)[0]?.id === nics[0]!.id);
  return nics[
    Math.max(
      0,
      gpus.findIndex((d) => d.id === device.id),
    ) % nics.length
  ];
}

/** The nearest and of these the fastest: none is better than another. */
function equalNics(end: MoveEnd, device: NamedDevice): NamedDevice[] {
  let best: { nics: NamedDevice[]; near: number; rate: number } | undefined;
  for (const nic of end.devices.filter((d) => d.kind === 'nic')) {
    const near = order.indexOf(treeLeg(end.host, device.path, nic.path).crosses);
    const port = deviceAt(end.host, nic.path)?.ports?.[nic.slot ?? 0];
    const rate = (port && portRate(port)) ?? 0;
    if (!best || near < best.near || (near === best.near && rate > best.rate)) best = { nics: [nic], near, rate };
    else if (near === best.near && rate === best.rate) best.nics.push(nic);
  }
  return best?.nics ?? [];
}

/** Bytes per second of the port, as its own speed and the network's rate allow. */
export function lineRate(machine: Machine, end: MoveEnd, nic: NamedDevice): number {
  const port = deviceAt(end.host, nic.path)?.ports?.[nic.slot ?? 0];
  const own = (port && portRate(port)) ?? fastest;
  const network = machine.fabric.rateMbps ? (machine.fabric.rateMbps.value * 1e6) / 8 : fastest;
  return Math.min(own, network);
}

/** Payload share of RDMA on a network, from the headers that travel. */
export function rdmaShare(machine: Machine): number {
  const share = (kind: WireKind): number =>
    wireCost(kind, large, { mtu: bytes(packetMtu(machine, kind)), operation: 'write' }).efficiency;
  switch (machine.fabric.transport?.value) {
    case 'slingshot':
      return calibration.slingshot.value;
    case 'efa':
      return cloudNetworks.efaShare.value;
    case 'tcpxo':
      return collective.net.tcpxo.share.value;
    case 'roce':
      return share('roce-v2');
    case 'iwarp':
      return share('iwarp');
    default:
      return share('infiniband');
  }
}

/** The kernel's ways over a network: packets of what size, and the share of payload in them. */
export function kernelWire(
  machine: Machine,
  kind: Extract<WireKind, 'tcp' | 'ipoib-datagram' | 'ipoib-connected'>,
): { readonly share: number; readonly packet: number; readonly perByte: number } {
  const mtu = packetMtu(machine, kind);
  const cost = wireCost(kind, large, {
    mtu: bytes(mtu),
    ...(kind === 'ipoib-connected' ? { ibMtu: bytes(4096) } : {}),
  });
  const perByte = 1 / (calibration.kernelByte.value * 1e9) + (calibration.kernelPacket.value * 1e-6) / mtu;
  return { share: cost.efficiency, packet: mtu, perByte };
}

export const isRdma = (t: Transport | undefined): boolean => t !== 'tcp' && t !== 'ipoib' && t !== 'tcpx';
