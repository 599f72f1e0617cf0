import { atLeast, type Release } from '../release.ts';
import type { Algorithm, Collective } from './model.ts';

/** Constants of NCCL's cost model by release (src/graph/tuning.cc). Latencies in µs for LL, LL128, Simple; GB/s. */
type Three = readonly [number, number, number];
type ByRelease<T> = readonly (readonly [string, T])[];
type Latencies = Readonly<Record<Algorithm, Three>>;

/** Row of the tables below for a compute capability: Volta, Ampere, Hopper, Blackwell. */
export function smRow(sm: number, release: Release): number {
  if (sm >= 100 && atLeast(release, '2.25.1')) return 3;
  return sm >= 90 ? 2 : sm >= 80 ? 1 : 0;
}

const none: Three = [0, 0, 0];

export const base: ByRelease<Latencies> = [
  ['2.6.4', { Tree: [4.4, 4.4, 0], Ring: [3.6, 3.6, 8.4], NVLS: none, NVLSTree: none, PAT: none }],
  ['2.7.3', { Tree: [4.4, 4.4, 0], Ring: [3.6, 10, 8.4], NVLS: none, NVLSTree: none, PAT: none }],
  ['2.18.1', { Tree: [6.8, 14, 0], Ring: [6.6, 14, 8.4], NVLS: none, NVLSTree: none, PAT: none }],
  ['2.23.4', { Tree: [6.8, 14, 8.4], Ring: [6.6, 14, 8.4], NVLS: none, NVLSTree: none, PAT: [8, 8, 8] }],
];

interface Hardware {
  readonly nvlink: Latencies;
  readonly pci: Latencies;
  readonly net: Latencies;
}

const simple = (us: number): Three => [0, 0, us];
const hardwareOf = (
  tree: readonly [number, number, number],
  nvls: number,
  nvlsTreeNet: number,
  pat: readonly [number, number, number],
): Hardware => ({
  nvlink: {
    Tree: [0.6, 1.25, tree[0]],
    Ring: [0.6, 1.9, 3.4],
    NVLS: simple(nvls),
    NVLSTree: simple(nvls),
    PAT: simple(pat[0]),
  },
  pci: { Tree: [1, 1.9, tree[1]], Ring: [1, 2.5, 5.7], NVLS: none, NVLSTree: none, PAT: simple(pat[1]) },
  net: {
    Tree: [5, 8.5, tree[2]],
    Ring: [2.7, 4, 14],
    NVLS: simple(18),
    NVLSTree: simple(nvlsTreeNet),
    PAT: simple(pat[2]),
  },
});

/** Before NVLS: NVLink and network rows of tree and ring; PCIe stayed the same. */
const earlier = (treeNvlink: Three, ringNvlink: Three, treeNet: Three, ringNet: Three): Hardware => {
  const rest = { NVLS: none, NVLSTree: none, PAT: none };
  return {
    nvlink: { Tree: treeNvlink, Ring: ringNvlink, ...rest },
    pci: { Tree: [1, 1.9, 28], Ring: [1, 2.5, 5.7], ...rest },
    net: { Tree: treeNet, Ring: ringNet, ...rest },
  };
};

export const hardware: ByRelease<Hardware> = [
  ['2.6.4', earlier([0.5, 1.9, 28], [0.4, 2.5, 5.7], [5, 7.5, 50], [0.9, 2.5, 6.6])],
  ['2.7.3', earlier([0.52, 1.2, 28], [0.47, 1.9, 3.4], [5, 8.5, 50], [2.7, 4, 9.6])],
  ['2.8.3', earlier([0.52, 1.25, 28], [0.47, 1.9, 3.4], [5, 8.5, 28], [2.7, 4, 9.6])],
  ['2.12.7', earlier([0.52, 1.25, 28], [0.47, 1.9, 3.4], [5, 8.5, 28], [2.7, 4, 28])],
  ['2.14.3', earlier([0.52, 1.25, 28], [0.47, 1.9, 3.4], [5, 8.5, 28], [2.7, 4, 9.6])],
  ['2.18.1', hardwareOf([28, 28, 28], 0, 19, none)],
  ['2.18.3', hardwareOf([4, 6, 14], 0, 19, none)],
  ['2.19.1', hardwareOf([28, 28, 28], 23, 14, none)],
  ['2.21.5', hardwareOf([28, 28, 28], 25, 14, none)],
  ['2.23.4', hardwareOf([4, 4, 14], 25, 14, none)],
  ['2.28.3', hardwareOf([4, 4, 14], 25, 14, [4, 4, 14])],
  ['2.28.9', hardwareOf([4, 4, 14], 25, 20.9, [4, 4, 14])],
];

/** Columns: 1, 2, 3 and more nodes. */
type Caps = readonly [Three, Three, Three, Three];
const times2 = (t: Three): Three => [t[0] * 2, t[1] * 2, t[2] * 2];
const all = (x: number): Three => [x, x, x];

const llVolta: Three = [39, 39, 20.4];
const llAmpere: Three = [87.7, 22.5, 19];
const noCap = all(Number.POSITIVE_INFINITY);
export const llMaxBw: ByRelease<Caps> = [
  ['2.6.4', [noCap, noCap, noCap, noCap]],
  ['2.8.3', [llVolta, llAmpere, llAmpere, llAmpere]],
  ['2.15.1', [llVolta, llAmpere, llAmpere, llAmpere]],
  ['2.21.5', [llVolta, llAmpere, [141, 45, 35], [141, 45, 35]]],
  ['2.25.1', [llVolta, llAmpere, [141, 45, 35], [282, 90, 70]]],
];

const ringVolta = all(20);
const ringHopper = all(36.7);
export const ringLl128: ByRelease<Caps> = [
  ['2.10.3', [ringVolta, ringVolta, ringVolta, ringVolta]],
  ['2.17.1', [ringVolta, ringVolta, ringHopper, times2(ringHopper)]],
  ['2.28.7', [ringVolta, ringVolta, ringHopper, [73.4, 34.6, 73.4]]],
  ['2.29.2', [ringVolta, ringVolta, ringHopper, [34.5, 34.6, 34.5]]],
  ['2.29.7', [ringVolta, ringVolta, ringHopper, all(40)]],
];

const treeHopper128: Three = [36.7, 36.7, 29];
export const treeLl128: ByRelease<Caps> = [
  ['2.10.3', [ringVolta, ringVolta, ringVolta, ringVolta]],
  ['2.17.1', [ringVolta, ringVolta, ringHopper, times2(ringHopper)]],
  ['2.18.3', [ringVolta, ringVolta, treeHopper128, times2(treeHopper128)]],
  ['2.28.3', [ringVolta, ringVolta, treeHopper128, [55.6, 31.67, 20]]],
];

const treeVolta: Three = [26.5, 18.5, 10];
const treeAmpere: Three = [24, 23.6, 17.8];
const treeHopper: Three = [38.7, 41.4, 36];
export const treeCap: ByRelease<Caps> = [
  ['2.8.3', [treeVolta, [24, 22.5, 16], [24, 22.5, 16], [24, 22.5, 16]]],
  ['2.10.3', [treeVolta, treeAmpere, treeAmpere, treeAmpere]],
  ['2.17.1', [treeVolta, treeAmpere, [38.7, 41.4, 33], [38.7, 41.4, 33]]],
  ['2.18.3', [treeVolta, treeAmpere, treeHopper, times2(treeHopper)]],
  ['2.28.3', [treeVolta, treeAmpere, treeHopper, [70, 42.8, 24]]],
];

const nvlsHopper: Three = [0, 57.7, 45.5];
export const nvlsTreeCap: ByRelease<Caps> = [
  ['2.28.3', [treeVolta, treeAmpere, nvlsHopper, [0, 96, 43.1]]],
  ['2.28.9', [treeVolta, treeAmpere, nvlsHopper, [0, 96, 43.8]]],
  ['2.30.3', [treeVolta, treeAmpere, nvlsHopper, [0, 96, 80]]],
];

type ByCollective = Readonly<Record<Collective, number>>;
/** LL128's cap before 2.10.3, by collective: of the whole bus in 2.6, of one channel after. */
export const ll128Early: ByRelease<ByCollective> = [
  ['2.6.4', { Broadcast: 113, Reduce: 72, AllGather: 110, ReduceScatter: 91, AllReduce: 100 }],
  ['2.7.3', { Broadcast: 18.8, Reduce: 12, AllGather: 18.3, ReduceScatter: 15.2, AllReduce: 16.7 }],
  ['2.8.3', { Broadcast: 18.8, Reduce: 12, AllGather: 18.3, ReduceScatter: 15.2, AllReduce: 16.9 }],
];

export const nvlsEfficiency = [0, 0, 0.85, 0.74] as const;

/** What small sizes get of a tree's bandwidth: one entry for each power of two from 64 B. */
export const treeCorrection = {
  LL: [1, 1, 1, 1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1, 1, 1],
  LL128: [1, 1, 1, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1, 1],
  Simple: [
    0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9,
    0.9,
  ],
} as const;
