import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHash, type Linked, pack, tabs, toHash, unpack } from '../../src/web/page/link.ts';

const word = fc.stringMatching(/^[A-Za-z0-9_./ =&#%+é中-]{1,40}$/);
const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,20}$/);

const linked: fc.Arbitrary<Linked> = fc.record(
  {
    assume: fc.array(word, { maxLength: 8 }),
    env: fc.array(fc.tuple(name, word), { maxLength: 8 }),
    system: word,
    nodes: fc.integer({ min: 1, max: 1_000_000 }),
    from: word,
    to: word,
    nccl: word,
    language: fc.constantFrom('en' as const, 'zh-CN' as const),
    theme: fc.constantFrom('light' as const, 'dark' as const),
    tab: fc.constantFrom(...tabs),
    beside: word,
    topic: word,
    bytes: fc.integer({ min: 1, max: 2 ** 40 }),
  },
  { requiredKeys: ['assume', 'env', 'tab'] },
);

describe('a link', () => {
  it('comes back as it was sent', () => {
    fc.assert(
      fc.property(linked, (l) => {
        const back = fromHash(toHash(l));
        expect({ ...back, tab: back.tab ?? 'way' }).toEqual(l);
      }),
    );
  });

  it('takes nothing that is not what it should be, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        const l = fromHash(`#${text}`);
        expect(l.assume.length).toBeLessThanOrEqual(32);
        expect(l.env.every(([n]) => n.length > 0)).toBe(true);
        expect(l.nodes === undefined || Number.isInteger(l.nodes)).toBe(true);
        expect((l.system ?? '').length).toBeLessThanOrEqual(64);
      }),
    );
    const l = fromHash('#__proto__=x&constructor=y&tab=__proto__&theme=<b>&nodes=1e9&bytes=-1&lang=fr');
    expect(l).toEqual({ assume: [], env: [] });
  });

  it('carries inputs when asked to, and unpacks no more than it may', async () => {
    const files = [
      { name: 'topo.txt', text: 'GPU0 X\n'.repeat(500) },
      { name: '日志.log', text: 'NCCL INFO 你好\u0000' },
    ];
    expect(await unpack(await pack(files))).toEqual(files);
    const bomb = await pack([{ name: 'bomb', text: 'a'.repeat(6_000_000) }]);
    expect(bomb.length).toBeLessThan(20_000);
    await expect(unpack(bomb)).rejects.toThrow('too large');
    await expect(unpack('%%%')).rejects.toThrow();
    expect(await unpack(await pack([null, { name: 3 }, { name: 'ok', text: 'x' }] as never))).toEqual([
      { name: 'ok', text: 'x' },
    ]);
  });
});
