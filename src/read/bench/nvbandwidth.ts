import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `nvbandwidth` text: one matrix a test. */
export interface Nvbandwidth {
  readonly kind: 'nvbandwidth';
  readonly file: string;
  readonly version?: string;
  readonly devices: readonly { readonly index: number; readonly name: string; readonly busId?: string }[];
  readonly tests: readonly {
    readonly name: string;
    readonly rows: readonly { readonly index: number; readonly values: readonly number[]; readonly at: Where }[];
    readonly sum?: number;
    readonly at: Where;
  }[];
}

export const nvbandwidth = blockFormat({
  id: 'nvbandwidth',
  example: 'nvbandwidth Version: v0.6',
  hints: ['nvbandwidth Version', 'Running '],
  starts: /nvbandwidth Version:|Running \w{3,40}_(?:memcpy|latency|local)\w{0,20}\./,
  open: (context) => {
    let version: string | undefined;
    const devices: { index: number; name: string; busId?: string }[] = [];
    const tests: { name: string; rows: { index: number; values: number[]; at: Where }[]; sum?: number; at: Where }[] =
      [];
    return {
      take(line, number) {
        const at = context.at(number);
        const named = /nvbandwidth Version:\s*v?(\S{1,20})/.exec(line);
        if (named) {
          version ??= own(named[1]!);
          return true;
        }
        const device =
          /^\s*(?:Process \d{1,5} \([^)]{1,80}\): d|D)evice (\d{1,3}): (\S.{0,80}?)(?: \(([0-9a-fA-F:.]{7,16})\))?\s*$/.exec(
            line,
          );
        if (device) {
          if (devices.length < 64)
            devices.push({
              index: Number(device[1]),
              name: own(device[2]!),
              ...(device[3] ? { busId: own(device[3]) } : {}),
            });
          return true;
        }
        const test = /^\s*Running (\w{3,60})\.\s*$/.exec(line);
        if (test) {
          if (tests.length < 200) tests.push({ name: own(test[1]!), rows: [], at });
          return true;
        }
        const last = tests.at(-1);
        const row = /^\s*(\d{1,3})((?:\s+(?:\d{1,9}(?:\.\d{1,4})?|N\/A)){1,80})\s*$/.exec(line);
        if (row && last) {
          // The title row of columns holds whole numbers only.
          if (row[2]!.includes('.') && last.rows.length < 80)
            last.rows.push({
              index: Number(row[1]),
              values: row[2]!
                .trim()
                .split(/\s+/)
                .map((v) => (v === 'N/A' ? 0 : Number(v))),
              at,
            });
          return true;
        }
        const sum = /^\s*SUM \S{1,60} (\d{1,12}(?:\.\d{1,4})?)/.exec(line);
        if (sum && last) {
          last.sum = Number(sum[1]);
          return true;
        }
        // What CUDA refused is for those to read who know its errors.
        if (line.includes('CUDA_ERROR_')) return false;
        return /memcpy|bandwidth|CUDA|Driver Version|Built from|Waived|NOTE|^\s*(?:\d{1,3}\s*)+$/.test(line);
      },
      close: () =>
        tests.length === 0 && devices.length === 0
          ? undefined
          : { kind: 'nvbandwidth', file: context.file, ...(version === undefined ? {} : { version }), devices, tests },
    };
  },
});
