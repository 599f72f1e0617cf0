import { gpuByDeviceId, gpuByProduct, gpus } from '../catalogue/gpus.ts';
import { editHost } from '../machine/edit.ts';
import type { Gpu, Host, PciDevice } from '../machine/host.ts';

/** Names the catalogue part of each GPU where its PCI ids or its product name tell, and the sm that goes with it. */
export function identify(host: Host): Host {
  const found = editHost(host, {
    device: (d) => (d.gpus ? { ...d, gpus: d.gpus.map((g) => named(g, d)) } : d),
  });
  let able = 0;
  let unable = 0;
  const count = (g: Gpu): Gpu => {
    if (g.gdr === false) unable++;
    else able++;
    return g;
  };
  editHost(found, { gpu: count });
  // Where no GPU can, it is not the NIC's side that keeps data from going direct, and nothing need be asked about it.
  return unable > 0 && able === 0 ? editHost(found, { port: (p) => ({ ...p, gdr: p.gdr ?? true }) }) : found;
}

function named(gpu: Gpu, device: PciDevice): Gpu {
  const part =
    (gpu.part === undefined ? undefined : gpus.get(gpu.part)) ??
    (gpu.product === undefined ? undefined : gpuByProduct(gpu.product)) ??
    (device.vendor === undefined || device.device === undefined
      ? undefined
      : gpuByDeviceId(device.vendor, device.device));
  if (!part) return gpu;
  const sm = gpu.sm ?? part.sm?.value;
  const product = gpu.product ?? part.products[0];
  // A board without NVLink has none, whoever keeps quiet about it.
  const { nvlinksUnknown, ...rest } = gpu;
  const open = nvlinksUnknown && part.nvlink ? { nvlinksUnknown } : {};
  // Nor does a board whose driver refuses GPUDirect RDMA do it because nobody said so; that another board could says nothing of modules.
  const gdr = gpu.gdr ?? (part.gdr?.value === false ? false : undefined);
  return {
    ...rest,
    ...open,
    part: part.id,
    ...(gdr === undefined ? {} : { gdr }),
    ...(sm === undefined ? {} : { sm }),
    ...(product === undefined ? {} : { product }),
  };
}
