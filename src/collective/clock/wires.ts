import { fromGBps } from '../../base/units.ts';
import type { Communicator, NodeGraphs } from '../../nccl/communicator.ts';
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

/** What a hop goes over, worst first: decides what a message costs. */
export type HopKind = 'nvlink' | 'pci' | 'shm' | 'net';

export interface Ends {
  readonly from: TopoNode;
  readonly to?: TopoNode;
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
  /** Of each link its ends; of a GPU's way to host memory, the GPU. */
  readonly ends: readonly Ends[];
  /** From one agent of a program to another (see `Program.agents`) on a channel. */
  way(from: number, to: number, channel: number, algorithm: AlgorithmName): Way;
}

/** What a GPU's way to host memory carries, sent and received together; GB/s as NCCL counts PCIe. */
export interface HostMemory {
  /** For messages through a NIC; undefined where the NIC reads and writes the GPU's memory itself. */
  staged(graphs: NodeGraphs, gpu: TopoNode, net: TopoNode, send: boolean): number | undefined;
  /** For messages between GPUs of a host, however fast its link; without, as much as the link carries. */
  readonly shared?: number | undefined;
}

const nowhere: Way = { kind: 'net', links: [] };

/** Without `hostMemory` all NICs reach the GPUs' memory, and GPUs reach that of the host at the rate of their links. */
export function wiresOf(c: Communicator, hostMemory?: HostMemory): Wires {
  return new Wiring(c, hostMemory);
}

class Wiring implements Wires {
  readonly links: Link[] = [];
  readonly type: LinkType[] = [];
  readonly ends: Ends[] = [];
  private readonly groups: readonly Group[];
  /** Group and GPU of each rank. */
  private readonly groupOf: Int32Array;
  private readonly gpuOf: Int32Array;
  /** Its link to host memory as a NIC's messages use it, and as those of other GPUs do, −1 without (see `HostMemory`). */
  private readonly memoryOf: Int32Array;
  private readonly sharedOf: Int32Array;
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
    private readonly hostMemory?: HostMemory,
  ) {
    this.groups = groupsOf(c);
    this.groupOf = new Int32Array(c.ranks);
    this.gpuOf = new Int32Array(c.ranks);
    this.memoryOf = new Int32Array(c.ranks).fill(-1);
    this.sharedOf = new Int32Array(c.ranks).fill(-1);
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
    this.memoryLinks();
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
    const leaving = [...this.path(a, this.node(a, from), out).links, ...this.staged(from, out, true)];
    const entering = [...this.path(b, into, this.node(b, to)).links, ...this.staged(to, into, false)];
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

  private staged(rank: number, net: TopoNode, send: boolean): readonly number[] {
    const group = this.groupOf[rank]!;
    const link = this.memoryOf[rank]!;
    if (link < 0) return [];
    const { graphs } = this.groups[group]!;
    return this.hostMemory?.staged(graphs, this.node(group, rank), net, send) === undefined ? [] : [link];
  }

  /** Links to host memory: of the GPUs that need it for any NIC, and of those that may meet there. */
  private memoryLinks(): void {
    const { hostMemory } = this;
    if (!hostMemory) return;
    const rates = new Map<NodeGraphs, (number | undefined)[]>();
    for (const { host, graphs, ranks } of this.groups) {
      const { GPU, NET } = graphs.ground.paths.system.nodes;
      const rate = (gpu: TopoNode): number | undefined => {
        for (const net of NET) {
          const found = hostMemory.staged(graphs, gpu, net, true) ?? hostMemory.staged(graphs, gpu, net, false);
          if (found !== undefined) return found;
        }
        return undefined;
      };
      const known = rates.get(graphs) ?? GPU.map(rate);
      rates.set(graphs, known);
      for (const [i, rank] of ranks.entries()) {
        const gpu = GPU[i]!;
        const link = (rate: number, of: string): number => {
          this.type.push('PCI');
          this.ends.push({ from: gpu });
          return this.links.push({ name: `node${host} ${gpu.id} ↔ ${of}`, rate: fromGBps(rate) }) - 1;
        };
        if (known[i] !== undefined) this.memoryOf[rank] = link(known[i], 'host memory');
        if (hostMemory.shared !== undefined && GPU.some((other) => this.via(gpu, other) === 'SHM')) {
          this.sharedOf[rank] = link(hostMemory.shared, 'shared host memory');
        }
      }
    }
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
    const found = (shm ? throughHost(paths, from, to) : paths.links(from, to)).filter((l) => l.type !== 'LOC');
    const inside = found.every((l: TopoLink) => l.type === 'NVL' || l.type === 'C2C');
    const kind = shm ? 'shm' : inside ? 'nvlink' : 'pci';
    const shared = shm ? [from, to].map((n) => this.sharedOf[this.rankOf(group, n)]!).filter((link) => link >= 0) : [];
    const made: Way = { kind, links: [...found.map((l) => this.linkOf[group]![l.seq]!), ...shared] };
    ways.set(key, made);
    return made;
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

/** One GPU writes to the memory of the other's CPU, and the other reads there (NCCL_SHM_LOCALITY=2, the default). */
function throughHost(paths: Paths, from: TopoNode, to: TopoNode): readonly TopoLink[] {
  const [cpu] = paths.local(to, 'CPU');
  if (!cpu) return paths.links(from, to);
  const back = (l: TopoLink): TopoLink => l.to.links.find((r) => r.to === l.from && r.type === l.type) ?? l;
  return [...paths.links(from, cpu), ...[...paths.links(to, cpu)].reverse().map(back)];
}
