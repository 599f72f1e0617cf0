import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** Result lines of `gdsio`: `IoType: READ XferType: GPUD Threads: 16 … Throughput: 6.1 GiB/sec`. */
export interface Gdsio {
  readonly kind: 'gdsio';
  readonly file: string;
  readonly results: readonly {
    readonly io: string;
    readonly transfer: string;
    readonly threads: number;
    readonly gibps: number;
    readonly at: Where;
  }[];
}

export const gdsio = lineFormat<Gdsio['results'][number]>({
  id: 'gdsio',
  example: 'IoType: READ XferType: GPUD Threads: 16 … Throughput: 6.1 GiB/sec',
  hints: ['XferType'],
  entry: (line, at) => {
    const found =
      /IoType: (\w{1,20}) XferType: (\w{1,20}) Threads: (\d{1,6}) .{0,160}?Throughput: (\d{1,6}(?:\.\d{1,6})?) GiB\/sec/.exec(
        line,
      );
    if (!found) return undefined;
    return { io: own(found[1]!), transfer: own(found[2]!), threads: Number(found[3]), gibps: Number(found[4]), at };
  },
  build: (results, { file }) => ({ kind: 'gdsio', file, results }),
});
