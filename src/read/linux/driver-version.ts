import type { Where } from '../../fact/fact.ts';
import type { Format } from '../format.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Which flavour of NVIDIA's kernel modules runs: `/proc/driver/nvidia/version`, or the kernel log's line of it. */
export interface DriverVersion {
  readonly kind: 'driver-version';
  readonly file: string;
  readonly flavour: 'open' | 'proprietary';
  readonly version: string;
  readonly at: Where;
}

const told = /NVIDIA UNIX (Open )?(?:\w{3,10} )?Kernel Module(?: for \w{3,10})?\s+(\d{3,4}(?:\.\d{1,4}){1,2})/;

const lines = lineFormat<Omit<DriverVersion, 'kind' | 'file'>>({
  id: 'nvidia-version',
  example: 'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06',
  hints: ['NVIDIA UNIX'],
  limit: 8,
  entry: (line, at) => {
    const found = told.exec(line);
    return found ? { flavour: found[1] ? 'open' : 'proprietary', version: own(found[2]!), at } : undefined;
  },
  build: ([first], { file }) => ({ kind: 'driver-version', file, ...first! }),
});

/** Many tools print `key: value` lines; this one is the driver's alone. */
export const driverVersion: Format = { ...lines, claims: (line) => line.includes('NVIDIA UNIX') && told.test(line) };
