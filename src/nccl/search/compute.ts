import { DIS, LOC, NVL, PIX, PXB, PXN, pathTypes, SYS, typesOf } from '../path-type.ts';
import { localNet } from '../paths/local.ts';
import type { Paths } from '../paths/table.ts';
import { reverseLinks, walkFrom } from '../paths/walk.ts';
import { atLeast, type Release } from '../release.ts';
import type { Settings } from '../settings.ts';
import type { TopoNode } from '../system/node.ts';
import { devicesIn, Flow, limits, smOf, splitNvlink } from './flow.ts';
import { copyGraph, emptyGraph, type Graph, type Pattern, pattern } from './graph.ts';
import { Order } from './order.ts';
import { budgetsFor, speedsFor } from './speeds.ts';
import { Walk } from './walk.ts';

/** What stays the same for all searches in one domain of a node. */
export class Ground {
  readonly gpus: number;
  /** Physical GPUs, those too whose ranks went to another group. */
  readonly devices: number;
  readonly maxBw: number;
  readonly totalBw: number;
  readonly sm: number;
  readonly order: Order;
  readonly walk: Walk;
  readonly speeds: readonly number[];
  readonly bounds: Bounds;

  constructor(
    readonly paths: Paths,
    readonly inter: boolean,
    readonly release: Release,
    readonly settings: Settings,
  ) {
    const { nodes } = paths.system;
    const nvs = nodes.NVS[0];
    if (nvs && !paths.to.has(nvs)) {
      walkFrom(nvs, paths, reverseLinks(paths.system.links), { release, nvbDisable: settings.nvbDisable });
    }
    this.gpus = nodes.GPU.length;
    const devices = devicesIn(paths.system);
    this.devices = devices.length;
    this.sm = Math.min(...devices.map(smOf));
    ({ maxBw: this.maxBw, totalBw: this.totalBw } = limits(paths, inter));
    const flow = new Flow(paths, release);
    this.order = new Order(paths, flow, release, settings);
    this.walk = new Walk(paths, flow, this.order, inter, release, settings);
    this.speeds = speedsFor(release, this.sm, inter);
    this.bounds = boundsOf(this);
    for (const gpu of nodes.GPU) {
      for (const other of [...nodes.GPU, ...(nvs ? [nvs] : [])]) note(this.intraTypes, paths, gpu, other);
      for (const net of nodes.NET) note(this.interTypes, paths, gpu, net);
    }
  }

  private readonly intraTypes = new Set<number>();
  private readonly interTypes = new Set<number>();

  /** The worst type of path between GPUs (and to the switch) that a limit lets in: limits that let in the same are the same. */
  intraReached(limit: number): number {
    return Math.max(-1, ...[...this.intraTypes].filter((t) => t <= limit));
  }

  /** The same between GPUs and NETs. */
  interReached(limit: number): number {
    return Math.max(-1, ...[...this.interTypes].filter((t) => t <= limit));
  }
}

function note(types: Set<number>, paths: Paths, a: TopoNode, b: TopoNode): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    if (paths.to.has(to)) types.add(paths.typeOf(from, to));
  }
}

/** Path types between which a search may relax. */
interface Bounds {
  readonly minIntra: number;
  readonly maxIntra: number;
  readonly minInter: number;
  readonly maxInter: number;
}

function boundsOf({ paths, inter, release, sm, gpus }: Ground): Bounds {
  if (!atLeast(release, '2.25.1')) {
    return { minIntra: gpus === 1 ? LOC : NVL, maxIntra: SYS, minInter: PIX, maxInter: SYS };
  }
  const { GPU, NET } = paths.system.nodes;
  let minIntra: number = gpus === 1 ? LOC : SYS;
  let maxIntra: number = LOC;
  let minInter: number = SYS;
  let maxInter: number = LOC;
  for (const a of GPU) {
    for (const b of GPU) {
      if (a === b) continue;
      minIntra = Math.min(minIntra, paths.typeOf(a, b));
      maxIntra = Math.max(maxIntra, paths.typeOf(a, b));
    }
    for (const net of NET) {
      minInter = Math.min(minInter, paths.typeOf(a, net));
      maxInter = Math.max(maxInter, paths.typeOf(a, net));
    }
  }
  if (!inter) minInter = PIX;
  if (atLeast(release, '2.29.2') && sm < 90) maxInter = SYS;
  return { minIntra, maxIntra, minInter, maxInter };
}

/** The next worse type that the release knows. */
function worse(type: number, release: Release): number {
  const known = typesOf(release);
  let next = type + 1;
  while (next < pathTypes.length && !known.includes(pathTypes[next]!)) next++;
  return next;
}

/**
 * The best channels of one kind, by search and step-by-step relaxation (src/graph/search.cc: ncclTopoCompute). Without a
 * solution the answer has no channels, save for rings and trees, which then get a slow one in plain order.
 */
export function search(ground: Ground, kind: Pattern, minChannels: number, maxChannels: number): Graph {
  const { paths, inter, release, gpus, devices, sm, speeds, bounds, maxBw, walk } = ground;
  const { nodes } = paths.system;
  let asked: Pattern = kind;
  const tries = nodes.NET.length > 1 && (kind === pattern.RING || kind <= pattern.SPLIT_TREE);
  const crossNic = !atLeast(release, '2.18.1') || tries ? ground.settings.crossNic : 0;
  const graph = emptyGraph(asked, gpus, minChannels, maxChannels);
  if (asked === pattern.NVLS && (nodes.NVS.length === 0 || sm < 90)) return graph;
  if (asked === pattern.NVLS) {
    graph.maxChannels = Math.min(atLeast(release, '2.21.5') ? 32 : 8, gpus);
    graph.minChannels = inter ? minChannels : graph.maxChannels;
  }
  if (gpus === 1 && asked !== pattern.RING) asked = pattern.TREE;
  graph.pattern = asked;
  if (asked === pattern.RING && atLeast(release, '2.26.2') && splitNvlink(paths)) {
    graph.minChannels = Math.min(2, graph.maxChannels);
  }
  graph.crossNic = crossNic === 1 ? 1 : 0;
  graph.typeIntra = bounds.minIntra;
  graph.typeInter = bounds.minInter;
  const sameFirst = asked === pattern.NVLS ? 0 : 1;
  graph.sameChannels = sameFirst;

  const now = emptyGraph(asked, gpus, graph.minChannels, graph.maxChannels);
  copyGraph(graph, now);
  const totalBw =
    devices > 1 && asked !== pattern.RING ? Math.fround(ground.totalBw * (devices / (devices - 1))) : ground.totalBw;
  const last = speeds.length - 1;
  const startAt = (limit: number, total: number): number => {
    let i = 0;
    while (i < last && (speeds[i]! > limit || Math.fround(speeds[i]! * now.minChannels) > total)) i++;
    return i;
  };
  let speed = startAt(maxBw, atLeast(release, '2.18.3') ? totalBw : Number.POSITIVE_INFINITY);
  const setSpeed = (i: number): void => {
    speed = i;
    now.bwIntra = speeds[i]!;
    now.bwInter = speeds[i]!;
  };
  setSpeed(speed);
  const budgets = budgetsFor(release);
  const cpu = nodes.CPU[0]?.cpu;
  const amd = cpu?.arch === 'x86_64' && cpu.vendor === 'AMD' && atLeast(release, '2.19.1');
  let total = budgets.total;
  // Looser limits that let no other path in are the same search again: it finds as little, at the same expense.
  const fruitless = new Map<string, number>();
  const attempt = (): number => {
    const budget = {
      left: now.sameChannels ? budgets.same : now.pattern === pattern.TREE ? budgets.tree : budgets.search,
      found: 0,
    };
    now.nChannels = 0;
    total -= budget.left;
    const limits = [ground.intraReached(now.typeIntra), ground.interReached(now.typeInter)];
    const { minChannels, maxChannels, bwIntra, bwInter, sameChannels } = now;
    const key = [now.pattern, now.crossNic, sameChannels, minChannels, maxChannels, bwIntra, bwInter, ...limits].join();
    const before = fruitless.get(key);
    if (before !== undefined) return before;
    walk.channel(now, graph, budget);
    if (budget.found > 0) fruitless.clear();
    else fruitless.set(key, budget.left);
    return budget.left;
  };
  const enough = (): boolean =>
    Math.fround(graph.nChannels * graph.bwInter) >= ground.totalBw && atLeast(release, '2.8.3');

  /** Loosens one condition; false when nothing is left to loosen. */
  const relax = (left: number): boolean => {
    if (now.sameChannels === 1 && !(amd && now.typeIntra === SYS)) {
      now.sameChannels = 0;
      return true;
    }
    now.sameChannels = sameFirst;
    if (left !== -1) total += left;
    else total = budgets.total;
    if (total < 0 && graph.nChannels > 0) return false;
    if (sm >= 90 && atLeast(release, '2.18.3') && now.pattern === pattern.BALANCED_TREE) {
      now.pattern = pattern.TREE;
      return true;
    }
    if (atLeast(release, '2.18.3')) now.pattern = graph.pattern;
    const maxIntra = inter ? now.typeInter : bounds.maxIntra;
    if (now.typeIntra < maxIntra && (graph.nChannels === 0 || now.typeIntra < graph.typeIntra)) {
      now.typeIntra = worse(now.typeIntra, release);
      if (now.typeIntra < DIS) return true;
    }
    now.typeIntra = bounds.minIntra;
    const always = atLeast(release, '2.12.7') ? PXN : PXB;
    if (
      inter &&
      now.typeInter < bounds.maxInter &&
      (graph.nChannels === 0 || now.typeInter < graph.typeInter || now.typeInter < always)
    ) {
      now.typeInter = worse(now.typeInter, release);
      if (now.typeInter < DIS) return true;
    }
    now.typeInter = bounds.minInter;
    // Up to 2.18.1 a simpler tree came late: first before, then after crossing NICs.
    const simpler = !atLeast(release, '2.18.3') && now.pattern <= pattern.SPLIT_TREE;
    if (simpler && !atLeast(release, '2.12.7')) {
      now.pattern = pattern.TREE;
      return true;
    }
    if (
      crossNic === 2 &&
      now.crossNic === 0 &&
      (now.pattern === pattern.RING || now.pattern === pattern.BALANCED_TREE)
    ) {
      now.crossNic = atLeast(release, '2.23.4') ? 2 : 1;
      return true;
    }
    now.crossNic = crossNic === 1 ? 1 : 0;
    if (simpler) {
      now.pattern = pattern.TREE;
      return true;
    }
    now.pattern = graph.pattern;
    const next = speeds[speed + 1];
    if (next !== undefined && (graph.nChannels === 0 || Math.fround(next / graph.bwInter) > 0.49)) {
      setSpeed(speed + 1);
      return true;
    }
    return false;
  };
  for (;;) {
    const left = attempt();
    if (left === -1 || enough() || !relax(left)) break;
  }

  if (atLeast(release, '2.19.3')) duplicate(graph, sm, gpus, release);
  copyGraph(graph, now);
  speed = 0;
  while (speed < last && speeds[speed]! > graph.bwInter) speed++;
  setSpeed(speed);
  now.minChannels = graph.nChannels;
  let left = -1;
  while (left !== 0 && speed > 0) {
    if (now.pattern === pattern.RING) {
      if (!atLeast(release, '2.19.3')) break;
      setSpeed(speed - 1);
    } else if (
      now.pattern === pattern.NVLS &&
      atLeast(release, '2.19.1') &&
      now.bwInter === graph.bwInter &&
      now.bwInter < graph.bwIntra * 2
    ) {
      now.minChannels = graph.nChannels;
      now.maxChannels = graph.nChannels;
      now.bwInter = speeds[--speed]!;
    } else if (now.bwIntra === graph.bwIntra && now.bwIntra < now.bwInter * 2) {
      now.bwIntra = speeds[--speed]!;
    } else break;
    left = attempt();
  }
  if (!atLeast(release, '2.19.3')) duplicate(graph, sm, gpus, release);
  if (graph.nChannels === 0 && kind !== pattern.NVLS && kind !== pattern.COLLNET_DIRECT) plainOrder(ground, graph);
  return graph;
}

/** Fast channels are split in two, so that more of the GPU takes part. */
function duplicate(graph: Graph, sm: number, gpus: number, release: Release): void {
  if (graph.nChannels === 0 || graph.pattern === pattern.NVLS || !atLeast(release, '2.7.3')) return;
  if (graph.bwIntra < 25) return;
  if (atLeast(release, '2.18.3')) {
    if (sm > 80 && graph.bwIntra < 50 && graph.nChannels > 4) return;
  } else if (atLeast(release, '2.16.5')) {
    if (!(sm <= 80 || (sm <= 90 && graph.bwIntra >= 50))) return;
  }
  const { nChannels: n } = graph;
  const many = Math.min(n * 2, graph.maxChannels);
  graph.intra.copyWithin(n * gpus, 0, (many - n) * gpus);
  graph.inter.copyWithin(n * 2, 0, (many - n) * 2);
  const factor = atLeast(release, '2.7.5') ? Math.ceil(many / n) : 2;
  graph.bwIntra = Math.fround(graph.bwIntra / factor);
  graph.bwInter = Math.fround(graph.bwInter / factor);
  graph.nChannels = many;
}

/** Nothing fits: one slow channel in the order of the GPUs. */
function plainOrder({ paths, release, settings, gpus }: Ground, graph: Graph): void {
  for (let g = 0; g < gpus; g++) graph.intra[g] = g;
  const { GPU, NET } = paths.system.nodes;
  const end = (g: number): number => {
    const net = localNet(paths, GPU[g]!, 0, release, settings);
    return net ? paths.firstNet(net).index : -1;
  };
  // Before 2.29.2 it was the NET with the id 0, whichever GPU it is near to.
  const real = atLeast(release, '2.29.2');
  const first = real ? end(0) : NET.findIndex((n) => n.host === 0 && n.net!.dev === 0);
  const last = real ? end(gpus - 1) : first;
  const none = real && (first < 0 || last < 0);
  graph.inter[0] = none ? -1 : first;
  graph.inter[1] = none ? -1 : last;
  graph.nChannels = 1;
  graph.bwIntra = Math.fround(0.1);
  graph.bwInter = none ? 0 : Math.fround(0.1);
  graph.typeIntra = SYS;
  graph.typeInter = none ? DIS : SYS;
}
