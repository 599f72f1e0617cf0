import { fromGBps } from '../../base/units.ts';
import type { Communicator, NodeGraphs } from '../../nccl/communicator.ts';
import { gpuPair } from '../../nccl/decide/pairs.ts';
import { PXN } from '../../nccl/path-type.ts';
import { localNet } from '../../nccl/paths/local.ts';
import { atLeast } from '../../nccl/release.ts';
import type { Graph } from '../../nccl/search/graph.ts';
import type { LinkType, TopoLink, TopoNode } from '../../nccl/system/node.ts';
import type { AlgorithmName } from '../kinds.ts';
import { type Group, groupsOf } from '../ways.ts';
import type { Link } from './costs.ts';

/** What a hop goes over, worst first: decides what a message costs. */
export type HopKind = 'nvlink' | 'pci' | 'shm' | 'net';

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
  /** From one agent of a program to another (see `Program.agents`) on a channel. */
  way(from: number, to: number, channel: number, algorithm: AlgorithmName): Way;
}

/**
 * NCCL's GB/s of the way to host memory that a GPU's messages through a NIC take, sent and received together; undefined where the
 * NIC reads and writes the GPU's memory itself.
 */
export type HostMemory = (graphs: NodeGraphs, gpu: TopoNode, net: TopoNode, send: boolean) => number | undefined;

const nowhere: Way = { kind: 'net', links: [] };

/** `hostMemory` is asked for sends and receives; without it all NICs reach the GPUs' memory. */
export function wiresOf(c: Communicator, hostMemory: HostMemory = () => undefined): Wires {
  return new Wiring(c, hostMemory);
}

class Wiring implements Wires {
  readonly links: Link[] = [];
  readonly type: LinkType[] = [];
  private readonly groups: readonly Group[];
  /** Group and GPU of each rank. */
  private readonly groupOf: Int32Array;
  private readonly gpuOf: Int32Array;
  /** Its link to host memory as a NIC's messages use it, −1 without (see `HostMemory`). */
  private readonly memoryOf: Int32Array;
  /** Link of each link of a group's system. Groups of one host share its wires. */
  private readonly linkOf: Int32Array[] = [];
  private readonly byName = new Map<string, number>();
  /** Graph channels of a node; a communicator has each once or several times. */
  private readonly channels: number;
  /** Ways within a group by its agents' numbers there, and ways between groups. */
  private readonly inside: Map<number, Way>[] = [];
  private readonly between = new Map<string, Way>();

  constructor(
    private readonly c: Communicator,
    private readonly hostMemory: HostMemory,
  ) {
    this.groups = groupsOf(c);
    this.groupOf = new Int32Array(c.ranks);
    this.gpuOf = new Int32Array(c.ranks);
    this.memoryOf = new Int32Array(c.ranks).fill(-1);
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
    if (a === b) return this.path(a, this.node(a, from), this.node(a, to));
    const out = algorithm === 'Direct' ? this.rail(a, from, to, channel) : this.net(a, from, channel, algorithm);
    const into = this.net(b, to, channel, algorithm);
    if (!out || !into) return nowhere;
    const key = `${from} ${out.seq} ${to} ${into.seq} ${algorithm === 'Direct'}`;
    const known = this.between.get(key);
    if (known) return known;
    const there = this.path(a, this.node(a, from), out);
    const here = this.path(b, into, this.node(b, to));
    const direct = algorithm === 'Direct';
    const leaving = [...there.links, ...(direct ? this.staged(from, out, true) : [])];
    const entering = [...here.links, ...(direct ? this.staged(to, into, false) : [])];
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
    return this.hostMemory(graphs, this.node(group, rank), net, send) === undefined ? [] : [link];
  }

  /** Links to host memory of the GPUs that need it for any NIC. */
  private memoryLinks(): void {
    const rates = new Map<NodeGraphs, (number | undefined)[]>();
    for (const { host, graphs, ranks } of this.groups) {
      const { GPU, NET } = graphs.ground.paths.system.nodes;
      const rate = (gpu: TopoNode): number | undefined => {
        for (const net of NET) {
          const found = this.hostMemory(graphs, gpu, net, true) ?? this.hostMemory(graphs, gpu, net, false);
          if (found !== undefined) return found;
        }
        return undefined;
      };
      const known = rates.get(graphs) ?? GPU.map(rate);
      rates.set(graphs, known);
      for (const [i, rank] of ranks.entries()) {
        if (known[i] === undefined) continue;
        this.type.push('PCI');
        const name = `node${host} ${GPU[i]!.id} ↔ host memory`;
        this.memoryOf[rank] = this.links.push({ name, rate: fromGBps(known[i]) }) - 1;
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
    const found = paths.links(from, to).filter((l) => l.type !== 'LOC');
    const inside = found.every((l: TopoLink) => l.type === 'NVL' || l.type === 'C2C');
    const kind = inside ? 'nvlink' : this.throughHost(from, to) ? 'shm' : 'pci';
    const made: Way = { kind, links: found.map((l) => this.linkOf[group]![l.seq]!) };
    ways.set(key, made);
    return made;
  }

  /** Two GPUs of a group whose messages one writes to host memory and the other reads there. */
  private throughHost(from: TopoNode, to: TopoNode): boolean {
    if (!from.gpu || !to.gpu) return false;
    const { decision } = this.c;
    const gpus = decision.topology.whole.system.nodes.GPU;
    const [a, b] = [from, to].map((n) => gpus.find((g) => g.gpu!.rank === n.gpu!.rank));
    return a !== undefined && b !== undefined && a !== b && gpuPair(decision, a, b).via === 'SHM';
  }
}
