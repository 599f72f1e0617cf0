import { calibration } from '../../catalogue/calibration.ts';
import { say } from '../../words/message.ts';
import type { DataPathModel, Timing } from '../model.ts';

/** Seconds in a microsecond. */
export const us = 1e-6;

/** A staged way is handed on in buffers of this size, as CUDA samples, cuFile and NCCL do. */
export const bufferBytes = 1 << 20;

/** Seconds of a core to launch one copy and see it finish; the same for every buffer of a staged way. */
export const launchCpu = 2 * us;

/** Handing over a buffer, in seconds. */
export const handOver = calibration.handOver.value * us;

/** The same timing, each request later by so many µs. */
export const later = (timing: Timing, by: number): Timing => ({
  ...timing,
  oneWay: timing.oneWay + by * us,
  cycle: timing.cycle + by * us,
});

/** Workers that each ask a storage for one operation after the other, of so many seconds beside what the bytes take. */
export const requestTiming = (operation: number, drives: number): Timing => ({
  oneWay: operation,
  cycle: operation,
  startRate: 1e6 * drives,
  cpuPerOperation: 5 * us,
  workers: true,
});

/** cuFile reading through host memory: a bounced read, and the hand-over to its workers. */
export const compatOf = (bounce: DataPathModel): DataPathModel => ({
  ...bounce,
  path: 'gds-compat',
  rule: say('move.rule.compat'),
  timing: later(bounce.timing, calibration.compatRequest.value),
});
