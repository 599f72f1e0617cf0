import { fail, ok, type Result } from '../base/result.ts';
import type { Host } from '../machine/host.ts';
import { say } from '../words/message.ts';
import { type Channel, connectNodes, type NodeChannels } from './connect/connect.ts';
import { type Decision, decide } from './decide/pairs.ts';
import { PXB } from './path-type.ts';
import { localNet } from './paths/local.ts';
import { atLeast, channelLimit, type Release } from './release.ts';
import { Ground, search } from './search/compute.ts';
import { deviceOf, smOf } from './search/flow.ts';
import { type Graph, type Pattern, pattern } from './search/graph.ts';
import { parseInteger } from './settings.ts';
import type { Situation } from './situation.ts';
import type { Refusal } from './system/build.ts';
import { type Choice, choose, type LaunchFacts } from './tuning/choice.ts';
import { channelRange, ctaRange } from './tuning/ctas.ts';
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
  /** Hosts, or the NVLink domains that stand for them. */
  readonly hosts: number;
  readonly ranks: number;
  /** Ranks of a host; the last one may have less. */
  readonly perHost: number;
  /** Groups as NCCL counts nodes: hosts, or what they fall apart into. */
  readonly nodes: number;
  /** What was decided about a host, before channels were laid. */
  readonly decision: Decision;
  readonly perDomain: readonly NodeGraphs[];
  /** The same of the last host where it has less than the others; else empty. */
  readonly rest: readonly NodeGraphs[];
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
  const hosts = situation.nodes + (situation.rest ? 1 : 0);
  const laid = laidOut(situation.host, hosts, situation);
  if (!laid.ok) return laid;
  const last = situation.rest ? laidOut(situation.rest, hosts, situation) : undefined;
  if (last && !last.ok) return last;
  const gpus = (l: LaidOut): number => l.decision.topology.whole.system.nodes.GPU.length;
  const ranks = gpus(laid.value) * situation.nodes + (last ? gpus(last.value) : 0);
  if (ranks > mostRanks) return fail({ reason: say('graph.too-many', { ranks, most: mostRanks }), at: [] });
  const restrictions = restrictionsOf(situation.env, situation.release);
  if (!restrictions.ok) return fail({ reason: restrictions.error, at: [] });
  return ok(build(situation, laid.value, last?.value, ranks, restrictions.value));
}

/** One host alone: how NCCL sees it, and the channels it finds there. */
interface LaidOut {
  readonly decision: Decision;
  readonly graphs: () => readonly NodeGraphs[];
}

/** A host is laid out anew only when something has changed that counts: how many others there are does not. */
const known = new WeakMap<Host, Map<string, LaidOut>>();

function laidOut(host: Host, nodes: number, situation: Situation): Result<LaidOut, Refusal> {
  const { release, env, p2pStatus, p2pStatusOf, gdrWhenUnknown } = situation;
  const settled = [...env].sort(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify([
    Math.min(nodes, 3),
    release.code,
    settled,
    p2pStatus,
    [...(p2pStatusOf ?? [])],
    gdrWhenUnknown,
  ]);
  const of = known.get(host) ?? new Map<string, LaidOut>();
  known.set(host, of);
  const before = of.get(key);
  if (before) return ok(before);
  const decided = decide({ ...situation, host, nodes });
  if (!decided.ok) return fail(decided.error);
  let graphs: readonly NodeGraphs[] | undefined;
  const made = {
    decision: decided.value,
    graphs: () => {
      graphs ??= graphsOf({ ...situation, host, nodes }, decided.value);
      return graphs;
    },
  };
  of.set(key, made);
  return ok(made);
}

function graphsOf(situation: Situation, { topology, context }: Decision): readonly NodeGraphs[] {
  const { release } = situation;
  const limit = channelLimit(release);
  return topology.domains.map(({ paths, inter }) => {
    // Before 2.28.7 a search went by the NETs it saw: without any it stayed inside the node.
    const leaves = inter && (atLeast(release, '2.28.7') || paths.system.nodes.NET.length > 0);
    const ground = new Ground(paths, leaves, release, context.settings);
    const ring = search(ground, pattern.RING, 1, limit / 2);
    const least = atLeast(release, '2.18.1') ? ring.nChannels : 1;
    const nodes = situation.nodes * topology.domains.length;
    const tree = search(ground, treeAsked(release, nodes, ground.sm), least, ring.nChannels);
    const gpus = paths.system.nodes.GPU;
    const fewest = atLeast(release, '2.28.7') ? 2 : 3;
    const able =
      atLeast(release, '2.18.1') &&
      (parseInteger(situation.env.get('NCCL_NVLS_ENABLE')) ?? 2) !== 0 &&
      gpus.length >= fewest &&
      ground.sm >= 90 &&
      paths.system.nodes.NVS.length > 0 &&
      (!atLeast(release, '2.30.7') || new Set(gpus.map(deviceOf)).size === gpus.length);
    const nvls = able ? search(ground, pattern.NVLS, 1, limit) : undefined;
    return { ground, ranks: gpus.map((g) => g.gpu!.rank), ring, tree, ...(nvls ? { nvls } : {}) };
  });
}

function build(
  situation: Situation,
  laid: LaidOut,
  last: LaidOut | undefined,
  ranks: number,
  restrictions: Restrictions,
): Communicator {
  const { release } = situation;
  const { topology, context } = laid.decision;
  const limit = channelLimit(release);
  const perHost = topology.whole.system.nodes.GPU.length;
  const perDomain = laid.graphs();
  const rest = last?.graphs() ?? [];
  const hosts = situation.nodes + (last ? 1 : 0);
  // Every rank goes by the worst of all: each kind of node is asked.
  const kinds = [...perDomain, ...rest];
  const nodes = nodeChannels(perDomain, situation.nodes, perHost, rest);
  const found = Math.min(...kinds.map((d) => Math.min(d.ring.nChannels, d.tree.nChannels)));
  const sms = topology.whole.system.nodes.GPU.map(smOf);
  const range = [Math.min(...sms), Math.max(...sms)] as const;
  const facts = { ...factsOf(situation, kinds, nodes.length, ranks, range), restrictions };
  const doubled = found === 0 ? [] : connectNodes(nodes, found, atLeast(release, '2.20.3')).slice(0, limit);
  const plan = nvlsPlan(facts, minNetBw(kinds, context.release), nearNet(kinds), situation.env);
  let channels: readonly Channel[] = doubled;
  const hopper = atLeast(release, '2.25.1') ? facts.minSm >= 90 : facts.minSm === 90;
  if (hopper && nodes.length > 1 && facts.ring.bwIntra > 45 && channels.length < 16 && atLeast(release, '2.18.1')) {
    channels = upTo(channels, 2 * channels.length);
  }
  const ctas = ctaRange(situation.env, release);
  const asked = channelRange(situation.env, limit);
  // The first of them up to the most, and those again up to the least, which wins.
  channels = channels.slice(0, Math.min(ctas.most, asked.most));
  channels = upTo(channels, Math.max(ctas.least, asked.least));
  if (facts.nvls && atLeast(release, '2.22.3') && !atLeast(release, '2.28.3')) {
    channels = upTo(channels, plan.nvlsChannels);
  }
  const collChannels = channels.length;
  const model = Object.fromEntries(collectives.map((c) => [c, modelOf(facts, c)])) as Record<Collective, Model>;
  const launch = { channels: collChannels, ...plan, ...blockFacts(situation.env, release, facts.cpu.arch) };
  const p2p = p2pPlan(kinds, nodes.length, ranks, collChannels, situation.env, release);
  const counted = { hosts, ranks, perHost, nodes: nodes.length };
  const { decision } = laid;
  return { release, ...counted, decision, perDomain, rest, channels, collChannels, facts, launch, p2p, model };
}

/** Channels repeated from the first on until there are so many; never fewer than before. */
const upTo = (channels: readonly Channel[], least: number): Channel[] =>
  Array.from({ length: Math.max(channels.length, least) }, (_, c) => channels[c % channels.length]!);

/** Which kind of tree a release looks for first. */
function treeAsked(release: Release, nodes: number, sm: number): Pattern {
  if (atLeast(release, '2.10.3')) return pattern.BALANCED_TREE;
  if (!atLeast(release, '2.8.3')) return pattern.SPLIT_TREE;
  return nodes <= 2 ? pattern.TREE : sm < 80 ? pattern.SPLIT_TREE : pattern.BALANCED_TREE;
}

/** Nodes as NCCL numbers them: by the first rank that belongs to each. */
function nodeChannels(
  perDomain: readonly NodeGraphs[],
  hosts: number,
  perHost: number,
  rest: readonly NodeGraphs[],
): NodeChannels[] {
  const nodes: (NodeChannels & { first: number })[] = [];
  for (let h = 0; h <= hosts; h++) {
    for (const d of h < hosts ? perDomain : rest) {
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

/** The groups of GPUs on one of a communicator's hosts. */
export const domainsOn = (c: Communicator, host: number): readonly NodeGraphs[] =>
  c.rest.length > 0 && host === c.hosts - 1 ? c.rest : c.perDomain;

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
  const ring = worst(perDomain.map((d) => d.ring));
  const tree = worst(perDomain.map((d) => d.tree));
  // Both use as many channels as the one that has fewer.
  const nChannels = Math.min(ring.nChannels, tree.nChannels);
  return {
    release,
    nodes,
    ranks,
    minSm,
    maxSm,
    cpu,
    ring: { ...ring, nChannels },
    tree: { ...tree, nChannels },
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
    // Not exchanged: each rank goes by its own, and what is told is the first one's.
    latencyInter: graphs[0]!.latencyInter,
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
