import { fail, ok, type Result } from '../../base/result.ts';
import type { P2pWays } from '../../collective/p2p.ts';
import { p2pWays } from '../../collective/ways.ts';
import { gpuCount } from '../../machine/fuse.ts';
import type { Machine } from '../../machine/machine.ts';
import { type Communicator, communicator, domainsOn } from '../../nccl/communicator.ts';
import { type Ask, jobOf } from '../../nccl/of-machine.ts';
import { localNet } from '../../nccl/paths/local.ts';
import { nvlinkGBps } from '../../nccl/rates/nvlink.ts';
import type { Release } from '../../nccl/release.ts';
import type { Refusal } from '../../nccl/system/build.ts';
import type { TopoNode } from '../../nccl/system/node.ts';
import { say } from '../../words/message.ts';
import { domainOf, hop, leaves, line, linkPeak, slower, staged, type Wires } from './crossing.ts';
import { ExchangeLoads } from './exchange-loads.ts';
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

/** What exchanges lay onto the wires, and how many times as fast as the machine's those are, within and between nodes. */
export interface ExchangeWires {
  readonly ways: P2pWays;
  readonly loads: ExchangeLoads;
  readonly inside: number;
  readonly outside: number;
}

/** What host memory leaves to sends and receives that it stages; unbounded where none is. */
export interface StagedRates {
  /** The rank that sends out of a node, and the one that receives there. */
  readonly one: number;
  /** All ranks of a node together, each sending and receiving. */
  readonly all: number;
}

export interface CollectiveGround {
  readonly machine: Machine;
  readonly made: Communicator;
  readonly ranks: number;
  /** Nodes as NCCL counts them, and the most ranks that one has. */
  readonly nodes: number;
  readonly perNode: number;
  /** The least that one has: its few NICs may be what all wait for. */
  readonly leastPerNode: number;
  /** GPUs of a host, however many hosts NVLink joins to a node. */
  readonly perHost: number;
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
  /** GB/s through host memory where sends and receives have no GPUDirect RDMA: see `StagedRates`. */
  readonly staged: StagedRates;
  readonly exchange: ExchangeWires;
  /** GB/s a GPU's NVLinks carry one way at their peak; 0 without. */
  readonly nvlink: number;
}

export function groundOf(machine: Machine, ask: Ask, host = 0): Result<CollectiveGround, Refusal> {
  const made = communicator(jobOf(machine, host, ask));
  if (!made.ok) return made;
  const c = made.value;
  const gpus = new Map(c.decision.topology.whole.system.nodes.GPU.map((g) => [g.gpu!.rank, g]));
  const sm = c.facts.minSm;
  const wires: Wires = {
    machine,
    decision: c.decision,
    gpus,
    perHost: c.perHost,
    pairs: new Map(),
    sm,
    release: c.release,
  };
  // Nodes meet over a NIC, or not at all.
  if (c.nodes > 1 && !hasPort(c)) return fail({ reason: say('predict.no-nic', { nodes: c.nodes }), at: [] });
  const sizes = [...c.perDomain, ...c.rest].map((d) => d.ranks.length);
  const nvlink = Math.min(...[...gpus.values()].map((g) => nvlinkPeak(g, sm, c.release)));
  return ok({
    machine,
    made: c,
    ranks: c.ranks,
    nodes: c.nodes,
    perNode: Math.max(...sizes),
    leastPerNode: Math.min(...sizes),
    perHost: gpuCount(machine.hosts[host]!),
    sm,
    ring: ringRates(c, wires, true),
    chain: ringRates(c, wires, false),
    tree: treeRates(c, wires),
    netTotal: netTotal(c, wires),
    headsTotal: headsTotal(c, wires),
    oneNic: oneNic(c, wires),
    staged: stagedRates(c, wires),
    exchange: exchangeWires(c, machine, sm, netTotal(c, wires)),
    nvlink: Number.isFinite(nvlink) ? nvlink : 0,
  });
}

/** All NVLinks of a GPU. */
function nvlinkPeak(gpu: TopoNode, sm: number, release: Release): number {
  const own = [gpu, ...gpu.links.filter((l) => l.to.type === 'DEV').map((l) => l.to)];
  let links = 0;
  for (const n of own) for (const l of n.links) if (l.type === 'NVL') links += l.bw / nvlinkGBps(sm, release);
  return Math.round(links) * linkPeak(sm);
}

const hasPort = (c: Communicator): boolean =>
  [...c.perDomain, ...c.rest].every((d) => d.ground.paths.system.nodes.NET.length > 0);

function netTotal(c: Communicator, wires: Wires): number {
  const nets = new Map<string, number>();
  for (const d of c.perDomain) {
    for (const net of d.ground.paths.system.nodes.NET) nets.set(net.id, line(wires.machine, net));
  }
  return [...nets.values()].reduce((a, b) => a + b, 0);
}

function exchangeWires(c: Communicator, machine: Machine, sm: number, total: number): ExchangeWires {
  const ways = p2pWays(c);
  return { ways, loads: new ExchangeLoads(machine, c, ways, { sm, netTotal: total }), inside: 1, outside: 1 };
}

function stagedRates(c: Communicator, wires: Wires): StagedRates {
  const one = new Loads();
  const all = new Loads();
  const add = (rank: number, out: boolean, loads: Loads): void => {
    const gpu = wires.gpus.get(rank);
    if (!gpu) return;
    const domain = domainOf(c, 0, gpu);
    const { paths, inter, settings, release } = domain.ground;
    const own = paths.system.nodes.GPU.find((g) => g.gpu!.rank === rank);
    const net = own && inter ? localNet(paths, own, 0, release, settings) : undefined;
    if (own && net) staged(wires, domain, 0, own, net, out, loads);
  };
  add(c.perHost - 1, true, one);
  add(0, false, one);
  for (let rank = 0; rank < c.perHost; rank++) for (const out of [true, false]) add(rank, out, all);
  return { one: one.share, all: all.share * c.perHost };
}

function headsTotal(c: Communicator, wires: Wires): number {
  const heads = c.facts.nvls?.nChannels ?? 0;
  const loads = new Loads();
  for (const host of kindsOfHost(c)) {
    const [first] = domainsOn(c, host);
    if (!first?.nvls || !first.ground.inter || heads === 0) return 0;
    for (let h = 0; h < heads; h++) {
      const gpu = first.nvls.intra[h * first.ranks.length]!;
      const node = first.ground.paths.system.nodes.GPU[gpu];
      if (!node) continue;
      // A head sends its part and gets one back at once: without GPUDirect RDMA both go through the same host memory.
      leaves(c, wires, host, node, h, 'nvls', true, loads);
      leaves(c, wires, host, node, h, 'nvls', false, loads);
    }
  }
  return loads.share === Number.POSITIVE_INFINITY ? 0 : loads.share * heads;
}

/** A host of each kind: all are equal but the last, where that has less. */
const kindsOfHost = (c: Communicator): number[] => (c.rest.length > 0 ? [0, c.hosts - 1] : [0]);

/** GB/s of the slowest NIC of a node, one way. */
function oneNic(c: Communicator, wires: Wires): number {
  const rates = c.perDomain.flatMap((d) => d.ground.paths.system.nodes.NET.map((n) => line(wires.machine, n)));
  return rates.length === 0 ? 0 : Math.min(...rates);
}

function ringRates(c: Communicator, wires: Wires, closed: boolean): WireRates {
  const intra = new Loads();
  const inter = new Loads();
  let via: WireRates['via'] = 'nvlink';
  const { perHost } = wires;
  // One host of each kind; that at the end of a chain has less to do, so that the next one is looked at as well.
  const hosts = new Set([...kindsOfHost(c), closed ? 0 : 1]);
  const watched = (rank: number): boolean => hosts.has(Math.floor(rank / perHost));
  c.channels.forEach(({ ring }, channel) => {
    ring.forEach((from, i) => {
      const to = ring[(i + 1) % ring.length]!;
      if (!closed && to === 0) return;
      // What comes in counts as well as what goes out: without GPUDirect RDMA both share a GPU's way to host memory.
      if (watched(from) || watched(to)) via = slower(via, hop(c, wires, from, to, channel, 'ring', intra, inter));
    });
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
