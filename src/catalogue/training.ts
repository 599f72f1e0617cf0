import { constant } from './calibration.ts';
import { sourced } from './sourced.ts';

const scaling = [
  'mosaic-llmfoundry-h100-80gb',
  'mosaic-llmfoundry-a100-40gb',
  'torchtitan-llama3-scaling',
  'horovod-pascal-25g-scaling',
] as const;

/**
 * What a training step takes beyond its kernels and the wires. The two fitted figures are shared by every machine,
 * network and model; how they were fitted, and how well a record is told by the others, stands in quality/train.md.
 */
export const training = {
  /**
   * Of the time that a collective takes alone, what kernels beside it lose: it holds multiprocessors and memory bandwidth,
   * and takes longer itself. The source measured kernels of an H100 at 47 instead of 80 % of the peak beside an AllGather.
   */
  takenByCollectives: constant(
    0.52,
    "share of a collective's time",
    [0.2, 0.95],
    'https://forums.developer.nvidia.com/t/compute-communication-overlap-causes-severe-gemm-performance-degradation-because-of-tail-effect/337991',
    ...scaling,
    'https://arxiv.org/abs/2507.03114: computation 18.9 % slower in the mean where it overlaps, at most 40 %',
  ),
  /**
   * How far GPUs of one kind lie apart in the time for the same kernels: one standard deviation. The source measured a
   * variation of 8 % over whole clusters, outliers apart; whiskers of a box plot span 5.4 standard deviations.
   */
  spreadOfRanks: constant(
    0.005,
    'share of the time of kernels',
    [0.003, 0.04],
    'https://arxiv.org/abs/2208.11035',
    ...scaling,
  ),
  /** Adam in 32 bits reads parameter, gradient and both moments, and writes all but the gradient. */
  optimizerBytes: sourced(28, 'bytes of GPU memory a parameter', 'https://arxiv.org/abs/1412.6980'),
} as const;
