import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryValues, layouts } from './layouts.ts';

const bitsOf = (bytes: Uint8Array): string => [...bytes].map((b) => b.toString(2).padStart(8, '0')).join('');

describe.each(layouts.map((l) => [l.name, l] as const))('%s', (_, any) => {
  const { layout, fields } = any;

  it('has fields that cover each of its bits once', () => {
    const covered = new Uint8Array(layout.size * 8);
    for (const [, field] of fields) for (let i = 0; i < field.bits; i++) covered[field.bit + i]!++;
    expect([...covered]).toEqual(Array(layout.size * 8).fill(1));
  });

  it('comes back from its bytes, and its bytes from it', () => {
    fc.assert(
      fc.property(
        arbitraryValues(any),
        fc.uint8Array({ minLength: layout.size, maxLength: layout.size + 3 }),
        (value, b) => {
          expect(layout.decode(layout.encode(value))).toEqual({ ok: true, value: { value, next: layout.size } });
          const read = layout.decode(b);
          if (!read.ok) throw new Error(read.error);
          expect(layout.encode(read.value.value)).toEqual(b.slice(0, layout.size));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('keeps a changed field within its own bits', () => {
    fc.assert(
      fc.property(arbitraryValues(any), arbitraryValues(any), (value, other) => {
        const before = bitsOf(layout.encode(value));
        for (const [name, { bit, bits }] of fields) {
          const after = bitsOf(layout.encode({ ...value, [name]: other[name]! }));
          expect(after.slice(0, bit) + after.slice(bit + bits)).toBe(before.slice(0, bit) + before.slice(bit + bits));
          const own = bitsOf(layout.encode(other)).slice(bit, bit + bits);
          expect(after.slice(bit, bit + bits)).toBe(own);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('is cut one byte short', () => {
    expect(layout.decode(new Uint8Array(layout.size - 1))).toEqual({ ok: false, error: 'cut' });
    expect(layout.decode(new Uint8Array(layout.size), 1)).toEqual({ ok: false, error: 'cut' });
  });
});

describe('a value that does not fit', () => {
  it('is refused rather than cut', () => {
    for (const { layout, fields } of layouts) {
      const zero = layout.decode(new Uint8Array(layout.size));
      if (!zero.ok) throw new Error(zero.error);
      for (const [name, field] of fields) {
        const wrong = field.kind === 'number' ? 2 ** field.bits : field.kind === 'big' ? -1n : new Uint8Array(0);
        if (field.kind !== 'flag') expect(() => layout.encode({ ...zero.value.value, [name]: wrong })).toThrow(name);
      }
    }
  });
});
