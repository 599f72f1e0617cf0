import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** The table that plain `nvidia-smi` prints. */
export interface SmiTable {
  readonly kind: 'smi-table';
  readonly file: string;
  readonly driver?: string;
  readonly cuda?: string;
  readonly gpus: readonly {
    readonly index: number;
    readonly name: string;
    readonly busId: string;
    readonly at: Where;
  }[];
}

export const smiTable = blockFormat({
  id: 'nvidia-smi',
  example: '| NVIDIA-SMI 545.23.08    Driver Version: 545.23.08    CUDA Version: 12.3 |',
  hints: ['NVIDIA-SMI'],
  starts: /\|\s*NVIDIA-SMI\s+\d/,
  patience: 30,
  open: (context) => {
    const gpus: SmiTable['gpus'][number][] = [];
    let driver: string | undefined;
    let cuda: string | undefined;
    return {
      take(line, number) {
        const head =
          /NVIDIA-SMI\s+[\d.]{3,12}\s+(?:KMD Version|Driver Version): ([\d.]{3,12})(?:.{0,40}CUDA Version: ([\d.]{3,8}))?/.exec(
            line,
          );
        if (head) {
          driver ??= own(head[1]!);
          if (head[2]) cuda ??= own(head[2]);
          return true;
        }
        const gpu =
          /^\|\s+(\d{1,3})\s+(\S.{0,60}?)\s{2,}.{0,20}\|\s*([0-9a-fA-F]{8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.\d|N\/A(?=\s))/.exec(
            line,
          );
        if (gpu && gpus.length < 256)
          gpus.push({
            index: Number(gpu[1]),
            name: own(gpu[2]!.replace(/\s+(?:On|Off|N\/A)$/, '').replace(/\.{2,}$/, '')),
            busId: own(gpu[3]!),
            at: context.at(number),
          });
        return /^\s*[|+]/.test(line);
      },
      close: () =>
        driver === undefined && gpus.length === 0
          ? undefined
          : {
              kind: 'smi-table',
              file: context.file,
              ...(driver === undefined ? {} : { driver }),
              ...(cuda === undefined ? {} : { cuda }),
              gpus,
            },
    };
  },
});
