import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cells, graphemes } from '../../src/base/width.ts';

describe('terminal cells', () => {
  it('are those of the well-known library, for what crowfly prints', () => {
    const pieces = [
      'gpu0',
      ' ',
      '─',
      '│',
      '═',
      '→',
      '←',
      '≤ 50.0',
      '…',
      '·',
      '×16',
      '✖',
      '▲',
      '不走直路',
      '（默认 PXB）',
      '“x”',
      '，',
      'é',
      'e\u0301',
      '한',
      '😀',
      '\u001b[31mred\u001b[39m',
      'Ω',
      'ﬀ',
      '\u200b',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (list) => {
        const text = list.join('');
        expect(cells(text)).toBe(stringWidth(text));
      }),
    );
  });

  it('add up over graphemes, and never fail on hostile text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll('\u001b', '');
        let sum = 0;
        let back = '';
        for (const g of graphemes(plain)) {
          sum += g.cells;
          back += g.segment;
        }
        expect(back).toBe(plain);
        expect(cells(plain)).toBe(sum);
      }),
    );
  });
});
