import { atLeast, type Release } from '../release.ts';

/** Per lane, in units of 100 Mb/s, by the beginning of the speed text; the first entry that fits wins (kvDictPciGen). */
const common: readonly (readonly [string, number])[] = [
  ['2.5 GT/s', 15],
  ['5 GT/s', 30],
  ['8 GT/s', 60],
  ['16 GT/s', 120],
];
const withGen5: readonly (readonly [string, number])[] = [...common, ['32 GT/s', 240]];
const kernelSpelling: readonly (readonly [string, number])[] = [
  ['5.0 GT/s PCIe', 30],
  ['8.0 GT/s PCIe', 60],
  ['16.0 GT/s PCIe', 120],
  ['32.0 GT/s PCIe', 240],
  ['64.0 GT/s PCIe', 480],
];

/** What NCCL takes for a text it does not know, an empty one included: Gen3. */
const fallback = 60;

export function pcieLaneRate(speed: string, release: Release): { readonly rate: number; readonly known: boolean } {
  const table = [
    ...(atLeast(release, '2.12.12') ? withGen5 : common),
    ...(atLeast(release, '2.11.4') ? kernelSpelling : []),
  ];
  for (const [prefix, rate] of table) if (speed.startsWith(prefix)) return { rate, known: true };
  return { rate: fallback, known: false };
}

/** GB/s of a link as NCCL counts it; width 0 or unknown counts as 16 lanes. */
export function pcieGBps(speed: string | undefined, width: number | undefined, release: Release): number {
  const lanes = width === undefined || width === 0 ? 16 : width;
  return Math.fround((lanes * pcieLaneRate(speed ?? '', release).rate) / 80);
}
