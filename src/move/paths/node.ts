import { calibration } from '../../catalogue/calibration.ts';
import type { Gpu } from '../../machine/host.ts';
import { deviceAt, type NamedDevice } from '../../machine/names.ts';
import { nvlinkRate, pcieGeneration } from '../../physics/link-rate.ts';
import { readWriteShare } from '../../physics/pcie.ts';
import type { Course } from '../../way/course.ts';
import { say } from '../../words/message.ts';
import { type CopyWay, chipWay, copyWay, pcieWay } from '../copy-way.ts';
import type { MoveEnd } from '../ends.ts';
import { ownLink, type SharedLink } from '../links.ts';
import type { DataPathModel, MoveStage, Timing } from '../model.ts';
import {
  belowSwitch,
  linkSmall,
  nvlinkShare,
  peerSmall,
  stagedHandOver,
  stagedRates,
  stagedSmall,
  writeLimit,
} from '../pairs.ts';
import { cpuOf, peerLinks, peerRate, redirected } from '../wires.ts';
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
  const cpu = hostEnd.device!;
  const pcie = pcieWay(gpuEnd, gpu, cpu, toHost);
  const chip = chipWay(gpuEnd, gpu, cpu, toHost);
  const engine = ({ rate, links }: CopyWay): MoveStage => ({
    name: say('move.stage.copy-engine'),
    rate,
    links,
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
      allowed: chip ? 'no' : 'yes',
      rule: chip ? say('move.rule.chip-instead') : say('move.rule.pinned'),
      stages: [engine(pcie)],
      timing: launched,
      bothShare: bothWays(gpuEnd, gpu),
    },
    {
      path: 'memcpy-pageable',
      allowed: 'yes',
      rule: say('move.rule.pageable'),
      stages: toHost ? [engine(chip ?? pcie), core] : [core, engine(chip ?? pcie)],
      timing: { ...launched, serial: true, cycle: 2 * launched.cycle, oneWay: 2 * launched.oneWay },
    },
  ];
  if (chip !== undefined) {
    const stage = { ...engine(chip), name: say('move.stage.c2c') };
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

/** Between GPUs of two nodes that NVSwitches join, if they do. */
export function domainPaths(a: MoveEnd, b: MoveEnd, course: Course | undefined): DataPathModel[] {
  if (course?.ways[0]?.path !== 'nvlink') return [];
  return (nvlink(a, b) ?? []).map((hop) => ({
    path: 'nvlink',
    allowed: course.direct,
    rule: course.rule,
    stages: [{ ...hopStage(hop), gap: copyGap }],
    timing: peerTiming(hopSmall(hop)),
  }));
}

/** Two copies through a pinned buffer in the memory of the sender's NUMA node, chunk by chunk. */
function staged(a: MoveEnd, b: MoveEnd): DataPathModel {
  const cpu = cpuOf(a, a.device!);
  const [x, y] = [gpuOf(a, a.device!), gpuOf(b, b.device!)];
  const [up, down] = [copyWay(a, a.device!, cpu, true), copyWay(b, b.device!, cpu, false)];
  const rates = stagedRates(up.rate, down.rate, x, y);
  const share = belowSwitch(a, a.device!.path, b.device!.path);
  const hop = (out: boolean): MoveStage => ({
    name: say(out ? 'move.stage.to-host' : 'move.stage.from-host'),
    rate: rates[out ? 0 : 1] * share,
    copy: true,
    hostMemory: 1,
    cpuPerByte: launchCpu / bufferBytes,
    links: (out ? up : down).links,
    chunk: { bytes: bufferBytes, gap: stagedHandOver(x, y) * us },
  });
  return {
    path: 'host-staged',
    allowed: 'yes',
    rule: say('move.rule.staged'),
    stages: [hop(true), hop(false)],
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
  // Links to a GPU stay within a node: one of another may have the same address.
  const bus = a.node === b.node ? deviceAt(b.host, b.device!.path)?.busId : undefined;
  let direct = 0;
  let switched = 0;
  for (const l of x.nvlinks) {
    if (l.to === 'gpu' && bus !== undefined && l.target === bus) direct += l.count;
    else if (l.to === 'nvswitch') switched += l.count;
  }
  const count = direct > 0 ? direct : switched;
  const raw = nvlinkRate(x, count);
  if (raw === undefined) return undefined;
  const rate = raw * nvlinkShare(x);
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
