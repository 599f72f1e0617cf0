import { gpuByProduct, gpus } from '../catalogue/gpus.ts';
import { pcieGenerations } from '../catalogue/pcie.ts';
import type { Where } from '../fact/fact.ts';
import { editHost } from '../machine/edit.ts';
import type { CpuVendor, Host } from '../machine/host.ts';
import { functionsOf, type PciFunction, type PciTree, type SysfsLink } from '../machine/pci-tree.ts';
import { classOfName, classOfWords, otherClass, rdmaName, vendorOf } from '../read/pci/kind.ts';
import type { Lspci, PciDevice, PciLink } from '../read/pci/types.ts';
import { hostFromPci, isGpu } from './from-pci-tree.ts';

/** A host out of `lspci`, with the lines of GPUs that a list names and the tree lacks. */
export interface LspciHost {
  readonly host: Host;
  readonly beyond: readonly { readonly address: string; readonly at: Where }[];
  /** The NUMA node of some root port is not told. */
  readonly numaOpen: boolean;
}

/**
 * Hosts out of `lspci -t`, one for each tree, else out of what `lspci -vv` says of the buses behind bridges. Lists beside a single
 * tree say more of the same devices; with several trees nobody knows whose list it is, unless it stands in the same file.
 */
export function hostsFromLspci(documents: readonly Lspci[]): LspciHost[] {
  const drawn = documents.filter((d) => d.roots.length > 0 && d.tree.length + d.leaves.length > 0);
  const main = drawn.length > 0 ? drawn : documents.filter((d) => d.devices.some((x) => x.below));
  return main.flatMap(
    (d) => hostOf(d, main.length === 1 ? documents : documents.filter((o) => o.file === d.file)) ?? [],
  );
}

/** What is known of one function. */
interface Known {
  readonly name: string;
  readonly ids?: string;
  readonly classCode: string;
  readonly at: readonly Where[];
  readonly listed?: PciDevice;
}

function hostOf(main: Lspci, beside: readonly Lspci[]): LspciHost | undefined {
  const listed = new Map<string, PciDevice>();
  for (const d of beside.flatMap((x) => x.devices)) {
    // Several lists of one device: what one leaves out the other adds.
    const before = listed.get(d.address);
    listed.set(d.address, before ? { ...d, ...before } : d);
  }
  const known = new Map<string, Known>();
  for (const leaf of main.leaves) {
    const list = listed.get(leaf.address);
    const name = leaf.name ?? list?.name ?? '';
    const ids = leaf.ids ?? list?.ids;
    known.set(leaf.address, {
      name,
      ...(ids === undefined ? {} : { ids }),
      classCode: list ? classOfWords(list.className) : classOfName(name, ids),
      at: [leaf.at],
      ...(list ? { listed: list } : {}),
    });
  }
  for (const edge of main.tree) {
    const list = listed.get(edge.bridge);
    known.set(edge.bridge, {
      name: list?.name ?? '',
      classCode: '0x060400',
      at: [edge.at],
      ...(list ? { listed: list } : {}),
    });
  }
  if (main.roots.length === 0) {
    for (const list of listed.values()) {
      const { name, ids, at } = list;
      const classCode = classOfWords(list.className);
      known.set(list.address, { name, ...(ids === undefined ? {} : { ids }), classCode, at: [at], listed: list });
    }
  }
  const tree = treeOf(main, known);
  const all = [...functionsOf(tree)];
  const seen = new Set(all.filter(isGpu).map((f) => f.address));
  if (seen.size === 0) return undefined;
  const beyond = [...listed.values()].filter((d) => !seen.has(d.address) && isListedGpu(d));
  // A grep may have left GPUs without the bridges above them: then nothing is known of their places.
  if (main.roots.length === 0 && beyond.length > 0) return undefined;
  const vendor = cpuVendor(known);
  const host = hostFromPci(tree, { affinity: new Map(), ...(vendor ? { vendor, arch: 'x86_64' } : {}) }, []);
  const told = editHost(host, {
    device: (d) =>
      d.gpus ? { ...d, gpus: d.gpus.map((g) => ({ ...g, ...productOf(known.get(d.busId ?? '')?.name) })) } : d,
  });
  return {
    host: { ...told, ratesUnknown: true },
    beyond,
    numaOpen: host.cpus.some((c) => c.numa < 0),
  };
}

const busOf = (address: string): string => address.slice(0, address.lastIndexOf(':'));

/** Functions below the bridges that lead to them. A bus whose bridge nobody shows is a root only where something on it says so. */
function treeOf(main: Lspci, known: ReadonlyMap<string, Known>): PciTree {
  const behind = new Map<string, string[]>();
  const led = new Set<string>();
  const lead = (bridge: string, bus: string): void => {
    if (led.has(bus) || bus === busOf(bridge)) return;
    led.add(bus);
    behind.set(bridge, [...(behind.get(bridge) ?? []), bus]);
  };
  for (const edge of main.tree) lead(edge.bridge, edge.bus);
  if (main.roots.length === 0)
    for (const [address, k] of known) {
      const below = k.listed?.below;
      const domain = address.slice(0, address.indexOf(':') + 1);
      if (below) lead(address, `${domain}${below.from.toString(16).padStart(2, '0')}`);
    }
  const on = new Map<string, string[]>();
  for (const address of [...known.keys()].sort()) on.set(busOf(address), [...(on.get(busOf(address)) ?? []), address]);
  const rdma = [...known.values()].some((k) => k.classCode.startsWith('0x02') && rdmaName.test(k.name));
  const real = new Set(
    [...known].filter(([, k]) => !virtual.test(k.name) && k.classCode.startsWith('0x02')).map(([a]) => busOf(a)),
  );
  const built = new Set<string>();
  const bus = (name: string): PciFunction[] => {
    if (built.has(name)) return [];
    built.add(name);
    return (on.get(name) ?? []).map((address) => {
      const k = known.get(address)!;
      const idle =
        k.classCode.startsWith('0x02') &&
        ((rdma && !rdmaName.test(k.name) && !/^0x0207/.test(k.classCode)) || (virtual.test(k.name) && real.has(name)));
      return functionOf(address, idle ? { ...k, classCode: otherClass } : k, (behind.get(address) ?? []).flatMap(bus));
    });
  };
  const roots =
    main.roots.length > 0
      ? [...new Set(main.roots)].sort()
      : [...on.keys()].filter((b) => !led.has(b) && on.get(b)!.some((a) => isOfRoot(known.get(a)!))).sort();
  return { roots: roots.map((name) => ({ bus: name, functions: bus(name) })) };
}

/** A function that the host itself has. */
const isOfRoot = (k: Known): boolean => k.classCode === '0x060000' || k.listed?.port === 'Root Port';

/** Slices of a card for guests; the card itself is beside them. */
const virtual = /Virtual Function/i;

function functionOf(address: string, k: Known, children: readonly PciFunction[]): PciFunction {
  const able = k.listed?.linkCap && linkText(k.listed.linkCap);
  const now = k.listed?.linkSta && linkText(k.listed.linkSta);
  return {
    address,
    classCode: k.classCode,
    vendor: vendorOf(k.name, k.ids) ?? '',
    device: k.ids === undefined ? numberIn(k.name) : `0x${k.ids.slice(5)}`,
    ...(k.listed?.numa ? { numa: k.listed.numa.value } : {}),
    ...(able ? { maxLink: able } : {}),
    ...(now ? { currentLink: now } : {}),
    rdma: [],
    interfaces: [],
    nvme: [],
    namesUnknown: true,
    at: k.at,
    children,
  };
}

/** `Device 2330`: what lspci writes where its list of names is older than the card. */
const numberIn = (name: string): string => {
  const found = / Device ([0-9a-f]{4})$/.exec(name);
  return found ? `0x${found[1]}` : '';
};

function linkText({ speed, width }: PciLink): SysfsLink | undefined {
  if (speed === undefined || width === undefined) return undefined;
  const gen = [...pcieGenerations.values()].find((g) => Number.parseFloat(g.speedText) === speed);
  return gen && { speed: gen.speedText, width };
}

const isListedGpu = (d: PciDevice): boolean =>
  isGpu({ classCode: classOfWords(d.className), vendor: vendorOf(d.name, d.ids) ?? '' });

/** Who made the CPU: its host bridges and root ports name it. */
function cpuVendor(known: ReadonlyMap<string, Known>): CpuVendor | undefined {
  const makers = new Set<CpuVendor>();
  for (const k of known.values()) {
    if (/^Advanced Micro Devices, Inc\. \[AMD\] .*(?:Root Complex|IOMMU)/.test(k.name)) makers.add('AMD');
    if (/^Intel Corporation .*(?:Root Complex|Root Port|VT-d|DMI2|Mesh|UPI|Xeon)/i.test(k.name)) makers.add('Intel');
  }
  return makers.size === 1 ? [...makers][0] : undefined;
}

/** The name in brackets is that of the product: `GH100 [H100 SXM5 80GB]`. */
function productOf(name: string | undefined): { product?: string; part?: string } {
  const bracket = name === undefined ? undefined : /\[([^[\]]+)\]$/.exec(name)?.[1];
  if (bracket === undefined || /^AMD/.test(bracket)) return {};
  const product = bracket.split(' / ')[0]!;
  const slug = product
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/(\d)gb\b/g, '$1g');
  const plain = (id: string): string => id.replace(/-sxm\d?\b/, '-sxm');
  const ids = [...gpus.keys()];
  const exact = ids.filter((id) => plain(id) === plain(slug));
  const near = exact.length > 0 ? exact : ids.filter((id) => plain(id).startsWith(`${plain(slug)}-`));
  const part = gpuByProduct(product)?.id ?? (near.length === 1 ? near[0] : undefined);
  return part === undefined ? { product } : { part, product: gpus.get(part)!.products[0] ?? product };
}
