import { fail, ok, type Result } from '../base/result.ts';
import type { Answer, Where } from '../fact/fact.ts';
import { foldDomain } from '../machine/fold.ts';
import type { Machine } from '../machine/machine.ts';
import { doubtRule, doubtSettle, gdrAnswer, openSide, p2pDoubt, settle } from '../nccl/decide/doubt.ts';
import {
  cpuPairs,
  type Decision,
  decide,
  type GpuPair,
  gpuPairs,
  type NetPair,
  netPairs,
} from '../nccl/decide/pairs.ts';
import { gdrRule, p2pRule } from '../nccl/decide/rules.ts';
import { type Ask, situationOf } from '../nccl/of-machine.ts';
import { pathTypes } from '../nccl/path-type.ts';
import type { Paths } from '../nccl/paths/table.ts';
import type { Release } from '../nccl/release.ts';
import type { Refusal } from '../nccl/system/build.ts';
import type { TopoNode } from '../nccl/system/node.ts';
import { type DeviceIndex, indexDevices } from '../way/devices.ts';
import { type Message, say } from '../words/message.ts';

export interface PathsAnswer {
  readonly release: Release;
  readonly devices: readonly PathDevice[];
  readonly pairs: readonly PathPair[];
  /** GPU groups that NCCL treats as nodes of their own; one for a host that holds together. */
  readonly domains: readonly (readonly string[])[];
  /** Set when a large domain of equal hosts was folded: how many hosts it has, and how many stand for them here. */
  readonly folded?: { readonly hosts: number; readonly shown: number };
}

export interface PathDevice {
  readonly id: string;
  readonly kind: string;
  readonly nccl?: string;
  readonly busId?: string;
  readonly name?: string;
  readonly rank?: number;
}

export interface PathPair {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** NCCL's GB/s; absent where a link rate on the way is not known. */
  readonly bandwidthGBps?: number;
  readonly p2p?: { readonly verdict: Answer; readonly read: boolean; readonly via: 'P2P' | 'SHM' | 'NET' };
  readonly gdr?: { readonly send: Answer; readonly recv: Answer };
  readonly rule: Message;
  readonly evidence: readonly Where[];
  /** What to run where a verdict is unknown. */
  readonly settle?: string;
}

/** Every pair of a host's devices, as NCCL decides it; both directions. */
export function answerPaths(machine: Machine, ask: Ask = {}, host = 0): Result<PathsAnswer, Refusal> {
  const situation = situationOf(machine, host, ask);
  const decided = decide(situation);
  if (!decided.ok) return fail(decided.error);
  const index = indexDevices(machine);
  const teller = new Teller(machine, index, decided.value, situation.release);
  const whole = decided.value.topology.whole;
  const pairs: PathPair[] = [];
  for (const pair of gpuPairs(decided.value)) pairs.push(teller.gpuPair(pair));
  for (const pair of netPairs(decided.value)) {
    pairs.push(teller.netPair(pair, false), teller.netPair(pair, true));
  }
  for (const pair of cpuPairs(decided.value)) {
    pairs.push(...teller.cpuPair(pair.paths, pair.from, pair.to));
  }
  const domains: string[][] = decided.value.topology.domains.map(() => []);
  for (const gpu of whole.system.nodes.GPU) {
    domains[decided.value.topology.domainOf.get(`${gpu.id} ${gpu.gpu!.rank}`)!]!.push(teller.name(gpu));
  }
  const fold = foldDomain(machine.hosts[host]!);
  return ok({
    release: situation.release,
    devices: teller.devices(whole.system.all),
    pairs,
    domains,
    ...(fold.kept < fold.of ? { folded: { hosts: fold.of, shown: fold.kept } } : {}),
  });
}

export class Teller {
  constructor(
    private readonly machine: Machine,
    private readonly index: DeviceIndex,
    private readonly decision: Decision,
    private readonly release: Release,
  ) {}

  private readonly names = new Map<TopoNode, string>();

  name(node: TopoNode): string {
    let name = this.names.get(node);
    if (name === undefined) {
      name = this.index.of(node)?.id ?? node.id;
      this.names.set(node, name);
    }
    return name;
  }

  devices(nodes: readonly TopoNode[]): PathDevice[] {
    const list: PathDevice[] = [];
    const seen = new Set<string>();
    for (const node of nodes) {
      if (node.type !== 'GPU' && node.type !== 'NET' && node.type !== 'CPU') continue;
      const id = this.name(node);
      if (seen.has(id)) continue;
      seen.add(id);
      const named = this.index.of(node);
      list.push({
        id,
        kind: node.type === 'GPU' ? 'gpu' : node.type === 'NET' ? 'nic' : 'cpu',
        nccl: node.id,
        ...(named?.busId === undefined ? {} : { busId: named.busId }),
        ...(named?.name === undefined ? {} : { name: named.name }),
        ...(node.gpu ? { rank: node.gpu.gpu.rank ?? node.gpu.rank } : {}),
      });
    }
    return list;
  }

  gpuPair(pair: GpuPair): PathPair {
    const base = p2pRule(pair, this.release);
    const doubt = p2pDoubt(this.decision, pair);
    return {
      from: this.name(pair.from),
      to: this.name(pair.to),
      type: pathTypes[pair.type]!,
      // Its nodes are those of the whole system: the paths of its domain are between others where NICs were dropped.
      ...this.bandwidth(this.decision.topology.whole, pair.from, pair.to, pair.bw),
      p2p: {
        verdict: doubt ? 'unknown' : pair.via === 'P2P' ? 'yes' : 'no',
        read: pair.p2p.read && pair.via === 'P2P',
        via: pair.via,
      },
      rule: doubt ? doubtRule(doubt, base) : base,
      evidence: evidence(pair.from, pair.to),
      ...(doubt ? { settle: doubtSettle(doubt) } : {}),
    };
  }

  netPair(pair: NetPair, back: boolean): PathPair {
    const [from, to] = back ? [pair.to, pair.from] : [pair.from, pair.to];
    const view = back ? pair.paths.view(pair.to, pair.from) : { type: pair.type, bw: pair.bw };
    const send = gdrAnswer(pair, pair.send);
    const recv = gdrAnswer(pair, pair.recv);
    const open = send === 'unknown' || recv === 'unknown';
    const { port } = pair.to.net!;
    const decision = back ? pair.recv : pair.send;
    return {
      from: this.name(from),
      to: this.name(to),
      type: pathTypes[view.type]!,
      ...this.bandwidth(pair.paths, from, to, view.bw),
      gdr: { send, recv },
      rule: open
        ? say('rule.gdr.not-known', { who: openSide(pair) })
        : gdrRule(decision, this.release, port.gdrInferred),
      evidence: [...(decision.rule === 'nic-cannot' ? (port.gdrAt ?? []) : []), ...evidence(pair.from, pair.to)],
      ...(open ? { settle: settle.gdr } : {}),
    };
  }

  cpuPair(paths: Paths, gpu: TopoNode, cpu: TopoNode): PathPair[] {
    return [[gpu, cpu] as const, [cpu, gpu] as const].map(([from, to]) => {
      const view = paths.view(from, to);
      return {
        from: this.name(from),
        to: this.name(to),
        type: pathTypes[view.type]!,
        ...this.bandwidth(paths, from, to, view.bw),
        rule: say('rule.path', { type: pathTypes[view.type]! }),
        evidence: evidence(gpu, cpu),
      };
    });
  }

  private bandwidth(paths: Paths, from: TopoNode, to: TopoNode, bw: number): { bandwidthGBps?: number } {
    if (this.machine.hosts[0]?.ratesUnknown) {
      const known = paths.system.links.length > 0 && this.ratesKnown(paths, from, to);
      if (!known) return {};
    }
    // 32-bit floats, shown without the noise of their last digits.
    return { bandwidthGBps: Number(bw.toPrecision(6)) };
  }

  /** Links whose speed no input tells have no bandwidth to speak of. */
  private ratesKnown(paths: Paths, from: TopoNode, to: TopoNode): boolean {
    return paths.links(from, to).every((l) => {
      if (l.type === 'LOC') return true;
      if (l.type === 'NVL') return (l.from.gpu ?? l.to.gpu ?? gpuOn(l.from) ?? gpuOn(l.to))?.sm !== 0;
      return false;
    });
  }
}

const gpuOn = (node: TopoNode): TopoNode['gpu'] => node.links.find((l) => l.to.type === 'GPU')?.to.gpu;

const evidence = (a: TopoNode, b: TopoNode): Where[] => {
  const lines = [...placeOf(a), ...placeOf(b)];
  return lines.filter((w, i) => lines.findIndex((v) => v.file === w.file && v.line === w.line) === i);
};

const placeOf = (n: TopoNode): readonly Where[] => n.gpu?.gpu.at ?? n.net?.port.at ?? n.cpu?.at ?? [];
