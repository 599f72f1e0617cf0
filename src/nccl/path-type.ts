import { atLeast, type Release, since } from './release.ts';

/**
 * NCCL's path types, best first. The order is the same in every release; older releases lack some, and each numbers
 * them its own way, which is what a log line such as "distance 7 > 4" prints.
 * Source: src/graph/topo.h of the respective tags, https://github.com/NVIDIA/nccl.
 */
export const pathTypes = ['LOC', 'NVL', 'NVB', 'C2C', 'PIX', 'PXB', 'P2C', 'PXN', 'PHB', 'SYS', 'NET', 'DIS'] as const;
export type PathType = (typeof pathTypes)[number];

export const LOC = 0;
export const NVL = 1;
export const NVB = 2;
export const C2C = 3;
export const PIX = 4;
export const PXB = 5;
export const P2C = 6;
export const PXN = 7;
export const PHB = 8;
export const SYS = 9;
export const NET = 10;
export const DIS = 11;

/** Two path halves joined at a CPU: C2C on one side and PCIe on the other make P2C (from 2.27.3), else the worse half. */
export function merged(a: number, b: number, release: Release): number {
  if (((a === C2C && b === PHB) || (a === PHB && b === C2C)) && atLeast(release, '2.27.3')) return P2C;
  return Math.max(a, b);
}

const numbering: readonly (readonly [string, readonly PathType[]])[] = [
  ['2.6.4', ['LOC', 'NVL', 'PIX', 'PXB', 'PHB', 'SYS', 'NET']],
  ['2.8.3', ['LOC', 'NVL', 'NVB', 'PIX', 'PXB', 'PHB', 'SYS']],
  ['2.12.7', ['LOC', 'NVL', 'NVB', 'PIX', 'PXB', 'PXN', 'PHB', 'SYS']],
  ['2.18.1', ['LOC', 'NVL', 'NVB', 'PIX', 'PXB', 'PXN', 'PHB', 'SYS', 'NET', 'DIS']],
  ['2.26.2', ['LOC', 'NVL', 'NVB', 'C2C', 'PIX', 'PXB', 'PXN', 'PHB', 'SYS', 'NET', 'DIS']],
  ['2.27.3', ['LOC', 'NVL', 'NVB', 'C2C', 'PIX', 'PXB', 'PXN', 'P2C', 'PHB', 'SYS', 'NET', 'DIS']],
  ['2.27.5', pathTypes],
];

/** The path types a release knows, in the order of its own numbers. */
export const typesOf = (release: Release): readonly PathType[] => since(release, numbering);

/** What a release prints as a number for a path type (logs: "distance A > B"); undefined when it lacks that type. */
export function numberOf(type: PathType, release: Release): number | undefined {
  const i = typesOf(release).indexOf(type);
  return i < 0 ? undefined : i;
}

/** The path type behind a number that a release printed. */
export const typeOfNumber = (n: number, release: Release): PathType | undefined => typesOf(release)[n];
