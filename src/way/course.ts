import { fail, ok, type Result } from '../base/result.ts';
import type { Fact, Where } from '../fact/fact.ts';
import type { Machine, Transport } from '../machine/machine.ts';
import { deviceAt, findDevice, type NamedDevice, portsOf, splitName } from '../machine/names.ts';
import { doubtRule, doubtSettle, gdrAnswer, openSide, p2pDoubt, settle } from '../nccl/decide/doubt.ts';
import { proxyOf } from '../nccl/decide/gdr.ts';
import { type Decision, decide, type GpuPair, gpuPair, type NetPair, netPair } from '../nccl/decide/pairs.ts';
import { gdrRule, p2pRule } from '../nccl/decide/rules.ts';
import { portsLeft } from '../nccl/ib-hca.ts';
import { type Ask, overChosenNetwork, situationOf } from '../nccl/of-machine.ts';
import { C2C, NVB, P2C, PXN } from '../nccl/path-type.ts';
import { localNet } from '../nccl/paths/local.ts';
import type { Paths } from '../nccl/paths/table.ts';
import type { Release } from '../nccl/release.ts';
import type { TopoNode } from '../nccl/system/node.ts';
import { gpuKey } from '../nccl/topology.ts';
import { type Message, say } from '../words/message.ts';
import { type DeviceIndex, indexDevices } from './devices.ts';
import { domainDoubt } from './domain.ts';
import type { Course, Judged } from './judged.ts';
import { knownDevices } from './known-devices.ts';
import { combine, type LegBuild, type NetLeg, places, wireMedium, worse } from './legs.ts';
import { gpuAt, type P2pdma, p2pdmaOf } from './p2pdma.ts';
import { End, Stages, type Way } from './stages.ts';
import { openStorage, storageCourse } from './storage.ts';

export type { Course } from './judged.ts';

/** A question that the machine cannot answer: a device that is not there, or a topology that NCCL refuses. */
export interface NoCourse {
  readonly reason: Message;
  readonly at: readonly Where[];
}

/**
 * The course from `from` to `to`. A pure function of the machine and the request: flips ask it again about an edited
 * machine.
 */
export function courseOf(told: Machine, ask: Ask, from: string, to: string): Result<Course, NoCourse> {
  const machine = overChosenNetwork(told, ask);
  const a = findDevice(machine, from);
  const b = findDevice(machine, to);
  const nodeA = splitName(from).node;
  const nodeB = splitName(to).node;
  const reach = Math.max(machine.nodes, nodeA + 1, nodeB + 1);
  const wide = reach === machine.nodes ? machine : widened(machine, reach);
  const x = a ?? findDevice(wide, from);
  const y = b ?? findDevice(wide, to);
  if (!x) return fail({ reason: say('answer.no-device', { name: from, known: knownDevices(machine, from) }), at: [] });
  if (!y) return fail({ reason: say('answer.no-device', { name: to, known: knownDevices(machine, to) }), at: [] });
  const judge = new Judge(wide, ask, hostsOf(wide, [x, y]));
  const ready = judge.prepare(x.host);
  if (!ready.ok) return fail(ready.error);
  if (y.host !== x.host) {
    const other = judge.prepare(y.host);
    if (!other.ok) return fail(other.error);
  }
  return ok({ ...judge.course(x, nodeA, y, nodeB), from, to });
}

/** The machine with more equal nodes; the same object each time, so that decisions about it are kept. */
const wider = new WeakMap<Machine, Map<number, Machine>>();
function widened(machine: Machine, nodes: number): Machine {
  const known = wider.get(machine) ?? new Map<number, Machine>();
  wider.set(machine, known);
  const wide = known.get(nodes) ?? { ...machine, nodes };
  known.set(nodes, wide);
  return wide;
}

/** The hosts of a domain that devices belong to: they stay when it is folded. */
function hostsOf(machine: Machine, devices: readonly NamedDevice[]): ReadonlySet<string> {
  return new Set(devices.map((d) => machine.hosts[d.host]?.cpus[d.path[0] ?? -1]?.hostHash ?? ''));
}

/** Decisions already made about a machine: a report asks about many of its pairs. */
const made = new WeakMap<Machine, Map<string, ReturnType<typeof decide>>>();

function decideOnce(machine: Machine, host: number, ask: Ask, keep: ReadonlySet<string>): ReturnType<typeof decide> {
  const situation = situationOf(machine, host, ask, keep);
  const hosts = situation.host === machine.hosts[host] ? '' : [...keep].join(' ');
  const key = `${host} ${ask.nccl ?? ''} ${JSON.stringify([...(ask.env ?? [])])} ${hosts}`;
  let known = made.get(machine);
  if (!known) {
    known = new Map();
    made.set(machine, known);
  }
  let decision = known.get(key);
  if (!decision) {
    decision = decide(situation);
    known.set(key, decision);
  }
  return decision;
}

class Judge {
  private readonly index: DeviceIndex;
  private readonly decisions = new Map<number, Decision>();
  private readonly release: Release;

  constructor(
    private readonly machine: Machine,
    private readonly ask: Ask,
    private readonly keep: ReadonlySet<string>,
  ) {
    this.index = indexDevices(machine);
    this.release = situationOf(machine, 0, ask).release;
  }

  prepare(host: number): Result<undefined, NoCourse> {
    if (this.decisions.has(host)) return ok(undefined);
    const decided = decideOnce(this.machine, host, this.ask, this.keep);
    if (!decided.ok) return fail(decided.error);
    this.decisions.set(host, decided.value);
    return ok(undefined);
  }

  course(a: NamedDevice, nodeA: number, b: NamedDevice, nodeB: number): Judged {
    if (nodeA !== nodeB || a.host !== b.host) {
      const network = (): Judged => this.remote(a, nodeA, b, nodeB);
      const { nvlinkDomain } = this.machine;
      return (
        domainDoubt(nvlinkDomain, this.index.all, a, nodeA, b, nodeB, network, (d, n) => this.end(d.host, n)) ??
        network()
      );
    }
    const end = this.end(a.host, nodeA);
    const kinds = `${a.kind} ${b.kind}`;
    if (a.id === b.id)
      return {
        direct: 'yes',
        ways: [{ path: 'same-device', copies: 0, stages: [] }],
        rule: say('answer.same'),
        evidence: [],
      };
    if (kinds === 'gpu gpu') return this.gpuToGpu(end, a, b);
    if (kinds === 'gpu nic') return this.gpuNic(end, a, b, true);
    if (kinds === 'nic gpu') return this.gpuNic(end, b, a, false);
    if (kinds === 'gpu cpu') return this.hostMemory(end, a, b, true);
    if (kinds === 'cpu gpu') return this.hostMemory(end, b, a, false);
    const gds = this.machine.storage?.gds;
    if (kinds === 'nvme gpu') return storageCourse(gds, end, a, b, this.cpuOf(b), true, this.kernelWay(a, b));
    if (kinds === 'gpu nvme') return storageCourse(gds, end, b, a, this.cpuOf(a), false, this.kernelWay(b, a));
    if (a.kind === 'nvme' || b.kind === 'nvme') return openStorage;
    return this.plain(end, a, b);
  }

  private kernelWay(drive: NamedDevice, gpu: NamedDevice): P2pdma {
    const host = this.machine.hosts[gpu.host]!;
    return p2pdmaOf(this.machine, host, gpuAt(host, gpu.path, gpu.slot)!, drive.path, gpu.path);
  }

  private end(host: number, node: number): End {
    const prefix = this.machine.nodes > 1 ? `node${node}/` : '';
    return new End(
      this.machine.hosts[host]!,
      this.index.all.filter((d) => d.host === host),
      prefix,
    );
  }

  private node(device: NamedDevice): TopoNode | undefined {
    const system = this.decisions.get(device.host)!.topology.whole.system;
    const list = device.kind === 'gpu' ? system.nodes.GPU : system.nodes.NET;
    return list.find((n) => this.index.of(n)?.id === device.id || this.sameLocal(n, device));
  }

  private sameLocal(node: TopoNode, device: NamedDevice): boolean {
    const named = this.index.of(node);
    return (
      named !== undefined && named.host === device.host && named.local === device.local && named.node === device.node
    );
  }

  /** The path table in which NCCL decides for a GPU: that of its domain. */
  private home(device: NamedDevice): { paths: Paths; gpu: TopoNode } | undefined {
    const decision = this.decisions.get(device.host)!;
    const gpu = this.node(device);
    if (!gpu) return undefined;
    const paths = decision.topology.domains[decision.topology.domainOf.get(gpuKey(gpu))!]!.paths;
    return { paths, gpu: paths.system.nodes.GPU.find((g) => gpuKey(g) === gpuKey(gpu))! };
  }

  private gpuToGpu(end: End, a: NamedDevice, b: NamedDevice): Judged {
    const x = this.node(a);
    const y = this.node(b);
    const decision = this.decisions.get(a.host)!;
    if (!x || !y) return this.noRank(!x ? a : b);
    const pair = gpuPair(decision, x, y);
    const base = {
      rule: p2pRule(pair, this.release),
      evidence: [...this.statusEvidence(pair), ...places(x, y, this.envEvidence(pair.p2p.rule))],
      type: pair.type,
    };
    const doubt = p2pDoubt(decision, pair);
    if (doubt) {
      const here = pair.via === 'P2P' ? [this.p2pWay(end, a, b, pair), this.shmWay(end, a, b)] : [];
      return { ...base, direct: 'unknown', ways: here, rule: doubtRule(doubt, base.rule), settle: doubtSettle(doubt) };
    }
    if (pair.via === 'P2P') return { ...base, direct: 'yes', ways: [this.p2pWay(end, a, b, pair)] };
    if (pair.via === 'SHM') return { ...base, direct: 'no', ways: [this.shmWay(end, a, b)] };
    return { ...this.network(end, a, end, b), type: pair.type, ...(pair.netFaster ? { rule: base.rule } : {}) };
  }

  private p2pWay(end: End, a: NamedDevice, b: NamedDevice, pair: GpuPair): Way {
    const stages = new Stages();
    if (pair.type > NVB) {
      if (pair.type === C2C) return { path: 'nvlink-c2c', copies: 0, stages: [] };
      stages.p2pPcie(end, a, b, pair.p2p.read);
      return stages.way('p2p-pcie');
    }
    const middle = pair.p2p.through && this.index.of(pair.p2p.through);
    if (middle) {
      stages.nvlink(end, a, middle);
      stages.nvlink(end, middle, b);
    } else stages.nvlink(end, a, b);
    return stages.way('nvlink');
  }

  private shmWay(end: End, a: NamedDevice, b: NamedDevice): Way {
    const stages = new Stages();
    const cpuA = this.cpuOf(a);
    stages.hostCopy(end, a, cpuA, true);
    stages.hostCopy(end, b, cpuA, false);
    return stages.way('host-staged');
  }

  private cpuOf(device: NamedDevice): NamedDevice {
    const cpu = this.index.all.find((d) => d.kind === 'cpu' && d.host === device.host && d.path[0] === device.path[0]);
    return cpu!;
  }

  private gpuNic(end: End, gpu: NamedDevice, nic: NamedDevice, send: boolean): Judged {
    const home = this.home(gpu);
    if (!home) return this.noRank(gpu);
    const net = home.paths.system.nodes.NET.find((n) => this.index.of(n)?.id === nic.id || this.sameLocal(n, nic));
    if (!net) return this.leftOut(nic) ?? this.dropped(end, gpu, nic, send);
    const pair = netPair(this.decisions.get(gpu.host)!, home.paths, home.gpu, net);
    const leg = this.netLeg(end, gpu, nic, pair, send);
    return { ...leg.judged, ways: leg.ways.map((build) => this.built(build, send)), type: pair.type };
  }

  private built(leg: LegBuild, _send: boolean): Way {
    const stages = new Stages();
    leg.add(stages);
    return stages.way(leg.direct ? 'gpudirect-rdma' : 'host-staged-rdma');
  }

  /** One GPU–NIC leg: its verdict and the ways it may be built, direct one first. */
  private netLeg(end: End, gpu: NamedDevice, nic: NamedDevice, pair: NetPair, send: boolean): NetLeg {
    const decision = send ? pair.send : pair.recv;
    const answer = gdrAnswer(pair, decision);
    const evidence = places(pair.from, pair.to, [
      ...(pair.to.net!.port.gdrAt ?? []),
      ...this.envEvidence(decision.rule),
    ]);
    const direct: LegBuild = { direct: true, add: (s) => this.directLeg(s, end, gpu, nic, pair, send) };
    const staged: LegBuild = { direct: false, add: (s) => this.stagedLeg(s, end, gpu, nic, send) };
    if (answer === 'unknown') {
      const who = openSide(pair);
      return {
        judged: { direct: 'unknown', rule: say('rule.gdr.not-known', { who }), evidence, settle: settle.gdr },
        ways: [direct, staged],
      };
    }
    const rule = gdrRule(decision, this.release, pair.to.net!.port.gdrInferred);
    return { judged: { direct: answer, rule, evidence }, ways: [answer === 'yes' ? direct : staged] };
  }

  private directLeg(s: Stages, end: End, gpu: NamedDevice, nic: NamedDevice, pair: NetPair, send: boolean): void {
    const relay = pair.type === PXN && send ? proxyOf(pair.paths, pair.from, pair.to) : undefined;
    const through = relay && this.index.of(relay);
    if (through) s.nvlink(end, gpu, through);
    const last = through ?? gpu;
    const distance = relay ? pair.paths.typeOf(relay, pair.to) : pair.type;
    if (distance === P2C) s.nicDmaOverC2c(end, last, this.cpuOf(last), nic, send);
    else s.nicDma(end, last, nic, send);
  }

  private stagedLeg(s: Stages, end: End, gpu: NamedDevice, nic: NamedDevice, send: boolean): void {
    const cpu = this.cpuOf(gpu);
    if (send) {
      s.hostCopy(end, gpu, cpu, true);
      s.nicDma(end, cpu, nic, true);
    } else {
      s.nicDma(end, cpu, nic, false);
      s.hostCopy(end, gpu, cpu, false);
    }
  }

  private remote(a: NamedDevice, nodeA: number, b: NamedDevice, nodeB: number): Judged {
    if (a.kind !== 'gpu' || b.kind !== 'gpu') {
      return { direct: 'unknown', ways: [], rule: say('answer.remote-only-gpus'), evidence: [] };
    }
    return this.network(this.end(a.host, nodeA), a, this.end(b.host, nodeB), b);
  }

  /** Through the NICs that NCCL pairs the two GPUs with. */
  private network(endA: End, a: NamedDevice, endB: End, b: NamedDevice): Judged {
    const out = this.ownNic(a);
    const back = this.ownNic(b);
    if (!out || !back) return this.noNic(!out ? a : b);
    const nics = [endA.name(out.nic), endB.name(back.nic)];
    const transport = this.machine.fabric.transport;
    if (transport && (transport.value === 'tcp' || transport.value === 'ipoib')) {
      return { ...this.sockets(endA, a, out.nic, endB, b, back.nic, transport), nics };
    }
    const send = this.netLeg(endA, a, out.nic, out.pair, true);
    const recv = this.netLeg(endB, b, back.nic, back.pair, false);
    const direct = worse(send.judged.direct, recv.judged.direct);
    const decider = send.judged.direct === direct ? send : recv;
    const wire = (s: Stages): void =>
      s.wire(endA, out.nic, endB, back.nic, wireMedium(transport?.value), this.machine.fabric.rateMbps?.value);
    const combos = combine(send.ways, recv.ways);
    const ways = combos.map(([x, y]) => {
      const s = new Stages();
      x.add(s);
      wire(s);
      y.add(s);
      return s.way(x.direct && y.direct ? 'gpudirect-rdma' : 'host-staged-rdma');
    });
    const evidence = [...decider.judged.evidence];
    return { ...decider.judged, direct, ways, evidence, nics, type: out.pair.type };
  }

  private sockets(
    endA: End,
    a: NamedDevice,
    nicA: NamedDevice,
    endB: End,
    b: NamedDevice,
    nicB: NamedDevice,
    transport: Fact<Transport>,
  ): Judged {
    const s = new Stages();
    const cpuA = this.cpuOf(a);
    const cpuB = this.cpuOf(b);
    s.hostCopy(endA, a, cpuA, true);
    s.socket(endA, cpuA, nicA, true);
    s.wire(endA, nicA, endB, nicB, wireMedium(transport.value), this.machine.fabric.rateMbps?.value);
    s.socket(endB, cpuB, nicB, false);
    s.hostCopy(endB, b, cpuB, false);
    return {
      direct: 'no',
      ways: [s.way(transport.value === 'ipoib' ? 'ipoib' : 'tcp')],
      rule: say(transport.value === 'ipoib' ? 'rule.net.ipoib' : 'rule.net.sockets'),
      evidence: transport.at,
    };
  }

  private ownNic(gpu: NamedDevice): { nic: NamedDevice; pair: NetPair } | undefined {
    const home = this.home(gpu);
    if (!home) return undefined;
    const decision = this.decisions.get(gpu.host)!;
    const net = localNet(home.paths, home.gpu, 0, this.release, decision.context.settings);
    const nic = net && this.index.of(net);
    if (!net || !nic) return undefined;
    return { nic, pair: netPair(decision, home.paths, home.gpu, net) };
  }

  private hostMemory(end: End, gpu: NamedDevice, cpu: NamedDevice, toHost: boolean): Judged {
    const s = new Stages();
    s.hostCopy(end, gpu, cpu, toHost);
    return {
      direct: 'yes',
      ways: [s.way('memcpy-pinned')],
      rule: say('rule.memcpy'),
      evidence: end.gpu(gpu)?.at ?? [],
    };
  }

  /** Devices between which NCCL decides nothing: only the wires are shown. */
  private plain(end: End, a: NamedDevice, b: NamedDevice): Judged {
    const s = new Stages();
    if (b.kind === 'nic' && a.kind === 'cpu') s.nicDma(end, a, b, true);
    else if (a.kind === 'nic' && b.kind === 'cpu') s.nicDma(end, b, a, false);
    else
      return { direct: 'unknown', ways: [], rule: say('answer.no-question', { a: a.kind, b: b.kind }), evidence: [] };
    return { direct: 'yes', ways: [s.way('memcpy-pinned')], rule: say('rule.dma'), evidence: [] };
  }

  private noRank(gpu: NamedDevice): Judged {
    return { direct: 'unknown', ways: [], rule: say('answer.no-rank', { gpu: gpu.id }), evidence: [] };
  }

  private noNic(gpu: NamedDevice): Judged {
    return {
      direct: 'unknown',
      ways: [],
      rule: say('answer.no-nic', { gpu: gpu.id }),
      evidence: [],
      settle: 'nvidia-smi topo -m; ibv_devinfo',
    };
  }

  /** A NIC that the job's own list takes away from NCCL. */
  private leftOut(nic: NamedDevice): Judged | undefined {
    const value = situationOf(this.machine, nic.host, this.ask).env.get('NCCL_IB_HCA');
    const host = this.machine.hosts[nic.host]!;
    const port = deviceAt(host, nic.path)?.ports?.[nic.slot ?? 0];
    if (!port || portsLeft(portsOf(host), value)(port)) return undefined;
    const evidence = this.machine.software.env.get('NCCL_IB_HCA')?.at ?? [];
    return { direct: 'no', ways: [], rule: say('answer.nic-left-out', { nic: nic.id, value: value ?? '' }), evidence };
  }

  /** A release that drops NETs when a job stays on one node decides nothing about them; two nodes show what it would. */
  private dropped(end: End, gpu: NamedDevice, nic: NamedDevice, send: boolean): Judged {
    void end;
    if (this.machine.nodes > 1) return this.noNic(gpu);
    const judge = new Judge({ ...this.machine, nodes: 2 }, this.ask, this.keep);
    const ready = judge.prepare(gpu.host);
    return ready.ok ? judge.gpuNic(this.end(gpu.host, 0), gpu, nic, send) : this.noNic(gpu);
  }

  /** The line of a table that says what the driver allows this pair. */
  private statusEvidence({ p2p, from, to }: GpuPair): readonly Where[] {
    const told = this.machine.software.p2pPairs?.get(`${from.gpu!.dev} ${to.gpu!.dev}`);
    return p2p.rule === 'driver' ? (told?.at ?? []) : [];
  }

  /** The line that set a variable which decided. */
  private envEvidence(rule: string): Where[] {
    const names: Record<string, string> = {
      disabled: 'NCCL_P2P_DISABLE',
      'read-off': 'NCCL_NET_GDR_READ',
    };
    const name = names[rule];
    const list = rule === 'user-level' ? ['NCCL_P2P_LEVEL', 'NCCL_NET_GDR_LEVEL'] : name === undefined ? [] : [name];
    return list.flatMap((n) => this.machine.software.env.get(n)?.at ?? []);
  }
}
