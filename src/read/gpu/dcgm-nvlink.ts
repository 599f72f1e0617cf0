import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';

/** `dcgmi nvlink --link-status`: a letter for each link of each GPU. */
export interface DcgmNvlink {
  readonly kind: 'dcgm-nvlink';
  readonly file: string;
  readonly gpus: readonly {
    readonly index: number;
    readonly up: number;
    readonly down: number;
    readonly at: Where;
  }[];
}

export const dcgmNvlink = blockFormat({
  id: 'dcgmi-nvlink',
  example: '|  NvLink Link Status  |',
  hints: ['NvLink Link Status', 'gpuId '],
  starts: /\|\s*NvLink Link Status\s*\||^\s*gpuId \d{1,3}:\s*$/,
  open: (context) => {
    const gpus: { index: number; up: number; down: number; at: Where }[] = [];
    let current: number | undefined;
    return {
      take(line, number) {
        const gpu = /^\s*gpuId (\d{1,3}):\s*$/.exec(line);
        if (gpu) {
          current = Number(gpu[1]);
          return true;
        }
        const row = /^\s*((?:[UDX_] ?){1,40})\s*$/.exec(line);
        if (row) {
          const letters = row[1]!.replace(/ /g, '');
          const of = (letter: string): number => letters.split(letter).length - 1;
          // Rows of switches stand below a name of theirs.
          if (current !== undefined && gpus.length < 1024)
            gpus.push({ index: current, up: of('U'), down: of('D'), at: context.at(number) });
          current = undefined;
          return true;
        }
        return /^\s*(?:GPUs|NvSwitches|Key):|^\s*(?:physicalId|No NvSwitches)\b|^[+|]|NvLink Link Status/.test(line);
      },
      close: () => (gpus.length === 0 ? undefined : { kind: 'dcgm-nvlink', file: context.file, gpus }),
    };
  },
});
