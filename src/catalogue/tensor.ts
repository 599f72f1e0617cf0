import { type Sourced, sourced } from './sourced.ts';

const volta = 'https://images.nvidia.com/content/volta-architecture/pdf/volta-architecture-whitepaper.pdf';
const ampere =
  'https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/nvidia-ampere-architecture-whitepaper.pdf';
const a30 = 'https://www.nvidia.com/content/dam/en-zz/Solutions/data-center/products/a30-gpu/pdf/a30-datasheet.pdf';
const a40 = 'https://images.nvidia.com/content/Solutions/data-center/a40/nvidia-a40-datasheet.pdf';
const a10 = 'https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf';
const h100 = 'https://resources.nvidia.com/en-us-gpu-resources/h100-datasheet-24306';
const h200 = 'https://www.nvidia.com/en-us/data-center/h200/';
const h20 =
  'https://www.tomshardware.com/pc-components/gpus/new-nvidia-ai-gpus-designed-to-get-around-us-export-bans-come-to-china-h20-l20-and-l2-to-fill-void-left-by-restricted-models';
const gh200 = 'https://resources.nvidia.com/en-us-grace-cpu/grace-hopper-superchip';
const hgx = 'https://www.nvidia.com/en-us/data-center/hgx/';
const nvl72 = 'https://www.nvidia.com/en-us/data-center/gb200-nvl72/';
const gb300 = 'https://www.nvidia.com/en-us/data-center/gb300-nvl72/';
const l4 = 'https://resources.nvidia.com/en-us-data-center-overview/l4-gpu-datasheet';
const l40s = 'https://resources.nvidia.com/en-us-l40s/l40s-datasheet-28413';
const ada = 'https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf';
const ga102 = 'https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf';

const rate = (value: number, source: string): Sourced => sourced(value, 'TFLOP/s of 16-bit products, dense', source);

/** What a GPU's tensor cores do at their peak, by part id: 16-bit factors, 32-bit sums, no sparsity. */
export const tensorRates: Readonly<Record<string, Sourced>> = {
  'v100-sxm2-16g': rate(125, volta),
  'v100-sxm2-32g': rate(125, volta),
  'v100-sxm3-32g': rate(125, volta),
  'a100-sxm4-40g': rate(312, ampere),
  'a100-sxm4-80g': rate(312, ampere),
  'a100-pcie-40g': rate(312, ampere),
  'a100-pcie-80g': rate(312, ampere),
  'a800-sxm4-80g': rate(312, ampere),
  a30: rate(165, a30),
  a40: rate(149.7, a40),
  a10: rate(125, a10),
  'h100-sxm5-80g': rate(989, h100),
  'h100-pcie-80g': rate(756, h100),
  'h100-nvl-94g': rate(835, h100),
  'h800-sxm5-80g': rate(989, h100),
  'h200-sxm5-141g': rate(989, h200),
  h20: rate(148, h20),
  'gh200-120g': rate(990, gh200),
  b200: rate(2250, hgx),
  b300: rate(2250, hgx),
  gb200: rate(2500, nvl72),
  gb300: rate(2500, gb300),
  l4: rate(121, l4),
  l40s: rate(362, l40s),
  'rtx-4090': rate(165.2, ada),
  'rtx-3090': rate(71, ga102),
};
