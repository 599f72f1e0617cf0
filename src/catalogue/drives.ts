import { sourced } from './sourced.ts';

const p4500 = 'Lenovo product guide of Intel P4500 NVMe drives, table 2 (technical specifications)';

/** What a drive of a data centre takes for a 4 KiB operation, where no input tells: flash is read, a write ends in the drive's buffer. */
export const driveLatency = {
  read: sourced(85, 'µs', p4500),
  write: sourced(20, 'µs', p4500),
} as const;
