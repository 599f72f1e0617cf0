import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** `dcgmi diag`: its table of tests. What it says of NVLinks it also says of boards that have none. */
export interface DcgmDiag {
  readonly kind: 'dcgm-diag';
  readonly file: string;
  readonly tests: readonly { readonly name: string; readonly result: string; readonly at: Where }[];
}

export const dcgmDiag = blockFormat({
  id: 'dcgmi-diag',
  example: '| PCIe                      | Pass - All                                     |',
  hints: ['| '],
  starts:
    /\+-----\s{2}(?:Integration|Deployment|Hardware|Stress|Metadata)\s{2}-+\+|\| Diagnostic\s+\| Result|\|\s+\w[\w ]{2,24}\s+\| (?:Pass|Fail|Skip|Warn)\b/,
  open: (context) => {
    const tests: DcgmDiag['tests'][number][] = [];
    return {
      take(line, number) {
        const row = /^\|\s+(\w[\w ()-]{0,30}?)\s+\|\s+(\S.{0,200}?)\s*\|\s*$/.exec(line);
        if (row && tests.length < 500) tests.push({ name: own(row[1]!), result: own(row[2]!), at: context.at(number) });
        return /^[|+]/.test(line);
      },
      close: () => (tests.length === 0 ? undefined : { kind: 'dcgm-diag', file: context.file, tests }),
    };
  },
});
