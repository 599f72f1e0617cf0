import { localNet } from '../paths/local.ts';
import type { Paths } from '../paths/table.ts';
import { atLeast, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';
import { deviceOf, type Flow } from './flow.ts';
import { type Graph, pattern } from './graph.ts';

/** In which order the search tries NETs and next GPUs: most hopeful first. */
export class Order {
  private readonly nets = new Map<number, Int16Array>();
  private readonly pciLinks: readonly (readonly [number, number])[];
  private readonly count: number;
  private readonly prefersNeighbours: boolean;
  private readonly onlyNeighbours: boolean;
  /** Way between two GPUs as one number, smaller is better: GB/s falling, then hops; -1: none. */
  private readonly inside: Float64Array;
  /** The same from a NET to a GPU. */
  private readonly outside: Float64Array;
  private readonly keys: Float64Array;

  constructor(
    private readonly paths: Paths,
    private readonly flow: Flow,
    private readonly release: Release,
    private readonly settings: Settings,
  ) {
    const gpus = paths.system.nodes.GPU;
    this.count = gpus.length;
    this.prefersNeighbours = paths.system.nodes.NVS.length > 0 && atLeast(release, '2.19.3');
    this.onlyNeighbours = atLeast(release, '2.21.5');
    this.keys = new Float64Array(gpus.length * 3);
    const rank = (from: TopoNode, to: TopoNode): number => {
      const { bw, hops } = paths.view(from, to);
      return (8191 - Math.trunc(bw)) * 4096 + hops;
    };
    this.inside = Float64Array.from(
      gpus.flatMap((a) => gpus.map((b) => (paths.view(a, b).hops === 0 ? -1 : rank(a, b)))),
    );
    this.outside = Float64Array.from(paths.system.nodes.NET.flatMap((net) => gpus.map((g) => rank(net, g))));
    this.pciLinks = gpus.map((g) => {
      const device = deviceOf(g);
      const up = device.links.find((l) => l.type === 'PCI');
      const down = up?.to.links.find((l) => l.to === device);
      return [up?.seq ?? -1, down?.seq ?? -1] as const;
    });
  }

  /** NETs by liking for one GPU (or all, `gpu` -1), at most `typeInter` away. */
  netsFor(typeInter: number, gpu: number): Int16Array {
    const key = typeInter * 4096 + gpu + 1;
    let list = this.nets.get(key);
    if (!list) {
      list = Int16Array.from(this.findNets(typeInter, gpu));
      this.nets.set(key, list);
    }
    return list;
  }

  private findNets(typeInter: number, only: number): Set<number> {
    const { GPU, NET } = this.paths.system.nodes;
    const gpus = only < 0 ? GPU : [GPU[only]!];
    const own = gpus.map((gpu) => {
      const list: number[] = [];
      for (let c = 0; c < 64; c++) {
        const net = localNet(this.paths, gpu, c, this.release, this.settings);
        if (!net) break;
        const index = this.paths.firstNet(net).index;
        if (list[0] === index) break;
        list.push(index);
      }
      return list;
    });
    const nets = new Set<number>();
    // In an NVLink domain over several hosts the channels spread over the GPUs first.
    const scattered = GPU.some((g) => g.host !== GPU[0]!.host) && this.settings.scatterNets;
    if (atLeast(this.release, '2.27.5') && scattered) {
      const most = Math.max(0, ...own.map((l) => l.length));
      for (let c = 0; c < most; c++) for (const list of own) if (c < list.length) nets.add(list[c]!);
    } else if (atLeast(this.release, '2.18.5')) for (const list of own) for (const n of list) nets.add(n);
    // Of what is not a GPU's own NCCL looks at the first 64.
    const others = NET.slice(0, 64);
    for (let t = 0; t <= typeInter; t++) {
      for (const gpu of gpus) for (const net of others) if (this.paths.typeOf(gpu, net) === t) nets.add(net.index);
    }
    const { policy, max } = this.settings.netDevices;
    if (policy !== 'MAX') return nets;
    return new Set([...nets].slice(0, max * gpus.length));
  }

  /** GPUs to try after `gpu`, into `out`; `toNet`: 1 the channel next leaves to its NET, -1 later, 0 never. */
  nextGpus(graph: Graph, gpu: number, used: Uint8Array, toNet: number, out: Int16Array): number {
    if (this.prefersNeighbours && this.onlyNeighbours) return this.neighbours(graph, gpu, used, out);
    const { keys, count: n } = this;
    const net = toNet !== 0 ? graph.inter[graph.nChannels * 2]! : -1;
    let count = 0;
    let even = true;
    for (let i = 1; i < n; i++) {
      const g = (gpu + i) % n;
      if (used[g]) continue;
      const inside = this.inside[gpu * n + g]!;
      if (inside < 0) continue;
      if (count > 0 && inside !== this.inside[gpu * n + out[0]!]!) even = false;
      const pci = net < 0 ? 0 : Math.trunc(this.pciBw(g));
      const outside = net < 0 ? 0 : this.outside[net * n + g]!;
      // Bandwidth to the NET, then of the GPU's slot, then hops to the NET: two keys compare all three.
      const far = Math.floor(outside / 4096) * 8192 - pci;
      const hops = outside % 4096;
      let at = count++;
      while (at > 0 && before(far, hops, inside, keys, (at - 1) * 3)) {
        keys.copyWithin(at * 3, (at - 1) * 3, at * 3);
        out[at] = out[at - 1]!;
        at--;
      }
      keys[at * 3] = far;
      keys[at * 3 + 1] = hops;
      keys[at * 3 + 2] = inside;
      out[at] = g;
    }
    if (toNet < 0 && even) out.subarray(0, count).reverse();
    return this.prefersNeighbours ? this.neighboursFirst(graph, gpu, out, count) : count;
  }

  private pciBw(g: number): number {
    const [up, down] = this.pciLinks[g]!;
    return up < 0 || down < 0 ? -1 : Math.min(this.flow.left[up]!, this.flow.left[down]!) / 1000;
  }

  /** Where only neighbours are tried, the order of the others does not matter. */
  private neighbours(graph: Graph, gpu: number, used: Uint8Array, out: Int16Array): number {
    const [one, two] = this.besides(graph, gpu);
    let found = 0;
    if (this.open(gpu, two, used)) out[found++] = two;
    if (this.open(gpu, one, used)) out[found++] = one;
    return found;
  }

  private open(gpu: number, g: number, used: Uint8Array): boolean {
    return g >= 0 && g !== gpu && used[g] === 0 && this.inside[gpu * this.count + g]! >= 0;
  }

  /** The neighbour tried last, and the one tried first (-1: only one is). */
  private besides(graph: Graph, gpu: number): readonly [number, number] {
    const next = (gpu + 1) % this.count;
    const prev = (gpu + this.count - 1) % this.count;
    const ring = graph.pattern === pattern.RING;
    const both = ring || graph.pattern === pattern.SPLIT_TREE || graph.pattern === pattern.BALANCED_TREE;
    const one = ring ? next : both ? prev : next;
    return [one, !both || next === prev ? -1 : ring ? prev : next];
  }

  /** Behind an NVSwitch all GPUs are alike; talking to few peers saves connections. */
  private neighboursFirst(graph: Graph, gpu: number, out: Int16Array, count: number): number {
    // The one moved last is tried first.
    const besides = this.besides(graph, gpu);
    let found = 0;
    for (let i = 0; i < 2; i++) {
      const g = besides[i]!;
      let at = 0;
      while (at < count && out[at] !== g) at++;
      if (at === count) continue;
      out.copyWithin(1, 0, at);
      out[0] = g;
      found++;
    }
    return this.onlyNeighbours ? found : count;
  }
}

/** Is a new candidate strictly better than the one at `i`? Equal ones stay in ring order. */
function before(far: number, hops: number, inside: number, keys: Float64Array, i: number): boolean {
  if (far !== keys[i]!) return far < keys[i]!;
  if (hops !== keys[i + 1]!) return hops < keys[i + 1]!;
  return inside < keys[i + 2]!;
}
