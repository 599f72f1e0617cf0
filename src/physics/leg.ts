import type { BytesPerSecond } from '../base/units.ts';
import type { Host, PciDevice } from '../machine/host.ts';
import { deviceAt, type TreePath } from '../machine/names.ts';
import { pcieRate, portRate, socketRate } from './link-rate.ts';

/** A link that a leg crosses; `owner` is the tree path of the device whose link to its parent it is. */
export interface CrossedLink {
  readonly kind: 'pcie' | 'socket';
  readonly rate: BytesPerSecond | undefined;
  readonly owner: TreePath;
}

/** One leg over PCIe (and between sockets): the links crossed and the devices passed, in order. */
export interface Leg {
  readonly links: readonly CrossedLink[];
  readonly via: readonly TreePath[];
  /** Does it leave the switches and pass a host bridge, or even cross sockets? */
  readonly crosses: 'nothing' | 'switch' | 'host-bridge' | 'socket';
}

/** The way through the tree between two places; a path of length 1 is a NUMA node's memory. */
export function treeLeg(host: Host, a: TreePath, b: TreePath): Leg {
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  const links: CrossedLink[] = [];
  const via: TreePath[] = [];
  for (let n = a.length; n > Math.max(common, 1); n--) {
    links.push(link(host, a.slice(0, n)));
    if (n - 1 > common || (n - 1 === common && common > 0)) pushUnlessEnd(via, a.slice(0, n - 1), a, b);
  }
  if (common === 0) {
    pushUnlessEnd(via, a.slice(0, 1), a, b);
    links.push({ kind: 'socket', rate: socketRate(host.cpus[a[0]!]!), owner: a.slice(0, 1) });
    pushUnlessEnd(via, b.slice(0, 1), a, b);
  }
  for (let n = Math.max(common, 1) + 1; n <= b.length; n++) {
    links.push(link(host, b.slice(0, n)));
    pushUnlessEnd(via, b.slice(0, n), a, b);
  }
  const crosses =
    common === 0 ? 'socket' : common === 1 ? (a.length === 1 || b.length === 1 ? 'nothing' : 'host-bridge') : 'switch';
  return { links, via: distinct(via), crosses };
}

function link(host: Host, path: TreePath): CrossedLink {
  const device = deviceAt(host, path);
  return { kind: 'pcie', rate: device ? pcieRate(device.link) : undefined, owner: path };
}

const key = (p: TreePath): string => p.join('.');

function pushUnlessEnd(via: TreePath[], p: TreePath, a: TreePath, b: TreePath): void {
  if (key(p) !== key(a) && key(p) !== key(b)) via.push(p);
}

function distinct(paths: readonly TreePath[]): TreePath[] {
  const seen = new Set<string>();
  return paths.filter((p) => !seen.has(key(p)) && seen.add(key(p)) !== undefined);
}

/** The slowest of the links that are known; undefined when one is not, since that one could be slower. */
export function slowest(links: readonly CrossedLink[]): CrossedLink | undefined {
  let least: CrossedLink | undefined;
  for (const l of links) {
    if (l.rate === undefined) return undefined;
    if (!least || l.rate < least.rate!) least = l;
  }
  return least;
}

export const portOf = (device: PciDevice, slot: number): BytesPerSecond | undefined => {
  const port = device.ports?.[slot];
  return port ? portRate(port) : undefined;
};
