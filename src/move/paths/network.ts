import { calibration } from '../../catalogue/calibration.ts';
import { gpus } from '../../catalogue/gpus.ts';
import type { Answer } from '../../fact/fact.ts';
import type { Gpu } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import { deviceAt, type NamedDevice } from '../../machine/names.ts';
import type { Judged } from '../../way/judged.ts';
import { registrable } from '../../way/register.ts';
import { type Message, say } from '../../words/message.ts';
import { copyWay } from '../copy-way.ts';
import type { MoveEnd } from '../ends.ts';
import { ownLink, type SharedLink, treeLinks } from '../links.ts';
import type { DataPathModel, MoveStage } from '../model.ts';
import {
  cpuOf,
  isRdma,
  kernelWire,
  lineRate,
  memoryRate,
  nearestNic,
  peerLinks,
  peerRate,
  peerReadRate,
  rdmaShare,
  redirected,
} from '../wires.ts';
import { bufferBytes, handOver, launchCpu, us } from './costs.ts';
import { nicTiming, notPublic } from './direct-network.ts';

/** One side of a way over a network: memory of a GPU or a host with the NIC nearest to it, or a client that is not ours. */
interface Side {
  readonly end: MoveEnd;
  /** None for a client. */
  readonly nic?: NamedDevice;
  readonly out: boolean;
}

/** Everything between two nodes, or between a node and a client, that a network allows. */
export function networkPaths(machine: Machine, a: MoveEnd, b: MoveEnd, course: Judged | undefined): DataPathModel[] {
  const from = sideOf(a, true);
  const to = sideOf(b, false);
  if (!from || !to) return [];
  const sides = [from, to];
  const line = Math.min(...sides.map((s) => (s.nic ? lineRate(machine, s.end, s.nic) : Number.POSITIVE_INFINITY)));
  const wire = (share: number): MoveStage => ({
    name: say('move.stage.wire'),
    rate: line * share,
    copy: false,
    hostMemory: 0,
    cpuPerByte: 0,
    links: sides.flatMap(({ end, nic, out }) =>
      nic ? [ownLink(end, nic, 'port', out, lineRate(machine, end, nic), 1 / share)] : [],
    ),
  });
  const models: DataPathModel[] = [];
  const transport = machine.fabric.transport?.value;
  if (isRdma(transport)) {
    const over = wire(rdmaShare(machine));
    if (!sides.some(isGpu)) models.push(hostRdma(machine, from, over, to));
    else models.push(direct(machine, from, over, to, course), stagedRdma(machine, from, over, to, course));
  } else if (transport === 'tcpx' && sides.some(isGpu)) {
    const split = kernelWire(machine, 'tcp');
    models.push(direct(machine, from, wire(split.share), to, course, split.packet));
  }
  const infiniband = transport === 'infiniband' || transport === 'ipoib';
  for (const kind of infiniband ? (['ipoib-datagram', 'ipoib-connected'] as const) : (['tcp'] as const)) {
    models.push(kernel(machine, kind, from, wire, to));
  }
  return models;
}

const isGpu = (s: Side): boolean => s.end.kind === 'gpu';
const gpuOf = ({ end }: Side): Gpu | undefined => deviceAt(end.host, end.device!.path)?.gpus?.[end.device!.slot ?? 0];
const gpusOf = (...sides: readonly Side[]): readonly Side[] => sides.filter(isGpu);

function sideOf(end: MoveEnd, out: boolean): Side | undefined {
  if (end.kind === 'client') return { end, out };
  const nic = nearestNic(end, end.device!);
  return nic && { end, nic, out };
}

/** Host memory on a side: that of its NUMA node. */
const memoryOf = ({ end }: Side): NamedDevice => (end.kind === 'gpu' ? cpuOf(end, end.device!) : end.device!);

/** What a client does inside is its own affair: it keeps up with the wire. */
const client = (s: Side, rate: number): MoveStage => ({
  name: say(s.out ? 'move.stage.client-sends' : 'move.stage.client-takes'),
  rate,
  copy: false,
  hostMemory: 0,
  cpuPerByte: 0,
  links: [],
});

/** The NIC's own DMA on a side, from or to the memory at hand. */
function dma(s: Side, rate: number, hostMemory: number, links: readonly SharedLink[]): MoveStage {
  const name = say(s.out ? 'move.stage.nic-read' : 'move.stage.nic-write');
  return { name, rate, copy: false, hostMemory, cpuPerByte: 0, links };
}

/** The NIC reads or writes host memory. */
function hostDma(s: Side): MoveStage {
  const cpu = memoryOf(s);
  const links = s.out ? treeLinks(s.end, cpu.path, s.nic!.path) : treeLinks(s.end, s.nic!.path, cpu.path);
  return dma(s, memoryRate(s.end, s.nic!, cpu), 1, links);
}

/** The NIC reads or writes memory of the GPU. */
function peerDma(s: Side): MoveStage {
  const [x, y] = s.out ? [s.end.device!.path, s.nic!.path] : [s.nic!.path, s.end.device!.path];
  const limit = s.out ? peerReadRate(gpuOf(s)) : Number.POSITIVE_INFINITY;
  return dma(s, Math.min(peerRate(s.end, x, y), limit), 0, peerLinks(s.end, x, y));
}

/** Where the bytes lie, the NIC finds them; a client brings or takes them itself. */
const straight = (s: Side, wire: MoveStage): MoveStage =>
  s.end.kind === 'client' ? client(s, wire.rate) : isGpu(s) ? peerDma(s) : hostDma(s);

/**
 * GPU memory is read and written by the NICs themselves. Where the network is TCPX, a core still makes and reads the headers of
 * every packet, and the GPU puts payloads that came in pages into their order.
 */
function direct(
  machine: Machine,
  a: Side,
  wire: MoveStage,
  b: Side,
  course: Judged | undefined,
  split?: number,
): DataPathModel {
  const detour = gpusOf(a, b).some(({ end, nic }) => redirected(end, end.device!.path, nic!.path));
  const note = detour ? say('move.note.acs') : notPublic(machine);
  const side = (s: Side): MoveStage => (split !== undefined && isGpu(s) ? headersApart(s, split) : straight(s, wire));
  return {
    path: 'gpudirect-rdma',
    ...judged(machine, [a, b], course),
    ...(note ? { note } : {}),
    stages: [side(a), wire, side(b), ...(split !== undefined && isGpu(b) ? [unpack(b)] : [])],
    timing: nicTiming(machine, gpusOf(a, b).length),
  };
}

/** Header split: payloads go between NIC and GPU, headers between NIC and kernel, at a kernel's cost for each packet. */
function headersApart(s: Side, packet: number): MoveStage {
  const dma = peerDma(s);
  const cpuPerByte = (calibration.kernelPacket.value * us) / packet;
  const name = say(s.out ? 'move.stage.nic-read-split' : 'move.stage.nic-write-split');
  return { ...dma, name, cpuPerByte, rate: Math.min(dma.rate, 1 / cpuPerByte) };
}

/** The GPU reads what lies in pages and writes it where it belongs: half of its memory's bandwidth, which some GPUs' data tells. */
function unpack(side: Side): MoveStage {
  const gpu = gpuOf(side);
  const bandwidth = gpu?.part === undefined ? undefined : gpus.get(gpu.part)?.memoryBandwidth?.value;
  return {
    name: say('move.stage.unpack'),
    ...(bandwidth === undefined
      ? { rate: Number.POSITIVE_INFINITY, unbounded: true as const }
      : { rate: (bandwidth * 1e9) / 2 }),
    // No core and no copy engine: the kernel that wants the data fetches it so.
    copy: false,
    hostMemory: 0,
    cpuPerByte: 0,
    links: [],
  };
}

/** Between GPUs NCCL decides; else the application does, if GPU memory can be registered at all. */
function judged(
  machine: Machine,
  sides: readonly Side[],
  course: Judged | undefined,
): { readonly allowed: Answer; readonly rule: Message } {
  if (sides.every(isGpu)) return { allowed: course?.direct ?? 'unknown', rule: course?.rule ?? say('move.rule.gdr') };
  const side = sides.find(isGpu)!;
  const { end, nic } = side;
  const { direct: allowed, rule } = registrable(
    machine,
    gpuOf(side),
    deviceAt(end.host, nic!.path)?.ports?.[nic!.slot ?? 0],
  );
  return { allowed, rule };
}

/**
 * Between copy engine and NIC stands a core: it learns that a copy is done before it posts, and that a message is there before it
 * starts the next copy. In a node the driver lets the engines wait for each other.
 */
const handOverByCore = handOver + calibration.copyLaunch.value * us;

function copyStage(s: Side, serial: boolean): MoveStage {
  const gpu = s.end.device!;
  const { rate, links } = copyWay(s.end, gpu, memoryOf(s), s.out);
  return {
    name: say(s.out ? 'move.stage.to-host' : 'move.stage.from-host'),
    rate,
    copy: true,
    hostMemory: 1,
    cpuPerByte: launchCpu / bufferBytes,
    links,
    ...(serial ? { gap: handOverByCore } : { chunk: { bytes: bufferBytes, gap: handOverByCore } }),
  };
}

/** Through host memory on every side that has a GPU. */
function stagedRdma(machine: Machine, a: Side, wire: MoveStage, b: Side, course: Judged | undefined): DataPathModel {
  const rdma = nicTiming(machine, 0);
  const note = notPublic(machine);
  // Where a variable leaves NCCL sockets, it takes no verbs to host memory either.
  const onSockets = course?.ways.some((w) => w.path === 'tcp' || w.path === 'ipoib') ? course.rule : undefined;
  const launches = gpusOf(a, b).length * calibration.copyLaunch.value * us;
  const leaves = a.end.kind === 'client' ? [client(a, wire.rate)] : [hostDma(a)];
  const arrives = b.end.kind === 'client' ? [client(b, wire.rate)] : [hostDma(b)];
  return {
    path: 'host-staged-rdma',
    ...(onSockets
      ? { allowed: 'no', rule: onSockets }
      : {
          allowed: 'yes',
          rule: say(gpusOf(a, b).length === 2 ? 'move.rule.staged-rdma' : 'move.rule.staged-rdma-one'),
        }),
    ...(note ? { note } : {}),
    stages: [
      ...(isGpu(a) ? [copyStage(a, false)] : []),
      ...leaves,
      wire,
      ...arrives,
      ...(isGpu(b) ? [copyStage(b, false)] : []),
    ],
    timing: { ...rdma, oneWay: rdma.oneWay + launches, cycle: Math.max(rdma.cycle + launches, handOverByCore) },
    ...(gpusOf(a, b).length > 0 ? { bothShare: calibration.stagedBoth.value } : {}),
  };
}

function hostRdma(machine: Machine, a: Side, wire: MoveStage, b: Side): DataPathModel {
  const note = notPublic(machine);
  return {
    path: 'host-rdma',
    allowed: 'yes',
    rule: say('move.rule.host-rdma'),
    ...(note ? { note } : {}),
    stages: [straight(a, wire), wire, straight(b, wire)],
    timing: nicTiming(machine, 0),
  };
}

/** One connection through the kernels: a core at each end of ours copies every byte and handles every packet. */
function kernel(
  machine: Machine,
  kind: 'tcp' | 'ipoib-datagram' | 'ipoib-connected',
  a: Side,
  wireAt: (share: number) => MoveStage,
  b: Side,
): DataPathModel {
  const { share, perByte } = kernelWire(machine, kind);
  const wire = wireAt(share);
  const core = (s: Side): MoveStage => ({
    name: say(s.out ? 'move.stage.kernel-send' : 'move.stage.kernel-receive'),
    rate: 1 / perByte,
    copy: true,
    hostMemory: 2,
    cpuPerByte: perByte,
    links: [],
  });
  const launch = gpusOf(a, b).length * calibration.copyLaunch.value * us;
  const ours = (s: Side): boolean => s.end.kind !== 'client';
  return {
    path: kind,
    allowed: 'yes',
    rule: say('move.rule.kernel'),
    stages: [
      ...(isGpu(a) ? [copyStage(a, true)] : []),
      ...(ours(a) ? [core(a), hostDma(a)] : [client(a, wire.rate)]),
      wire,
      ...(ours(b) ? [hostDma(b), core(b)] : [client(b, wire.rate)]),
      ...(isGpu(b) ? [copyStage(b, true)] : []),
    ],
    timing: {
      oneWay: calibration.kernelSmall.value * us + launch,
      cycle: 2 * calibration.kernelSmall.value * us + launch,
      startRate: 1 / (2 * us),
      cpuPerOperation: [a, b].filter(ours).length * 2 * us,
    },
  };
}
