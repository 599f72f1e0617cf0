import { gpuByProduct, gpus } from '../../catalogue/gpus.ts';
import { editHost } from '../../machine/edit.ts';
import type { Gpu, Host, PciDevice } from '../../machine/host.ts';
import { pciTree } from '../../machine/names.ts';
import type { HwlocXml } from '../../read/pci/hwloc-xml.ts';
import { hostFromPci } from '../from-pci-tree.ts';
import { type EndOf, nvlinksOf } from './nvlinks.ts';
import { pciOfHwloc } from './pci-of-hwloc.ts';

/** The host that `lstopo --of xml` shows; undefined where no GPU is in it, as in a file without its PCIe devices. */
export function hostFromHwloc(document: HwlocXml): Host | undefined {
  const { tree, cpu, ports, products, addresses } = pciOfHwloc(document);
  const bare = hostFromPci(tree, cpu, ports);
  const roles = new Map<string, PciDevice['role']>();
  bare.cpus.forEach((c, i) => {
    for (const { device } of pciTree(c, i)) if (device.busId !== undefined) roles.set(device.busId, device.role);
  });
  if (![...roles.values()].includes('gpu')) return undefined;
  const host = editHost(bare, {
    device: (d) =>
      d.gpus ? { ...d, gpus: d.gpus.map((g) => ({ ...g, ...productOf(products.get(d.busId ?? '')) })) } : d,
  });
  const endOf: EndOf = (object) => {
    if (/^(?:Package|NUMANode|Machine):/.test(object)) return { to: 'cpu' };
    const busId = addresses.get(object);
    const role = busId === undefined ? undefined : roles.get(busId);
    if (role === 'gpu') return { to: 'gpu', busId: busId! };
    // NVSwitches are no bridges of PCIe, and some files leave out what they are.
    return object.startsWith('PCIDev:') ? { to: 'nvswitch' } : undefined;
  };
  const parts = new Map<string, Gpu>();
  host.cpus.forEach((c, i) => {
    for (const { device } of pciTree(c, i)) for (const g of device.gpus ?? []) parts.set(device.busId ?? '', g);
  });
  const perLink = (busId: string): number | undefined => {
    const part = parts.get(busId)?.part;
    return part === undefined ? undefined : gpus.get(part)?.nvlink?.perLink.value;
  };
  const links = nvlinksOf(document, endOf, perLink);
  if (!links) return host;
  return editHost(host, {
    device: (d) => {
      const own = d.gpus && links.get(d.busId ?? '');
      return own ? { ...d, gpus: d.gpus.map(({ nvlinksUnknown: _open, ...g }) => ({ ...g, nvlinks: own })) } : d;
    },
  });
}

function productOf(product: string | undefined): { product?: string; part?: string } {
  if (product === undefined) return {};
  const part = gpuByProduct(product);
  return part ? { product, part: part.id } : { product };
}
