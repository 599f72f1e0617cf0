import { NVB, NVL, PXB, PXN } from '../path-type.ts';
import { atLeast, type Release, since } from '../release.ts';
import { keepsAlgorithm, keepsProtocol, type Restrictions } from './restrict.ts';
import * as table from './tables.ts';

export const collectives = ['Broadcast', 'Reduce', 'AllGather', 'ReduceScatter', 'AllReduce'] as const;
export type Collective = (typeof collectives)[number];
/** In the order in which NCCL compares them; the first of equals wins. */
export const algorithms = ['Tree', 'Ring', 'NVLS', 'NVLSTree', 'PAT'] as const;
export type Algorithm = (typeof algorithms)[number];
export const protocols = ['LL', 'LL128', 'Simple'] as const;
export type Protocol = (typeof protocols)[number];

/** What the search found, as far as the model looks at it: the worst over all ranks. */
export interface GraphFacts {
  readonly nChannels: number;
  readonly bwIntra: number;
  readonly bwInter: number;
  readonly typeIntra: number;
  readonly typeInter: number;
  readonly latencyInter: number;
  readonly sameChannels: number;
}

/** All that decides the table of one communicator. */
export interface TuningFacts {
  readonly release: Release;
  readonly nodes: number;
  readonly ranks: number;
  readonly minSm: number;
  readonly maxSm: number;
  readonly cpu: { readonly arch: string; readonly vendor: string };
  readonly ring: GraphFacts;
  readonly tree: GraphFacts;
  /** Absent: NVLS is not to be had. */
  readonly nvls?: GraphFacts;
  readonly maxTreePattern: number;
  readonly ll128C2c: boolean;
  /** 0 off, 1 on, 2 NCCL decides. */
  readonly pat: number;
  /** NCCL_NET_OVERHEAD, in µs; absent: by the CPU. */
  readonly netOverheadUs?: number;
  /** NCCL_ALGO and NCCL_PROTO; absent: neither is set. */
  readonly restrictions?: Restrictions;
}

export interface Cost {
  /** GB/s of the algorithm; 0: not to be used. */
  readonly bw: number;
  /** µs. */
  readonly lat: number;
}

export type Model = Readonly<Record<Algorithm, Readonly<Record<Protocol, Cost>>>>;

const off: Cost = { bw: 0, lat: 0 };

/** Bandwidth and latency of every algorithm and protocol (src/graph/tuning.cc: ncclTopoTuneModel). */
export function modelOf(facts: TuningFacts, coll: Collective): Model {
  const row = (a: Algorithm): Record<Protocol, Cost> => ({
    LL: costOf(facts, coll, a, 'LL'),
    LL128: costOf(facts, coll, a, 'LL128'),
    Simple: costOf(facts, coll, a, 'Simple'),
  });
  const model = { Tree: row('Tree'), Ring: row('Ring'), NVLS: row('NVLS'), NVLSTree: row('NVLSTree'), PAT: row('PAT') };
  const { release } = facts;
  const rescues = atLeast(release, '2.19.1') && !atLeast(release, '2.24.3') && facts.ranks > 1;
  if (!rescues || algorithms.some((a) => protocols.some((p) => model[a][p].bw > 0))) return model;
  // When variables left nothing, rings were used with every protocol.
  const ring = (p: Protocol): Cost => ({ bw: bandwidth(facts, coll, 'Ring', p), lat: latency(facts, coll, 'Ring', p) });
  return { ...model, Ring: { LL: ring('LL'), LL128: ring('LL128'), Simple: ring('Simple') } };
}

function costOf(facts: TuningFacts, coll: Collective, a: Algorithm, p: Protocol): Cost {
  if (facts.ranks <= 1 || !supported(facts, coll, a, p)) return off;
  const asked = keepsProtocol(facts.restrictions, coll, p);
  if (!(asked ?? (p !== 'LL128' || usesLl128(facts, a)))) return off;
  if (!keepsAlgorithm(facts.restrictions, facts.release, coll, a)) return off;
  return { bw: bandwidth(facts, coll, a, p), lat: latency(facts, coll, a, p) };
}

function supported(facts: TuningFacts, coll: Collective, a: Algorithm, p: Protocol): boolean {
  const gathers = coll === 'AllGather' || coll === 'ReduceScatter';
  switch (a) {
    case 'Ring':
      return true;
    case 'Tree':
      return coll === 'AllReduce';
    case 'NVLS':
      // Over several nodes it needs in-network reduction, which no input shows.
      return (
        p === 'Simple' &&
        facts.nodes === 1 &&
        heads(facts) >= 2 &&
        (coll === 'AllReduce' || (gathers && atLeast(facts.release, '2.19.1')))
      );
    case 'NVLSTree':
      return p === 'Simple' && facts.nodes > 1 && heads(facts) >= 2 && coll === 'AllReduce';
    case 'PAT':
      return (
        atLeast(facts.release, '2.23.4') &&
        // Unless it is asked for, only with one rank on each node.
        (facts.pat === 2 ? facts.ranks === facts.nodes : facts.pat !== 0) &&
        p === 'Simple' &&
        gathers &&
        facts.minSm >= 60
      );
  }
}

const heads = (facts: TuningFacts): number => facts.nvls?.nChannels ?? 0;
const graphOf = (facts: TuningFacts, a: Algorithm): GraphFacts =>
  a === 'Tree' || a === 'PAT' ? facts.tree : a === 'NVLS' || a === 'NVLSTree' ? facts.nvls! : facts.ring;

/** LL128 needs stores of 128 bytes that arrive whole, which PCIe and old GPUs do not promise. */
function usesLl128(facts: TuningFacts, a: Algorithm): boolean {
  const { release, minSm, maxSm } = facts;
  const graph = graphOf(facts, a);
  const far = minSm >= 90 && atLeast(release, '2.17.1') && (facts.ll128C2c || !atLeast(release, '2.27.5')) ? PXN : PXB;
  if (graph.typeInter > far) return false;
  if (graph.typeIntra > (atLeast(release, '2.18.3') ? NVB : NVL)) return false;
  if (minSm !== maxSm && !(minSm >= 90 && atLeast(release, '2.30.3'))) return false;
  if (atLeast(release, '2.27.3')) return minSm >= 70;
  return ll128Sms(release).includes(minSm);
}

/** GPUs for which a release switched LL128 on. */
function ll128Sms(release: Release): readonly number[] {
  if (atLeast(release, '2.25.1')) return [70, 80, 90, 100, 120];
  if (atLeast(release, '2.15.1')) return [70, 80, 90];
  return atLeast(release, '2.7.3') ? [70, 80] : [70];
}

function bandwidth(facts: TuningFacts, coll: Collective, a: Algorithm, p: Protocol): number {
  const { release, nodes, ranks, minSm } = facts;
  const graph = graphOf(facts, a);
  const n = graph.nChannels;
  const sm = table.smRow(minSm, release);
  const size = Math.min(nodes, 3) - 1;
  const perNode = ranks / nodes;
  const steps = stepsOf(coll, ranks);
  let per = nodes <= 2 ? graph.bwIntra : graph.bwInter;
  if ((a === 'NVLS' || a === 'NVLSTree') && atLeast(release, '2.28.3')) {
    let intra = (graph.bwIntra * table.nvlsEfficiency[sm]! * (n - 1)) / n;
    intra = coll === 'AllReduce' ? intra * 2 : (intra * (perNode - 1)) / perNode;
    const inter = graph.bwInter * (nodes <= 2 && a === 'NVLSTree' ? 2 : 1);
    const cap = since(release, table.nvlsTreeCap)[sm]![size]!;
    per = Math.min(intra, inter);
    if (a === 'NVLSTree') per = Math.min(per, cap);
  } else if (a === 'NVLS' || a === 'NVLSTree') {
    const inter = a === 'NVLSTree' && nodes > 2 ? graph.bwInter / 2 : graph.bwInter;
    const gathered = coll !== 'AllReduce' && atLeast(release, '2.27.3');
    per = gathered ? Math.min((graph.bwIntra * (perNode - 1)) / perNode, 0.9 * inter) : Math.min(graph.bwIntra, inter);
  }
  let bus = n * per;
  // Ampere's (and Hopper's) bus as a whole had a limit for a while.
  if (!atLeast(release, '2.18.1')) {
    if (minSm >= 90 && atLeast(release, '2.17.1')) bus = Math.min(bus, 370);
    else if (minSm >= 80 && minSm < 90 && atLeast(release, '2.7.5')) bus = Math.min(bus, 235);
    else if (minSm >= 80 && minSm < 90 && atLeast(release, '2.7.3')) bus *= 0.92;
  }
  const llMax = since(release, table.llMaxBw)[llRow(facts, sm)]![size]!;
  if (a === 'Ring') {
    if (p === 'LL') bus = Math.min(llMax, bus * ringLl(facts, coll));
    if (p === 'LL128') {
      const share = !atLeast(release, '2.7.3') ? 120 / 128 : !atLeast(release, '2.23.4') && perNode < 2 ? 0.7 : 0.92;
      bus = Math.min(bus * share, ll128Cap(facts, coll, n, since(release, table.ringLl128)[sm]![size]!));
    }
  }
  if (a === 'Tree') {
    const modern = atLeast(release, '2.8.3');
    const cap = modern ? n * since(release, table.treeCap)[sm]![size]! : earlyTreeCap(facts, p);
    bus = Math.min(bus * (modern ? 0.92 : 0.9), cap);
    if (p === 'LL') bus = Math.min(bus / (atLeast(release, '2.7.3') ? 3.8 : 3), llMax);
    if (p === 'LL128') {
      const far = atLeast(release, '2.10.3') ? 120 / 128 : atLeast(release, '2.7.3') ? 0.915 : 7 / 9;
      bus = Math.min(
        bus * (nodes === 1 ? 7 / 9 : far),
        ll128Cap(facts, coll, n, since(release, table.treeLl128)[sm]![size]!),
      );
    }
    if (facts.maxTreePattern === 3 && atLeast(release, '2.18.3')) bus *= 0.85;
  }
  if (a === 'PAT') bus *= atLeast(release, '2.24.3') ? 0.75 : 0.85;
  const gathers = coll === 'AllGather' || coll === 'ReduceScatter';
  if (a === 'Ring') return (bus * ranks) / steps;
  if (gathers && (a !== 'NVLS' || atLeast(release, '2.23.4'))) return bus;
  if (a === 'NVLS' || a === 'NVLSTree') return bus * nvlsRatio(facts, a, steps);
  return bus * 0.5;
}

/** From bandwidth of the bus to that of an AllReduce; before 2.28.3 a fixed share. */
function nvlsRatio({ release, ranks }: TuningFacts, a: Algorithm, steps: number): number {
  if (atLeast(release, '2.28.3')) return ranks / steps;
  if (!atLeast(release, '2.18.3')) return 0.75;
  if (a === 'NVLSTree' && !atLeast(release, '2.19.1')) return (0.7 * ranks) / steps;
  return 5 / 6;
}

export const stepsOf = (coll: Collective, ranks: number): number =>
  coll === 'AllReduce' ? 2 * (ranks - 1) : coll === 'AllGather' || coll === 'ReduceScatter' ? ranks - 1 : ranks;

/** What of a ring's bandwidth LL gets: half the bytes are flags, and before 2.21.5 NCCL counted with less. */
function ringLl({ release, nodes }: TuningFacts, coll: Collective): number {
  if (atLeast(release, '2.21.5')) return 0.5;
  if (!atLeast(release, '2.7.3')) return 1 / 4;
  return nodes > 1 || coll === 'AllReduce' || coll === 'Reduce' ? 1 / 4 : 1 / 3;
}

function ll128Cap({ release }: TuningFacts, coll: Collective, channels: number, cap: number): number {
  if (atLeast(release, '2.10.3')) return channels * cap;
  const early = since(release, table.ll128Early)[coll];
  return atLeast(release, '2.7.3') ? channels * early : early;
}

/** GB/s of all trees together, before caps were by channel. */
function earlyTreeCap({ release, nodes, minSm }: TuningFacts, p: Protocol): number {
  const wide = nodes <= 2;
  if (p === 'LL128' && minSm === 80 && atLeast(release, '2.7.3')) return wide ? 130 : 105;
  return wide ? 110 : 80;
}

function llRow({ nodes, cpu, release }: TuningFacts, sm: number): number {
  if (nodes === 1) return sm;
  const amd = cpu.vendor === 'AMD' || (cpu.vendor === 'MIXED' && atLeast(release, '2.24.3'));
  return amd ? 1 : 0;
}

function latency(facts: TuningFacts, coll: Collective, a: Algorithm, p: Protocol): number {
  const { release, nodes, ranks, cpu } = facts;
  const graph = graphOf(facts, a);
  const i = protocols.indexOf(p);
  const hw = since(release, table.hardware);
  const inner = graph.typeIntra === NVL ? hw.nvlink : hw.pci;
  let intra = inner[a][i]!;
  // POWER's PCIe: a tree is no faster than a ring.
  if (cpu.arch === 'ppc64' && inner === hw.pci && a === 'Tree' && p === 'Simple') intra = hw.pci.Ring[2]!;
  const single = ranks === nodes && atLeast(release, '2.23.4');
  const net = (single ? hw.net.Tree : hw.net[a])[i]!;
  const own = graph.latencyInter;
  const replaced = atLeast(release, '2.12.7') && own > 0 ? own : net;
  const inter = atLeast(release, '2.18.1') ? net + own * (p === 'Simple' ? 2 : 1) : replaced;
  if (p === 'LL' && nodes > 1 && atLeast(release, '2.7.3') && !atLeast(release, '2.18.1')) intra *= 1.8;
  const base = since(release, table.base)[a][i]!;
  const log = 31 - Math.clz32(nodes);
  const perNode = ranks / nodes;
  switch (a) {
    case 'Ring': {
      const steps = stepsOf(coll, ranks);
      if (coll === 'Broadcast' || coll === 'Reduce') {
        const step = nodes > 1 ? hw.net.Ring[i]! : intra;
        if (graph.sameChannels) return base + step;
        const tree = nodes > 1 ? hw.net.Tree[i]! : inner.Tree[i]!;
        return base + (p === 'Simple' ? tree : step) * steps;
      }
      const crossings =
        nodes === 1 ? 0 : coll !== 'AllReduce' ? nodes - 1 : atLeast(release, '2.23.4') ? 2 * (nodes - 1) : 2 * nodes;
      const amd = cpu.arch === 'x86_64' && cpu.vendor === 'AMD';
      const each = facts.netOverheadUs ?? (amd ? 2 : 1);
      const overhead = nodes === 1 || !atLeast(release, '2.18.1') ? 0 : each * (p === 'Simple' ? 3 : 1);
      return base + (steps - crossings) * Math.max(intra, overhead) + crossings * inter;
    }
    case 'Tree':
      // Nodes of unlike size: NCCL divides whole numbers here.
      return base + 2 * ((Math.floor(perNode) - 1) * intra + log * inter);
    case 'NVLS':
      if (!atLeast(release, '2.19.1')) return 23 + (nodes > 1 ? inter : 0);
      return intra + (nodes > 1 ? inter : 0);
    case 'NVLSTree':
      if (!atLeast(release, '2.19.1')) return 23 + 2 * (nodes - 1) * inter;
      return base + intra + 2 * log * inter;
    case 'PAT':
      return 8 + (log * inter) / 3.5 + 2.8 * ranks;
  }
}
