import { atLeast, type Release, since } from '../release.ts';

type Rows = readonly (readonly [string, readonly number[]])[];

/** GB/s per channel that a search tries, falling (src/graph/search.cc). */
const slow = [2.4, 1.2, 0.24, 0.12];
const middle = [18, 15, 12, 10, 9, 7, 6, 5, 4, 3];
const one = [24, 21, ...middle, ...slow];
const both: Rows = [
  ['2.6.4', one],
  ['2.7.3', [42, ...one]],
  ['2.8.3', [42, 30, ...one]],
];
const generalIntra: Rows = [
  ['2.10.3', [44, 30, 22, ...middle]],
  ['2.18.1', [40, 30, 20, ...middle]],
];
const generalInter: Rows = [
  ['2.10.3', [48, 30, 24, 22, ...middle, ...slow]],
  ['2.15.1', [48, 30, 28, 24, 22, ...middle, ...slow]],
  ['2.18.1', [48, 30, 28, 24, 20, ...middle, ...slow]],
];
const sm90Intra: Rows = [
  ['2.16.5', [66, 33, 24, 20, 15, 12, 6, 3]],
  ['2.18.1', [60, 40, 30, 24, 20, 15, 12, 6, 3]],
  ['2.19.1', [60, 50, 40, 30, 24, 20, 15, 12, 6, 3]],
  ['2.21.5', [60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3]],
];
const sm90Inter: Rows = [
  ['2.16.5', [48, 45, 30, 24, 15, 12, 6, 3, ...slow]],
  ['2.18.1', [48, 45, 42, 40, 30, 24, 15, 12, 6, 3, ...slow]],
  ['2.18.3', [48, 45, 42, 40, 30, 24, 20, 17.5, 15, 12, 6, 3, ...slow]],
  ['2.19.3', [48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, ...slow]],
];
const sm100Intra: Rows = [
  ['2.25.1', [90, 80, 70, 60, 50, 40, 30, 24, 20, 19]],
  ['2.27.3', [90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18]],
  ['2.29.2', [90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18]],
];
const tail = [42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, ...slow];
const sm100Inter: Rows = [
  ['2.25.1', [48, 45, ...tail]],
  ['2.27.3', [47.9, 45, ...tail]],
  ['2.27.5', [48, 45.1, ...tail]],
  ['2.27.6', [96, 48, 45.1, ...tail]],
  ['2.29.7', [96, 80, 48, 45.1, ...tail]],
  ['2.30.3', [96, 86, 80, 48, 45.1, ...tail]],
];

export function speedsFor(release: Release, sm: number, inter: boolean): readonly number[] {
  if (!atLeast(release, '2.10.3')) return floats(since(release, both));
  if (sm >= 100 && atLeast(release, '2.25.1')) return floats(since(release, inter ? sm100Inter : sm100Intra));
  if (sm >= 90 && atLeast(release, '2.16.5')) return floats(since(release, inter ? sm90Inter : sm90Intra));
  return floats(since(release, inter ? generalInter : generalIntra));
}

const floats = (list: readonly number[]): readonly number[] => list.map(Math.fround);

/** Visits that a search may make: in all, in one attempt, for a tree, and with all channels alike. */
export interface Budgets {
  readonly total: number;
  readonly search: number;
  readonly tree: number;
  readonly same: number;
}

const budgetRows: readonly (readonly [string, Budgets])[] = [
  ['2.6.4', { total: 3 * 2 ** 19, search: 2 ** 18, tree: 2 ** 17, same: 2 ** 10 }],
  ['2.12.7', { total: 2 ** 18, search: 2 ** 14, tree: 2 ** 14, same: 2 ** 8 }],
  ['2.18.3', { total: 5 * 2 ** 16, search: 2 ** 14, tree: 2 ** 14, same: 2 ** 8 }],
  ['2.19.1', { total: 2 ** 19, search: 2 ** 14, tree: 2 ** 14, same: 2 ** 8 }],
];
export const budgetsFor = (release: Release): Budgets => since(release, budgetRows);
