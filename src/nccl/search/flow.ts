import { NVL, PHB } from '../path-type.ts';
import type { Paths } from '../paths/table.ts';
import { reverseLinks } from '../paths/walk.ts';
import { atLeast, type Release } from '../release.ts';
import type { System, TopoNode } from '../system/node.ts';

/** A path laid out for repeated reservation: link numbers, and what each step charges besides. */
export interface Way {
  readonly type: number;
  /** The worse of its type and that of the way back. */
  readonly worse: number;
  /** From a GPU or NVSwitch to another: held to what is asked within a node. */
  readonly inside: boolean;
  readonly links: Int32Array;
  readonly pci: Uint8Array;
  /** Link of the other direction that is charged too; -1: none. */
  readonly back: Int32Array;
  /** Is there any such link? */
  readonly charges: boolean;
  /** Share of the bandwidth that it is charged. */
  readonly share: Float32Array;
  /** What PCIe links take of the bandwidth reserved. */
  readonly pciFactor: number;
  /** The bandwidth last asked for, and what it is of the links, in MB/s: few are asked for, millions of times. */
  asked: number;
  amount: number;
  pciAmount: number;
}

/** NCCL keeps what is left in floats of GB/s rounded to thousandths: whole MB/s, wherever the figure is one. */
function megabytes(gbps: number): number {
  const exact = gbps * 1000;
  const whole = Math.round(exact);
  return Math.abs(exact - whole) <= Math.abs(exact) * floatError ? whole : exact;
}

const floatError = 2 ** -23;

/** Ways that no two share a link of, and whose links charge nothing else: taken together in one pass. */
export interface Star {
  /** The worst of their types. */
  readonly type: number;
  readonly links: Int32Array;
  /** How often each link carries the bandwidth asked for. */
  readonly times: Float32Array;
  readonly hops: number;
}

/** Bandwidth left on every link while channels are tried, and the reservation of a path on it. */
export class Flow {
  /** MB/s by link. */
  readonly left: Float64Array;
  private readonly ways: (Way | undefined)[];
  private readonly reverse;
  private readonly size: number;

  constructor(
    private readonly paths: Paths,
    private readonly release: Release,
  ) {
    const { links, all } = paths.system;
    this.left = Float64Array.from(links, (l) => megabytes(Math.fround(l.bw)));
    this.reverse = reverseLinks(links);
    this.size = all.length;
    this.ways = new Array(this.size * this.size);
  }

  way(from: TopoNode, to: TopoNode): Way {
    const key = from.seq * this.size + to.seq;
    let way = this.ways[key];
    if (!way) {
      way = this.layOut(from, to);
      this.ways[key] = way;
    }
    return way;
  }

  private layOut(from: TopoNode, to: TopoNode): Way {
    const list = this.paths.links(from, to);
    const type = this.paths.typeOf(from, to);
    const intel = list.some((l) => l.to.cpu?.arch === 'x86_64' && l.to.cpu.vendor === 'Intel');
    const penalty = atLeast(this.release, '2.9.6') ? 6 / 5 : 12 / 9;
    const back = new Int32Array(list.length).fill(-1);
    const share = new Float32Array(list.length);
    list.forEach((l, i) => {
      const gpu = l.to.type === 'DEV' || (l.to.type === 'GPU' && !atLeast(this.release, '2.30.3'));
      const old = !atLeast(this.release, '2.7.3') || smOf(l.to) < 80;
      if (gpu && old && from.type !== 'GPU') share[i] = 1 / 8;
      if (l.to.type === 'CPU' && l.to.cpu?.arch === 'ppc64' && l.type === 'NVL') share[i]! += 1;
      if (share[i]! > 0) back[i] = this.reverse[l.seq]?.seq ?? -1;
    });
    return {
      type,
      worse: Math.max(type, this.paths.typeOf(to, from)),
      inside: isInside(from) && isInside(to),
      charges: back.some((b) => b >= 0),
      asked: Number.NaN,
      amount: 0,
      pciAmount: 0,
      links: Int32Array.from(list, (l) => l.seq),
      pci: Uint8Array.from(list, (l) => (l.type === 'PCI' ? 1 : 0)),
      back,
      share,
      pciFactor: type === PHB && from.type === 'GPU' && intel ? penalty : 1,
    };
  }

  /** Takes `bw` on the whole way, or nothing and answers false. */
  take(way: Way, bw: number): boolean {
    if (way.asked !== bw) this.ask(way, bw);
    const { links, pci, amount, pciAmount } = way;
    const { left } = this;
    for (let i = 0; i < links.length; i++) {
      const link = links[i]!;
      const forward = pci[i] ? pciAmount : amount;
      const rest = left[link]! - forward;
      if (rest < 0 || (way.charges && !this.charge(way, i, forward))) {
        this.undo(way, i);
        return false;
      }
      left[link] = Math.round(rest);
    }
    return true;
  }

  /** The ways between `ends` as a star; undefined where they share links, or charge others. */
  star(ends: readonly (readonly [from: TopoNode, to: TopoNode, times: number])[]): Star | undefined {
    const ways = ends.map(([from, to, times]) => ({ way: this.way(from, to), times }));
    const links = ways.flatMap(({ way }) => [...way.links]);
    const plain = ways.every(({ way }) => way.back.every((b) => b < 0) && way.pci.every((p) => p === 0));
    if (!plain || new Set(links).size !== links.length) return undefined;
    return {
      type: Math.max(...ways.map(({ way }) => way.type)),
      links: Int32Array.from(links),
      times: Float32Array.from(ways.flatMap(({ way, times }) => Array.from(way.links, () => times))),
      hops: ways.reduce((sum, { way, times }) => sum + times * way.links.length, 0),
    };
  }

  takeStar({ links, times }: Star, bw: number): boolean {
    const { left } = this;
    for (let i = 0; i < links.length; i++) if (left[links[i]!]! < megabytes(bw * times[i]!)) return false;
    for (let i = 0; i < links.length; i++) {
      const link = links[i]!;
      left[link] = Math.round(left[link]! - megabytes(bw * times[i]!));
    }
    return true;
  }

  /** Gives back what `take` took. */
  give(way: Way, bw: number): void {
    if (way.asked !== bw) this.ask(way, bw);
    this.undo(way, way.links.length);
  }

  private ask(way: Way, bw: number): void {
    way.asked = bw;
    way.amount = megabytes(bw);
    way.pciAmount = way.pciFactor === 1 ? way.amount : megabytes(Math.fround(bw * way.pciFactor));
  }

  private charge(way: Way, step: number, forward: number): boolean {
    const b = way.back[step]!;
    if (b < 0) return true;
    const rest = this.left[b]! - forward * way.share[step]!;
    if (rest < 0) return false;
    this.left[b] = Math.round(rest);
    return true;
  }

  /** The first steps of a way are as they were before. */
  private undo(way: Way, count: number): void {
    const { links, pci, amount, pciAmount, back, share, charges } = way;
    const { left } = this;
    for (let i = 0; i < count; i++) {
      const link = links[i]!;
      const forward = pci[i] ? pciAmount : amount;
      if (charges && back[i]! >= 0) left[back[i]!] = Math.round(left[back[i]!]! + forward * share[i]!);
      left[link] = Math.round(left[link]! + forward);
    }
  }
}

const isInside = (node: TopoNode): boolean => node.type === 'GPU' || node.type === 'NVS';

/** Compute capability of a rank, or of a device: the latter keeps it when its ranks are gone. */
export const smOf = (node: TopoNode): number =>
  node.gpu?.sm ?? node.sm ?? node.links.find((l) => l.to.type === 'GPU')?.to.gpu?.sm ?? 0;

/** The node that holds a rank's links: its device where the release has such nodes, else the rank itself. */
export const deviceOf = (gpu: TopoNode): TopoNode => gpu.links.find((l) => l.to.type === 'DEV')?.to ?? gpu;

/** What holds links: devices where the release has such nodes, those too whose ranks were trimmed; else the ranks. */
export const devicesIn = ({ nodes }: System): readonly TopoNode[] => (nodes.DEV.length > 0 ? nodes.DEV : nodes.GPU);

/**
 * Most bandwidth of one path, and of one device in all: where a search starts, and where it need not go on. Where devices are
 * nodes of their own the ways count from them, as the wires are: NCCL lays its detours between ranks.
 */
export function limits(paths: Paths, inter: boolean): { maxBw: number; totalBw: number } {
  const gpus = paths.system.nodes.GPU;
  if (!inter && gpus.length === 1) return { maxBw: 5000, totalBw: 5000 };
  let maxBw = 0;
  let totalBw = 0;
  for (const device of devicesIn(paths.system)) {
    const ends = inter ? paths.system.nodes.NET : gpus.filter((g) => deviceOf(g) !== device);
    for (const end of ends) maxBw = Math.max(maxBw, paths.bwOf(device, end));
    let nvlink = 0;
    let pci = 0;
    for (const l of device.links) {
      if (l.type === 'NVL') nvlink += l.bw;
      if (l.type === 'PCI') pci = l.bw;
    }
    totalBw = Math.max(totalBw, nvlink, pci);
  }
  return { maxBw, totalBw };
}

/** Two groups of GPUs, each joined by NVLink but not to one another; GPUs without NVLink do not count. */
export function splitNvlink(paths: Paths): boolean {
  const gpus = paths.system.nodes.GPU;
  const group = gpus.map((_, i) => i);
  // As NCCL goes about it: the last earlier GPU on NVLink gives its group, without looking at the others.
  gpus.forEach((g, i) => {
    for (let p = i + 1; p < gpus.length; p++) if (paths.typeOf(g, gpus[p]!) === NVL) group[p] = group[i]!;
  });
  const sizes = new Map<number, number>();
  for (const g of group) sizes.set(g, (sizes.get(g) ?? 0) + 1);
  return [...sizes.values()].filter((n) => n > 1).length === 2;
}
