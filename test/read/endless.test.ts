import { describe, expect, it } from 'vitest';
import { readSource } from '../../src/read/read-source.ts';

describe('a device without an end', () => {
  it('is left as soon as it is seen to be no text', async () => {
    let given = 0;
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given++;
        yield new Uint8Array(65536);
      }
    }
    const [result] = await readSource({ name: '/dev/zero', stream });
    expect(result?.documents).toEqual([]);
    expect(result?.looks?.code).toBe('input.looks.binary');
    expect(given).toBeLessThan(4);
  });
});
