import fc from 'fast-check';
import { expect, it } from 'vitest';
import { duration, significant } from '../../src/tell/text/quantity.ts';

it('keeps three digits, in figures a person reads at a glance', () => {
  expect([0, 8, 0.0123, 1234.5, 1e9, 99.96].map((x) => significant(x))).toEqual([
    '0',
    '8.00',
    '0.0123',
    '1230',
    '1000000000',
    '100.0',
  ]);
  expect([2.4, 1750, 12_345, 3e6].map((us) => duration(us))).toEqual(['2.40 µs', '1.75 ms', '12.3 ms', '3.00 s']);
});

it('never strays by more than its last digit', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-8, max: 1e12, noNaN: true }), (x) => {
      expect(Math.abs(Number(significant(x)) / x - 1)).toBeLessThanOrEqual(0.005 + 1e-12);
      expect(significant(x)).not.toContain('e');
    }),
  );
});
