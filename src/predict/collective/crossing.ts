import { collective } from '../../catalogue/collective.ts';
import type { HostMemory } from '../../collective/clock/wires.ts';
import type { Machine } from '../../machine/machine.ts';
import { isRdma, rdmaShare } from '../../move/wires.ts';
import { type Communicator, domainsOn, type NodeGraphs } from '../../nccl/communicator.ts';
import { checkGdr } from '../../nccl/decide/gdr.ts';
import { type Decision, type GpuPair, gpuPair } from '../../nccl/decide/pairs.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import type { Release } from '../../nccl/release.ts';
import type { Graph } from '../../nccl/search/graph.ts';
import type { TopoLink, TopoNode } from '../../nccl/system/node.ts';
import type { WireRates } from './ground.ts';
import type { Loads } from './loads.ts';

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

/** What tells which wires a hop crosses. */
export interface Wires {
  readonly machine: Machine;
  readonly decision: Decision;
  readonly gpus: ReadonlyMap<number, TopoNode>;
  readonly perHost: number;
  /** Pairs of GPUs that were asked about: hosts are alike. */
  readonly pairs: Map<number, GpuPair>;
  readonly sm: number;
  readonly release: Release;
}

/** GB/s of payload that a port takes one way. */
export function line(machine: Machine, net: TopoNode): number {
  const network = machine.fabric.rateMbps ? machine.fabric.rateMbps.value / 8000 : Number.POSITIVE_INFINITY;
  const rails = machine.fabric.transport?.value === 'efa' ? Math.max(1, Math.round(net.net!.bw / network)) : 1;
  return Math.min(net.net!.bw, network * rails) * (isRdma(machine.fabric.transport?.value) ? rdmaShare(machine) : 0.95);
}

const order: readonly WireRates['via'][] = ['nvlink', 'pcie', 'shm', 'net'];
export const slower = (a: WireRates['via'], b: WireRates['via']): WireRates['via'] =>
  order.indexOf(a) < order.indexOf(b) ? b : a;

/** Adds one hop of a channel to the wires it crosses. */
export function hop(
  c: Communicator,
  wires: Wires,
  from: number,
  to: number,
  channel: number,
  kind: 'ring' | 'tree',
  intra: Loads,
  inter: Loads,
): WireRates['via'] {
  const { perHost, gpus } = wires;
  const host = Math.floor(from / perHost);
  const a = gpus.get(from % perHost)!;
  const b = gpus.get(to % perHost)!;
  if (host === Math.floor(to / perHost)) {
    const pair = pairOf(wires, from % perHost, to % perHost);
    if (pair.via !== 'NET') return within(wires, host, pair, intra);
  }
  leaves(c, wires, host, a, channel, kind, true, inter);
  leaves(c, wires, Math.floor(to / perHost), b, channel, kind, false, inter);
  return host === Math.floor(to / perHost) ? 'net' : 'nvlink';
}

function pairOf(wires: Wires, from: number, to: number): GpuPair {
  const key = from * wires.perHost + to;
  const pair = wires.pairs.get(key) ?? gpuPair(wires.decision, wires.gpus.get(from)!, wires.gpus.get(to)!);
  wires.pairs.set(key, pair);
  return pair;
}

function within(wires: Wires, host: number, pair: GpuPair, loads: Loads): WireRates['via'] {
  const { paths } = pair;
  const here = (n: TopoNode): TopoNode => paths.system.nodes.GPU.find((g) => g.gpu!.rank === n.gpu!.rank)!;
  const a = here(pair.from);
  const b = here(pair.to);
  if (pair.via === 'P2P') {
    const links = paths.links(a, b);
    for (const l of links) addLink(wires, host, l, loads);
    return links.some((l) => l.type === 'NVL') ? 'nvlink' : 'pcie';
  }
  const ca = paths.local(a, 'CPU')[0];
  const cb = paths.local(b, 'CPU')[0];
  if (ca) for (const l of paths.links(a, ca)) addLink(wires, host, l, loads);
  if (cb) for (const l of back(paths.links(b, cb))) addLink(wires, host, l, loads);
  return 'shm';
}

const back = (links: readonly TopoLink[]): TopoLink[] =>
  links.map((l) => l.to.links.find((r) => r.to === l.from && r.type === l.type) ?? l);

function addLink(wires: Wires, host: number, l: TopoLink, loads: Loads): void {
  if (l.type === 'LOC' || l.type === 'NET') return;
  const key = `${host} ${l.from.id} ${l.to.id}`;
  const of = `${nameOf(l.from)}–${nameOf(l.to)}`;
  if (l.type === 'NVL') {
    const links = l.bw / nvlinkGBps(wires.sm, wires.release);
    loads.add(key, { kind: 'nvlink', of }, links * linkPeak(wires.sm));
    return;
  }
  const pcie = l.type === 'PCI';
  loads.add(key, { kind: pcie ? 'pcie' : 'socket', of }, pcie ? l.bw * pciePayload : l.bw);
}

/** As people call it: the GPU of a DEV, the port of a NIC; a switch by its address. */
function nameOf(node: TopoNode): string {
  switch (node.type) {
    case 'GPU':
      return `gpu${node.gpu!.dev}`;
    case 'DEV': {
      const gpu = node.links.find((l) => l.to.type === 'GPU')?.to;
      return gpu ? nameOf(gpu) : node.id;
    }
    case 'NET':
      return `nic${node.net!.dev}`;
    case 'NIC': {
      const net = node.links.find((l) => l.to.type === 'NET')?.to;
      return net ? nameOf(net) : node.id;
    }
    case 'CPU':
      return `cpu${node.index}`;
    case 'NVS':
      return 'nvswitch';
    case 'PCI':
      return `switch${node.index}`;
  }
}

/** A channel's way between a GPU and the NIC it uses. */
export function leaves(
  c: Communicator,
  wires: Wires,
  host: number,
  gpu: TopoNode,
  channel: number,
  kind: 'ring' | 'tree' | 'nvls',
  out: boolean,
  loads: Loads,
): void {
  const domain = domainOf(c, host, gpu);
  const graph: Graph = domain[kind] ?? domain.ring;
  const net = netOf(domain, graph, channel, out);
  if (!net) return;
  loads.add(`${host} ${net.id} ${out ? 'out' : 'in'}`, { kind: 'port', of: nameOf(net) }, line(wires.machine, net));
  const { paths } = domain.ground;
  const own = paths.system.nodes.GPU.find((g) => g.gpu!.rank === gpu.gpu!.rank)!;
  staged(wires, domain, host, own, net, out, loads);
  const links = paths.links(own, net);
  for (const l of out ? links : back(links)) if (l.type !== 'NET') addLink(wires, host, l, loads);
}

export function domainOf(c: Communicator, host: number, gpu: TopoNode): NodeGraphs {
  const domains = domainsOn(c, host);
  return domains.length === 1 ? domains[0]! : (domains.find((d) => d.ranks.includes(gpu.gpu!.rank)) ?? domains[0]!);
}

/** Without GPUDirect RDMA the GPU's threads write to host memory and read from it, both over one link. */
export function staged(
  wires: Wires,
  domain: NodeGraphs,
  host: number,
  gpu: TopoNode,
  net: TopoNode,
  out: boolean,
  loads: Loads,
): void {
  if (!isStaged(wires, domain, gpu, net, out)) return;
  const up = domain.ground.paths.links(gpu, net).find((l) => l.type === 'PCI');
  if (!up) return;
  const wire = { kind: 'pcie', of: `${nameOf(gpu)}–host` } as const;
  loads.add(`${host} staged ${gpu.id}`, wire, up.bw * pciePayload * stagedShare);
}

/** What such messages have of a GPU's way to host memory, in NCCL's GB/s. */
export const hostMemory =
  (machine: Machine, release: Release): HostMemory =>
  (domain, gpu, net, send) => {
    const up = domain.ground.paths.links(gpu, net).find((l) => l.type === 'PCI');
    return up && isStaged({ machine, release }, domain, gpu, net, send) ? up.bw * stagedShare : undefined;
  };

/** Told to be off, or refused by NCCL for a reason other than that no input tells whether it is possible. */
function isStaged(
  wires: Pick<Wires, 'machine' | 'release'>,
  domain: NodeGraphs,
  gpu: TopoNode,
  net: TopoNode,
  send: boolean,
): boolean {
  const told = wires.machine.software.gdr?.value;
  if (told === false) return true;
  // A log or a topology file that says of one of the two that it cannot; sockets never could, and their own figures hold it.
  const cannot = net.net!.port.gdr === false || gpu.gpu!.gpu.gdr === false;
  if (cannot && isRdma(wires.machine.fabric.transport?.value)) return true;
  // A description that says nothing of it leaves the way to the NIC open.
  if (told === undefined && wires.machine.hosts[0]!.system === undefined) return false;
  const { paths, settings } = domain.ground;
  const { mode, rule } = checkGdr(paths, gpu, net, send, wires.release, settings);
  return mode === 'Disabled' && rule !== 'nic-cannot' && rule !== 'gpu-cannot';
}

function netOf(domain: NodeGraphs, graph: Graph, channel: number, out: boolean): TopoNode | undefined {
  const k = channel % graph.nChannels;
  const index = graph.inter[k * 2 + (out ? 1 : 0)]!;
  return index < 0 ? undefined : domain.ground.paths.system.nodes.NET[index];
}
