import { DIS } from '../path-type.ts';
import type { Paths } from '../paths/table.ts';
import { atLeast, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';
import { Crossing } from './crossing.ts';
import type { Flow, Star } from './flow.ts';
import { copyGraph, type Graph, isBetter, pattern } from './graph.ts';
import type { Order } from './order.ts';

const FREE = 0;
const PCI_ORDER = 1;
const REPLAY = 2;
/** A way of a star, and how often it carries a channel's bandwidth. */
type Leg = readonly [from: TopoNode, to: TopoNode, times: number];

type Forced = typeof FREE | typeof PCI_ORDER | typeof REPLAY;

/** The PCI-order attempt from a NET has a budget of its own. */
const pciOrderBudget = 1 << 10;

/** Visits left; -1: found what cannot be bettered. */
export interface Budget {
  left: number;
  /** How often something better was found. */
  found: number;
}

/**
 * Depth-first over channels and, in each, over GPUs (src/graph/search.cc): every step reserves bandwidth on the links of
 * its path, and what is found is kept when better.
 */
export class Walk {
  /** Per channel, which GPUs it has visited. */
  private readonly used: Uint8Array[];
  /** Per channel and step, which GPUs come next, how many there are and how many of them were tried. */
  private readonly next: Int16Array[];
  private readonly found: Int16Array;
  private readonly tried: Int16Array;
  private readonly gpus: readonly TopoNode[];
  private readonly nets: readonly TopoNode[];
  private readonly crossing: Crossing;
  private readonly n: number;
  private readonly rotates: boolean;
  private readonly skipsPciOrder: boolean;
  private readonly checksBack: boolean;

  constructor(
    private readonly paths: Paths,
    private readonly flow: Flow,
    private readonly order: Order,
    private readonly inter: boolean,
    release: Release,
    settings: Settings,
  ) {
    this.gpus = paths.system.nodes.GPU;
    this.nets = paths.system.nodes.NET;
    this.n = this.gpus.length;
    this.rotates = atLeast(release, '2.19.1');
    this.skipsPciOrder = paths.system.nodes.NVS.length > 0 && atLeast(release, '2.19.3');
    this.checksBack = atLeast(release, '2.18.3');
    this.crossing = new Crossing(this.nets, settings, release);
    this.used = Array.from({ length: 65 }, () => new Uint8Array(this.n));
    this.next = Array.from({ length: 65 * (this.n + 1) }, () => new Int16Array(0));
    this.found = new Int16Array(this.next.length);
    this.tried = new Int16Array(this.next.length);
  }

  /** Looks for the next channel of `graph`; the best so far is in `best`. */
  channel(graph: Graph, best: Graph, budget: Budget): void {
    const ring = graph.pattern === pattern.RING;
    const backToNet = !this.inter ? -1 : ring ? this.n - 1 : graph.pattern === pattern.SPLIT_TREE ? 1 : 0;
    const backToFirst = !this.inter && ring ? this.n - 1 : -1;
    if (this.inter) {
      this.fromNets(graph, best, budget, backToNet, backToFirst);
      return;
    }
    if (graph.pattern === pattern.NVLS || graph.pattern === pattern.COLLNET_DIRECT) {
      this.tryGpu(graph, best, budget, 0, -1, -1, FREE, undefined, graph.nChannels);
      return;
    }
    const c = graph.nChannels;
    const forced = c === 0 ? PCI_ORDER : REPLAY;
    const first = c === 0 ? 0 : graph.intra[(c - 1) * this.n]!;
    this.tryGpu(graph, best, budget, 0, backToNet, backToFirst, forced, undefined, first);
    if (graph.sameChannels !== 0 && c > 0) return;
    for (let g = 0; g < this.n; g++) this.tryGpu(graph, best, budget, 0, backToNet, backToFirst, FREE, undefined, g);
  }

  private fromNets(graph: Graph, best: Graph, budget: Budget, backToNet: number, backToFirst: number): void {
    const c = graph.nChannels;
    // NCCL keeps this one in whole GB/s.
    const bw = Math.trunc(graph.bwInter);
    const list = this.order.netsFor(graph.typeInter, -1);
    const heads = graph.pattern === pattern.NVLS || graph.pattern === pattern.COLLNET_DIRECT;
    for (let i = 0; i < list.length; i++) {
      const n = list[(i + (this.rotates ? c : 0)) % list.length]!;
      const net = this.nets[n]!;
      if (this.crossing.left[n]! < bw) continue;
      const swapped = graph.pattern === pattern.RING && graph.crossNic === 2 && (c & 1) === 1;
      if (swapped && !this.crossing.sameNet(n, graph.inter[(c - 1) * 2 + 1]!)) continue;
      graph.inter[c * 2] = this.paths.firstNet(net).index;
      graph.latencyInter = net.net!.latency;
      this.crossing.charge(n, bw);
      const local = net.net!.localGpu;
      if (heads) {
        if (c < list.length && local >= 0 && !this.isHead(graph, local)) {
          // The first NET that brings a new head is the only one tried, whether the head can be served or not.
          this.tryGpu(graph, best, budget, 0, backToNet, backToFirst, FREE, net, local);
          this.crossing.charge(n, -bw);
          return;
        }
      } else if (c > 0 && graph.sameChannels === 1) {
        const again = graph.intra[(c - 1) * this.n]!;
        this.tryGpu(graph, best, budget, 0, backToNet, backToFirst, REPLAY, net, again);
      } else {
        if (c === 0 && !this.skipsPciOrder) {
          const own = { left: pciOrderBudget, found: 0 };
          this.tryGpu(graph, best, own, 0, backToNet, backToFirst, PCI_ORDER, net, 0);
          if (own.left === -1) budget.left = -1;
          budget.found += own.found;
        }
        if (local >= 0) this.tryGpu(graph, best, budget, 0, backToNet, backToFirst, FREE, net, local);
        for (const g of this.paths.local(net, 'GPU')) {
          if (g.index !== local) this.tryGpu(graph, best, budget, 0, backToNet, backToFirst, FREE, net, g.index);
        }
      }
      this.crossing.charge(n, -bw);
    }
  }

  private isHead(graph: Graph, g: number): boolean {
    for (let c = 0; c < graph.nChannels; c++) if (graph.intra[c * this.n] === g) return true;
    return false;
  }

  private take(graph: Graph, from: TopoNode, to: TopoNode, times: number, bwFactor = 1): boolean {
    const way = this.flow.way(from, to);
    const { inside } = way;
    const type = this.checksBack && graph.pattern <= pattern.TREE ? way.worse : way.type;
    // What is not connected is never taken, however far a search may go.
    if (type === DIS || type > (inside ? graph.typeIntra : graph.typeInter)) return false;
    const bw = Math.fround((inside ? graph.bwIntra : graph.bwInter) * bwFactor * times);
    if (!this.flow.take(way, bw)) return false;
    graph.nHops = Math.trunc(graph.nHops + times * way.links.length);
    return true;
  }

  /** Gives back what `take` took, for the next try. */
  private give(graph: Graph, from: TopoNode, to: TopoNode, times: number, bwFactor = 1): void {
    const way = this.flow.way(from, to);
    this.flow.give(way, Math.fround((way.inside ? graph.bwIntra : graph.bwInter) * bwFactor * times));
    graph.nHops = Math.trunc(graph.nHops - times * way.links.length);
  }

  private tryGpu(
    graph: Graph,
    best: Graph,
    budget: Budget,
    step: number,
    backToNet: number,
    backToFirst: number,
    forced: Forced,
    from: TopoNode | undefined,
    g: number,
  ): void {
    const to = this.gpus[g]!;
    if (from && !this.take(graph, from, to, 1)) return;
    const used = this.used[graph.nChannels]!;
    used[g] = used[g] ? 0 : 1;
    this.visit(graph, best, budget, step, backToNet, backToFirst, forced, g);
    used[g] = used[g] ? 0 : 1;
    if (from) this.give(graph, from, to, 1);
  }

  private visit(
    graph: Graph,
    best: Graph,
    budget: Budget,
    step: number,
    backToNet: number,
    backToFirst: number,
    forced: Forced,
    g: number,
  ): void {
    if (budget.left <= 0) return;
    budget.left--;
    const { n } = this;
    if (step === n) {
      this.complete(graph, best, budget);
      return;
    }
    const c = graph.nChannels;
    graph.intra[c * n + step] = g;
    this.arrived(graph, best, budget, step, backToNet, backToFirst, forced, g);
  }

  /** What comes after a GPU that the channel has reached. */
  private arrived(
    graph: Graph,
    best: Graph,
    budget: Budget,
    step: number,
    backToNet: number,
    backToFirst: number,
    forced: Forced,
    g: number,
  ): void {
    const { n } = this;
    const here = this.gpus[g]!;
    if (step === backToNet) {
      this.toNets(graph, best, budget, step, backToFirst, forced, g);
    } else if (graph.pattern === pattern.NVLS) {
      this.nvls(graph, best, budget, g);
    } else if (graph.pattern === pattern.COLLNET_DIRECT) {
      this.direct(graph, best, budget, g);
    } else if (step < n - 1) {
      this.onward(graph, best, budget, step, backToNet, backToFirst, forced);
    } else if (step === backToFirst) {
      const first = graph.intra[graph.nChannels * n]!;
      if (this.take(graph, here, this.gpus[first]!, 1)) {
        this.visit(graph, best, budget, step + 1, backToNet, -1, forced, first);
        this.give(graph, here, this.gpus[first]!, 1);
      }
    } else {
      this.visit(graph, best, budget, n, -1, -1, forced, g);
    }
  }

  /**
   * All ways on from the GPU at `from`, up to where the channel leaves for a NET or has been everywhere. A loop: 32 channels
   * through a domain of 72 GPUs would be thousands of calls in each other.
   */
  private onward(
    graph: Graph,
    best: Graph,
    budget: Budget,
    from: number,
    backToNet: number,
    backToFirst: number,
    forced: Forced,
  ): void {
    const { n } = this;
    const c = graph.nChannels;
    const row = c * n;
    const slots = c * (n + 1);
    const used = this.used[c]!;
    let step = from;
    const look = (): void => {
      this.tried[slots + step] = 0;
      this.found[slots + step] = this.candidates(graph, step, backToNet, forced);
    };
    look();
    for (;;) {
      const slot = slots + step;
      const here = this.gpus[graph.intra[row + step]!]!;
      if (this.tried[slot]! >= this.found[slot]!) {
        if (step === from) return;
        const back = graph.intra[row + step]!;
        step--;
        used[back] = used[back] ? 0 : 1;
        this.give(graph, this.gpus[graph.intra[row + step]!]!, this.gpus[back]!, 1);
        continue;
      }
      const g = this.next[slot]![this.tried[slot]!++]!;
      if (!this.take(graph, here, this.gpus[g]!, 1)) continue;
      used[g] = used[g] ? 0 : 1;
      if (budget.left > 0) {
        budget.left--;
        step++;
        graph.intra[row + step] = g;
        if (step !== backToNet && step < n - 1) {
          look();
          continue;
        }
        this.arrived(graph, best, budget, step, backToNet, backToFirst, forced, g);
        step--;
      }
      used[g] = used[g] ? 0 : 1;
      this.give(graph, here, this.gpus[g]!, 1);
    }
  }

  /** GPUs to try after the one at a step, into the step's own list. */
  private candidates(graph: Graph, step: number, backToNet: number, forced: Forced): number {
    const { n } = this;
    const c = graph.nChannels;
    const slot = c * (n + 1) + step;
    if (this.next[slot]!.length === 0) this.next[slot] = new Int16Array(n);
    const out = this.next[slot]!;
    if (forced !== FREE) {
      out[0] = forced === PCI_ORDER ? step + 1 : graph.intra[(c - 1) * n + step + 1]!;
      return 1;
    }
    const toNet = backToNet === -1 ? 0 : backToNet === step + 1 ? 1 : -1;
    return this.order.nextGpus(graph, graph.intra[c * n + step]!, this.used[c]!, toNet, out);
  }

  private complete(graph: Graph, best: Graph, budget: Budget): void {
    graph.nChannels++;
    if (isBetter(graph, best, this.n)) {
      copyGraph(graph, best);
      budget.found++;
      if (graph.nChannels === graph.maxChannels) budget.left = -1;
    }
    if (graph.nChannels < graph.maxChannels) this.channel(graph, best, budget);
    graph.nChannels--;
  }

  /** Out to a NET: where the channel leaves the node. */
  private toNets(
    graph: Graph,
    best: Graph,
    budget: Budget,
    step: number,
    backToFirst: number,
    forced: Forced,
    g: number,
  ): void {
    const c = graph.nChannels;
    const start = graph.inter[c * 2]!;
    const balanced = graph.pattern === pattern.BALANCED_TREE;
    for (const n of this.order.netsFor(graph.typeInter, g)) {
      if (!this.crossing.inPlane(n, start)) continue;
      if (graph.pattern === pattern.TREE && !this.crossing.sameNet(n, start)) continue;
      if (graph.pattern === pattern.RING && graph.crossNic === 2) {
        if ((c & 1) === 1 && !this.crossing.sameNet(n, graph.inter[(c - 1) * 2]!)) continue;
      } else if (graph.crossNic === 0 && !this.crossing.onRail(n, start)) continue;
      // A balanced tree leaves from its first two GPUs, half of the traffic each.
      if (balanced && step !== 0 && !this.crossing.sameNet(n, graph.inter[c * 2 + 1]!)) continue;
      const factor = balanced ? 0.5 : 1;
      const again = balanced && step === 0 ? 1 : -1;
      const here = this.gpus[g]!;
      if (!this.take(graph, here, this.nets[n]!, 1, factor)) continue;
      graph.inter[c * 2 + 1] = this.paths.firstNet(this.nets[n]!).index;
      this.visit(graph, best, budget, step, again, backToFirst, forced, g);
      this.give(graph, here, this.nets[n]!, 1, factor);
    }
  }

  /** A head of an NVLS tree: every GPU to the switch and back, the head twice. */
  private nvls(graph: Graph, best: Graph, budget: Budget, head: number): void {
    const nvs = this.paths.system.nodes.NVS[0];
    if (!nvs) return;
    let known = this.stars.get(head);
    if (!known) {
      const legs = this.gpus.flatMap((gpu, d): Leg[] => {
        const times = d === head ? 2 : 1;
        return [
          [nvs, gpu, times],
          [gpu, nvs, times],
        ];
      });
      known = { legs, star: this.flow.star(legs) };
      this.stars.set(head, known);
    }
    const { legs, star } = known;
    if (!star) {
      this.star(graph, best, budget, legs, head);
      return;
    }
    this.behind(graph, head);
    if (star.type > graph.typeIntra || !this.flow.takeStar(star, graph.bwIntra)) return;
    graph.nHops += star.hops;
    this.visit(graph, best, budget, this.n, -1, -1, FREE, head);
    graph.nHops -= star.hops;
    this.flow.takeStar(star, -graph.bwIntra);
  }

  private readonly stars = new Map<number, { readonly legs: readonly Leg[]; readonly star: Star | undefined }>();

  /** All others stand behind a head. */
  private behind(graph: Graph, head: number): void {
    const row = graph.nChannels * this.n;
    for (let d = 0, i = 1; d < this.n; d++) if (d !== head) graph.intra[row + i++] = d;
  }

  private direct(graph: Graph, best: Graph, budget: Budget, head: number): void {
    const share = Math.fround(1 / (this.n - 1));
    const legs: Leg[] = [];
    this.gpus.forEach((gpu, d) => {
      if (d !== head) legs.push([this.gpus[head]!, gpu, share], [gpu, this.gpus[head]!, share]);
    });
    this.star(graph, best, budget, legs, head);
  }

  private star(graph: Graph, best: Graph, budget: Budget, legs: readonly Leg[], head: number): void {
    this.behind(graph, head);
    let taken = 0;
    while (taken < legs.length && this.take(graph, ...legs[taken]!)) taken++;
    if (taken === legs.length) this.visit(graph, best, budget, this.n, -1, -1, FREE, head);
    while (taken > 0) {
      const [from, to, times] = legs[--taken]!;
      this.give(graph, from, to, times);
    }
  }
}
