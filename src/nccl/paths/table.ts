import { DIS, PXN } from '../path-type.ts';
import type { NodeType, System, TopoLink, TopoNode } from '../system/node.ts';

/**
 * Paths of every node towards every GPU, NET, CPU (and, when asked, DEV and NVS). Type, bandwidth and hop count are typed
 * arrays by node; the links of a path are cells (link, rest) in one arena, so that paths share their tails and a
 * 576-GPU domain stays small.
 */
export class PathSet {
  readonly type: Uint8Array;
  readonly bw: Float32Array;
  readonly count: Uint16Array;
  /** First cell of the list in the arena; -1: none. */
  readonly head: Int32Array;

  constructor(nodes: number) {
    this.type = new Uint8Array(nodes).fill(DIS);
    this.bw = new Float32Array(nodes);
    this.count = new Uint16Array(nodes);
    this.head = new Int32Array(nodes).fill(-1);
  }
}

/** Host and bus number, which a GPU and its DEV share: `GPU/0-101c0` and `DEV/0-101c0`. */
const place = (node: TopoNode): string => node.id.slice(node.id.indexOf('/') + 1);

export interface PathView {
  readonly type: number;
  /** GB/s. */
  readonly bw: number;
  readonly hops: number;
}

export class Paths {
  private cellLink = new Int32Array(1 << 12);
  private cellNext = new Int32Array(1 << 12);
  private cells = 0;
  /** By `seq` of the node the paths lead to. */
  readonly to = new Map<TopoNode, PathSet>();

  /** A link that a path needs and that has none back, at which NCCL stops. */
  oneWay: TopoLink | undefined;

  /** The CPU each GPU belongs to: ways from GPUs to CPUs never change. */
  readonly cpuOf = new Map<TopoNode, TopoNode | undefined>();
  private readonly netById = new Map<string, TopoNode>();
  private readonly gpuByDevice = new Map<string, TopoNode>();

  /** Path types as the wires give them, where NCCL's adjustments replaced them (by `from.seq`, then `to.seq`). */
  private readonly before = new Map<number, Map<number, number>>();

  /** The path type before any detour that NCCL laid. */
  wireType(from: TopoNode, to: TopoNode): number {
    return this.before.get(from.seq)?.get(to.seq) ?? this.typeOf(from, to);
  }

  private remember(from: TopoNode, to: TopoNode, type: number): void {
    const known = this.before.get(from.seq);
    if (!known) this.before.set(from.seq, new Map([[to.seq, type]]));
    else if (!known.has(to.seq)) known.set(to.seq, type);
  }

  /** Nearest nodes by (node, type): asked for very often, forgotten when a path of the node changes. */
  private readonly nearest = new Map<TopoNode, Map<NodeType, TopoNode[]>>();

  constructor(readonly system: System) {
    for (const net of system.nodes.NET) if (!this.netById.has(net.id)) this.netById.set(net.id, net);
    for (const gpu of system.nodes.GPU) if (!this.gpuByDevice.has(place(gpu))) this.gpuByDevice.set(place(gpu), gpu);
  }

  /** The first of the NETs that share an id: the one NCCL's look-ups by id find. */
  firstNet(net: TopoNode): TopoNode {
    return this.netById.get(net.id) ?? net;
  }

  /**
   * Where the paths towards a node are written down. NCCL finds that place by id: what leads to any of the NETs of one id
   * (a file may repeat a NET under every CPU) stands with the first of them, the best of all, and nothing with the others.
   */
  leadingTo(base: TopoNode): PathSet {
    const first = base.type === 'NET' ? this.firstNet(base) : base;
    const known = this.to.get(first);
    const set = known ?? new PathSet(this.system.all.length);
    this.to.set(first, set);
    if (known) this.to.set(base, new PathSet(this.system.all.length));
    return set;
  }

  /** The (first) rank on a physical GPU. */
  gpuOn(device: TopoNode): TopoNode | undefined {
    return this.gpuByDevice.get(place(device));
  }

  /** The node behind the n-th link of a path, counted from 0. */
  nodeAfter(from: TopoNode, to: TopoNode, n: number): TopoNode | undefined {
    let cell = this.towards(to).head[from.seq]!;
    for (let i = 0; i < n && cell >= 0; i++) cell = this.cellNext[cell]!;
    return cell < 0 ? undefined : this.system.links[this.cellLink[cell]!]!.to;
  }

  /** The nodes of a type that are nearest to `from`: most bandwidth, and at that bandwidth the best type. */
  local(from: TopoNode, type: NodeType): readonly TopoNode[] {
    let byType = this.nearest.get(from);
    if (!byType) {
      byType = new Map();
      this.nearest.set(from, byType);
    }
    let nodes = byType.get(type);
    if (!nodes) {
      nodes = this.findLocal(from, type);
      byType.set(type, nodes);
    }
    return nodes;
  }

  private findLocal(from: TopoNode, type: NodeType): TopoNode[] {
    let best: TopoNode[] = [];
    let bestType: number = DIS;
    let bestBw = 0;
    for (const node of this.system.nodes[type]) {
      const set = this.to.get(node);
      if (!set) continue;
      const bw = set.bw[from.seq]!;
      const t = set.type[from.seq]!;
      if (bw > bestBw || (bw === bestBw && t < bestType)) {
        bestBw = bw;
        bestType = t;
        best = [];
      }
      if (bw === bestBw && t === bestType) best.push(node);
    }
    return best;
  }

  setType(from: TopoNode, to: TopoNode, type: number): void {
    this.remember(from, to, this.typeOf(from, to));
    this.towards(to).type[from.seq] = type;
    this.nearest.delete(from);
  }

  cons(link: TopoLink, rest: number): number {
    if (this.cells === this.cellLink.length) {
      const link2 = new Int32Array(this.cells * 2);
      const next2 = new Int32Array(this.cells * 2);
      link2.set(this.cellLink);
      next2.set(this.cellNext);
      this.cellLink = link2;
      this.cellNext = next2;
    }
    this.cellLink[this.cells] = link.seq;
    this.cellNext[this.cells] = rest;
    return this.cells++;
  }

  /** The set of paths towards a node; undefined when none were computed. */
  towards(base: TopoNode): PathSet {
    const set = this.to.get(base);
    if (!set) throw new Error(`no paths towards ${base.id}`);
    return set;
  }

  view(from: TopoNode, to: TopoNode): PathView {
    const set = this.towards(to);
    return { type: set.type[from.seq]!, bw: set.bw[from.seq]!, hops: set.count[from.seq]! };
  }

  typeOf(from: TopoNode, to: TopoNode): number {
    return this.towards(to).type[from.seq]!;
  }

  bwOf(from: TopoNode, to: TopoNode): number {
    return this.towards(to).bw[from.seq]!;
  }

  /** The links from one node to another, in order. */
  links(from: TopoNode, to: TopoNode): TopoLink[] {
    const list: TopoLink[] = [];
    for (let c = this.towards(to).head[from.seq]!; c >= 0; c = this.cellNext[c]!) {
      list.push(this.system.links[this.cellLink[c]!]!);
    }
    return list;
  }

  /** Replaces the path from → to by from → via → to, with the type given. */
  reroute(from: TopoNode, via: TopoNode, to: TopoNode, type: number): void {
    if (to.type !== 'NET' || type !== PXN) this.remember(from, to, this.typeOf(from, to));
    const first = this.links(from, via);
    const target = this.towards(to);
    const leg = this.towards(via);
    const bw = Math.min(leg.bw[from.seq]!, target.bw[via.seq]!);
    let head = target.head[via.seq]!;
    for (let i = first.length - 1; i >= 0; i--) head = this.cons(first[i]!, head);
    target.count[from.seq] = first.length + target.count[via.seq]!;
    target.bw[from.seq] = bw;
    target.head[from.seq] = head;
    target.type[from.seq] = type;
    this.nearest.delete(from);
  }
}
