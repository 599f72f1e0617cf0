import { driveLatency } from '../../catalogue/drives.ts';
import type { Machine } from '../../machine/machine.ts';
import { deviceAt, type NamedDevice } from '../../machine/names.ts';
import { treeLeg } from '../../physics/leg.ts';
import { pciePayloadRate } from '../../physics/pcie.ts';
import { say } from '../../words/message.ts';
import type { MoveEnd } from '../ends.ts';
import { type SharedLink, stripedLinks } from '../links.ts';
import type { MoveStage } from '../model.ts';
import { us } from './costs.ts';

/** One drive, or all of them striped: each brings its share of every operation. */
export interface DriveSet {
  /** Those of them whose place is known. */
  readonly used: readonly NamedDevice[];
  readonly count: number;
  /** Bytes per second of all, and seconds of one operation. */
  readonly rate: number;
  readonly latency: number;
  /** The drives' own flash or memory as something to share. */
  readonly links: readonly SharedLink[];
  /** No input tells how fast they write; their reading rate stands for it. */
  readonly writesAsReads: boolean;
}

export function driveSet(machine: Machine, drive: MoveEnd, node: MoveEnd, fills: boolean): DriveSet | undefined {
  const { storage } = machine;
  const drives = node.devices.filter((d) => d.kind === 'nvme');
  const used = drive.kind === 'storage' ? drives : drives.filter((d) => d.id === drive.device?.id);
  const count = drive.kind === 'storage' ? Math.max(storage?.count ?? 0, used.length) : 1;
  const link = used[0] && pciePayloadRate(deviceAt(node.host, used[0].path)!.link);
  const told = fills ? storage?.perDeviceGBps : (storage?.perDeviceWriteGBps ?? storage?.perDeviceGBps);
  const each = told === undefined ? link : told * 1e9;
  if (each === undefined || count === 0) return undefined;
  const own = (name: string, rate: number, factor: number): SharedLink => ({
    key: `${node.node} ${name} ${fills ? 'reads' : 'writes'}`,
    name: say(fills ? 'move.link.drive-reads' : 'move.link.drive-writes', { drive: `node${node.node}/${name}` }),
    rate,
    factor,
  });
  const links =
    used.length === count ? used.map((d) => own(d.local, each, 1 / count)) : [own('storage', each * count, 1)];
  return {
    used,
    count,
    rate: each * count,
    latency: latencyOf(machine, fills),
    links,
    writesAsReads: !fills && storage?.perDeviceWriteGBps === undefined,
  };
}

export const latencyOf = ({ storage }: Machine, fills: boolean): number =>
  (fills
    ? (storage?.readLatencyUs ?? driveLatency.read.value)
    : (storage?.writeLatencyUs ?? driveLatency.write.value)) * us;

/** A GPU beside the drives through which cuFile feeds one that is not: where all drives that are near a GPU are near another. */
export function gpuBeside(node: MoveEnd, used: readonly NamedDevice[], target: NamedDevice): NamedDevice | undefined {
  const near = (d: NamedDevice, g: NamedDevice): boolean => treeLeg(node.host, d.path, g.path).crosses === 'switch';
  if (used.some((d) => near(d, target))) return undefined;
  let best: { gpu: NamedDevice; near: number } | undefined;
  for (const gpu of node.devices.filter((d) => d.kind === 'gpu')) {
    const count = used.filter((d) => near(d, gpu)).length;
    if (count > (best?.near ?? 0)) best = { gpu, near: count };
  }
  return best?.gpu;
}

/** A stage that none of the links it crosses lets be faster. */
export const bounded = (stage: MoveStage): MoveStage => ({
  ...stage,
  rate: Math.min(stage.rate, ...stage.links.map((l) => l.rate / l.factor)),
});

/** A way without the drive's own link: how fast the drive is said to be, it is over that link. */
export const beyond = (node: MoveEnd, drive: NamedDevice, way: readonly SharedLink[]): SharedLink[] =>
  way.filter((l) => !l.key.startsWith(`${node.node} ${drive.path.join('.')} `));

/** A DMA of the drives: from or to each of them over its own way. */
export const drivesDma = (
  name: MoveStage['name'],
  rate: number,
  hostMemory: number,
  ways: readonly (readonly SharedLink[])[],
): MoveStage => bounded({ name, rate, copy: false, hostMemory, cpuPerByte: 0, links: stripedLinks(ways) });
