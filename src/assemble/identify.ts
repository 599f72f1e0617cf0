import { gpuByDeviceId, gpuByProduct, gpus } from '../catalogue/gpus.ts';
import { editHost } from '../machine/edit.ts';
import type { Gpu, Host, PciDevice } from '../machine/host.ts';

/** Names the catalogue part of each GPU where its PCI ids or its product name tell, and the sm that goes with it. */
export function identify(host: Host): Host {
  return editHost(host, {
    device: (d) => (d.gpus ? { ...d, gpus: d.gpus.map((g) => named(g, d)) } : d),
  });
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
  return {
    ...rest,
    ...open,
    part: part.id,
    ...(sm === undefined ? {} : { sm }),
    ...(product === undefined ? {} : { product }),
  };
}
