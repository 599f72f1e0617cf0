import { fail, ok, type Result } from '../../base/result.ts';
import type { Paths } from '../paths/table.ts';
import { contextOf, type Situation } from '../situation.ts';
import type { Refusal } from '../system/build.ts';
import type { TopoNode } from '../system/node.ts';
import { gpuKey, type Topology, topologyOf } from '../topology.ts';
import { checkGdr, type GdrDecision } from './gdr.ts';
import { networkIsFaster } from './net-faster.ts';
import { checkP2p, type P2pContext, type P2pDecision } from './p2p.ts';

/** Which of NCCL's transports carries data between two GPUs. */
export type Via = 'P2P' | 'SHM' | 'NET';

export interface GpuPair {
  readonly kind: 'gpu-gpu';
  readonly from: TopoNode;
  readonly to: TopoNode;
  readonly type: number;
  readonly bw: number;
  readonly via: Via;
  readonly p2p: P2pDecision;
  /** The network beats the way between the two: NCCL prefers it. */
  readonly netFaster: boolean;
  /** In which path table the way was decided. */
  readonly paths: Paths;
}

export interface NetPair {
  readonly kind: 'gpu-net';
  readonly from: TopoNode;
  readonly to: TopoNode;
  readonly type: number;
  readonly bw: number;
  readonly send: GdrDecision;
  readonly recv: GdrDecision;
  readonly paths: Paths;
}

export interface CpuPair {
  readonly kind: 'gpu-cpu';
  readonly from: TopoNode;
  readonly to: TopoNode;
  readonly type: number;
  readonly bw: number;
  readonly paths: Paths;
}

export type Pair = GpuPair | NetPair | CpuPair;

export interface Decision {
  readonly topology: Topology;
  readonly context: P2pContext;
}

/** NCCL's view of a situation; ask `gpuPairs` and the others for what it decides about pairs. */
export function decide(situation: Situation): Result<Decision, Refusal> {
  const context = contextOf(situation);
  const topology = topologyOf(situation.host, situation.nodes, context);
  return topology.ok ? ok({ topology: topology.value, context }) : fail(topology.error);
}

export function* gpuPairs(decision: Decision): Generator<GpuPair> {
  const gpus = decision.topology.whole.system.nodes.GPU;
  for (const a of gpus) for (const b of gpus) if (a !== b) yield gpuPair(decision, a, b);
}

/** Both nodes are those of the whole system; GPUs of different domains are judged on the untrimmed topology. */
export function gpuPair({ topology, context }: Decision, a: TopoNode, b: TopoNode): GpuPair {
  const whole = topology.whole;
  const view = whole.view(a, b);
  const home = topology.domainOf.get(gpuKey(a))!;
  const apart = home !== topology.domainOf.get(gpuKey(b));
  const paths = apart ? whole : topology.domains[home]!.paths;
  const inside = (n: TopoNode): TopoNode => (paths === whole ? n : sameGpu(paths, n));
  const x = inside(a);
  const y = inside(b);
  const p2p = checkP2p(paths, x, y, context);
  const netFaster = networkIsFaster(paths, x, y, context.release, context.settings);
  const via: Via =
    p2p.p2p && (p2p.through !== undefined || !netFaster)
      ? 'P2P'
      : !context.settings.shmDisable && !netFaster && a.host === b.host
        ? 'SHM'
        : 'NET';
  return { kind: 'gpu-gpu', from: a, to: b, type: view.type, bw: view.bw, via, p2p, netFaster, paths };
}

const sameGpu = (paths: Paths, gpu: TopoNode): TopoNode =>
  paths.system.nodes.GPU.find((g) => gpuKey(g) === gpuKey(gpu))!;

export function* netPairs(decision: Decision): Generator<NetPair> {
  for (const { paths } of decision.topology.domains) {
    for (const gpu of paths.system.nodes.GPU) {
      for (const net of distinct(paths.system.nodes.NET)) yield netPair(decision, paths, gpu, net);
    }
  }
}

export function netPair({ context }: Decision, paths: Paths, gpu: TopoNode, net: TopoNode): NetPair {
  const view = paths.view(gpu, net);
  const gdr = (send: boolean): GdrDecision => checkGdr(paths, gpu, net, send, context.release, context.settings);
  return {
    kind: 'gpu-net',
    from: gpu,
    to: net,
    type: view.type,
    bw: view.bw,
    send: gdr(true),
    recv: gdr(false),
    paths,
  };
}

export function* cpuPairs(decision: Decision): Generator<CpuPair> {
  for (const { paths } of decision.topology.domains) {
    for (const gpu of paths.system.nodes.GPU) {
      for (const cpu of paths.system.nodes.CPU) {
        const view = paths.view(gpu, cpu);
        yield { kind: 'gpu-cpu', from: gpu, to: cpu, type: view.type, bw: view.bw, paths };
      }
    }
  }
}

/** A port that a file lists under several CPUs is several NETs of one id; the first stands for all, as in NCCL's look-ups. */
function distinct(nets: readonly TopoNode[]): TopoNode[] {
  const seen = new Set<string>();
  return nets.filter((n) => !seen.has(n.id) && seen.add(n.id) !== undefined);
}
