import type { Conflict, Where } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { Cpu, Gpu, Host, NvLink, PciDevice } from '../machine/host.ts';
import type { TopoMatrix } from '../read/nvidia-smi-topo.ts';
import { say } from '../words/message.ts';
import { closed } from './matrix-distances.ts';

/** How far apart two devices are for nvidia-smi; letters that name NVLinks hide the PCIe way. */
const distance: Readonly<Record<string, number>> = { X: 0, PIX: 1, PXB: 2, PHB: 3, NODE: 4, SOC: 5, SYS: 5 };

/** The letters of a distance; `SOC` is the old word for `SYS`. */
const letters = ['X', 'PIX', 'PXB', 'PHB', 'NODE', 'SYS'] as const;

/**
 * A host whose devices stand as far apart as the matrix says. A matrix of this kind is a tree told by distances: what is
 * PIX shares a switch, PXB a switch of switches, PHB a host bridge, NODE a NUMA node. Switches and bridges are deduced,
 * not seen. Where NVLink letters hide the PCIe way between two GPUs, it follows from their NICs or their NUMA node.
 */
export function hostFromMatrix(matrix: TopoMatrix): { readonly host: Host; readonly conflicts: readonly Conflict[] } {
  const n = matrix.devices.length;
  const known = distances(matrix);
  const conflicts = contradictions(matrix, known);
  const d = closed(known, n, matrix.devices);
  const roots = cluster(
    matrix.devices.map((_, i) => i),
    d,
    n,
  );
  const cpus = sameNode(roots.map((members, i) => cpu(matrix, members, i, d, n)));
  return { host: told({ names: [], cpus: numbered(cpus), ratesUnknown: true }), conflicts };
}

/** A CPU, and whether its number was told or is only its place in the list. */
type Numbered = Cpu & { readonly sure: boolean };

/** What the NUMA column puts on one node is on one, though some machines print SYS between its host bridges. */
function sameNode(cpus: readonly Numbered[]): Numbered[] {
  const merged: Numbered[] = [];
  for (const c of cpus) {
    const at = merged.findIndex((o) => o.sure && c.sure && o.numa === c.numa);
    const there = merged[at];
    if (!there) merged.push(c);
    else
      merged[at] = { ...there, devices: [...there.devices, ...c.devices], at: [...(there.at ?? []), ...(c.at ?? [])] };
  }
  return merged;
}

/** Nodes whose number nobody told take those that are free, in their order. */
function numbered(cpus: readonly Numbered[]): Cpu[] {
  const used = new Set(cpus.filter((c) => c.sure).map((c) => c.numa));
  let next = 0;
  return cpus.map(({ sure, ...c }) => {
    if (sure) return c;
    while (used.has(next)) next++;
    used.add(next);
    return { ...c, numa: next };
  });
}

/** Deduced switches told apart: what they carry is counted by address. */
function told(host: Host): Host {
  let switches = 0;
  return editHost(host, {
    device: (d) => (d.deduced ? { ...d, busId: standIn('fffd', switches++), standIn: true } : d),
  });
}

/** Symmetric distances; -1 where no letter tells. */
function distances(matrix: TopoMatrix): Int8Array {
  const n = matrix.devices.length;
  const d = new Int8Array(n * n).fill(-1);
  for (let i = 0; i < n; i++) {
    d[i * n + i] = 0;
    for (let j = 0; j < n; j++) {
      const cell = matrix.cells[i]?.[j];
      const v = cell !== undefined && Object.hasOwn(distance, cell) ? distance[cell]! : -1;
      if (v > 0) {
        d[i * n + j] = v;
        if (d[j * n + i]! < 0) d[j * n + i] = v;
      }
    }
  }
  return d;
}

/** Cells that say one thing in one direction and another in the other. */
function contradictions(matrix: TopoMatrix, d: Int8Array): Conflict[] {
  const n = matrix.devices.length;
  const found: Conflict[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (d[i * n + j] === d[j * n + i]) continue;
      const a = matrix.devices[i]!;
      const b = matrix.devices[j]!;
      found.push({
        about: say('assemble.conflict.matrix', { a: a.label, b: b.label }),
        claims: [
          { value: letters[d[i * n + j]!] ?? '?', at: [a.at] },
          { value: letters[d[j * n + i]!] ?? '?', at: [b.at] },
        ],
        used: 0,
      });
    }
  }
  return found;
}

/** Groups of devices that are nearer than SYS to each other. */
function cluster(members: readonly number[], d: Int8Array, n: number, limit = 4): number[][] {
  const group = new Map<number, number>();
  const find = (i: number): number => {
    let r = i;
    while (group.get(r) !== r) r = group.get(r)!;
    return r;
  };
  for (const i of members) group.set(i, i);
  for (const i of members) {
    for (const j of members) {
      if (j <= i || d[i * n + j]! > limit) continue;
      const a = find(i);
      const b = find(j);
      if (a !== b) group.set(Math.max(a, b), Math.min(a, b));
    }
  }
  const byRoot = new Map<number, number[]>();
  for (const i of members) byRoot.set(find(i), [...(byRoot.get(find(i)) ?? []), i]);
  return [...byRoot.values()];
}

function cpu(matrix: TopoMatrix, members: readonly number[], order: number, d: Int8Array, n: number): Numbered {
  const at: Where[] = [];
  let numa: number | undefined;
  let affinity: string | undefined;
  for (const i of members) {
    const device = matrix.devices[i]!;
    const m = /^(\d+)/.exec(device.numaAffinity ?? '');
    if (m && numa === undefined) {
      numa = Number(m[1]);
      at.push(device.at);
    }
    affinity ??= device.cpuAffinity;
  }
  const devices: PciDevice[] = [];
  cluster(members, d, n, 3).forEach((bridge, b) => {
    for (const pxb of cluster(bridge, d, n, 2)) {
      const pix = cluster(pxb, d, n, 1).map((group) => leafGroup(matrix, group));
      const top =
        pix.length === 1
          ? pix[0]!
          : [switchOf(pix.flatMap((g) => (g.length === 1 && g[0]!.deduced ? g : [switchOf(g)])))];
      devices.push(...top.map((x) => ({ ...x, hostBridge: `${order}.${b}` })));
    }
  });
  return {
    sure: numa !== undefined,
    numa: numa ?? order,
    ...(affinity === undefined ? {} : { affinity }),
    devices,
    at,
  };
}

/** Devices that are PIX to each other, under one switch; a device alone hangs where it is. */
function leafGroup(matrix: TopoMatrix, members: readonly number[]): PciDevice[] {
  const leaves = members.map((i) => leaf(matrix, i));
  return leaves.length === 1 ? leaves : [switchOf(leaves)];
}

const switchOf = (children: readonly PciDevice[]): PciDevice => ({
  role: 'switch',
  link: {},
  children,
  deduced: true,
  at: [],
});

function leaf(matrix: TopoMatrix, i: number): PciDevice {
  const device = matrix.devices[i]!;
  const at = [device.at];
  if (device.kind === 'nic') {
    const port = { dev: device.index, ...(device.name === undefined ? {} : { name: device.name }), at };
    // Without an address of their own NCCL takes NICs for one card.
    return { role: 'nic', busId: standInNic(device.index), standIn: true, link: {}, children: [], ports: [port], at };
  }
  const gpu: Gpu = { dev: device.index, rank: device.index, nvlinks: nvlinks(matrix, i), at };
  return { role: 'gpu', busId: standInBus(device.index), standIn: true, link: {}, children: [], gpus: [gpu], at };
}

/**
 * A matrix names no bus ids, but NVLinks need something to point at: `ffff:NN:00.0`, which no real device has. It is
 * never shown. NICs and deduced switches have domains of their own.
 */
export const standInBus = (index: number): string => standIn('ffff', index);
const standInNic = (index: number): string => standIn('fffe', index);

const standIn = (domain: string, index: number): string =>
  `${domain}:${(index & 0xff).toString(16).padStart(2, '0')}:${((index >> 8) & 0x1f).toString(16).padStart(2, '0')}.0`;

/**
 * `NV#` cells become links. Every GPU tied to every other by the same number means NVSwitch when that number times the
 * peers exceeds what a GPU has; otherwise the links are direct.
 */
function nvlinks(matrix: TopoMatrix, i: number): NvLink[] {
  const links: { j: number; count: number }[] = [];
  matrix.devices.forEach((other, j) => {
    // A row that was cut off stands in the column of the others: the matrix is symmetric.
    const m = /^NV(\d+)$/.exec(matrix.cells[i]?.[j] ?? matrix.cells[j]?.[i] ?? '');
    if (m && other.kind === 'gpu') links.push({ j, count: Number(m[1]) });
  });
  if (links.length === 0) return [];
  const at = [matrix.devices[i]!.at];
  const total = links.reduce((sum, l) => sum + l.count, 0);
  const equal = links.every((l) => l.count === links[0]!.count);
  if (equal && links.length > 1 && total > mostLinks) {
    return [{ target: 'fffffff:ff:ff.0', to: 'nvswitch', count: links[0]!.count, targetClass: '0x068000', at }];
  }
  return links.map((l) => ({
    target: standInBus(matrix.devices[l.j]!.index),
    to: 'gpu' as const,
    count: l.count,
    targetClass: '0x030200',
    at,
  }));
}

/** A host whose own source tells no NVLinks, with those of a matrix. */
export function withNvlinks(host: Host, matrix: TopoMatrix): Host {
  const real = new Map<string, string>();
  const stack = host.cpus.flatMap((c) => c.devices);
  for (let d = stack.pop(); d; d = stack.pop()) {
    for (const g of d.gpus ?? []) if (d.busId !== undefined) real.set(standInBus(g.dev), d.busId);
    stack.push(...d.children);
  }
  return editHost(host, {
    gpu: (gpu) => {
      const i = matrix.devices.findIndex((d) => d.kind === 'gpu' && d.index === gpu.dev);
      if (!gpu.nvlinksUnknown || i < 0) return gpu;
      const { nvlinksUnknown: _open, ...rest } = gpu;
      const own = (l: NvLink): NvLink => {
        const target = real.get(l.target ?? '');
        return target === undefined ? l : { ...l, target };
      };
      return { ...rest, nvlinks: nvlinks(matrix, i).map(own) };
    },
  });
}

/** No GPU has more NVLinks (18, from Hopper on): https://docs.nvidia.com/nvidia-hgx-h100 and NVML's NVML_NVLINK_MAX_LINKS. */
const mostLinks = 18;
