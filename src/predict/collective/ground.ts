import { ok, type Result } from '../../base/result.ts';
import { collective } from '../../catalogue/collective.ts';
import { fuseHosts, joinRails } from '../../machine/fuse.ts';
import type { Host, PciDevice } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import { isRdma, rdmaShare } from '../../move/wires.ts';
import { type Communicator, communicator, type NodeGraphs } from '../../nccl/communicator.ts';
import { checkGdr } from '../../nccl/decide/gdr.ts';
import { type Decision, decide, type GpuPair, gpuPair } from '../../nccl/decide/pairs.ts';
import { type Ask, situationOf } from '../../nccl/of-machine.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import type { Release } from '../../nccl/release.ts';
import type { Graph } from '../../nccl/search/graph.ts';
import type { Situation } from '../../nccl/situation.ts';
import type { Refusal } from '../../nccl/system/build.ts';
import type { TopoLink, TopoNode } from '../../nccl/system/node.ts';
import { Loads, type Wire } from './loads.ts';

/** What the wires leave to collectives, all channels running: GB/s of one rank on all channels together. */
export interface WireRates {
  /** Between ranks of a node. */
  readonly intra: number;
  /** Between nodes; unbounded on one. */
  readonly inter: number;
  readonly tightestIntra?: Wire;
  readonly tightestInter?: Wire;
  /** How ranks of a node reach each other on the slowest hop. */
  readonly via: 'nvlink' | 'pcie' | 'shm' | 'net';
  /** Ranks send and receive at once. */
  readonly duplex: boolean;
}

export interface CollectiveGround {
  readonly machine: Machine;
  readonly made: Communicator;
  readonly ranks: number;
  readonly nodes: number;
  readonly sm: number;
  readonly ring: WireRates;
  /** Rings without the hop that closes them: Broadcast and Reduce. */
  readonly chain: WireRates;
  readonly tree: WireRates;
  /** GB/s of all NICs of a node, one way. */
  readonly netTotal: number;
  /** GB/s of one NIC, one way. */
  readonly oneNic: number;
  /** GB/s that the heads of NVLS get to the network together, one way. */
  readonly headsTotal: number;
  /** GB/s a GPU's NVLinks carry one way at their peak; 0 without. */
  readonly nvlink: number;
}

/** Raw peak of one NVLink, one direction, by compute capability: GB/s. */
function linkPeak(sm: number): number {
  if (sm >= 100) return 50;
  if (sm === 86) return 14.0625;
  if (sm >= 70) return 25;
  return 20;
}

/** NCCL counts a PCIe link a little below what it carries. */
const pciePayload = 1.07;
const stagedShare = collective.stagedShare.value;

interface Wires {
  readonly machine: Machine;
  readonly decision: Decision;
  readonly gpus: ReadonlyMap<number, TopoNode>;
  readonly perHost: number;
  readonly sm: number;
  readonly release: Release;
}

export function groundOf(machine: Machine, ask: Ask, host = 0): Result<CollectiveGround, Refusal> {
  const situation = seen(machine, ask, host);
  const made = communicator(situation);
  if (!made.ok) return made;
  const decided = decide(situation);
  if (!decided.ok) return decided;
  const c = made.value;
  const gpus = new Map(decided.value.topology.whole.system.nodes.GPU.map((g) => [g.gpu!.rank, g]));
  const sm = c.facts.minSm;
  const wires: Wires = {
    machine,
    decision: decided.value,
    gpus,
    perHost: c.ranks / c.hosts,
    sm,
    release: c.release,
  };
  const nvlink = Math.min(...[...gpus.values()].map((g) => nvlinkPeak(g, sm, c.release)));
  return ok({
    machine,
    made: c,
    ranks: c.ranks,
    nodes: c.nodes,
    sm,
    ring: ringRates(c, wires, true),
    chain: ringRates(c, wires, false),
    tree: treeRates(c, wires),
    netTotal: netTotal(c, wires),
    headsTotal: headsTotal(c, wires),
    oneNic: oneNic(c, wires),
    nvlink: Number.isFinite(nvlink) ? nvlink : 0,
  });
}

/** The machine as the library sees it: rails joined by a plugin, and the nodes of an NVLink domain as one. */
function seen(machine: Machine, ask: Ask, host: number): Situation {
  const plain = machine.hosts[host]!;
  const efa = machine.fabric.transport?.value === 'efa' ? joinRails(plain) : plain;
  const own = gpusOf(plain);
  const copies =
    machine.nvlinkDomain === undefined ? 1 : Math.min(machine.nodes, Math.floor(machine.nvlinkDomain / own));
  const fused = copies > 1 && new Set(plain.cpus.map((c) => c.hostHash)).size === 1;
  const situation = situationOf(machine, host, ask);
  if (!fused) return { ...situation, host: efa };
  return { ...situation, host: fuseHosts(efa, copies), nodes: Math.ceil(machine.nodes / copies) };
}

function gpusOf(host: Host): number {
  const count = (d: PciDevice): number => (d.gpus?.length ?? 0) + d.children.reduce((sum, c) => sum + count(c), 0);
  return host.cpus.reduce((sum, c) => sum + c.devices.reduce((n, d) => n + count(d), 0), 0);
}

/** All NVLinks of a GPU. */
function nvlinkPeak(gpu: TopoNode, sm: number, release: Release): number {
  const own = [gpu, ...gpu.links.filter((l) => l.to.type === 'DEV').map((l) => l.to)];
  let links = 0;
  for (const n of own) for (const l of n.links) if (l.type === 'NVL') links += l.bw / nvlinkGBps(sm, release);
  return Math.round(links) * linkPeak(sm);
}

function netTotal(c: Communicator, wires: Wires): number {
  const nets = new Map<string, number>();
  for (const d of c.perDomain) {
    for (const net of d.ground.paths.system.nodes.NET) nets.set(net.id, line(wires.machine, net));
  }
  return [...nets.values()].reduce((a, b) => a + b, 0);
}

function headsTotal(c: Communicator, wires: Wires): number {
  const [first] = c.perDomain;
  const heads = first?.nvls?.nChannels ?? 0;
  if (!first?.nvls || !first.ground.inter || heads === 0) return 0;
  const loads = new Loads();
  for (let h = 0; h < heads; h++) {
    const gpu = first.nvls.intra[h * first.ranks.length]!;
    const node = first.ground.paths.system.nodes.GPU[gpu];
    if (node) leaves(c, wires, 0, node, h, 'nvls', true, loads);
  }
  return loads.share === Number.POSITIVE_INFINITY ? 0 : loads.share * heads;
}

/** GB/s of the slowest NIC of a node, one way. */
function oneNic(c: Communicator, wires: Wires): number {
  const rates = c.perDomain.flatMap((d) => d.ground.paths.system.nodes.NET.map((n) => line(wires.machine, n)));
  return rates.length === 0 ? 0 : Math.min(...rates);
}

/** GB/s of payload that a port takes one way. */
function line(machine: Machine, net: TopoNode): number {
  const network = machine.fabric.rateMbps ? machine.fabric.rateMbps.value / 8000 : Number.POSITIVE_INFINITY;
  const rails = machine.fabric.transport?.value === 'efa' ? Math.max(1, Math.round(net.net!.bw / network)) : 1;
  return Math.min(net.net!.bw, network * rails) * (isRdma(machine.fabric.transport?.value) ? rdmaShare(machine) : 0.95);
}

function ringRates(c: Communicator, wires: Wires, closed: boolean): WireRates {
  const intra = new Loads();
  const inter = new Loads();
  let via: WireRates['via'] = 'nvlink';
  const { perHost } = wires;
  c.channels.forEach(({ ring }, channel) => {
    ring.forEach((from, i) => {
      const to = ring[(i + 1) % ring.length]!;
      if (Math.floor(from / perHost) !== 0 || (!closed && to === 0)) return;
      via = slower(via, hop(c, wires, from, to, channel, 'ring', intra, inter));
    });
    // What comes in is as much as what goes out; a NIC's two directions do not share.
  });
  return rates(c, intra, inter, via, closed || c.ranks > 2);
}

function treeRates(c: Communicator, wires: Wires): WireRates {
  const intra = new Loads();
  const inter = new Loads();
  let via: WireRates['via'] = 'nvlink';
  c.channels.forEach(({ treeUp }, channel) => {
    treeUp.forEach((up, rank) => {
      if (up < 0) return;
      via = slower(via, hop(c, wires, rank, up, channel, 'tree', intra, inter));
      hop(c, wires, up, rank, channel, 'tree', intra, inter);
    });
  });
  return rates(c, intra, inter, via, true);
}

function rates(c: Communicator, intra: Loads, inter: Loads, via: WireRates['via'], duplex: boolean): WireRates {
  const { tightest: a } = intra;
  const { tightest: b } = inter;
  return {
    intra: intra.share * c.collChannels,
    inter: inter.share * c.collChannels,
    ...(a === undefined ? {} : { tightestIntra: a }),
    ...(b === undefined ? {} : { tightestInter: b }),
    via,
    duplex,
  };
}

const order: readonly WireRates['via'][] = ['nvlink', 'pcie', 'shm', 'net'];
const slower = (a: WireRates['via'], b: WireRates['via']): WireRates['via'] =>
  order.indexOf(a) < order.indexOf(b) ? b : a;

/** Adds one hop of a channel to the wires it crosses. */
function hop(
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
    const pair = gpuPair(wires.decision, a, b);
    if (pair.via !== 'NET') return within(wires, host, pair, intra);
  }
  leaves(c, wires, host, a, channel, kind, true, inter);
  leaves(c, wires, Math.floor(to / perHost), b, channel, kind, false, inter);
  return host === Math.floor(to / perHost) ? 'net' : 'nvlink';
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
function leaves(
  c: Communicator,
  wires: Wires,
  host: number,
  gpu: TopoNode,
  channel: number,
  kind: 'ring' | 'tree' | 'nvls',
  out: boolean,
  loads: Loads,
): void {
  const domain = c.perDomain.find((d) => d.ranks.includes(gpu.gpu!.rank)) ?? c.perDomain[0]!;
  const graph: Graph = domain[kind] ?? domain.ring;
  const net = netOf(domain, graph, channel, out);
  if (!net) return;
  loads.add(`${host} ${net.id} ${out ? 'out' : 'in'}`, { kind: 'port', of: nameOf(net) }, line(wires.machine, net));
  const paths = domain.ground.paths;
  const own = paths.system.nodes.GPU.find((g) => g.gpu!.rank === gpu.gpu!.rank)!;
  const links = paths.links(own, net);
  // Without GPUDirect RDMA the GPU's threads write to host memory and read from it at once.
  if (isStaged(wires, domain, own, net, out)) {
    const up = links.find((l) => l.type === 'PCI');
    if (up) {
      const wire = { kind: 'pcie', of: `${nameOf(own)}–host` } as const;
      loads.add(`${host} staged ${own.id}`, wire, up.bw * pciePayload * stagedShare);
    }
  }
  for (const l of out ? links : back(links)) if (l.type !== 'NET') addLink(wires, host, l, loads);
}

/** Told to be off, or refused by NCCL for a reason other than that no input tells whether it is possible. */
function isStaged(wires: Wires, domain: NodeGraphs, gpu: TopoNode, net: TopoNode, send: boolean): boolean {
  const told = wires.machine.software.gdr?.value;
  if (told === false) return true;
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
