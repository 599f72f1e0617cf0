import type { CpuArch, CpuVendor } from '../../machine/host.ts';
import type { PciFunction, PciTree } from '../../machine/pci-tree.ts';
import type { HwlocXml } from '../../read/pci/hwloc-xml.ts';
import { numberAttribute, type XmlElement } from '../../read/xml.ts';
import type { CpuFacts, RdmaPort } from '../from-pci-tree.ts';
import { infosOf, linkOfSpeed, maskOf, onlyBit } from './fields.ts';

/** What `lstopo --of xml` shows, as other sources of PCIe trees have it. */
export interface HwlocPci {
  readonly tree: PciTree;
  readonly cpu: CpuFacts;
  readonly ports: readonly RdmaPort[];
  /** Names of GPUs as NVML has them, by address. */
  readonly products: ReadonlyMap<string, string>;
  /** By hwloc's number of an object (`PCIDev:461`, `OSDev:802`): the PCIe function it is, or belongs to. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Bridges, devices and NUMA nodes wherever they stand: hwloc hangs a host bridge below what it is local to. */
export const pciOfHwloc = (document: HwlocXml): HwlocPci => new Walk(document).read();

/** What a driver calls a function. */
interface Named {
  readonly rdma: string[];
  readonly interfaces: string[];
  readonly nvme: string[];
}

class Walk {
  private readonly roots: { readonly bus: string; readonly functions: PciFunction[] }[] = [];
  private readonly ports: { readonly port: RdmaPort; readonly up: boolean }[] = [];
  private readonly products = new Map<string, string>();
  private readonly addresses = new Map<string, string>();
  private readonly affinity = new Map<number, string>();
  private readonly infos = new Map<string, string>();
  /** hwloc 3 numbers kinds of devices by bits, those before by place. */
  private readonly byBits: boolean;

  constructor(private readonly document: HwlocXml) {
    this.byBits = Number.parseFloat(document.root.attributes.get('version') ?? '') >= 3;
  }

  read(): HwlocPci {
    const { root } = this.document;
    this.learn(root);
    for (const child of root.children) if (child.name === 'object') this.inside(child, -1);
    const up = this.ports.filter((p) => p.up);
    return {
      tree: { roots: this.roots },
      cpu: { ...cpuOf(this.infos), affinity: this.affinity },
      // A port that is down is none for NCCL; where none is up, the file is of a machine without its cables.
      ports: (up.length > 0 ? up : this.ports).map((p) => p.port),
      products: this.products,
      addresses: this.addresses,
    };
  }

  /** What is said of CPUs and of the system. */
  private learn(element: XmlElement): void {
    for (const [name, value] of infosOf(element)) if (!this.infos.has(name)) this.infos.set(name, value);
  }

  /** An object that is no PCIe device, `numa` being the node that all in it is local to; -1: of several. */
  private inside(object: XmlElement, numa: number): void {
    const { attributes } = object;
    const type = attributes.get('type');
    if (type === 'Bridge' || type === 'PCIDev') {
      this.hang(object, numa);
      return;
    }
    if (type === 'PU' || type === 'Core') return;
    this.learn(object);
    const node = type === 'NUMANode' ? numberAttribute(object, 'os_index') : onlyBit(attributes.get('nodeset'));
    const mask = type === 'NUMANode' ? maskOf(attributes.get('cpuset')) : undefined;
    if (type === 'NUMANode' && node !== undefined) this.affinity.set(node, mask ?? '');
    for (const child of object.children) if (child.name === 'object') this.inside(child, node ?? numa);
  }

  /** A host bridge with what hangs on its bus, or a device without one: a file may leave bridges out. */
  private hang(object: XmlElement, numa: number): void {
    const hostBridge = object.attributes.get('type') === 'Bridge' && !object.attributes.has('pci_busid');
    const heads = hostBridge ? object.children.filter(isDevice) : [object];
    const functions = heads.flatMap((head) => this.functionOf(head, numa, 0) ?? []);
    const bus = functions[0]?.address.slice(0, functions[0].address.lastIndexOf(':'));
    if (bus !== undefined) this.roots.push({ bus, functions });
  }

  private functionOf(object: XmlElement, numa: number, depth: number): PciFunction | undefined {
    const { attributes, line } = object;
    const address = attributes.get('pci_busid')?.toLowerCase();
    const ids = /^([0-9a-f]{4}) \[([0-9a-f]{4}):([0-9a-f]{4})\](?: \[([0-9a-f]{4}):([0-9a-f]{4})\])?/.exec(
      attributes.get('pci_type') ?? '',
    );
    if (address === undefined || !/^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/.test(address) || !ids)
      return undefined;
    const bridge = attributes.get('type') === 'Bridge';
    this.note(object, address);
    const named: Named = { rdma: [], interfaces: [], nvme: [] };
    const children: PciFunction[] = [];
    for (const child of object.children) {
      if (isDevice(child)) {
        const below = this.functionOf(child, numa, depth + 1);
        if (below) children.push(below);
      } else if (child.attributes.get('type') === 'OSDev') this.named(child, address, named);
    }
    const lanes = ids[1]!.startsWith('0108') ? 4 : 16;
    // Both ends of a link tell its state, and some root ports tell another: that of the device is taken.
    const upper = bridge && depth % 2 === 0;
    const link = upper ? undefined : linkOfSpeed(numberAttribute(object, 'pci_link_speed'), lanes);
    return {
      address,
      classCode: `0x${ids[1]!}00`,
      vendor: `0x${ids[2]!}`,
      device: `0x${ids[3]!}`,
      ...(ids[4] === undefined || ids[4] === '0000'
        ? {}
        : { subsystemVendor: `0x${ids[4]}`, subsystemDevice: `0x${ids[5]!}` }),
      ...(numa < 0 ? {} : { numa }),
      ...(link ? { maxLink: link } : {}),
      ...named,
      at: [{ file: this.document.file, line }],
      children,
    };
  }

  private note(object: XmlElement, address: string): void {
    const number = object.attributes.get('gp_index');
    if (number !== undefined) this.addresses.set(`${object.attributes.get('type')}:${number}`, address);
  }

  /** A device of the operating system: `nvml0`, `mlx5_0`, `ens1f0`, `nvme0n1`. */
  private named(object: XmlElement, address: string, named: Named): void {
    this.note(object, address);
    const name = object.attributes.get('name') ?? '';
    const infos = infosOf(object);
    const product = infos.get('GPUModel');
    if (product && !this.products.has(address)) this.products.set(address, product);
    const kind = numberAttribute(object, 'osdev_type') ?? -1;
    const verbs = infos.has('NodeGUID') || (this.byBits ? kind > 0 && (kind & 32) !== 0 : kind === 3);
    const network = infos.has('Address') || (this.byBits ? kind > 0 && (kind & 16) !== 0 : kind === 2);
    if (verbs) this.verbs(name, infos, named);
    else if (network) named.interfaces.push(name);
    else if (/^nvme\d+/.test(name)) named.nvme.push(name);
  }

  private verbs(name: string, infos: ReadonlyMap<string, string>, named: Named): void {
    named.rdma.push(name);
    const guid = infos.get('NodeGUID')?.replaceAll(':', '');
    const known = guid !== undefined && /^[0-9a-f]{16}$/i.test(guid) ? { guid: `0x${guid.toLowerCase()}` } : {};
    let told = false;
    for (const [key, value] of infos) {
      const port = /^Port(\d{1,3})State$/.exec(key)?.[1];
      if (port === undefined) continue;
      told = true;
      this.ports.push({ port: { device: name, port: Number(port), ...known }, up: value.startsWith('4') });
    }
    if (!told) this.ports.push({ port: { device: name, port: 1, ...known }, up: true });
  }
}

const isDevice = ({ name, attributes }: XmlElement): boolean =>
  name === 'object' && (attributes.get('type') === 'Bridge' || attributes.get('type') === 'PCIDev');

const vendors: Readonly<Record<string, CpuVendor>> = {
  GenuineIntel: 'Intel',
  AuthenticAMD: 'AMD',
  CentaurHauls: 'Zhaoxin',
  '  Shanghai  ': 'Zhaoxin',
};

const archs: Readonly<Record<string, CpuArch>> = {
  x86_64: 'x86_64',
  aarch64: 'arm64',
  arm64: 'arm64',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
};

function cpuOf(infos: ReadonlyMap<string, string>): Omit<CpuFacts, 'affinity'> {
  const name = infos.get('CPUVendor') ?? '';
  const vendor = Object.hasOwn(vendors, name) ? vendors[name] : undefined;
  const machine = infos.get('Architecture') ?? '';
  const told = Object.hasOwn(archs, machine) ? archs[machine] : undefined;
  const power = /^POWER/.test(infos.get('CPUModel') ?? '');
  const arm = infos.has('CPUImplementer');
  const arch = told ?? (vendor ? 'x86_64' : power ? 'ppc64' : arm ? 'arm64' : undefined);
  const maker = vendor ?? (power ? 'IBM' : arm ? 'Arm' : undefined);
  const family = Number(infos.get('CPUFamilyNumber'));
  const model = Number(infos.get('CPUModelNumber'));
  return {
    ...(arch ? { arch } : {}),
    ...(maker ? { vendor: maker } : {}),
    ...(vendor && family > 0 ? { family } : {}),
    ...(vendor && Number.isInteger(model) && infos.has('CPUModelNumber') ? { model } : {}),
  };
}
