import { fail, ok, type Result } from '../base/result.ts';
import type { Host } from '../machine/host.ts';
import { say } from '../words/message.ts';
import type { P2pContext } from './decide/p2p.ts';
import { NET } from './path-type.ts';
import { computePaths } from './paths/compute.ts';
import type { Paths } from './paths/table.ts';
import { atLeast } from './release.ts';
import { buildSystem, type Refusal } from './system/build.ts';
import { number, type System, type TopoLink, type TopoNode } from './system/node.ts';

/**
 * What NCCL sees of one node (or one NVLink domain): usually one group of GPUs; several where GPUs that cannot reach each
 * other, or only slower than by the network, are split, each group counting as a node of its own.
 */
export interface Topology {
  /** Before trimming: all GPUs. */
  readonly whole: Paths;
  /** One per group, by lowest rank. */
  readonly domains: readonly Domain[];
  /** GPUs of the whole system -> number of their domain. */
  readonly domainOf: ReadonlyMap<string, number>;
}

export interface Domain {
  readonly paths: Paths;
  /** True when ranks outside take part: other domains or other nodes. */
  readonly inter: boolean;
}

/** How NCCL lays out one host when `nodes` equal ones take part. */
export function topologyOf(host: Host, nodes: number, context: P2pContext): Result<Topology, Refusal> {
  const built = buildSystem(host, context.release, context.gdrWhenUnknown, context.settings.ibHca);
  if (!built.ok) return fail(built.error);
  const whole = computePaths(built.value, context);
  if (whole.oneWay) return fail(noWayBack(whole.oneWay));
  const groups = groupByReach(whole);
  const ranks = built.value.nodes.GPU.length * nodes;
  const domainOf = new Map<string, number>();
  const domains: Domain[] = [];
  for (const group of groups) {
    for (const gpu of group) domainOf.set(gpuKey(gpu), domains.length);
    const inter = group.length !== ranks;
    const dropsNets = !inter && !atLeast(context.release, '2.28.7') && built.value.nodes.NET.length > 0;
    if (group.length === built.value.nodes.GPU.length && !dropsNets) {
      domains.push({ paths: whole, inter });
      continue;
    }
    const system = trimmed(host, context, new Set(group.map(gpuKey)), inter);
    if (!system.ok) return fail(system.error);
    domains.push({ paths: computePaths(system.value, context), inter });
  }
  return ok({ whole, domains, domainOf });
}

/** "Failed to find reverse path" (src/graph/paths.cc: ncclTopoSetPaths). */
function noWayBack({ from, to }: TopoLink): Refusal {
  const name = ({ pci, id }: TopoNode): string => (pci?.gpus?.[0] ? `gpu${pci.gpus[0].dev}` : (pci?.busId ?? id));
  const reason = say('rule.refused.one-way', { from: name(from), to: name(to) });
  return { reason, at: [...(from.pci?.at ?? []), ...(to.pci?.at ?? [])] };
}

/** Rank and id: several ranks may share a bus id. */
export const gpuKey = (gpu: TopoNode): string => `${gpu.id} ${gpu.gpu!.rank}`;

/** GPUs that reach each other without the network, as NCCL groups them: by the lowest earlier GPU. */
function groupByReach(paths: Paths): TopoNode[][] {
  const gpus = paths.system.nodes.GPU;
  const domain: number[] = [];
  gpus.forEach((gpu, g) => {
    domain[g] = g;
    for (let p = 0; p < g; p++) {
      if (paths.typeOf(gpu, gpus[p]!) < NET) domain[g] = Math.min(domain[g]!, domain[p]!);
    }
  });
  const groups = new Map<number, TopoNode[]>();
  gpus.forEach((gpu, g) => {
    groups.set(domain[g]!, [...(groups.get(domain[g]!) ?? []), gpu]);
  });
  return [...groups.values()];
}

/** The system of one group: other GPUs gone (the devices they ran on stay), and NETs too where a release drops them when no other rank takes part. */
function trimmed(host: Host, context: P2pContext, keep: ReadonlySet<string>, inter: boolean): Result<System, Refusal> {
  const built = buildSystem(host, context.release, context.gdrWhenUnknown, context.settings.ibHca);
  if (!built.ok) return built;
  const system = built.value;
  const gone = new Set<TopoNode>();
  for (const gpu of system.nodes.GPU) if (!keep.has(gpuKey(gpu))) gone.add(gpu);
  if (!inter && !atLeast(context.release, '2.28.7')) for (const net of system.nodes.NET) gone.add(net);
  if (gone.size === 0) return built;
  for (const list of Object.values(system.nodes)) {
    for (const node of list) node.links = node.links.filter((l) => !gone.has(l.to));
  }
  for (const type of ['GPU', 'NET'] as const) {
    system.nodes[type] = system.nodes[type].filter((n) => !gone.has(n));
  }
  number(system);
  return ok(system);
}
