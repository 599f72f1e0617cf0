import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crowfly } from '../cli/run.ts';

/** Console blocks of a page: the command and what it printed. */
function blocks(page: string): { args: string[]; printed: string }[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/```console\n\$ crowfly ([^\n]+)\n([\s\S]*?)\n```/g)].map((m) => ({
    args: m[1]!.split(' '),
    printed: m[2]!,
  }));
}

describe.each(['README.md', 'README.zh-CN.md'])('%s', (page) => {
  it('shows true output', () => {
    const all = blocks(page);
    expect(all.length).toBeGreaterThanOrEqual(2);
    for (const { args, printed } of all) {
      expect(crowfly([...args, '--width', '80']).out.trimEnd()).toBe(printed);
    }
  });

  it('names only files that are there', () => {
    const text = readFileSync(page, 'utf8');
    for (const m of text.matchAll(/\]\(([^)#]+)\)/g))
      if (!m[1]!.startsWith('http')) expect(existsSync(m[1]!), m[1]).toBe(true);
  });
});
