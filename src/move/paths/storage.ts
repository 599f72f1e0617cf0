import { calibration } from '../../catalogue/calibration.ts';
import type { Machine } from '../../machine/machine.ts';
import { deviceAt } from '../../machine/names.ts';
import { treeLeg } from '../../physics/leg.ts';
import { pciePayloadRate } from '../../physics/pcie.ts';
import { say } from '../../words/message.ts';
import type { MoveEnd } from '../ends.ts';
import { commonLinks, type SharedLink, treeLinks } from '../links.ts';
import type { DataPathModel, MoveStage, Timing } from '../model.ts';
import { cpuOf, memoryRate, peerLinks, redirected, rootLimit } from '../wires.ts';
import { bufferBytes, compatOf, handed, later, launchCpu, us } from './costs.ts';
import { remoteStoragePaths } from './remote-storage.ts';

/** A read from a drive, or from all of them, into GPU memory. */
export function storagePaths(machine: Machine, drive: MoveEnd, gpu: MoveEnd): DataPathModel[] {
  const storage = machine.storage;
  if (storage && storage.type !== 'nvme' && drive.kind === 'storage') {
    return remoteStoragePaths(machine, storage, gpu);
  }
  const drives = gpu.devices.filter((d) => d.kind === 'nvme');
  const used = drive.kind === 'storage' ? drives : drives.filter((d) => d.id === drive.device?.id);
  const count = drive.kind === 'storage' ? Math.max(storage?.count ?? 0, used.length) : 1;
  const link = used[0] && pciePayloadRate(deviceAt(gpu.host, used[0].path)!.link);
  const each = storage?.perDeviceGBps === undefined ? link : storage.perDeviceGBps * 1e9;
  if (each === undefined || count === 0) return [];
  const target = gpu.device!;
  const near = (d: (typeof drives)[number], g = target): boolean =>
    treeLeg(gpu.host, d.path, g.path).crosses === 'switch';
  const drivesLink: SharedLink = {
    key: `${gpu.node} drives ${used.map((d) => d.local).join(' ')}`,
    name: say('move.link.drives', { node: `node${gpu.node}` }),
    rate: each * count,
    factor: 1,
  };
  const reading: MoveStage = {
    name: say('move.stage.drives', { count }),
    rate: each * count,
    copy: false,
    hostMemory: 0,
    cpuPerByte: 0,
    links: [drivesLink],
  };
  const latency = (storage?.readLatencyUs ?? 80) * us;
  const request: Timing = {
    oneWay: latency + calibration.gdsRequest.value * us,
    cycle: latency + calibration.gdsRequest.value * us,
    startRate: 1e6 * count,
    cpuPerOperation: 5 * us,
    workers: true,
  };
  // A drive on another switch than the GPU is read through a GPU beside the drive, where there is one.
  const beside = used.some((d) => gpu.devices.some((g) => g.kind === 'gpu' && near(d, g)));
  const far = used.length > 0 && beside && !used.some((d) => near(d));
  // Each drive has a link of its own; the GPU's link, and a root complex on the way, they share.
  const into = Math.min(
    memoryRate(gpu, target, cpuOf(gpu, target)),
    ...used.map((d) => rootLimit(gpu, target.path, d.path)),
  );
  const gds = storage?.gds;
  const direct: DataPathModel = {
    path: 'gpudirect-storage',
    allowed: gds === undefined ? 'unknown' : gds ? 'yes' : 'no',
    rule: say(far ? 'move.rule.gds-far' : 'move.rule.gds'),
    ...(used.some((d) => redirected(gpu, d.path, target.path)) ? { note: say('move.note.acs') } : {}),
    stages: [
      reading,
      {
        name: say('move.stage.drive-write'),
        ...(far ? { rate: Number.POSITIVE_INFINITY, unbounded: true as const } : { rate: into }),
        copy: false,
        hostMemory: 0,
        cpuPerByte: 0,
        links: far ? [] : commonLinks(used.map((d) => peerLinks(gpu, d.path, target.path))),
      },
    ],
    timing: far
      ? {
          ...request,
          oneWay: request.oneWay + calibration.gdsFar.value * us,
          cycle: request.cycle + calibration.gdsFar.value * us,
        }
      : request,
  };
  const cpu = cpuOf(gpu, target);
  const bounced: readonly MoveStage[] = [
    {
      ...reading,
      name: say('move.stage.drives-to-host', { count }),
      rate: handed(reading.rate),
      hostMemory: 1,
      links: [drivesLink, ...commonLinks(used.map((d) => treeLinks(gpu, d.path, cpu.path)))],
    },
    {
      name: say('move.stage.from-host'),
      rate: handed(memoryRate(gpu, target, cpu)),
      copy: true,
      hostMemory: 1,
      cpuPerByte: launchCpu / bufferBytes,
      links: treeLinks(gpu, cpu.path, target.path),
    },
  ];
  const bounce: DataPathModel = {
    path: 'posix-bounce',
    allowed: 'yes',
    rule: say('move.rule.bounce'),
    stages: bounced,
    timing: later(request, calibration.copyLaunch.value),
  };
  return [direct, compatOf(bounce), bounce];
}
