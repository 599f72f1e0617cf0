import { calibration } from '../../catalogue/calibration.ts';
import type { Gpu } from '../../machine/host.ts';
import { deviceAt, type NamedDevice } from '../../machine/names.ts';
import { c2cRate, nvlinkRate, pcieGeneration } from '../../physics/link-rate.ts';
import { readWriteShare } from '../../physics/pcie.ts';
import { partOf } from '../../physics/usual-rates.ts';
import type { Course } from '../../way/course.ts';
import { say } from '../../words/message.ts';
import type { MoveEnd } from '../ends.ts';
import { ownLink, type SharedLink, treeLinks } from '../links.ts';
import type { DataPathModel, MoveStage, Timing } from '../model.ts';
import { belowSwitch, linkSmall, peerSmall, stagedHandOver, stagedRates, stagedSmall, writeLimit } from '../pairs.ts';
import { cpuOf, memoryRate, peerLinks, peerRate, redirected } from '../wires.ts';
import { bufferBytes, launchCpu, us } from './costs.ts';

const launched: Timing = {
  oneWay: calibration.copyLaunch.value * us,
  cycle: calibration.copyLaunch.value * us,
  startRate: 1 / (2 * us),
  cpuPerOperation: launchCpu,
};

/** Seconds that a copy engine takes from one copy of a stream to the next. */
const copyGap = calibration.copyGap.value * us;

const gpuOf = (end: MoveEnd, device: NamedDevice): Gpu => deviceAt(end.host, device.path)!.gpus![device.slot ?? 0]!;

/** Between a GPU and host memory: copy engine from pinned memory, a core's copy first from pageable, C2C where there is one. */
export function memoryPaths(gpuEnd: MoveEnd, hostEnd: MoveEnd, toHost: boolean): DataPathModel[] {
  const gpu = gpuEnd.device!;
  const chip = chipWay(gpuEnd, gpu);
  const rate = memoryRate(gpuEnd, gpu, hostEnd.device!);
  const cpu = hostEnd.device!;
  const way = toHost ? ([gpu.path, cpu.path] as const) : ([cpu.path, gpu.path] as const);
  const engine = (r: number): MoveStage => ({
    name: say('move.stage.copy-engine'),
    rate: r,
    links: treeLinks(gpuEnd, ...way),
    copy: true,
    hostMemory: 1,
    cpuPerByte: 0,
    gap: copyGap,
  });
  const core: MoveStage = {
    name: say('move.stage.core'),
    rate: calibration.coreCopy.value * 1e9,
    copy: true,
    hostMemory: 2,
    cpuPerByte: 1 / (calibration.coreCopy.value * 1e9),
    links: [],
  };
  const models: DataPathModel[] = [
    {
      path: 'memcpy-pinned',
      allowed: 'yes',
      rule: say('move.rule.pinned'),
      stages: [engine(rate)],
      timing: launched,
      bothShare: bothWays(gpuEnd, gpu),
    },
    {
      path: 'memcpy-pageable',
      allowed: 'yes',
      rule: say('move.rule.pageable'),
      stages: toHost ? [engine(rate), core] : [core, engine(rate)],
      timing: { ...launched, serial: true, cycle: 2 * launched.cycle, oneWay: 2 * launched.oneWay },
    },
  ];
  if (chip !== undefined) {
    const links = [
      ownLink(gpuEnd, gpu, 'c2c', toHost, chip.wire),
      ...(chip.memory === undefined ? [] : [graceLink(gpuEnd, gpu, chip.memory)]),
    ];
    const stage = { ...engine(Math.min(...links.map((l) => l.rate))), name: say('move.stage.c2c'), links };
    models.push({
      path: 'nvlink-c2c',
      allowed: 'yes',
      rule: say('move.rule.c2c'),
      stages: [stage],
      timing: launched,
    });
  }
  return models;
}

/** Reading and writing over the GPU's link at once; nothing is known of links whose speed no input tells. */
function bothWays(end: MoveEnd, gpu: NamedDevice): number {
  const link = deviceAt(end.host, gpu.path)?.link;
  return readWriteShare((link && pcieGeneration(link)) ?? usualGeneration);
}
const usualGeneration = 5;

/** Links from GPU to CPU that are no PCIe, in bytes per second, and what the CPU's memory lets copy engines move over them. */
function chipWay(end: MoveEnd, gpu: NamedDevice): { readonly wire: number; readonly memory?: number } | undefined {
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

/** The memory of a Grace CPU: copies of its GPUs share it, whichever way they go. */
const graceLink = (end: MoveEnd, gpu: NamedDevice, rate: number): SharedLink => {
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
  return raw === undefined ? undefined : raw * share(gpu);
}

const graceRate = (end: MoveEnd, gpu: NamedDevice): number =>
  ((c2cLinks * c2cLinkGBps * 1e9) / sharers(end, gpu)) * calibration.c2c.value;

/** A Grace CPU has ten C2C links of 44.7 GB/s each way, shared out among its GPUs (NCCL dumps of GH200 and GB300). */
const c2cLinks = 10;
const c2cLinkGBps = 44.712;

/** GPUs on C2C to the same CPU. */
const sharers = (end: MoveEnd, gpu: NamedDevice): number =>
  end.devices.filter((d) => d.kind === 'gpu' && d.path[0] === gpu.path[0] && gpuOf(end, d).c2c !== undefined).length;

/** Writes to a peer, of so many seconds when small: a GPU that stores into another's memory waits for no copy engine. */
const peerTiming = (small: number): Timing => ({
  ...launched,
  oneWay: small,
  cycle: Math.max(small, copyGap),
});

/** Between two GPUs of a node. */
export function peerPaths(a: MoveEnd, b: MoveEnd, course: Course | undefined): DataPathModel[] {
  const models: DataPathModel[] = [];
  const hops = nvlinkHops(a, b);
  const direct = course?.direct ?? 'unknown';
  const taken = course?.ways[0]?.path;
  if (hops) {
    const small = hops.reduce((sum, h) => sum + hopSmall(h), 0);
    models.push({
      path: 'nvlink',
      allowed: taken === 'nvlink' ? direct : direct === 'unknown' ? 'unknown' : 'no',
      rule: course?.rule ?? say('move.rule.nvlink'),
      stages: hops.map((hop) => ({ ...hopStage(hop), gap: copyGap })),
      timing: peerTiming(small),
    });
  }
  const peer = peerRate(a, a.device!.path, b.device!.path, writeLimit(a, a.device!.path, b.device!.path));
  models.push({
    path: 'p2p-pcie',
    allowed: taken === 'p2p-pcie' ? direct : hops ? 'no' : taken === undefined ? 'unknown' : 'no',
    rule: hops ? say('move.rule.nvlink-instead') : (course?.rule ?? say('move.rule.peer')),
    ...(redirected(a, a.device!.path, b.device!.path) ? { note: say('move.note.acs') } : {}),
    stages: [
      {
        name: say('move.stage.peer'),
        rate: peer,
        copy: true,
        hostMemory: 0,
        cpuPerByte: 0,
        links: peerLinks(a, a.device!.path, b.device!.path),
        gap: copyGap,
      },
    ],
    timing: peerTiming(peerSmall(gpuOf(a, a.device!)) * us),
  });
  models.push(staged(a, b));
  return models;
}

/** Two copies through a pinned buffer in the memory of the sender's NUMA node, chunk by chunk. */
function staged(a: MoveEnd, b: MoveEnd): DataPathModel {
  const cpu = cpuOf(a, a.device!);
  const [x, y] = [gpuOf(a, a.device!), gpuOf(b, b.device!)];
  const rates = stagedRates(memoryRate(a, a.device!, cpu), memoryRate(b, b.device!, cpu), x, y);
  const share = belowSwitch(a, a.device!.path, b.device!.path);
  const hop = (end: MoveEnd, out: boolean): MoveStage => ({
    name: say(out ? 'move.stage.to-host' : 'move.stage.from-host'),
    rate: rates[out ? 0 : 1] * share,
    copy: true,
    hostMemory: 1,
    cpuPerByte: launchCpu / bufferBytes,
    links: out ? treeLinks(end, end.device!.path, cpu.path) : treeLinks(end, cpu.path, end.device!.path),
    chunk: { bytes: bufferBytes, gap: stagedHandOver(x, y) * us },
  });
  return {
    path: 'host-staged',
    allowed: 'yes',
    rule: say('move.rule.staged'),
    stages: [hop(a, true), hop(b, false)],
    timing: { ...launched, oneWay: stagedSmall(x, y) * us, cycle: stagedSmall(x, y) * us },
    bothShare: calibration.stagedBoth.value,
  };
}

interface Hop {
  readonly count: number;
  readonly switched: boolean;
  /** Compute capability of the GPU that writes. */
  readonly sm: number | undefined;
  readonly rate: number;
  readonly links: readonly SharedLink[];
}

/** Over NVLink from GPU to GPU, straight or through one in between; nothing where no such way is. */
export const nvlinkStages = (a: MoveEnd, b: MoveEnd): readonly MoveStage[] | undefined =>
  nvlinkHops(a, b)?.map(hopStage);

const nvlinkHops = (a: MoveEnd, b: MoveEnd): readonly Hop[] | undefined => nvlink(a, b) ?? twoHops(a, b);

const hopStage = (l: Hop): MoveStage => ({
  name: say('move.stage.nvlink', { count: l.count }),
  rate: l.rate,
  copy: true,
  hostMemory: 0,
  cpuPerByte: 0,
  links: l.links,
});

/** Seconds of a small write over a hop. */
const hopSmall = (l: Hop): number =>
  (l.switched ? calibration.peerSmall.value + calibration.nvswitchHop.value : linkSmall(l.sm)) * us;

/** Through the GPU in between that has the widest links to both. */
function twoHops(a: MoveEnd, b: MoveEnd): readonly Hop[] | undefined {
  let best: readonly Hop[] | undefined;
  for (const device of a.devices.filter((d) => d.kind === 'gpu' && d.id !== a.device!.id && d.id !== b.device!.id)) {
    const middle = { ...a, device };
    const first = nvlink(a, middle);
    const second = nvlink(middle, b);
    if (!first || !second) continue;
    const hops = [...first, ...second];
    const rate = (h: readonly Hop[]): number => Math.min(...h.map((x) => x.rate));
    if (!best || rate(hops) > rate(best)) best = hops;
  }
  return best;
}

/** NVLinks between two GPUs: their number and what they carry of payload. */
function nvlink(a: MoveEnd, b: MoveEnd): readonly Hop[] | undefined {
  const x = gpuOf(a, a.device!);
  const bus = deviceAt(b.host, b.device!.path)?.busId;
  let direct = 0;
  let switched = 0;
  for (const l of x.nvlinks) {
    if (l.to === 'gpu' && l.target === bus) direct += l.count;
    else if (l.to === 'nvswitch') switched += l.count;
  }
  const count = direct > 0 ? direct : switched;
  const raw = nvlinkRate(x, count);
  if (raw === undefined) return undefined;
  const rate = raw * share(x);
  // Links to one GPU are a wire of their own; those to switches lead to every GPU.
  const to = direct > 0 ? ` ${b.device!.local}` : '';
  const links = [ownLink(a, a.device!, 'nvlink', true, rate), ownLink(b, b.device!, 'nvlink', false, rate)];
  return [
    {
      count,
      switched: direct === 0,
      sm: x.sm,
      rate,
      links: links.map((l, i) => (to ? { ...l, key: `${l.key} ${i === 0 ? to : a.device!.local}` } : l)),
    },
  ];
}

function share(gpu: Gpu): number {
  const sm = gpu.sm ?? 80;
  if (sm >= 100) return calibration.nvlink5.value;
  if (sm >= 90) return calibration.nvlink4.value;
  if (sm >= 80) return calibration.nvlink3.value;
  return calibration.nvlink2.value;
}
