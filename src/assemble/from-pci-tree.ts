import { gpuByDeviceId } from '../catalogue/gpus.ts';
import type { Cpu, CpuArch, CpuVendor, Gpu, Host, NicPort, PciDevice, PcieLink } from '../machine/host.ts';
import { functionsOf, type PciFunction, type PciTree } from '../machine/pci-tree.ts';

export interface CpuFacts {
  readonly arch?: CpuArch;
  readonly vendor?: CpuVendor;
  readonly family?: number;
  readonly model?: number;
  /** By NUMA node: the mask or list of its CPUs. */
  readonly affinity: ReadonlyMap<number, string>;
}

/** A port of an RDMA device, as /sys/class/infiniband shows it. */
export interface RdmaPort {
  readonly device: string;
  readonly port: number;
  readonly rateMbps?: number;
  readonly layer?: 'infiniband' | 'ethernet';
  readonly guid?: string;
}

/** The host that NCCL would see: GPUs, NICs and drives with the bridges above them, below their NUMA nodes. */
export function hostFromPci(tree: PciTree, cpu: CpuFacts, ports: readonly RdmaPort[]): Host {
  const byRdma = new Map<string, RdmaPort[]>();
  for (const p of ports) byRdma.set(p.device, [...(byRdma.get(p.device) ?? []), p]);
  const count = { gpu: 0, port: 0 };
  // CUDA and NVML number by address.
  const gpus = [...functionsOf(tree)]
    .filter(isGpu)
    .map((f) => f.address)
    .sort();
  const nodes = new Map<number, PciDevice[]>();
  for (const root of tree.roots) {
    for (const f of root.functions) {
      const numa = numaOf(f);
      const found = devicesOf(f, { byRdma, gpus, count }, 0, undefined);
      const named = found.map((d) => ({ ...d, hostBridge: `pci${root.bus}` }));
      if (named.length > 0) nodes.set(numa, [...(nodes.get(numa) ?? []), ...named]);
    }
  }
  for (const numa of cpu.affinity.keys()) if (!nodes.has(numa)) nodes.set(numa, []);
  if (nodes.size === 0) nodes.set(-1, []);
  const cpus = [...nodes]
    .sort(([a], [b]) => a - b)
    .map(
      ([numa, devices]): Cpu => ({
        numa,
        ...(cpu.arch === undefined ? {} : { arch: cpu.arch }),
        ...(cpu.vendor === undefined ? {} : { vendor: cpu.vendor }),
        ...(cpu.family === undefined ? {} : { family: cpu.family }),
        ...(cpu.model === undefined ? {} : { model: cpu.model }),
        ...(cpu.affinity.has(numa) ? { affinity: cpu.affinity.get(numa)! } : {}),
        devices,
        at: [],
      }),
    );
  return { names: [], cpus };
}

interface Context {
  readonly byRdma: ReadonlyMap<string, readonly RdmaPort[]>;
  readonly gpus: readonly string[];
  readonly count: { gpu: number; port: number };
}

export const isGpu = (f: Pick<PciFunction, 'classCode' | 'vendor'>): boolean =>
  /^0x03|^0x1200/.test(f.classCode) && /^0x10de|^0x1002/.test(f.vendor);

/**
 * What hangs at a place, as NCCL sees it (src/graph/xml.cc): of the bridges on a way only the upstream port of each switch is
 * kept, every second one; root ports and downstream ports are gone. What leads to nothing that moves data is left out.
 */
function devicesOf(f: PciFunction, context: Context, depth: number, above: PciFunction | undefined): PciDevice[] {
  const children = f.children.flatMap((c) => devicesOf(c, context, depth + 1, f));
  const role = roleOf(f);
  if (role === undefined && (children.length === 0 || depth % 2 === 0)) return children;
  const base = {
    busId: f.address,
    classCode: f.classCode,
    ...(f.vendor === '' ? {} : { vendor: f.vendor }),
    ...(f.device === '' ? {} : { device: f.device }),
    ...(f.subsystemVendor === undefined ? {} : { subsystemVendor: f.subsystemVendor }),
    ...(f.subsystemDevice === undefined ? {} : { subsystemDevice: f.subsystemDevice }),
    link: linkOf(f, above),
    children,
    at: f.at ?? [],
  };
  if (role === 'gpu') return [{ ...base, role, gpus: [gpuOf(f, context)] }];
  if (role === 'nic') {
    const verbs = f.rdma.length > 0 || f.namesUnknown === true;
    return [{ ...base, role, ...(verbs ? { apart: true } : {}), ports: portsOf(f, context) }];
  }
  return [{ ...base, role: role ?? (f.classCode.startsWith('0x0604') ? 'switch' : 'other') }];
}

function roleOf(f: PciFunction): 'gpu' | 'nic' | 'nvme' | 'nvswitch' | undefined {
  if (isGpu(f)) return 'gpu';
  if (f.classCode.startsWith('0x02')) return 'nic';
  if (f.classCode.startsWith('0x0108')) return 'nvme';
  return f.vendor === '0x10de' && f.classCode.startsWith('0x0680') ? 'nvswitch' : undefined;
}

function gpuOf(f: PciFunction, { gpus }: Context): Gpu {
  const dev = gpus.indexOf(f.address);
  const part = gpuByDeviceId(f.vendor, f.device);
  return {
    dev,
    rank: dev,
    ...(part?.sm === undefined ? {} : { sm: part.sm.value }),
    ...(part === undefined ? {} : { part: part.id, product: part.products[0]! }),
    nvlinks: [],
    nvlinksUnknown: true,
    at: f.at ?? [],
  };
}

function portsOf(f: PciFunction, { byRdma, count }: Context): NicPort[] {
  const rdma = f.rdma.flatMap((name) => byRdma.get(name) ?? [{ device: name, port: 1 }]);
  const ports: readonly RdmaPort[] = rdma.length > 0 ? rdma : f.interfaces.map((device) => ({ device, port: 1 }));
  if (f.namesUnknown && ports.length === 0) return [{ dev: count.port++, at: f.at ?? [] }];
  return ports.map((p) => ({
    dev: count.port++,
    name: p.device,
    port: p.port,
    ...(p.rateMbps === undefined ? {} : { speedMbps: p.rateMbps }),
    ...(p.guid === undefined ? {} : { guid: p.guid }),
    ...(p.layer === undefined ? {} : { layer: p.layer }),
    at: f.at ?? [],
  }));
}

/** The slower of a device and the port it is plugged into. */
function linkOf(f: PciFunction, above: PciFunction | undefined): PcieLink {
  const { currentLink } = f;
  const port = above?.maxLink;
  const maxLink =
    f.maxLink && port
      ? {
          speed: gts(port.speed) < gts(f.maxLink.speed) ? port.speed : f.maxLink.speed,
          width: Math.min(port.width, f.maxLink.width),
        }
      : f.maxLink;
  return {
    ...(maxLink && maxLink.width > 0 ? { speed: maxLink.speed, width: maxLink.width } : {}),
    ...(currentLink && currentLink.width > 0
      ? { currentSpeed: currentLink.speed, currentWidth: currentLink.width }
      : {}),
  };
}

/** A root port's own node, or that of what hangs below it. */
function numaOf(f: PciFunction): number {
  if (f.numa !== undefined && f.numa >= 0) return f.numa;
  for (const c of f.children) {
    const numa = numaOf(c);
    if (numa >= 0) return numa;
  }
  return -1;
}

const gts = (speed: string): number => Number.parseFloat(speed);
