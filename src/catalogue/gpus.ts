import { adaLovelace } from './gpu/ada.ts';
import { amd } from './gpu/amd.ts';
import { ampere } from './gpu/ampere.ts';
import { beforeAmpere } from './gpu/before-ampere.ts';
import { blackwell } from './gpu/blackwell.ts';
import { hopper } from './gpu/hopper.ts';
import type { GpuPart } from './gpu/part.ts';

export type { GpuPart } from './gpu/part.ts';

/** Every GPU of the catalogue, by id. */
export const gpus: ReadonlyMap<string, GpuPart> = new Map(
  [...beforeAmpere, ...ampere, ...hopper, ...blackwell, ...adaLovelace, ...amd].map((part) => [part.id, part]),
);

const byDevice = new Map<string, GpuPart>();
const byProduct = new Map<string, GpuPart>();
/** Tools print the same card with and without the brand, and topology tables cut the name: compare what is left. */
const plain = (product: string): string =>
  product
    .toLowerCase()
    .replace(/^(?:nvidia|amd|tesla|geforce|instinct)\b|\b(?:nvidia|tesla|geforce|instinct)\b/g, ' ')
    .replace(/[\s_-]+/g, ' ')
    .trim();
for (const part of gpus.values()) {
  for (const id of part.deviceIds) byDevice.set(`${part.pciVendor}:${id}`, part);
  for (const product of part.products) byProduct.set(plain(product), part);
}

/** The part with this PCI vendor and device id (`0x10de`, `0x2330`; case does not matter). */
export const gpuByDeviceId = (vendor: string, device: string): GpuPart | undefined =>
  byDevice.get(`${vendor.toLowerCase()}:${device.toLowerCase()}`);

/** The part a tool names: `NVIDIA H100 80GB HBM3`, `Tesla V100-SXM2-16GB`, with or without the brand. */
export const gpuByProduct = (product: string): GpuPart | undefined => byProduct.get(plain(product));
