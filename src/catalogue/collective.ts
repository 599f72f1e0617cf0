import type { Calibrated } from './calibration.ts';

/**
 * What collectives cost beyond the wires: fitted on published nccl-tests results, none of which alone decides a value. How
 * they were fitted, and how well a generation is told by the others, stands in quality/predict.md.
 */
const tables = 'https://github.com/ai-dynamo/aiconfigurator';
const tests = 'https://github.com/NVIDIA/nccl-tests';
const azure = 'https://github.com/Azure/azurehpc-health-checks';

type Of = (value: number, low: number, high: number, unit: string) => Calibrated;
const from =
  (source: string, ...fitted: string[]): Of =>
  (value, low, high, unit) => ({ value, unit, range: [low, high], source, fitted });

const us = 'µs';
const perChannel = 'GB/s per channel';
const ofPeak = 'share of the peak';

interface GenerationFigures {
  readonly start: number;
  readonly startLl128: number;
  readonly startSimple: number;
  readonly hop: number;
  readonly slice: number;
  readonly ll: number;
  readonly ll128: number;
  readonly simple: number;
  readonly nvlinkShare: number;
  readonly localCopy: number;
  readonly exchange: number;
}

const generation = (of: Of, f: GenerationFigures) => ({
  start: of(f.start, 3, 15, us),
  startLl128: of(f.startLl128, 2, 25, us),
  startSimple: of(f.startSimple, 1, 30, us),
  hop: of(f.hop, 0.4, 2, 'µs per hop'),
  slice: of(f.slice, 1, 10, 'µs per slice and hop'),
  channelLl: of(f.ll, 2, 20, perChannel),
  channelLl128: of(f.ll128, 2, 40, perChannel),
  channelSimple: of(f.simple, 8, 150, perChannel),
  nvlinkShare: of(f.nvlinkShare, 0.7, 0.95, ofPeak),
  localCopy: of(f.localCopy, 150, 3000, 'GB/s'),
  exchangeChannel: of(f.exchange, 5, 60, perChannel),
});

const volta = generation(from(tests, 'abci2-v', 'v100x8-hcm', 'deepops-dgx2h', 'autodl-2080ti'), {
  start: 6.62,
  startLl128: 17.3,
  startSimple: 6.75,
  hop: 0.689,
  slice: 1.28,
  ll: 3.4,
  ll128: 4.25,
  simple: 15.4,
  nvlinkShare: 0.838,
  localCopy: 377,
  exchange: 11,
});
const ampere = generation(from(tables, 'a100-sxm4-80g-2_27_3', 'abci2-a', 'superbench-8xa100', 'dgxa100'), {
  start: 9.22,
  startLl128: 13.3,
  startSimple: 11.9,
  hop: 0.754,
  slice: 5.12,
  ll: 4.66,
  ll128: 7.69,
  simple: 22.4,
  nvlinkShare: 0.819,
  localCopy: 296,
  exchange: 11.7,
});
const hopper = generation(from(tables, 'h100-sxm5-80g-2_29_2', 'nt309-h100', 'aws-8xh100', 'azure-nd-h100-v5'), {
  start: 4.87,
  startLl128: 10.7,
  startSimple: 9.53,
  hop: 0.72,
  slice: 2.68,
  ll: 8.4,
  ll128: 18.6,
  simple: 42,
  nvlinkShare: 0.845,
  localCopy: 494,
  exchange: 18.6,
});
const blackwell = generation(from(tables, 'b200-2_27_3', 'b200-2_29_2', 'gb300-2_29_2', 'nvl5-8g'), {
  start: 7.69,
  startLl128: 4.78,
  startSimple: 1.94,
  hop: 1.13,
  slice: 5.87,
  ll: 9.86,
  ll128: 11.5,
  simple: 94.2,
  nvlinkShare: 0.79,
  localCopy: 821,
  exchange: 22.4,
});

const nvlsHopper = from(azure, 'h100-sxm5-80g-2_29_2', 'aws-8xh100', 'azure-nd-h100-v5', 'azure-nd-h200-v5', 'nt290');
const nvlsBlackwell = from(tables, 'b200-2_27_3', 'b200-2_29_2', 'nvl5-8g-1n-allreduce');
const rings = from(tables, 'a100-sxm4-80g-2_27_3', 'h100-sxm5-80g-2_29_2', 'b200-2_29_2', 'gb300-2_29_2');
const nets = from(tests, 'nt309-h100', 'abci2-a', 'abci2-v', 'deepops-dgxa100', 'oci-a100', 'azure-aks-a100');
const shm = from(tests, 'autodl-2080ti-1n-allgather', 'autodl-2080ti-1n-broadcast', 'autodl-2080ti-1n-reduce');

export const collective = {
  volta,
  ampere,
  hopper,
  blackwell,
  /** NVLS: an empty round of a channel over all heads; what its threads move; NVLink's share. */
  nvls: {
    hopper: {
      round: nvlsHopper(4.4, 2, 15, us),
      channel: nvlsHopper(3.26, 1.5, 10, perChannel),
      share: nvlsHopper(0.668, 0.5, 1, ofPeak),
    },
    blackwell: {
      round: nvlsBlackwell(10.5, 2, 15, us),
      channel: nvlsBlackwell(4.36, 1.5, 10, perChannel),
      share: nvlsBlackwell(0.629, 0.5, 1, ofPeak),
    },
    fillRounds: nvlsHopper(1.96, 1, 3, 'rounds'),
  },
  /** Of the copies of all loops but the last: what other channels' traffic does not hide. */
  copyShare: rings(0.452, 0.2, 1, 'share of the time'),
  /** What a group of sends and receives adds to the start, and each message; what of NVLink's or PCIe's share, and of PCIe through host memory, they reach. */
  exchange: {
    startLl: rings(0.7, 0, 5, us),
    startSimple: rings(1.75, 0, 15, us),
    message: rings(0.22, 0, 1, 'µs per message'),
    share: rings(0.825, 0.6, 1, "share of a ring's rate"),
    shm: from(tests, 'autodl-2080ti-1n-alltoall')(0.71, 0.4, 1, 'share of the link'),
  },
  /** One hop through proxy, NIC, wire, NIC and proxy, empty. */
  net: {
    ll: nets(5.49, 3, 10, 'µs per hop'),
    ll128: nets(12.9, 5, 25, 'µs per hop'),
    simple: nets(13.8, 5, 30, 'µs per hop'),
    share: nets(0.943, 0.85, 1, 'share of the line, headers taken off'),
    // The two figures of a network that is not RDMA as InfiniBand's: its hop in InfiniBand's, and its share.
    efa: { hop: nets(4.84, 2, 12, "InfiniBand's hops"), share: nets(0.8, 0.5, 1, 'share of the line') },
    tcpx: { hop: nets(36, 10, 60, "InfiniBand's hops"), share: nets(0.79, 0.5, 1, 'share of the line') },
    tcpxo: { hop: nets(9.65, 4, 20, "InfiniBand's hops"), share: nets(0.951, 0.7, 1, 'share of the line') },
    slingshot: { hop: nets(1.01, 0.7, 3, "InfiniBand's hops"), share: nets(0.818, 0.6, 1, 'share of the line') },
    sockets: { hop: nets(5, 2, 20, "InfiniBand's hops"), share: nets(0.6, 0.2, 1, 'share of the line') },
  },
  /** Share of PCIe that goes through host memory: one way; a GPU reading and writing at once. */
  shmOne: shm(0.876, 0.6, 1, 'share of the link'),
  shmBoth: shm(0.505, 0.3, 1, 'share of the link'),
  /** The most a GPU gets through host memory both ways at once, however fast its link. */
  shmBothMost: shm(5, 3, 10, 'GB/s'),
  /** Towards a NIC without GPUDirect RDMA, what is sent and what is received together. */
  stagedShare: from(tests, 'moc-h100-roce-sendrecv-roce-1gpu')(0.576, 0.2, 0.8, 'share of the link'),
  /** A hop through host memory or over PCIe, in hops over NVLink. */
  slowHop: shm(4.5, 1, 5, 'hops'),
  /** What every further channel of LL and LL128 costs up to NCCL 2.11; why is not known. */
  startChannel: nets(1.62, 0.5, 3, 'µs per channel'),
} as const;
