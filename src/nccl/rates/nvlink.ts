import { type Release, since } from '../release.ts';

/** GB/s of one NVLink in one direction by compute capability, as NCCL counts it (src/graph/topo.h). */
interface Rates {
  readonly sm60: number;
  readonly sm70: number;
  readonly sm80: number;
  readonly sm86: number;
  readonly sm90: number;
  readonly sm100: number;
}

const rows: readonly (readonly [string, Rates])[] = [
  ['2.6.4', { sm60: 18, sm70: 21, sm80: 21, sm86: 21, sm90: 21, sm100: 21 }],
  ['2.8.3', { sm60: 18, sm70: 21, sm80: 21, sm86: 12, sm90: 21, sm100: 21 }],
  ['2.10.3', { sm60: 18, sm70: 22, sm80: 22, sm86: 12, sm90: 22, sm100: 22 }],
  ['2.18.1', { sm60: 18, sm70: 20, sm80: 20, sm86: 12, sm90: 20, sm100: 20 }],
  ['2.20.3', { sm60: 18, sm70: 20, sm80: 20, sm86: 12, sm90: 20.6, sm100: 20.6 }],
  ['2.25.1', { sm60: 18, sm70: 20, sm80: 20, sm86: 12, sm90: 20.6, sm100: 40 }],
  ['2.27.5', { sm60: 18, sm70: 20, sm80: 20, sm86: 12, sm90: 20.6, sm100: 40.1 }],
];

export function nvlinkGBps(sm: number, release: Release): number {
  const r = since(release, rows);
  if (sm >= 100) return r.sm100;
  if (sm >= 90) return r.sm90;
  if (sm === 86) return r.sm86;
  if (sm >= 80) return r.sm80;
  if (sm >= 70) return r.sm70;
  if (sm >= 60) return r.sm60;
  return r.sm80;
}
