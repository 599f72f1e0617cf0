import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Rows of `df` and of `mount`/`findmnt` for the file systems that matter here. */
export interface Mounts {
  readonly kind: 'mounts';
  readonly file: string;
  readonly mounts: readonly Mount[];
}

export interface Mount {
  readonly source: string;
  readonly path: string;
  readonly bytes?: number;
  readonly usedPercent?: number;
  readonly at: Where;
}

const units: Readonly<Record<string, number>> = {
  '': 1024,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
  P: 1024 ** 5,
};

const bytesOf = (text: string): number | undefined => {
  const found = /^(\d{1,15}(?:[.,]\d{1,3})?)([KMGTP]?)i?B?$/.exec(text);
  return found ? Number(found[1]!.replace(',', '.')) * (units[found[2]!] ?? 1024) : undefined;
};

export const mounts = lineFormat<Mount>({
  id: 'df',
  example: 'shm              64M     0   64M   0% /dev/shm',
  hints: ['%', 'size='],
  entry: (line, at) => {
    const found =
      /(?:^|\s)(\S{1,120})\s+(\d[\d.,]*[KMGTP]?i?)\s+\S{1,20}\s+\S{1,20}\s+(\d{1,3})%\s+(\/\S{0,200})\s*$/.exec(line);
    if (found) {
      const bytes = bytesOf(found[2]!);
      return {
        source: own(found[1]!),
        path: own(found[4]!),
        ...(bytes === undefined ? {} : { bytes }),
        usedPercent: Number(found[3]),
        at,
      };
    }
    const mount = /(?:^|\s)(\S{1,40}) on (\/dev\/shm) type tmpfs \(.{0,120}?size=(\d+[kmgKMG]?)/.exec(line);
    if (!mount) return undefined;
    const bytes = bytesOf(mount[3]!.toUpperCase().replace(/^(\d+)$/, '$1'));
    return { source: own(mount[1]!), path: own(mount[2]!), ...(bytes === undefined ? {} : { bytes }), at };
  },
  build: (mounts, { file }) => ({ kind: 'mounts', file, mounts }),
});
