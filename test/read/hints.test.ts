import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/read/format.ts';
import { allFormats } from '../../src/read/formats.ts';
import { hintIndex, patience } from '../../src/read/hints.ts';
import { say } from '../../src/words/message.ts';
import { samples } from './samples.ts';

const format = (id: string, hints?: readonly string[]): Format => ({
  id,
  match: () => true,
  missing: say('input.looks.text'),
  open: () => ({ line: () => 'took', close: () => undefined }),
  ...(hints ? { hints } : {}),
});

/** An index past the lines for which it asks every format. */
const warm = (formats: readonly Format[]) => {
  const index = hintIndex(formats);
  for (let i = 0; i < patience; i++) index('');
  return index;
};

describe('hints', () => {
  it('let through exactly the formats of which the line holds a word', () => {
    const word = fc.stringMatching(/^[ab.]{1,4}$/);
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
        fc.stringMatching(/^[abc.é]{0,20}$/),
        (sets, line) => {
          const formats = [format('plain'), ...sets.map((hints, i) => format(`f${i}`, hints))];
          const expected = formats.filter((f) => f.hints === undefined || f.hints.some((h) => line.includes(h)));
          expect(warm(formats)(line).map((f) => f.id)).toEqual(expected.map((f) => f.id));
        },
      ),
      { seed: 2025, numRuns: 500 },
    );
  });

  it('never hide a line that a format would open on', () => {
    const index = warm(allFormats);
    for (const line of Object.values(samples).flat()) {
      const through = index(line);
      for (const f of allFormats) if (f.match(line)) expect(through, `${f.id}: ${line}`).toContain(f);
    }
  });
});
