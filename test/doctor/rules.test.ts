import { describe, expect, it } from 'vitest';
import { findingIds } from '../../src/doctor/ids.ts';
import { clothes, findingsOf, lacking, loud, renamed } from './case.ts';
import { cases } from './cases/index.ts';

describe.each(cases.map((c, i) => [`${c.id} #${i}`, c] as const))('%s', (_, c) => {
  const find = async (files: typeof c.files, end?: string) => {
    const all = await findingsOf(files, end);
    return { all, one: all.find((f) => f.id === c.id) };
  };

  it('is found, in its place, and nothing else is', async () => {
    const { all, one } = await find(c.files);
    expect(all.map((f) => f.id)).toContain(c.id);
    expect(loud(one!)).toBe(c.strength === 'loud');
    expect(one!.evidence.length).toBeLessThanOrEqual(5);
    for (const place of c.at ?? []) {
      const [file, line] = place.split(':');
      const near = one!.evidence.some((e) => e.file === file && Math.abs(e.line - Number(line)) <= 2);
      expect(near, `${place} among ${one!.evidence.map((e) => `${e.file}:${e.line}`).join(' ')}`).toBe(true);
    }
    const also: readonly string[] = c.also ?? [];
    expect(all.filter((f) => loud(f) && f.id !== c.id && !also.includes(f.id)).map((f) => f.id)).toEqual([]);
  });

  it('is found under other names, in another order, with other line ends', async () => {
    const other = Object.fromEntries(Object.entries(renamed(c.files)).reverse());
    for (const end of ['\n', '\r\n']) {
      const { all, one } = await find(other, end);
      expect(all.map((f) => f.id)).toContain(c.id);
      expect(loud(one!)).toBe(c.strength === 'loud');
    }
  });

  it.each(Object.entries(clothes))('is found %s', async (_, change) => {
    const { all } = await find(change(c.files));
    expect(all.map((f) => f.id)).toContain(c.id);
    const also: readonly string[] = c.also ?? [];
    expect(all.filter((f) => loud(f) && f.id !== c.id && !also.includes(f.id)).map((f) => f.id)).toEqual([]);
  });

  it('is not found when the fact is taken away', async () => {
    const { all } = await find(lacking(c.files, c.without));
    expect(all.map((f) => f.id)).not.toContain(c.id);
  });
});

describe('the cases', () => {
  it('show every finding', () => {
    const shown = new Set(cases.map((c) => c.id));
    expect(findingIds.filter((id) => !shown.has(id))).toEqual([]);
  });
});
