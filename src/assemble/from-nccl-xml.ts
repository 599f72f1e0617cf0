import type { Where } from '../fact/fact.ts';
import type { Cpu, CpuArch, CpuVendor, Gpu, Host, NicPort, NvLink, PciDevice, PciRole } from '../machine/host.ts';
import { isOfProbe, type NcclTopoXml } from '../read/nccl-topo-xml.ts';
import type { XmlElement } from '../read/xml.ts';
import { type Message, say } from '../words/message.ts';

/** PCI Express has at most 32 lanes (PCI Express Base Specification); no GPU has near as many NVLinks to one target. */
const mostLanes = 32;
/** The kernel's own word for a width that it does not know (PCIE_LNK_WIDTH_UNKNOWN). */
const mostTold = 255;
const mostLinks = 64;

export interface FromXml {
  /** One host, or the fused hosts of an NVLink domain, told apart by the `hostHash` of their CPUs. */
  readonly host: Host;
  readonly notes: { readonly message: Message; readonly at: readonly Where[] }[];
  /** Why NCCL would refuse the file as a whole. */
  readonly refused?: { readonly reason: Message; readonly at: readonly Where[] };
}

/** The host of an NCCL or RCCL topology file. Elements that NCCL skips (RCCL's `xgmi`) are read for people, not for NCCL. */
export function hostFromXml(document: NcclTopoXml): FromXml {
  const reader = new XmlToHost(document.file, isOfProbe(document));
  const cpus = document.root.children.filter((c) => c.name === 'cpu').map((c) => reader.cpu(c));
  const host = ranked({ names: [], cpus });
  const at = [{ file: document.file, line: document.line }];
  return {
    host,
    notes: reader.notes,
    ...(document.version === undefined || document.version === '1'
      ? {}
      : { refused: { reason: say('rule.refused.version', { version: document.version }), at } }),
  };
}

const vendors: Record<string, CpuVendor> = {
  GenuineIntel: 'Intel',
  AuthenticAMD: 'AMD',
  CentaurHauls: 'Zhaoxin',
  Shanghai: 'Zhaoxin',
};

class XmlToHost {
  readonly notes: { message: Message; at: Where[] }[] = [];

  constructor(
    private readonly file: string,
    /** Made of sysfs, which knows no NVLinks. */
    private readonly nvlinksUnknown: boolean,
  ) {}

  private at(e: XmlElement): Where[] {
    return [{ file: this.file, line: e.line }];
  }

  cpu(e: XmlElement): Cpu {
    const arch = text(e, 'arch');
    const vendorText = (text(e, 'vendor') ?? '').trim();
    const hash = text(e, 'host_hash');
    const affinity = text(e, 'affinity');
    const family = int(e, 'familyid');
    const model = int(e, 'modelid');
    return {
      numa: int(e, 'numaid') ?? 0,
      ...(hash ? { hostHash: hash } : {}),
      ...(arch === 'x86_64' || arch === 'arm64' || arch === 'ppc64' ? { arch: arch as CpuArch } : {}),
      ...(vendorText ? { vendor: Object.hasOwn(vendors, vendorText) ? vendors[vendorText]! : ('other' as const) } : {}),
      ...(family === undefined ? {} : { family }),
      ...(model === undefined ? {} : { model }),
      ...(affinity ? { affinity } : {}),
      devices: this.devices(e.children),
      at: this.at(e),
    };
  }

  /** Builds the tree from the leaves up, without recursion: a file may nest as deep as it likes. */
  private devices(roots: readonly XmlElement[]): PciDevice[] {
    const done = new Map<XmlElement, PciDevice>();
    const stack = roots.filter(isDevice).map((e) => ({ e, below: false }));
    stack.reverse();
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      if (!top.below) {
        top.below = true;
        for (const child of top.e.children) if (child.name === 'pci') stack.push({ e: child, below: false });
        continue;
      }
      stack.pop();
      const children = top.e.children.map((c) => done.get(c)).filter((c): c is PciDevice => c !== undefined);
      done.set(top.e, top.e.name === 'nic' ? this.bareNic(top.e) : this.pci(top.e, children));
    }
    return roots.map((e) => done.get(e)).filter((d): d is PciDevice => d !== undefined);
  }

  /** A `<nic>` that stands directly under a `<cpu>`. */
  private bareNic(e: XmlElement): PciDevice {
    return { role: 'port', link: {}, children: [], ports: this.ports(e), at: this.at(e) };
  }

  /** A number that no hardware has is left out and named: a rate must not come of it. */
  private within(e: XmlElement, name: string, least: number, most: number): number | undefined {
    const value = int(e, name);
    if (value === undefined || (value >= least && value <= most)) return value;
    const message = say('assemble.out-of-range', { name, value, least, most });
    this.notes.push({ message, at: this.at(e) });
    return undefined;
  }

  private pci(e: XmlElement, children: PciDevice[]): PciDevice {
    const nics = e.children.filter((c) => c.name === 'nic');
    const gpus = e.children.filter((c) => c.name === 'gpu').map((g, i) => this.gpu(g, i));
    const peers = e.children.filter((c) => c.name === 'pcilink').flatMap((c) => text(c, 'target') ?? []);
    const classCode = text(e, 'class');
    const speed = e.attributes.get('link_speed');
    const width = this.within(e, 'link_width', 0, mostLanes);
    const told = int(e, 'link_width');
    const busId = text(e, 'busid');
    const fields = {
      vendor: text(e, 'vendor'),
      device: text(e, 'device'),
      subsystemVendor: text(e, 'subsystem_vendor'),
      subsystemDevice: text(e, 'subsystem_device'),
    };
    return {
      role: role(classCode, gpus.length > 0, nics.length > 0),
      ...(busId === undefined ? {} : { busId: busId.toLowerCase() }),
      ...(classCode === undefined ? {} : { classCode }),
      ...present(fields),
      link: {
        ...(speed === undefined ? {} : { speed }),
        ...(width === undefined ? {} : { width }),
        ...(told !== undefined && told > mostLanes && told <= mostTold ? { widthTold: told } : {}),
        at: this.at(e),
      },
      children,
      ...(gpus.length > 0 ? { gpus } : {}),
      // NCCL looks at the first <nic> only.
      ...(nics.length > 0 ? { ports: this.ports(nics[0]!) } : {}),
      ...(peers.length > 0 ? { peers } : {}),
      at: this.at(e),
    };
  }

  private gpu(e: XmlElement, order: number): Gpu {
    const sm = int(e, 'sm');
    const rank = int(e, 'rank');
    const gdr = int(e, 'gdr');
    const mlo = int(e, 'mlopart');
    const c2c = e.children.find((c) => c.name === 'c2c');
    const nvlinks = e.children.filter((c) => c.name === 'nvlink' || c.name === 'xgmi').flatMap((c) => this.nvlink(c));
    return {
      dev: int(e, 'dev') ?? order,
      ...(sm === undefined ? {} : { sm }),
      ...(rank === undefined ? {} : { rank }),
      ...(gdr === undefined ? {} : { gdr: gdr !== 0 }),
      ...(mlo === undefined ? {} : { mloPart: mlo }),
      nvlinks,
      ...(this.nvlinksUnknown && nvlinks.length === 0 ? { nvlinksUnknown: true } : {}),
      ...(c2c ? { c2c: { mbps: int(c2c, 'bw') ?? 0, count: int(c2c, 'count') ?? 0 } } : {}),
      at: this.at(e),
    };
  }

  private nvlink(e: XmlElement): NvLink | [] {
    if (e.name === 'xgmi') return [];
    const targetClass = text(e, 'tclass') ?? '';
    const target = text(e, 'target');
    return {
      ...(target === undefined ? {} : { target: target.toLowerCase() }),
      to: targetClass.startsWith('0x03') ? 'gpu' : targetClass.startsWith('0x068001') ? 'cpu' : 'nvswitch',
      count: this.within(e, 'count', 0, mostLinks) ?? 0,
      targetClass,
      at: this.at(e),
    };
  }

  private ports(nic: XmlElement): NicPort[] {
    return nic.children
      .filter((c) => c.name === 'net' && int(c, 'dev') !== undefined && int(c, 'dev') !== -1)
      .map((e): NicPort => {
        const name = text(e, 'name');
        const guid = text(e, 'guid');
        const latency = number(e, 'latency');
        const bits = {
          gdr: bool(e, 'gdr'),
          collectives: bool(e, 'coll'),
          net: bool(e, 'net'),
          gin: bool(e, 'gin'),
          rma: bool(e, 'rma'),
        };
        const counts = {
          port: int(e, 'port'),
          maxConnections: int(e, 'maxconn'),
          rail: int(e, 'rail'),
          plane: int(e, 'plane'),
          speedMbps: int(e, 'speed'),
        };
        return {
          dev: int(e, 'dev')!,
          ...(name === undefined ? {} : { name }),
          ...present(counts),
          ...(guid === undefined ? {} : { guid }),
          ...(latency === undefined ? {} : { latencyUs: latency }),
          ...present(bits),
          at: this.at(e),
        };
      });
  }
}

const isDevice = (e: XmlElement): boolean => e.name === 'pci' || e.name === 'nic';

function role(classCode: string | undefined, hasGpu: boolean, hasNic: boolean): PciRole {
  if (hasGpu) return 'gpu';
  if (hasNic) return 'nic';
  const c = (classCode ?? '').toLowerCase();
  if (c.startsWith('0x0604') || c.startsWith('0x080100')) return 'switch';
  if (c.startsWith('0x068000')) return 'nvswitch';
  if (c.startsWith('0x03')) return 'gpu';
  if (c.startsWith('0x02')) return 'nic';
  if (c.startsWith('0x0108')) return 'nvme';
  return 'switch';
}

/** Files written by hand carry no ranks: then every GPU takes part, in the order of its device number. */
function ranked(host: Host): Host {
  const devs: number[] = [];
  let any = false;
  for (const cpu of host.cpus) {
    for (const gpu of gpusBelow(cpu.devices)) {
      devs.push(gpu.dev);
      any ||= gpu.rank !== undefined;
    }
  }
  if (any) return host;
  const order = [...devs].sort((a, b) => a - b);
  return { ...host, cpus: host.cpus.map((c) => ({ ...c, devices: c.devices.map((d) => withRanks(d, order)) })) };
}

function* gpusBelow(devices: readonly PciDevice[]): Generator<Gpu> {
  const stack = [...devices];
  while (stack.length > 0) {
    const d = stack.pop()!;
    yield* d.gpus ?? [];
    stack.push(...d.children);
  }
}

/** Recursion is safe: the reader bounds how deep a file may nest. */
function withRanks(device: PciDevice, order: readonly number[]): PciDevice {
  const gpus = device.gpus?.map((g) => ({ ...g, rank: order.indexOf(g.dev) }));
  return { ...device, ...(gpus ? { gpus } : {}), children: device.children.map((c) => withRanks(c, order)) };
}

const text = (e: XmlElement, name: string): string | undefined => e.attributes.get(name);

function int(e: XmlElement, name: string): number | undefined {
  const t = e.attributes.get(name);
  if (t === undefined) return undefined;
  const m = /^\s*[+-]?(0x[0-9a-f]+|\d+)/i.exec(t);
  if (!m) return undefined;
  const n = Number.parseInt(m[0]!.trim(), /0x/i.test(m[0]!) ? 16 : 10);
  return Number.isSafeInteger(n) ? n : undefined;
}

function number(e: XmlElement, name: string): number | undefined {
  const n = Number.parseFloat(e.attributes.get(name) ?? '');
  return Number.isFinite(n) ? n : undefined;
}

function bool(e: XmlElement, name: string): boolean | undefined {
  const n = int(e, name);
  return n === undefined ? undefined : n !== 0;
}

/** An object without its undefined fields, which exact optional properties do not allow. */
function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
