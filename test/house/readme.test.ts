import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

  it('shows a program that a strict compiler takes and that runs on the package', { timeout: 60_000 }, () => {
    const program = /```ts\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'))![1]!;
    const folder = mkdtempSync(join(tmpdir(), 'crowfly-consumer-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(process.cwd(), join(folder, 'node_modules/crowfly'));
      symlinkSync(realpathSync('node_modules/@types'), join(folder, 'node_modules/@types'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'program.ts'), program);
      const strict = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
      };
      const compilerOptions = { ...strict, module: 'nodenext', target: 'es2022', types: ['node'], outDir: 'out' };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      const tsc = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder], {
        encoding: 'utf8',
      });
      expect([tsc.stdout, tsc.status]).toEqual(['', 0]);
      symlinkSync(resolve('examples'), join(folder, 'examples'));
      const ran = spawnSync(process.execPath, ['out/program.js'], { encoding: 'utf8', cwd: folder });
      expect(ran.stderr).toBe('');
      expect(ran.stdout).toMatch(/^no .*peermem.*\n1073741824 [\d.]+ NVLSTree\n$/s);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names only files that are there', () => {
    const text = readFileSync(page, 'utf8');
    for (const m of text.matchAll(/\]\(([^)#]+)\)/g))
      if (!m[1]!.startsWith('http')) expect(existsSync(m[1]!), m[1]).toBe(true);
  });
});
