import { describe, expect, it } from 'vitest';
import { findingIds } from '../../src/doctor/ids.ts';
import { clothes, findingsOf, issues, lacking, loud, renamed } from './case.ts';
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

  it.each(Object.entries(issues))('is found in one pasted issue, %s', async (_, paste) => {
    const { all } = await find({ 'issue.md': paste(Object.entries(c.files)) });
    expect(all.map((f) => f.id)).toContain(c.id);
    const also: readonly string[] = c.also ?? [];
    expect(all.filter((f) => loud(f) && f.id !== c.id && !also.includes(f.id)).map((f) => f.id)).toEqual([]);
  });

  it('is not found when the fact is taken away', async () => {
    const { all } = await find(lacking(c.files, c.without));
    expect(all.map((f) => f.id)).not.toContain(c.id);
  });
});

/** Findings that set one node's addresses, ports or sizes against another's. */
const comparesNodes = /^(?:nic-set-differs|mtu-mismatch|roce-gid-index)/;

describe('two cases in one paste', () => {
  const text = (files: (typeof cases)[number]['files']): string[] => Object.values(files).flat();
  const named = (prefix: string, files: (typeof cases)[number]['files']): [string, readonly string[]][] =>
    Object.entries(files).map(([name, lines]) => [`${prefix}/${name}`, lines]);

  it('are both found, whatever stands above', async () => {
    const lacks: string[] = [];
    for (const [i, one] of cases.entries()) {
      // Of another machine: two logs of one host would be one story.
      const next = cases[(i + 1) % cases.length]!;
      const other = { id: next.id, files: renamed(next.files) };
      // Tables of four nodes without a word between them are one table.
      if (comparesNodes.test(one.id) && comparesNodes.test(other.id)) continue;
      // What two sets of files say together may be another thing: only that is asked which they say side by side.
      const apart = await findingsOf(Object.fromEntries([...named('a', one.files), ...named('b', other.files)]));
      const joined = await findingsOf({ 'issue.md': [...text(one.files), ...text(other.files)] });
      for (const id of [one.id, other.id])
        if (apart.some((f) => f.id === id) && !joined.some((f) => f.id === id))
          lacks.push(`${one.id} #${i} + ${other.id}: ${id}`);
    }
    expect(lacks).toEqual([]);
  });
});

describe('the cases', () => {
  it('show every finding', () => {
    const shown = new Set(cases.map((c) => c.id));
    expect(findingIds.filter((id) => !shown.has(id))).toEqual([]);
  });
});
