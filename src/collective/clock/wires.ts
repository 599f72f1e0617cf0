import { fromGBps } from '../../base/units.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import { gpuPair, type Via } from '../../nccl/decide/pairs.ts';
import { PXN } from '../../nccl/path-type.ts';
import { localNet } from '../../nccl/paths/local.ts';
import type { Paths } from '../../nccl/paths/table.ts';
import { atLeast } from '../../nccl/release.ts';
import type { Graph } from '../../nccl/search/graph.ts';
import type { LinkType, TopoLink, TopoNode } from '../../nccl/system/node.ts';
import type { AlgorithmName } from '../kinds.ts';
import { type Group, groupsOf } from '../ways.ts';
import type { Link } from './costs.ts';
import { type GpuLimits, LimitLinks, type LimitOf, redirected, throughHost } from './limit-links.ts';

/** What a hop goes over, worst first: decides what a message costs. */
export type HopKind = 'nvlink' | 'pci' | 'shm' | 'net';

export interface Ends {
  readonly from: TopoNode;
  readonly to?: TopoNode;
  /** What a limit of the first is of, which is no link. */
  readonly of?: LimitOf;
}

export interface Way {
  readonly kind: HopKind;
  /** Links crossed, by number. */
  readonly links: readonly number[];
  /** The first of them that is the receiving node's, where the way leaves a node. */
  readonly into?: number;
}

/**
 * The links of a machine, each direction of each for itself, and which of them a hop crosses: NVLinks, PCIe links, sockets and
 * NIC ports as NCCL's own graph has them, on the paths that NCCL takes (PXN and detours over the CPU included).
 */
export interface Wires {
  readonly links: readonly Link[];
  readonly type: readonly LinkType[];
  /** Of each link its ends; of what holds a GPU beyond its links, the GPU. */
  readonly ends: readonly Ends[];
  /** From one agent of a program to another (see `Program.agents`) on a channel. */
  way(from: number, to: number, channel: number, algorithm: AlgorithmName): Way;
}

const nowhere: Way = { kind: 'net', links: [] };

/** Without `limits` all NICs reach the GPUs' memory, and GPUs that of the host and of each other, at the rate of their links. */
export function wiresOf(c: Communicator, limits?: GpuLimits): Wires {
  return new Wiring(c, limits);
}

class Wiring implements Wires {
  readonly links: Link[] = [];
  readonly type: LinkType[] = [];
  readonly ends: Ends[] = [];
  private readonly groups: readonly Group[];
  /** Group and GPU of each rank. */
  private readonly groupOf: Int32Array;
  private readonly gpuOf: Int32Array;
  private readonly beyond: LimitLinks | undefined;
  /** Link of each link of a group's system. Groups of one host share its wires. */
  private readonly linkOf: Int32Array[] = [];
  private readonly byName = new Map<string, number>();
  /** Graph channels of a node; a communicator has each once or several times. */
  private readonly channels: number;
  /** Ways within a group by its agents' numbers there, and ways between groups. */
  private readonly inside: Map<number, Way>[] = [];
  private readonly between = new Map<string, Way>();
  /** Of pairs of GPUs by their ranks on a host; hosts are alike. */
  private readonly transports = new Map<number, Via>();

  constructor(
    private readonly c: Communicator,
    private readonly limits?: GpuLimits,
  ) {
    this.groups = groupsOf(c);
    this.groupOf = new Int32Array(c.ranks);
    this.gpuOf = new Int32Array(c.ranks);
    this.channels = Math.min(...[...c.perDomain, ...c.rest].map((d) => Math.min(d.ring.nChannels, d.tree.nChannels)));
    for (const [g, { host, graphs, ranks }] of this.groups.entries()) {
      this.inside.push(new Map());
      const { links } = graphs.ground.paths.system;
      const met = new Map<string, number>();
      this.linkOf.push(
        Int32Array.from(links, ({ from, to, type, bw }) => {
          const name = `node${host} ${from.id} → ${to.id}`;
          // A file may list a device twice: each is a wire of its own.
          const nth = (met.get(name) ?? 0) + 1;
          met.set(name, nth);
          const known = c.perDomain.length > 1 ? this.byName.get(`${name} ${type} ${nth}`) : undefined;
          if (known !== undefined) return known;
          this.type.push(type);
          this.ends.push({ from, to });
          const made = this.links.push({ name, rate: fromGBps(bw) }) - 1;
          if (c.perDomain.length > 1) this.byName.set(`${name} ${type} ${nth}`, made);
          return made;
        }),
      );
      for (const [i, rank] of ranks.entries()) {
        this.groupOf[rank] = g;
        this.gpuOf[rank] = i;
      }
    }
    if (!limits) return;
    this.beyond = new LimitLinks(
      c.ranks,
      limits,
      (from, to) => this.via(from, to),
      (name, gpu, of, rate) => {
        this.type.push('PCI');
        this.ends.push({ from: gpu, of });
        return this.links.push({ name, rate: fromGBps(rate) }) - 1;
      },
    );
    for (const group of this.groups) this.beyond.make(group);
  }

  way(from: number, to: number, channel: number, algorithm: AlgorithmName): Way {
    const { ranks } = this.c;
    const [a, b] = [from < ranks ? this.groupOf[from]! : from - ranks, to < ranks ? this.groupOf[to]! : to - ranks];
    if (a === b && !this.overNet(from, to)) return this.path(a, this.node(a, from), this.node(a, to));
    const out = algorithm === 'Direct' ? this.rail(a, from, to, channel) : this.net(a, from, channel, algorithm);
    const into = this.net(b, to, channel, algorithm);
    if (!out || !into) return nowhere;
    const key = `${from} ${out.seq} ${to} ${into.seq}`;
    const known = this.between.get(key);
    if (known) return known;
    const leaving = this.outside(a, from, out, true);
    const entering = this.outside(b, to, into, false);
    const made: Way = { kind: 'net', links: [...leaving, ...entering], into: leaving.length };
    this.between.set(key, made);
    return made;
  }

  private node(group: number, agent: number): TopoNode {
    const { nodes } = this.groups[group]!.graphs.ground.paths.system;
    return agent < this.c.ranks ? nodes.GPU[this.gpuOf[agent]!]! : nodes.NVS[0]!;
  }

  /** The NET by which a rank sends and receives on a channel (src/graph/search.cc: ncclTopoGetNetDev). */
  private net(group: number, rank: number, channel: number, algorithm: AlgorithmName): TopoNode | undefined {
    const { graphs } = this.groups[group]!;
    const { paths, settings } = graphs.ground;
    const gpu = paths.system.nodes.GPU[this.gpuOf[rank]!]!;
    const local = (): TopoNode | undefined => localNet(paths, gpu, channel, this.c.release, settings);
    if (algorithm === 'Direct') return local();
    const nvls = algorithm === 'NVLS' || algorithm === 'NVLSTree';
    const graph = nvls ? graphs.nvls : algorithm === 'Ring' ? graphs.ring : graphs.tree;
    if (!graph || graph.nChannels === 0) return local();
    const row = nvls ? this.headRow(graph, rank) : this.row(group, graph, channel, algorithm === 'Ring');
    const first = graph.intra[row * graphs.ranks.length] === this.gpuOf[rank];
    return paths.system.nodes.NET[graph.inter[2 * row + (first ? 0 : 1)]!] ?? local();
  }

  /**
   * For sends NCCL takes the NIC that is local to the GPU with the receiver's number, so that the message stays on the receiver's
   * rail, by way of that GPU where PXN is possible; else its own (NCCL_P2P_PXN_LEVEL=2, the default).
   */
  private rail(group: number, from: number, to: number, channel: number): TopoNode | undefined {
    const { paths, settings } = this.groups[group]!.graphs.ground;
    const { release } = this.c;
    const gpu = this.node(group, from);
    const own = localNet(paths, gpu, channel, release, settings);
    const dev = this.node(this.groupOf[to]!, to).gpu!.dev;
    const near = paths.system.nodes.GPU.find((g) => g.gpu!.dev === dev);
    const there = near && localNet(paths, near, channel, release, settings);
    return there && there !== own && paths.typeOf(gpu, there) === PXN ? there : own;
  }

  /** Between a GPU and a NIC, by way of host memory or by what the NIC itself reads and writes. */
  private outside(group: number, rank: number, net: TopoNode, send: boolean): readonly number[] {
    const { graphs } = this.groups[group]!;
    const { paths } = graphs.ground;
    const gpu = this.node(group, rank);
    const found = (send ? paths.links(gpu, net) : paths.links(net, gpu)).filter((l) => l.type !== 'LOC');
    const { beyond, limits } = this;
    if (!beyond || !limits) return this.numbers(group, found);
    if (limits.kernel !== undefined) return [...this.numbers(group, found), ...beyond.link('kernel', rank)];
    if (limits.staged(graphs, gpu, net, send) !== undefined) {
      return [...this.numbers(group, found), ...beyond.link('memory', rank)];
    }
    const links = limits.redirects ? redirected(paths, found) : found;
    // The last GPU of the way out is the one that is read: with PXN another than that which sends.
    const near = this.rankOf(group, send ? lastGpu(paths, links, gpu) : gpu);
    return [...this.numbers(group, links), ...(send ? beyond.link('read', near) : []), ...beyond.peer(links, near)];
  }

  private numbers(group: number, links: readonly TopoLink[]): number[] {
    return links.map((l) => this.linkOf[group]![l.seq]!);
  }

  /** Channels come once for each of the two trees, and rings of odd nodes may swap theirs. */
  private row(group: number, graph: Graph, channel: number, ring: boolean): number {
    const row = channel % this.channels;
    const swaps = ring && graph.crossNic === 2 && this.channels % 2 === 0 && atLeast(this.c.release, '2.20.3');
    return swaps && group % 2 === 1 ? row ^ 1 : row;
  }

  private headRow(graph: Graph, rank: number): number {
    const gpus = this.groups[this.groupOf[rank]!]!.ranks.length;
    for (let h = 0; h < graph.nChannels; h++) if (graph.intra[h * gpus] === this.gpuOf[rank]) return h;
    return 0;
  }

  private path(group: number, from: TopoNode, to: TopoNode): Way {
    const { paths } = this.groups[group]!.graphs.ground;
    const ways = this.inside[group]!;
    const key = from.seq * paths.system.all.length + to.seq;
    const known = ways.get(key);
    if (known) return known;
    const shm = this.via(from, to) === 'SHM';
    const direct = (shm ? throughHost(paths, from, to) : paths.links(from, to)).filter((l) => l.type !== 'LOC');
    const found = !shm && this.limits?.redirects ? redirected(paths, direct) : direct;
    const inside = found.every((l: TopoLink) => l.type === 'NVL' || l.type === 'C2C');
    const kind = shm ? 'shm' : inside ? 'nvlink' : 'pci';
    const beyond = inside ? [] : [from, to].flatMap((n) => this.limitsOf(group, n, found, shm));
    const made: Way = { kind, links: [...this.numbers(group, found), ...beyond] };
    ways.set(key, made);
    return made;
  }

  private limitsOf(group: number, gpu: TopoNode, links: readonly TopoLink[], shm: boolean): readonly number[] {
    if (!this.beyond || gpu.type !== 'GPU') return [];
    const rank = this.rankOf(group, gpu);
    return shm ? this.beyond.link('shared', rank) : this.beyond.peer(links, rank);
  }

  private rankOf(group: number, gpu: TopoNode): number {
    const { graphs, ranks } = this.groups[group]!;
    return ranks[graphs.ground.paths.system.nodes.GPU.indexOf(gpu)]!;
  }

  /** Which of NCCL's transports two GPUs of a group use. */
  private via(from: TopoNode, to: TopoNode): Via | undefined {
    if (!from.gpu || !to.gpu || from === to) return undefined;
    const { decision, perHost } = this.c;
    const key = from.gpu.rank * perHost + to.gpu.rank;
    const known = this.transports.get(key);
    if (known) return known;
    const gpus = decision.topology.whole.system.nodes.GPU;
    const [a, b] = [from, to].map((n) => gpus.find((g) => g.gpu!.rank === n.gpu!.rank));
    if (!a || !b) return undefined;
    const { via } = gpuPair(decision, a, b);
    this.transports.set(key, via);
    return via;
  }

  /** Two GPUs of a group that NCCL joins by the NICs, since those are faster than the way between them or the only one. */
  private overNet(from: number, to: number): boolean {
    const { ranks } = this.c;
    if (from >= ranks || to >= ranks) return false;
    const group = this.groupOf[from]!;
    return this.via(this.node(group, from), this.node(group, to)) === 'NET';
  }
}

/** Of a way from a GPU to a NIC the last GPU; newer releases have its devices on the way instead. */
function lastGpu(paths: Paths, links: readonly TopoLink[], gpu: TopoNode): TopoNode {
  for (let i = links.length - 1; i >= 0; i--) {
    const { from } = links[i]!;
    if (from.type === 'GPU') return from;
    if (from.type === 'DEV') return paths.gpuOn(from) ?? gpu;
  }
  return gpu;
}
