import { describe, expect, it } from 'vitest';
import { answerCompare } from '../../src/answer/compare.ts';
import type { TestName } from '../../src/predict/collective/predict.ts';
import { readText } from '../../src/read/read-source.ts';
import { system } from '../support/machines.ts';

const head = `#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
`;
const row = (redop: string, root: number, wrong: string): string =>
  `  1073741824      33554432     float  ${redop}  ${root}   2800.0  383.48  335.54      0   2810.0  382.11  334.35    ${wrong}\n`;

function compared(text: string, told?: TestName) {
  const table = readText('t.txt', text).documents.find((d) => d.kind === 'nccl-tests');
  if (table?.kind !== 'nccl-tests') throw new Error('no table');
  const a = answerCompare(system('hgx-h100'), {}, table, undefined, told);
  if (!a.ok || !a.value) throw new Error('no answer');
  return {
    name: a.value.ask.name,
    too: a.value.notes.filter((n) => n.code === 'compare.fits-too').map((n) => n.args['other']),
  };
}

describe('a table that names no program', () => {
  it('of bytes that are only moved fits two programs: which is taken, and which fits too, is said', () => {
    expect(compared(head + row('none', -1, '0'))).toEqual({ name: 'all_gather', too: ['alltoall'] });
    expect(compared(head + row('none', 0, '0'))).toEqual({ name: 'gather', too: ['scatter'] });
  });

  it('is an exchange where values in place are not checked, and what the caller says it is', () => {
    expect(compared(head + row('none', -1, 'N/A'))).toEqual({ name: 'alltoall', too: [] });
    expect(compared(head + row('none', -1, '0'), 'alltoall')).toEqual({ name: 'alltoall', too: [] });
  });

  it('fits one program where it adds up, and where it names it', () => {
    expect(compared(head + row('sum', -1, '0'))).toEqual({ name: 'reduce_scatter', too: [] });
    const named = `# Collective test starting: all_gather_perf\n${head}${row('none', -1, '0')}`;
    expect(compared(named)).toEqual({ name: 'all_gather', too: [] });
  });
});
