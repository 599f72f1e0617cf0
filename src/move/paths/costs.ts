import { calibration } from '../../catalogue/calibration.ts';

/** Seconds in a microsecond. */
export const us = 1e-6;

/** A staged way is handed on in buffers of this size, as CUDA samples, cuFile and NCCL do. */
export const bufferBytes = 1 << 20;

/** Seconds of a core to launch one copy and see it finish; the same for every buffer of a staged way. */
export const launchCpu = 2 * us;

/** Handing over a buffer, in seconds. */
export const handOver = calibration.handOver.value * us;

/** Bytes per second of a stage that hands on each buffer before it takes the next. */
export const handed = (rate: number): number => 1 / (1 / rate + handOver / bufferBytes);
