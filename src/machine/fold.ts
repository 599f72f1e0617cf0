import type { Cpu, Host, PciDevice } from './host.ts';

/** GPUs up to which a domain is decided whole. */
const small = 64;

export interface Folded {
  readonly host: Host;
  /** Hosts in the domain before folding, and those that stand for them. */
  readonly of: number;
  readonly kept: number;
}

/**
 * A large NVLink domain made of equal hosts, cut down to two of each kind and to those asked for. Hosts of a domain meet only
 * at the NVSwitch, so what is decided about the ones kept is what is decided in the whole (a test compares).
 */
export function foldDomain(host: Host, keep: ReadonlySet<string> = new Set()): Folded {
  const groups = new Map<string, Cpu[]>();
  for (const cpu of host.cpus) {
    const key = cpu.hostHash ?? '';
    groups.set(key, [...(groups.get(key) ?? []), cpu]);
  }
  const whole = { host, of: groups.size, kept: groups.size };
  if (groups.size < 3 || gpuCount(host) <= small) return whole;
  const perShape = new Map<string, number>();
  const chosen = new Set<string>();
  for (const [key, cpus] of groups) {
    const shape = JSON.stringify(cpus.map(shapeOf));
    const before = perShape.get(shape) ?? 0;
    if (before < 2 || keep.has(key)) chosen.add(key);
    perShape.set(shape, before + 1);
  }
  if (chosen.size === groups.size) return whole;
  return {
    host: { ...host, cpus: host.cpus.filter((c) => chosen.has(c.hostHash ?? '')) },
    of: groups.size,
    kept: chosen.size,
  };
}

function gpuCount(host: Host): number {
  let n = 0;
  const stack: PciDevice[] = host.cpus.flatMap((c) => c.devices);
  while (stack.length > 0) {
    const d = stack.pop()!;
    n += d.gpus?.length ?? 0;
    stack.push(...d.children);
  }
  return n;
}

/** What of a NUMA node decides anything; ranks, GUIDs and lines do not. */
function shapeOf(cpu: Cpu): unknown {
  return [cpu.numa, cpu.arch, cpu.vendor, cpu.family, cpu.model, cpu.devices.map(shapeOfDevice)];
}

/** Recursion is safe: readers bound how deep a tree may be. */
function shapeOfDevice(d: PciDevice): unknown {
  return [
    d.role,
    d.busId,
    d.classCode,
    d.vendor,
    d.device,
    d.subsystemVendor,
    d.subsystemDevice,
    d.link.speed,
    d.link.width,
    d.peers,
    d.gpus?.map((g) => [
      g.dev,
      g.sm,
      g.gdr,
      g.rank !== undefined,
      g.mloPart,
      g.c2c,
      g.nvlinks.map((l) => [l.target, l.to, l.count]),
    ]),
    d.ports?.map((p) => [p.dev, p.speedMbps, p.port, p.gdr, p.collectives, p.net, p.rail, p.plane]),
    d.children.map(shapeOfDevice),
  ];
}
