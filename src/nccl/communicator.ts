import { fail, ok, type Result } from '../base/result.ts';
import { say } from '../words/message.ts';
import { type Channel, connectNodes, type NodeChannels } from './connect/connect.ts';
import { type Decision, decide } from './decide/pairs.ts';
import { PXB } from './path-type.ts';
import { localNet } from './paths/local.ts';
import { atLeast, type Release } from './release.ts';
import { Ground, search } from './search/compute.ts';
import { smOf } from './search/flow.ts';
import { type Graph, type Pattern, pattern } from './search/graph.ts';
import { parseInteger } from './settings.ts';
import type { Situation } from './situation.ts';
import type { Refusal } from './system/build.ts';
import { type Choice, choose, type LaunchFacts } from './tuning/choice.ts';
import {
  type Collective,
  collectives,
  type GraphFacts,
  type Model,
  modelOf,
  type TuningFacts,
} from './tuning/model.ts';
import { nvlsPlan } from './tuning/nvls.ts';
import { type P2pPlan, p2pPlan } from './tuning/p2p.ts';
import { blockFacts, type Restrictions, restrictionsOf } from './tuning/restrict.ts';

/** What NCCL found for one group of GPUs that it treats as a node. */
export interface NodeGraphs {
  readonly ground: Ground;
  /** Rank on its host of every GPU, by GPU index. */
  readonly ranks: readonly number[];
  readonly ring: Graph;
  readonly tree: Graph;
  readonly nvls?: Graph;
}

/** All that NCCL decides when a communicator over all GPUs is made. */
export interface Communicator {
  readonly release: Release;
  readonly hosts: number;
  readonly ranks: number;
  /** Groups as NCCL counts nodes: hosts, or what they fall apart into. */
  readonly nodes: number;
  readonly perDomain: readonly NodeGraphs[];
  readonly channels: readonly Channel[];
  readonly collChannels: number;
  readonly facts: TuningFacts;
  readonly launch: LaunchFacts;
  /** How sends and receives use channels. */
  readonly p2p: P2pPlan;
  readonly model: Readonly<Record<Collective, Model>>;
}

/** Ranks beyond which the ways of all ranks through all channels are no answer but a flood. */
const mostRanks = 16384;

export function communicator(situation: Situation): Result<Communicator, Refusal> {
  const decided = decide(situation);
  if (!decided.ok) return fail(decided.error);
  const ranks = decided.value.topology.whole.system.nodes.GPU.length * situation.nodes;
  if (ranks > mostRanks) return fail({ reason: say('graph.too-many', { ranks, most: mostRanks }), at: [] });
  const restrictions = restrictionsOf(situation.env, situation.release);
  if (!restrictions.ok) return fail({ reason: restrictions.error, at: [] });
  return ok(build(situation, decided.value, restrictions.value));
}

function build(situation: Situation, { topology, context }: Decision, restrictions: Restrictions): Communicator {
  const { release } = situation;
  const { settings } = context;
  const number = (name: string, fallback: number): number => parseInteger(situation.env.get(name)) ?? fallback;
  const limit = atLeast(release, '2.25.1') ? 64 : 32;
  const hosts = situation.nodes;
  const perHost = topology.whole.system.nodes.GPU.length;
  const perDomain: NodeGraphs[] = topology.domains.map(({ paths, inter }) => {
    const ground = new Ground(paths, inter, release, settings);
    const ring = search(ground, pattern.RING, 1, limit / 2);
    const least = atLeast(release, '2.18.1') ? ring.nChannels : 1;
    const tree = search(ground, treeAsked(release, hosts * topology.domains.length, ground.sm), least, ring.nChannels);
    const gpus = paths.system.nodes.GPU;
    const fewest = atLeast(release, '2.28.7') ? 2 : 3;
    const able =
      atLeast(release, '2.18.1') &&
      number('NCCL_NVLS_ENABLE', 2) !== 0 &&
      gpus.length >= fewest &&
      ground.sm >= 90 &&
      paths.system.nodes.NVS.length > 0;
    const nvls = able ? search(ground, pattern.NVLS, 1, limit) : undefined;
    return { ground, ranks: gpus.map((g) => g.gpu!.rank), ring, tree, ...(nvls ? { nvls } : {}) };
  });
  const ranks = perHost * hosts;
  const nodes = nodeChannels(perDomain, hosts, perHost);
  const found = Math.min(...perDomain.map((d) => Math.min(d.ring.nChannels, d.tree.nChannels)));
  const sms = topology.whole.system.nodes.GPU.map(smOf);
  const range = [Math.min(...sms), Math.max(...sms)] as const;
  const facts = { ...factsOf(situation, perDomain, nodes.length, ranks, range), restrictions };
  const doubled = found === 0 ? [] : connectNodes(nodes, found, atLeast(release, '2.20.3')).slice(0, limit);
  const plan = nvlsPlan(facts, minNetBw(perDomain, context.release), nearNet(perDomain), situation.env);
  let collChannels = doubled.length;
  const hopper = atLeast(release, '2.25.1') ? facts.minSm >= 90 : facts.minSm === 90;
  if (hopper && nodes.length > 1 && facts.ring.bwIntra > 45 && collChannels < 16 && atLeast(release, '2.18.1')) {
    collChannels *= 2;
  }
  const most = number('NCCL_MAX_NCHANNELS', limit);
  const fewest = Math.min(limit, number('NCCL_MIN_NCHANNELS', 0));
  if (most >= 1) collChannels = Math.min(collChannels, most, limit);
  collChannels = Math.max(collChannels, Math.min(fewest, most >= 1 ? most : limit));
  if (facts.nvls && atLeast(release, '2.22.3') && !atLeast(release, '2.28.3')) {
    collChannels = Math.max(collChannels, plan.nvlsChannels);
  }
  const channels = Array.from({ length: collChannels }, (_, c) => doubled[c % doubled.length]!);
  const model = Object.fromEntries(collectives.map((c) => [c, modelOf(facts, c)])) as Record<Collective, Model>;
  const launch = { channels: collChannels, ...plan, ...blockFacts(situation.env, release, facts.cpu.arch) };
  const p2p = p2pPlan(perDomain, nodes.length, ranks, collChannels, situation.env, release);
  return { release, hosts, ranks, nodes: nodes.length, perDomain, channels, collChannels, facts, launch, p2p, model };
}

/** Which kind of tree a release looks for first. */
function treeAsked(release: Release, nodes: number, sm: number): Pattern {
  if (atLeast(release, '2.10.3')) return pattern.BALANCED_TREE;
  if (!atLeast(release, '2.8.3')) return pattern.SPLIT_TREE;
  return nodes <= 2 ? pattern.TREE : sm < 80 ? pattern.SPLIT_TREE : pattern.BALANCED_TREE;
}

/** Nodes as NCCL numbers them: by the first rank that belongs to each. */
function nodeChannels(perDomain: readonly NodeGraphs[], hosts: number, perHost: number): NodeChannels[] {
  const nodes: (NodeChannels & { first: number })[] = [];
  for (let h = 0; h < hosts; h++) {
    for (const d of perDomain) {
      const rows = (g: Graph): number[][] =>
        Array.from({ length: g.nChannels }, (_, c) => rowOf(d, g, c).map((r) => h * perHost + r));
      nodes.push({
        rings: rows(d.ring),
        trees: rows(d.tree),
        treePattern: d.tree.pattern,
        crossNic: d.ring.crossNic,
        first: h * perHost + Math.min(...d.ranks),
      });
    }
  }
  return nodes.sort((a, b) => a.first - b.first);
}

/** Ranks on the host, in the order of a channel. */
export function rowOf(d: NodeGraphs, graph: Graph, channel: number): number[] {
  const n = d.ranks.length;
  // Behind an NVLS head all others are alike.
  const many = graph.pattern === pattern.NVLS ? 1 : n;
  return Array.from(graph.intra.subarray(channel * n, channel * n + many), (g) => d.ranks[g]!);
}

function factsOf(
  situation: Situation,
  perDomain: readonly NodeGraphs[],
  nodes: number,
  ranks: number,
  [minSm, maxSm]: readonly [number, number],
): TuningFacts {
  const { release } = situation;
  const number = (name: string, fallback: number): number => parseInteger(situation.env.get(name)) ?? fallback;
  const cpus = perDomain.flatMap((d) => d.ground.paths.system.nodes.CPU.slice(0, 1));
  const cpu = { arch: cpus[0]?.cpu?.arch ?? 'unknown', vendor: cpus[0]?.cpu?.vendor ?? 'unknown' };
  const nvls = perDomain.map((d) => d.nvls);
  const overhead = number('NCCL_NET_OVERHEAD', -2);
  const all = nvls.every((g) => g !== undefined && g.nChannels > 0);
  return {
    release,
    nodes,
    ranks,
    minSm,
    maxSm,
    cpu,
    ring: worst(perDomain.map((d) => d.ring)),
    tree: worst(perDomain.map((d) => d.tree)),
    ...(all ? { nvls: worst(nvls as Graph[]) } : {}),
    maxTreePattern: Math.max(...perDomain.map((d) => d.tree.pattern)),
    ll128C2c: number('NCCL_LL128_C2C', 1) !== 0,
    pat: number('NCCL_PAT_ENABLE', 2),
    ...(overhead === -2 ? {} : { netOverheadUs: overhead / 1000 }),
  };
}

/** All ranks go by the worst of them. */
function worst(graphs: readonly Graph[]): GraphFacts {
  const min = (of: (g: Graph) => number): number => Math.min(...graphs.map(of));
  const max = (of: (g: Graph) => number): number => Math.max(...graphs.map(of));
  return {
    nChannels: min((g) => g.nChannels),
    bwIntra: min((g) => g.bwIntra),
    bwInter: min((g) => g.bwInter),
    typeIntra: max((g) => g.typeIntra),
    typeInter: max((g) => g.typeInter),
    latencyInter: max((g) => g.latencyInter),
    sameChannels: min((g) => g.sameChannels),
  };
}

/** Least bandwidth between a GPU and the NET it uses. */
function minNetBw(perDomain: readonly NodeGraphs[], release: Release): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { ground } of perDomain) {
    for (const gpu of ground.paths.system.nodes.GPU) {
      const net = localNet(ground.paths, gpu, 0, release, ground.settings);
      if (net) least = Math.min(least, ground.paths.bwOf(gpu, net));
    }
  }
  return least === Number.POSITIVE_INFINITY ? 0 : least;
}

const nearNet = (perDomain: readonly NodeGraphs[]): boolean =>
  perDomain.every((d) => d.nvls === undefined || d.nvls.typeInter <= PXB);

/** 8 B to 8 GiB in powers of two. */
export const choiceSizes: readonly number[] = Array.from({ length: 31 }, (_, i) => 2 ** (i + 3));

export const choicesOf = (c: Communicator, coll: Collective): Choice[] =>
  choiceSizes.flatMap((bytes) => choose(c.facts, c.launch, c.model[coll], coll, bytes) ?? []);
