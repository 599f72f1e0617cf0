import { calibration } from '../../catalogue/calibration.ts';
import type { Machine, Storage } from '../../machine/machine.ts';
import { say } from '../../words/message.ts';
import type { MoveEnd } from '../ends.ts';
import { ownLink, treeLinks } from '../links.ts';
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
import { bufferBytes, compatOf, handed, later, launchCpu, us } from './costs.ts';

/**
 * A read from drives behind the network: NVMe over Fabrics, NFS. Over RDMA the server's NIC writes where it is told, GPU memory
 * included; over TCP the data ends in the kernel's buffers, and there is no direct way. What the server does inside is its own
 * affair: it counts as its drives' rate.
 */
export function remoteStoragePaths(machine: Machine, storage: Storage, gpu: MoveEnd): DataPathModel[] {
  const target = gpu.device!;
  const nic = nearestNic(gpu, target);
  if (!nic || storage.perDeviceGBps === undefined) return [];
  const rdma = storage.type !== 'nfs' && isRdma(machine.fabric.transport?.value);
  const count = storage.count;
  const cpu = cpuOf(gpu, target);
  const kernel = kernelWire(machine, 'tcp');
  const share = rdma ? rdmaShare(machine) : kernel.share;
  const line = lineRate(machine, gpu, nic);
  const each = storage.perDeviceGBps * 1e9;
  const arrive: readonly MoveStage[] = [
    {
      name: say('move.stage.drives', { count }),
      rate: each * count,
      copy: false,
      hostMemory: 0,
      cpuPerByte: 0,
      links: [{ key: 'remote drives', name: say('move.link.remote-drives'), rate: each * count, factor: 1 }],
    },
    {
      name: say('move.stage.wire'),
      rate: line * share,
      copy: false,
      hostMemory: 0,
      cpuPerByte: 0,
      links: [ownLink(gpu, nic, 'port', false, line, 1 / share)],
    },
  ];
  const write = (rate: number, hostMemory: number, links: MoveStage['links']): MoveStage => ({
    name: say('move.stage.nic-write'),
    rate,
    copy: false,
    hostMemory,
    cpuPerByte: 0,
    links,
  });
  const latency =
    (storage.readLatencyUs ?? 80) * us + (rdma ? calibration.rdmaCycle : calibration.kernelSmall).value * us;
  const timing: Timing = {
    oneWay: latency + calibration.gdsRequest.value * us,
    cycle: latency + calibration.gdsRequest.value * us,
    startRate: 1e6 * count,
    cpuPerOperation: 5 * us,
    workers: true,
  };
  const perByte = 1 / (calibration.kernelByte.value * 1e9) + (calibration.kernelPacket.value * us) / kernel.packet;
  const intoHost = write(memoryRate(gpu, nic, cpu), 1, treeLinks(gpu, nic.path, cpu.path));
  const bounce: DataPathModel = {
    path: 'posix-bounce',
    allowed: 'yes',
    rule: say('move.rule.bounce'),
    stages: [
      ...arrive,
      intoHost,
      ...(rdma
        ? []
        : [
            {
              name: say('move.stage.kernel-receive'),
              rate: 1 / perByte,
              copy: true,
              hostMemory: 2,
              cpuPerByte: perByte,
              links: [],
            },
          ]),
      {
        name: say('move.stage.from-host'),
        rate: handed(memoryRate(gpu, target, cpu)),
        copy: true,
        hostMemory: 1,
        cpuPerByte: launchCpu / bufferBytes,
        links: treeLinks(gpu, cpu.path, target.path),
      },
    ],
    timing: later(timing, calibration.copyLaunch.value),
  };
  const compat = compatOf(bounce);
  if (!rdma) return [compat, bounce];
  const direct: DataPathModel = {
    path: 'gpudirect-storage',
    allowed: storage.gds === undefined ? 'unknown' : storage.gds ? 'yes' : 'no',
    rule: say('move.rule.gds-remote'),
    ...(redirected(gpu, nic.path, target.path) ? { note: say('move.note.acs') } : {}),
    stages: [...arrive, write(peerRate(gpu, nic.path, target.path), 0, peerLinks(gpu, nic.path, target.path))],
    timing,
  };
  return [direct, compat, bounce];
}
