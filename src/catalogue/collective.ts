import type { Calibrated } from './calibration.ts';

/**
 * What collectives cost beyond the wires: fitted on published nccl-tests results, none of which alone decides a value. How
 * they were fitted, and how well a generation is told by the others, stands in quality/predict.md.
 */
const tables = 'https://github.com/ai-dynamo/aiconfigurator';
const tests = 'https://github.com/NVIDIA/nccl-tests';
const sheets = 'https://www.nvidia.com/en-us/data-center/';
const azure = 'https://github.com/Azure/azurehpc-health-checks';

type Of = (value: number, low: number, high: number, unit: string) => Calibrated;
const from =
  (source: string, ...fitted: string[]): Of =>
  (value, low, high, unit) => ({ value, unit, range: [low, high], source, fitted });

const us = 'µs';
const perChannel = 'GB/s per channel';
const ofPeak = 'share of the peak';
const more = "µs more than InfiniBand's";

interface GenerationFigures {
  readonly start: number;
  readonly hop: number;
  readonly threads: number;
  readonly nvlinkShare: number;
  /** GB/s of the GPU's own memory, by its data sheet. */
  readonly memory: number;
}

/** Four figures are fitted for a generation; what else differs follows from them. */
const generation = (of: Of, f: GenerationFigures) => ({
  start: of(f.start, 3, 15, us),
  hop: of(f.hop, 0.4, 2, 'µs per hop'),
  threads: of(f.threads, 8, 150, perChannel),
  nvlinkShare: of(f.nvlinkShare, 0.7, 0.99, ofPeak),
  memory: { value: f.memory, unit: 'GB/s', source: sheets },
});

const volta = generation(from(tests, 'abci2-v', 'v100x8-hcm', 'deepops-dgx2h', 'autodl-2080ti'), {
  start: 6.183,
  hop: 0.8365,
  threads: 20.23,
  nvlinkShare: 0.905,
  memory: 900,
});
const ampere = generation(from(tables, 'a100-sxm4-80g-2_27_3', 'abci2-a', 'superbench-8xa100', 'dgxa100'), {
  start: 7.399,
  hop: 1.168,
  threads: 21.32,
  nvlinkShare: 0.7879,
  memory: 2039,
});
const hopper = generation(from(tables, 'h100-sxm5-80g-2_29_2', 'nt309-h100', 'aws-8xh100', 'azure-nd-h100-v5'), {
  start: 4.673,
  hop: 0.7907,
  threads: 34.4,
  nvlinkShare: 0.8418,
  memory: 3350,
});
const blackwell = generation(from(tables, 'b200-2_27_3', 'b200-2_29_2', 'gb300-2_29_2', 'nvl5-8g'), {
  start: 8.034,
  hop: 1.068,
  threads: 42.86,
  nvlinkShare: 0.8182,
  memory: 8000,
});

const switches3 = from(azure, 'h100-sxm5-80g-2_29_2', 'aws-8xh100', 'azure-nd-h100-v5', 'azure-nd-h200-v5', 'nt290');
const switches4 = from(tables, 'b200-2_27_3', 'b200-2_29_2', 'nvl5-8g-1n-allreduce');
const rings = from(tables, 'a100-sxm4-80g-2_27_3', 'h100-sxm5-80g-2_29_2', 'b200-2_29_2', 'gb300-2_29_2');
const nets = from(tests, 'nt309-h100', 'abci2-a', 'abci2-v', 'deepops-dgxa100', 'oci-a100', 'azure-aks-a100');
const efas = from('https://github.com/aws/aws-ofi-nccl', 'aws-p5-2n', 'aws-p6-b300-2n', 'aws-g7e-2n1g');
const tcps = from(tests, 'aws-g5-2n1g-allreduce-tcp');
const hosts = from(tests, 'autodl-2080ti-1n-allgather', 'autodl-2080ti-1n-broadcast', 'autodl-2080ti-1n-reduce');

export const collective = {
  volta,
  ampere,
  hopper,
  blackwell,
  /** What LL128 adds to the start. */
  startLl128: rings(12.46, 2, 40, us),
  /** What a thread needs to start a call on each of its GPUs, one after the other. */
  launchEach: from(
    tests,
    'v100x8-hcm',
    'azure-nd-a100-v4',
    'azure-nd-h200-v5',
    'superbench-8xa100',
  )(5, 3.5, 6.3, 'µs per GPU'),
  /** What every further channel of LL and LL128 costs up to NCCL 2.11; why is not known. */
  startChannel: nets(1.543, 0.5, 3, 'µs per channel'),
  /** What threads that move Simple's bytes move of others', which are flagged: LL's flags are half of them, LL128's one word of sixteen. */
  flagged: rings(0.4356, 0.2, 0.7, 'of the threads, flags counted'),
  /** One hop of a slice, in hops of LL. */
  sliceHops: rings(7.067, 1, 15, 'hops'),
  /** A copy inside a GPU, of its memory's rate. */
  copy: rings(0.1348, 0.05, 0.5, 'share of the memory'),
  /** Of the copies of all loops but the last: what other channels' traffic does not hide. */
  copyShare: rings(0.1789, 0.001, 1, 'share of the time'),
  /** Reductions in the switch: NVLink's share, by the switch's generation. */
  nvls: { hopper: switches3(0.6573, 0.5, 1, ofPeak), blackwell: switches4(0.5448, 0.5, 1, ofPeak) },
  /** What exchanges between all pairs reach. */
  exchangeShare: rings(0.8594, 0.6, 1, "share of a ring's rate"),
  /**
   * One hop through proxy, NIC, wire, NIC and proxy, empty: of words with flags (as long over PCIe or through host memory), and of what is
   * waited for as a whole: slices, and LL128's lines where ranks step together. Shares of a line (and of PCIe, through host memory one way) with headers taken off.
   */
  net: {
    ll: nets(4.188, 3, 10, 'µs per hop'),
    slices: nets(22.69, 5, 30, 'µs per hop'),
    share: nets(0.9304, 0.85, 1, 'share of the line'),
    // The two figures of a network that is not RDMA as InfiniBand's: what its hop takes longer, and its share. EFA's first generation is
    // beside A100 (aws-p4d); those beside Hopper and what follows pass what InfiniBand does.
    efa: { hop: nets(32.02, 5, 60, more), share: nets(0.68, 0.5, 1, 'share of the line') },
    efaLater: { hop: efas(25, 5, 60, more), share: efas(1, 0.7, 1.05, 'share of the line') },
    tcpx: { hop: nets(87.61, 20, 200, more), share: nets(0.8364, 0.5, 1, 'share of the line') },
    tcpxo: { hop: nets(1.342, 0, 60, more), share: nets(0.9918, 0.7, 1, 'share of the line') },
    slingshot: { hop: nets(0, 0, 20, more), share: nets(0.9192, 0.6, 1, 'share of the line') },
    // One table asks for 75 (clouds' networks take longer than a switch on its own), none for the share.
    sockets: { hop: tcps(60, 20, 100, more), share: tcps(0.6, 0.2, 1, 'share of the line') },
  },
  /** Through host memory, of PCIe, for GPUs that read and write at once; some CPUs hold them below it (`gpusInMemory` of cpus.ts). */
  shm: { both: hosts(0.61, 0.3, 1, 'share of the link') },
  /** Towards a NIC without GPUDirect RDMA, what is sent and what is received together. */
  stagedShare: from(tests, 'moc-h100-roce-sendrecv-roce-1gpu')(0.576, 0.2, 0.8, 'share of the link'),
} as const;
