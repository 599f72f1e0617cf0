import type { Host, PciDevice } from './host.ts';
import type { NamedDevice, TreePath } from './names.ts';

/** How nvidia-smi words the PCIe way between two devices. */
export type Letter = 'X' | 'PIX' | 'PXB' | 'PHB' | 'NODE' | 'SYS';

/**
 * The PCIe way between two devices in nvidia-smi's words, from their places in the tree; NVLinks do not count here.
 * `undefined`: whether two root ports of one NUMA node share a host bridge (PHB) or not (NODE), no input told.
 */
export function pcieLetter(host: Host, a: TreePath, b: TreePath): Letter | undefined {
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  if (common === a.length && common === b.length) return 'X';
  if (common === 0) return 'SYS';
  if (common === 1) {
    const x = host.cpus[a[0]!]?.devices[a[1]!];
    const y = host.cpus[b[0]!]?.devices[b[1]!];
    if (x?.hostBridge === undefined || y?.hostBridge === undefined) return undefined;
    return x.hostBridge === y.hostBridge ? 'PHB' : 'NODE';
  }
  // Below a common switch: directly on it, one bridge is crossed; through further switches, several.
  return a.length - common <= 1 && b.length - common <= 1 ? 'PIX' : 'PXB';
}

/** NVLinks between two GPUs as nvidia-smi counts them: direct ones, or those each has to the NVSwitches. */
export function nvlinkCount(from: PciDevice, to: PciDevice): number {
  let direct = 0;
  let switched = 0;
  for (const gpu of from.gpus ?? []) {
    for (const link of gpu.nvlinks) {
      if (link.to === 'nvswitch') switched += link.count;
      else if (link.to === 'gpu' && link.target === to.busId) direct += link.count;
    }
  }
  if (direct > 0) return direct;
  const other = (to.gpus ?? []).flatMap((g) => g.nvlinks).reduce((n, l) => n + (l.to === 'nvswitch' ? l.count : 0), 0);
  return Math.min(switched, other);
}

/** What `nvidia-smi topo -m` would print for a pair. */
export function matrixCell(
  host: Host,
  a: NamedDevice,
  b: NamedDevice,
  at: (path: TreePath) => PciDevice | undefined,
): string | undefined {
  if (a.kind === 'gpu' && b.kind === 'gpu' && a.id !== b.id) {
    const x = at(a.path);
    const y = at(b.path);
    const links = x && y ? nvlinkCount(x, y) : 0;
    if (links > 0) return `NV${links}`;
  }
  return pcieLetter(host, a.path, b.path);
}
