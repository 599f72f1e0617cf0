import { calibration } from '../../catalogue/calibration.ts';
import type { Machine, Storage } from '../../machine/machine.ts';
import { gpuAt } from '../../way/p2pdma.ts';
import { say } from '../../words/message.ts';
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
import { bufferBytes, compatOf, later, launchCpu, requestTiming, us } from './costs.ts';
import { latencyOf } from './drives.ts';

/**
 * Drives behind the network: NVMe over Fabrics, NFS. Over RDMA the server's NIC reads and writes where it is told, GPU memory
 * included; over TCP the data passes the kernel's buffers, and there is no direct way. What the server does inside is its own
 * affair: it counts as its drives' rate.
 */
export function remoteStoragePaths(machine: Machine, storage: Storage, gpu: MoveEnd, fills: boolean): DataPathModel[] {
  const target = gpu.device!;
  const nic = nearestNic(gpu, target);
  const told = fills ? storage.perDeviceGBps : (storage.perDeviceWriteGBps ?? storage.perDeviceGBps);
  if (!nic || told === undefined) return [];
  const rdma = storage.type !== 'nfs' && isRdma(machine.fabric.transport?.value);
  const count = storage.count;
  const cpu = cpuOf(gpu, target);
  const kernel = kernelWire(machine, 'tcp');
  const share = rdma ? rdmaShare(machine) : kernel.share;
  const line = lineRate(machine, gpu, nic);
  const each = told * 1e9;
  const plain = (
    name: MoveStage['name'],
    rate: number,
    hostMemory: number,
    links: readonly SharedLink[],
  ): MoveStage => ({
    name,
    rate,
    copy: false,
    hostMemory,
    cpuPerByte: 0,
    links,
  });
  const media: readonly MoveStage[] = [
    plain(say(fills ? 'move.stage.drives' : 'move.stage.drives-write', { count }), each * count, 0, [
      {
        key: `remote drives ${fills ? 'read' : 'write'}`,
        name: say('move.link.remote-drives'),
        rate: each * count,
        factor: 1,
      },
    ]),
    plain(say('move.stage.wire'), line * share, 0, [ownLink(gpu, nic, 'port', !fills, line, 1 / share)]),
  ];
  /** Told from the drives on; a write goes the other way round. */
  const ordered = (...stages: readonly MoveStage[]): MoveStage[] => (fills ? [...stages] : [...stages].reverse());
  const dma = (rate: number, hostMemory: number, links: readonly SharedLink[]): MoveStage =>
    plain(say(fills ? 'move.stage.nic-write' : 'move.stage.nic-read'), rate, hostMemory, links);
  const way = <T>(from: T, to: T): readonly [T, T] => (fills ? [from, to] : [to, from]);
  const latency = latencyOf(machine, fills) + (rdma ? calibration.rdmaCycle : calibration.kernelSmall).value * us;
  const note = (detour: boolean): Pick<DataPathModel, 'note'> => {
    if (detour) return { note: say('move.note.acs') };
    const guessed = !fills && storage.perDeviceWriteGBps === undefined;
    return guessed ? { note: say('move.note.writes-as-reads') } : {};
  };
  const { perByte } = kernel;
  const core: MoveStage = {
    name: say(fills ? 'move.stage.kernel-receive' : 'move.stage.kernel-send'),
    rate: 1 / perByte,
    copy: true,
    hostMemory: 2,
    cpuPerByte: perByte,
    links: [],
  };
  const bounce: DataPathModel = {
    path: 'posix-bounce',
    allowed: 'yes',
    rule: say(fills ? 'move.rule.bounce' : 'move.rule.bounce-write'),
    ...note(false),
    stages: ordered(
      ...media,
      dma(memoryRate(gpu, nic, cpu), 1, treeLinks(gpu, ...way(nic.path, cpu.path))),
      ...(rdma ? [] : [core]),
      {
        name: say(fills ? 'move.stage.from-host' : 'move.stage.to-host'),
        ...copyWay(gpu, target, cpu, !fills),
        copy: true,
        hostMemory: 1,
        cpuPerByte: launchCpu / bufferBytes,
      },
    ),
    timing: later(requestTiming(latency + calibration.posixRequest.value * us, count), calibration.copyLaunch.value),
  };
  const compat = compatOf(bounce);
  if (!rdma) return [compat, bounce];
  const [x, y] = way(nic.path, target.path);
  const limit = fills ? Number.POSITIVE_INFINITY : peerReadRate(gpuAt(gpu.host, target.path, target.slot));
  const direct: DataPathModel = {
    path: 'gpudirect-storage',
    allowed: storage.gds === undefined ? 'unknown' : storage.gds ? 'yes' : 'no',
    rule: say('move.rule.gds-remote'),
    ...note(redirected(gpu, nic.path, target.path)),
    stages: ordered(...media, dma(Math.min(peerRate(gpu, x, y), limit), 0, peerLinks(gpu, x, y))),
    timing: requestTiming(latency + calibration.gdsRequest.value * us, count),
  };
  return [direct, compat, bounce];
}
