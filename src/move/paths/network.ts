import { calibration } from '../../catalogue/calibration.ts';
import type { Machine } from '../../machine/machine.ts';
import type { NamedDevice } from '../../machine/names.ts';
import type { Course } from '../../way/course.ts';
import { say } from '../../words/message.ts';
import type { MoveEnd } from '../ends.ts';
import { ownLink, type SharedLink, treeLinks } from '../links.ts';
import type { DataPathModel, MoveStage, Timing } from '../model.ts';
import {
  cpuOf,
  isRdma,
  kernelWire,
  lineRate,
  memoryRate,
  nearestNic,
  peerLinks,
  peerRate,
  rdmaShare,
  redirected,
} from '../wires.ts';
import { bufferBytes, handOver, launchCpu, us } from './costs.ts';

/** Posting a work request and polling its completion. */
const postCpu = 0.5 * us;

const rdma: Timing = {
  oneWay: calibration.rdmaOneWay.value * us,
  cycle: calibration.rdmaCycle.value * us,
  startRate: calibration.messageRate.value,
  cpuPerOperation: postCpu,
};

/** Everything between two nodes that a network allows. */
export function networkPaths(machine: Machine, a: MoveEnd, b: MoveEnd, course: Course | undefined): DataPathModel[] {
  const out = nearestNic(a, a.device!);
  const back = nearestNic(b, b.device!);
  if (!out || !back) return [];
  const models: DataPathModel[] = [];
  const line = Math.min(lineRate(machine, a, out), lineRate(machine, b, back));
  const gpu = a.kind === 'gpu';
  const ports = (share: number): SharedLink[] => [
    ownLink(a, out, 'port', true, lineRate(machine, a, out), 1 / share),
    ownLink(b, back, 'port', false, lineRate(machine, b, back), 1 / share),
  ];
  if (isRdma(machine.fabric.transport?.value)) {
    const wire: MoveStage = {
      name: say('move.stage.wire'),
      rate: line * rdmaShare(machine),
      copy: false,
      hostMemory: 0,
      cpuPerByte: 0,
      links: ports(rdmaShare(machine)),
    };
    if (gpu) models.push(direct(a, out, wire, b, back, course), stagedRdma(a, out, wire, b, back));
    else models.push(hostRdma(a, out, wire, b, back));
  }
  const infiniband = machine.fabric.transport?.value === 'infiniband' || machine.fabric.transport?.value === 'ipoib';
  for (const kind of infiniband ? (['ipoib-datagram', 'ipoib-connected'] as const) : (['tcp'] as const)) {
    models.push(kernel(machine, kind, line, ports, a, out, b, back));
  }
  return models;
}

const dma = (
  name: 'move.stage.nic-read' | 'move.stage.nic-write',
  rate: number,
  hostMemory: number,
  links: readonly SharedLink[],
): MoveStage => ({
  name: say(name),
  rate,
  copy: false,
  hostMemory,
  cpuPerByte: 0,
  links,
});

function direct(
  a: MoveEnd,
  out: NamedDevice,
  wire: MoveStage,
  b: MoveEnd,
  back: NamedDevice,
  course: Course | undefined,
): DataPathModel {
  const stages = [
    dma('move.stage.nic-read', peerRate(a, a.device!.path, out.path), 0, peerLinks(a, a.device!.path, out.path)),
    wire,
    dma('move.stage.nic-write', peerRate(b, back.path, b.device!.path), 0, peerLinks(b, back.path, b.device!.path)),
  ];
  return {
    path: 'gpudirect-rdma',
    allowed: course?.direct ?? 'unknown',
    rule: course?.rule ?? say('move.rule.gdr'),
    ...(redirected(a, a.device!.path, out.path) || redirected(b, b.device!.path, back.path)
      ? { note: say('move.note.acs') }
      : {}),
    stages,
    timing: rdma,
  };
}

const copyStage = (end: MoveEnd, toHost: boolean, serial: boolean): MoveStage => ({
  name: say(toHost ? 'move.stage.to-host' : 'move.stage.from-host'),
  rate: memoryRate(end, end.device!, cpuOf(end, end.device!)),
  copy: true,
  hostMemory: 1,
  cpuPerByte: launchCpu / bufferBytes,
  links: toHost
    ? treeLinks(end, end.device!.path, cpuOf(end, end.device!).path)
    : treeLinks(end, cpuOf(end, end.device!).path, end.device!.path),
  ...(serial ? {} : { chunk: { bytes: bufferBytes, gap: handOver } }),
});

function stagedRdma(a: MoveEnd, out: NamedDevice, wire: MoveStage, b: MoveEnd, back: NamedDevice): DataPathModel {
  return {
    path: 'host-staged-rdma',
    allowed: 'yes',
    rule: say('move.rule.staged-rdma'),
    stages: [
      copyStage(a, true, false),
      dma(
        'move.stage.nic-read',
        memoryRate(a, out, cpuOf(a, a.device!)),
        1,
        treeLinks(a, cpuOf(a, a.device!).path, out.path),
      ),
      wire,
      dma(
        'move.stage.nic-write',
        memoryRate(b, back, cpuOf(b, b.device!)),
        1,
        treeLinks(b, back.path, cpuOf(b, b.device!).path),
      ),
      copyStage(b, false, false),
    ],
    timing: {
      ...rdma,
      oneWay: rdma.oneWay + 2 * calibration.copyLaunch.value * us,
      cycle: rdma.cycle + 2 * calibration.copyLaunch.value * us,
    },
  };
}

function hostRdma(a: MoveEnd, out: NamedDevice, wire: MoveStage, b: MoveEnd, back: NamedDevice): DataPathModel {
  return {
    path: 'host-rdma',
    allowed: 'yes',
    rule: say('move.rule.host-rdma'),
    stages: [
      dma('move.stage.nic-read', memoryRate(a, out, a.device!), 1, treeLinks(a, a.device!.path, out.path)),
      wire,
      dma('move.stage.nic-write', memoryRate(b, back, b.device!), 1, treeLinks(b, back.path, b.device!.path)),
    ],
    timing: rdma,
  };
}

/** One connection through the kernels: a core at each end copies every byte and handles every packet. */
function kernel(
  machine: Machine,
  kind: 'tcp' | 'ipoib-datagram' | 'ipoib-connected',
  line: number,
  ports: (share: number) => readonly SharedLink[],
  a: MoveEnd,
  out: NamedDevice,
  b: MoveEnd,
  back: NamedDevice,
): DataPathModel {
  const { share, packet } = kernelWire(machine, kind);
  const perByte = 1 / (calibration.kernelByte.value * 1e9) + (calibration.kernelPacket.value * us) / packet;
  const core = (name: 'move.stage.kernel-send' | 'move.stage.kernel-receive'): MoveStage => ({
    name: say(name),
    rate: 1 / perByte,
    copy: true,
    hostMemory: 2,
    cpuPerByte: perByte,
    links: [],
  });
  const gpu = a.kind === 'gpu';
  const cpuA = gpu ? cpuOf(a, a.device!) : a.device!;
  const cpuB = gpu ? cpuOf(b, b.device!) : b.device!;
  const launch = gpu ? 2 * calibration.copyLaunch.value * us : 0;
  return {
    path: kind,
    allowed: 'yes',
    rule: say('move.rule.kernel'),
    stages: [
      ...(gpu ? [copyStage(a, true, true)] : []),
      core('move.stage.kernel-send'),
      dma('move.stage.nic-read', memoryRate(a, out, cpuA), 1, treeLinks(a, cpuA.path, out.path)),
      {
        name: say('move.stage.wire'),
        rate: line * share,
        copy: false,
        hostMemory: 0,
        cpuPerByte: 0,
        links: ports(share),
      },
      dma('move.stage.nic-write', memoryRate(b, back, cpuB), 1, treeLinks(b, back.path, cpuB.path)),
      core('move.stage.kernel-receive'),
      ...(gpu ? [copyStage(b, false, true)] : []),
    ],
    timing: {
      oneWay: calibration.kernelSmall.value * us + launch,
      cycle: 2 * calibration.kernelSmall.value * us + launch,
      startRate: 1 / (2 * us),
      cpuPerOperation: 4 * us,
    },
  };
}
