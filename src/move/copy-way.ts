import { calibration } from '../catalogue/calibration.ts';
import type { Gpu } from '../machine/host.ts';
import { deviceAt, type NamedDevice } from '../machine/names.ts';
import { c2cRate, nvlinkRate } from '../physics/link-rate.ts';
import { partOf } from '../physics/usual-rates.ts';
import { say } from '../words/message.ts';
import type { MoveEnd } from './ends.ts';
import { ownLink, type SharedLink, treeLinks } from './links.ts';
import { nvlinkShare } from './pairs.ts';
import { cpuOf, memoryRate } from './wires.ts';

/** What a copy between a GPU and host memory crosses, and the rate of the slowest of it in bytes per second. */
export interface CopyWay {
  readonly rate: number;
  readonly links: readonly SharedLink[];
}

/** Over C2C, or NVLinks to the CPU, where the GPU has them and the memory is that CPU's; else over PCIe. */
export function copyWay(end: MoveEnd, gpu: NamedDevice, cpu: NamedDevice, toHost: boolean): CopyWay {
  return chipWay(end, gpu, cpu, toHost) ?? pcieWay(end, gpu, cpu, toHost);
}

export function pcieWay(end: MoveEnd, gpu: NamedDevice, cpu: NamedDevice, toHost: boolean): CopyWay {
  const links = toHost ? treeLinks(end, gpu.path, cpu.path) : treeLinks(end, cpu.path, gpu.path);
  return { rate: memoryRate(end, gpu, cpu), links };
}

/** Links from GPU to CPU that are no PCIe, and what the CPU's memory lets copy engines move over them. */
export function chipWay(end: MoveEnd, gpu: NamedDevice, cpu: NamedDevice, toHost: boolean): CopyWay | undefined {
  const chip = chipRates(end, gpu);
  if (!chip || cpuOf(end, gpu).id !== cpu.id) return undefined;
  const links = [
    ownLink(end, gpu, 'c2c', toHost, chip.wire),
    ...(chip.memory === undefined ? [] : [memoryLink(end, gpu, chip.memory)]),
  ];
  return { rate: Math.min(...links.map((l) => l.rate)), links };
}

function chipRates(end: MoveEnd, gpu: NamedDevice): { readonly wire: number; readonly memory?: number } | undefined {
  const own = c2cRate(gpuOf(end, gpu));
  if (own !== undefined) {
    const part = partOf(gpuOf(end, gpu));
    const half = part?.unified?.value ? (part.memoryBandwidth?.value ?? 0) / 2 : 0;
    if (half > 0) return { wire: own * calibration.c2c.value, memory: half * 1e9 };
    return { wire: graceRate(end, gpu), memory: calibration.graceMemory.value * 1e9 };
  }
  const wire = powerRate(gpuOf(end, gpu));
  return wire === undefined ? undefined : { wire };
}

const gpuOf = (end: MoveEnd, device: NamedDevice): Gpu => deviceAt(end.host, device.path)!.gpus![device.slot ?? 0]!;

/** The memory of the CPU: copies of its GPUs share it, whichever way they go. */
const memoryLink = (end: MoveEnd, gpu: NamedDevice, rate: number): SharedLink => {
  const cpu = cpuOf(end, gpu).local;
  return {
    key: `${end.node} ${cpu} c2c`,
    name: say('move.link.memory', { node: `node${end.node}/${cpu}` }),
    rate,
    factor: 1,
  };
};

/** NVLinks that join a GPU to a POWER CPU. */
function powerRate(gpu: Gpu): number | undefined {
  const count = gpu.nvlinks.filter((l) => l.to === 'cpu').reduce((sum, l) => sum + l.count, 0);
  const raw = nvlinkRate(gpu, count);
  return raw === undefined ? undefined : raw * nvlinkShare(gpu);
}

const graceRate = (end: MoveEnd, gpu: NamedDevice): number =>
  ((c2cLinks * c2cLinkGBps * 1e9) / sharers(end, gpu)) * calibration.c2c.value;

/** A Grace CPU has ten C2C links of 44.7 GB/s each way, shared out among its GPUs (NCCL dumps of GH200 and GB300). */
const c2cLinks = 10;
const c2cLinkGBps = 44.712;

/** GPUs on C2C to the same CPU. */
const sharers = (end: MoveEnd, gpu: NamedDevice): number =>
  end.devices.filter((d) => d.kind === 'gpu' && d.path[0] === gpu.path[0] && gpuOf(end, d).c2c !== undefined).length;
