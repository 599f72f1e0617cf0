import type { Where } from '../fact/fact.ts';
import type { Cpu, CpuArch, CpuVendor, Gpu, Host, NicPort, NvLink, PciDevice, PcieLink } from '../machine/host.ts';
import { nvlinkGBps } from '../nccl/rates/nvlink.ts';
import type { Release } from '../nccl/release.ts';
import type { PrintedSystem, SystemNode } from '../read/nccl-log/types.ts';

/** What the rest of the log adds to the tree: device numbers by bus id, NIC names by number. */
export interface LogNames {
  readonly devOf: (busId: string) => number | undefined;
  /** The rank that a communicator announces on one of these hosts. */
  readonly rankOf: (busId: string, hosts: readonly string[]) => number | undefined;
  readonly nicName: (dev: number) => string | undefined;
}

/**
 * A host from the tree that NCCL prints (`=== System … ===`). It shows bandwidths, not speeds and widths: those are
 * inferred from the figures, and the number of NVLinks and the compute capability from the NVLink figures.
 */
export function hostFromSystem(system: PrintedSystem, release: Release, names: LogNames): Host {
  const tree = new SystemTree(system, release, names);
  return {
    names: system.hosts,
    cpus: system.nodes.filter((n) => n.type === 'CPU').map((n) => tree.cpu(n)),
  };
}

const arches: Record<number, CpuArch> = { 1: 'x86_64', 2: 'ppc64', 3: 'arm64' };
const vendors: Record<number, CpuVendor> = { 1: 'Intel', 2: 'AMD', 3: 'Zhaoxin' };
/** A model of each class of Intel CPU that NCCL tells apart (1 BDW, 2 SKL, 3 SRP, 4 ERP). */
const intelModels: Record<number, number> = { 1: 0x4f, 2: 0x55, 3: 0x8f, 4: 0xcf };

class SystemTree {
  private readonly nodes = new Map<string, SystemNode>();
  private readonly below = new Map<string, { to: string; type: string; bw: number }[]>();
  private readonly order: string[];
  private readonly ranks: ReadonlyMap<string, number>;

  constructor(
    system: PrintedSystem,
    private readonly release: Release,
    private readonly names: LogNames,
  ) {
    for (const n of system.nodes) if (!this.nodes.has(n.id)) this.nodes.set(n.id, n);
    for (const l of system.links) this.below.set(l.from, [...(this.below.get(l.from) ?? []), l]);
    this.order = system.nodes
      .filter((n) => n.type === 'GPU')
      .map((n) => bus(n.id))
      .sort((a, b) => Number.parseInt(a, 16) - Number.parseInt(b, 16));
    this.ranks = ranksOf(system, names);
  }

  cpu(node: SystemNode): Cpu {
    const { arch, vendor, model } = node.cpu ?? { arch: -1, vendor: -1, model: -1 };
    const x86 = arches[arch] === 'x86_64';
    const id = Number.parseInt(local(node.id), 16);
    return {
      numa: id > 0x7fffffff ? -1 : id,
      hostHash: hostPart(node.id),
      ...(arches[arch] ? { arch: arches[arch] } : {}),
      ...(x86 && vendors[vendor] ? { vendor: vendors[vendor] } : {}),
      ...(x86 && vendor === 1 && intelModels[model] ? { family: 6, model: intelModels[model] } : {}),
      devices: this.devices(node.id, new Set([node.id])),
      at: [node.at],
    };
  }

  /** Recursion is safe: the log reader bounds the tree. `seen` guards against a log that draws a circle. */
  private devices(parent: string, seen: Set<string>): PciDevice[] {
    const found: PciDevice[] = [];
    for (const link of this.below.get(parent) ?? []) {
      const node = this.nodes.get(link.to);
      if (link.type !== 'PCI' || !node || seen.has(link.to)) continue;
      seen.add(link.to);
      const device = this.device(node, link.bw, seen);
      if (device) found.push(device);
    }
    return found;
  }

  private device(node: SystemNode, bw: number, seen: Set<string>): PciDevice | undefined {
    const base = { busId: busText(local(node.id)), link: linkOf(bw, node.at), at: [node.at] };
    switch (node.type) {
      case 'PCI':
        return {
          ...base,
          ...switchIds(node.device),
          role: 'switch',
          classCode: '0x060400',
          children: this.devices(node.id, seen),
        };
      case 'GPU':
        return { ...base, role: 'gpu', classCode: '0x030200', children: [], gpus: [this.gpu(node, node.id)] };
      case 'DEV': {
        const ranks = (this.below.get(node.id) ?? []).map((l) => this.nodes.get(l.to)).filter((n) => n?.type === 'GPU');
        return {
          ...base,
          role: 'gpu',
          classCode: '0x030200',
          children: [],
          gpus: ranks.map((g) => this.gpu(g!, node.id)),
        };
      }
      case 'NIC': {
        const ports = (this.below.get(node.id) ?? []).flatMap((l) => this.port(l.to));
        return { ...base, role: 'nic', classCode: '0x020000', children: [], ports };
      }
      default:
        return undefined;
    }
  }

  private gpu(node: SystemNode, holder: string): Gpu {
    const links = (this.below.get(holder) ?? []).filter((l) => l.type === 'NVL');
    const kind = smOf(
      links.map((l) => l.bw),
      this.release,
    );
    const busId = bus(node.id);
    const rank = this.ranks.get(node.id);
    const nvlinks = links.flatMap((l): NvLink | [] => {
      const to = this.nodes.get(l.to);
      if (!to) return [];
      const count = Math.max(1, Math.round(l.bw / nvlinkGBps(kind ?? 80, this.release)));
      const at = [node.at];
      if (to.type === 'NVS') return { to: 'nvswitch', target: 'fffffff:ff:ff.0', count, targetClass: '0x068000', at };
      if (to.type === 'CPU') return { to: 'cpu', count, targetClass: '0x068001', at };
      return { to: 'gpu', target: busText(local(to.id)), count, targetClass: '0x030200', at };
    });
    const c2c = (this.below.get(holder) ?? []).find((l) => l.type === 'C2C');
    return {
      dev: this.names.devOf(busId) ?? this.order.indexOf(bus(node.id)),
      ...(rank === undefined ? {} : { rank }),
      ...(kind === undefined ? {} : { sm: kind }),
      nvlinks,
      ...(c2c ? { c2c: { mbps: Math.round(c2c.bw * 1000), count: 1 } } : {}),
      at: [node.at],
    };
  }

  private port(id: string): NicPort | [] {
    const node = this.nodes.get(id);
    if (node?.type !== 'NET') return [];
    const dev = Number.parseInt(local(id), 16);
    const name = this.names.nicName(dev);
    return {
      dev,
      ...(name === undefined ? {} : { name }),
      ...(node.net
        ? { speedMbps: Math.round(node.net.speed * 8000), port: node.net.port, guid: `0x${node.net.asic}` }
        : {}),
      at: [node.at],
    };
  }
}

/**
 * The rank of each GPU. Since devices are nodes of their own (2.30.3) the tree shows none: then the ones that are announced beside
 * it count, or else the order of hosts and buses, as ranks usually are dealt out.
 */
function ranksOf({ nodes, hosts }: PrintedSystem, names: LogNames): ReadonlyMap<string, number> {
  const gpus = nodes.filter((n) => n.type === 'GPU');
  const by = (rankOf: (gpu: SystemNode) => number | undefined): Map<string, number> =>
    new Map(
      gpus.flatMap((n) => {
        const rank = rankOf(n);
        return rank === undefined ? [] : [[n.id, rank] as const];
      }),
    );
  const shown = by((n) => n.rank);
  if (shown.size > 0) return shown;
  const announced = by((n) => names.rankOf(bus(n.id), hosts));
  if (new Set(announced.values()).size === gpus.length) return announced;
  const place = ({ id }: SystemNode): [host: number, bus: number] => [
    Number.parseInt(hostPart(id) || '0', 16),
    Number.parseInt(bus(id), 16),
  ];
  const inOrder = [...gpus].sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
  return new Map(inOrder.map((n, i) => [n.id, i]));
}

/** `GPU/0-1b000` and `GPU/1b000`: the part that names the device. */
const local = (id: string): string => {
  const text = id.slice(id.indexOf('/') + 1);
  const dash = text.indexOf('-');
  return dash < 0 ? text : text.slice(dash + 1);
};
/** Ranks that share a GPU are numbered above the bits of its bus. */
const bus = (id: string): string => {
  const text = local(id);
  return /^[0-9a-f]{11,16}$/i.test(text) ? (BigInt(`0x${text}`) & 0xffffffffffn).toString(16) : text;
};
const hostPart = (id: string): string => /\/([0-9a-f]+)-/i.exec(id)?.[1] ?? '';

/** 1b000 -> 0000:1b:00.0 */
export function busText(hex: string): string {
  const n = BigInt(`0x${hex.replace(/[^0-9a-f]/gi, '') || '0'}`);
  const part = (shift: bigint, mask: bigint, digits: number): string =>
    ((n >> shift) & mask).toString(16).padStart(digits, '0');
  return `${part(20n, 0xfffffffn, 4)}:${part(12n, 0xffn, 2)}:${part(4n, 0xffn, 2)}.${(n & 0xfn).toString(16)}`;
}

/** The switch id that NCCL prints joins vendor, device and subsystem ids. */
function switchIds(hex: string | undefined): {
  vendor?: string;
  device?: string;
  subsystemVendor?: string;
  subsystemDevice?: string;
} {
  if (!hex || !/^[0-9a-f]{1,16}$/i.test(hex)) return {};
  const h = hex.padStart(16, '0');
  return {
    vendor: `0x${h.slice(0, 4)}`,
    device: `0x${h.slice(4, 8)}`,
    subsystemVendor: `0x${h.slice(8, 12)}`,
    subsystemDevice: `0x${h.slice(12, 16)}`,
  };
}

const speeds: readonly (readonly [string, number])[] = [
  ['2.5 GT/s PCIe', 15],
  ['5.0 GT/s PCIe', 30],
  ['8.0 GT/s PCIe', 60],
  ['16.0 GT/s PCIe', 120],
  ['32.0 GT/s PCIe', 240],
  ['64.0 GT/s PCIe', 480],
];

/** The speed and width whose product is the printed figure; x16 first, since one figure has several factors. */
function linkOf(bw: number, at: Where): PcieLink {
  let best: { speed: string; width: number; miss: number } | undefined;
  for (const width of [16, 8, 4, 2, 1]) {
    for (const [speed, rate] of speeds) {
      const miss = Math.abs((width * rate) / 80 - bw);
      if (miss <= 0.051 && (!best || miss < best.miss - 0.001)) best = { speed, width, miss };
    }
  }
  // 5000 is what NCCL gives a NIC that hangs on no PCIe link.
  return best ? { speed: best.speed, width: best.width, at: [at] } : { at: [at] };
}

const mostLinks: readonly (readonly [number, number])[] = [
  [90, 18],
  [100, 18],
  [80, 12],
  [70, 6],
  [60, 4],
  [86, 4],
];

/** The compute capability whose link rate divides all NVLink figures into no more links than it has. */
function smOf(figures: readonly number[], release: Release): number | undefined {
  if (figures.length === 0) return undefined;
  let fit: { sm: number; total: number; most: number } | undefined;
  for (const [sm, most] of mostLinks) {
    const each = nvlinkGBps(sm, release);
    const counts = figures.map((f) => f / each);
    const total = counts.reduce((a, b) => a + b, 0);
    const whole = counts.every((c) => Math.abs(c - Math.round(c)) < 0.02 && c > 0.5);
    if (!whole || total > most + 0.02) continue;
    if (!fit || Math.abs(total - most) < Math.abs(fit.total - fit.most) - 0.02) fit = { sm, total, most };
  }
  return fit?.sm;
}
