import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NcclLog } from '../../src/read/nccl-log/types.ts';
import type { NcclTests } from '../../src/read/nccl-tests/types.ts';
import type { TopoMatrix } from '../../src/read/nvidia-smi-topo.ts';
import { notesOf, readBytes } from './expect-read.ts';

/** Real and modelled files of public reports; they lie beside a checkout and are no part of it. */
const shared = resolve(process.env['CROWFLY_SHARED'] ?? join(import.meta.dirname, '../../../shared'));
const cases = join(shared, 'data/cases');
const inputs = join(shared, 'data/nccl/inputs');
const there = existsSync(cases);

const filesOf = (folder: string, pattern: RegExp): string[] =>
  there
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => pattern.test(name))
        .sort()
    : ['(absent)'];

async function one(path: string) {
  const results = await readBytes(readFileSync(path), 'pasted');
  expect(results).toHaveLength(1);
  return results[0]!;
}

describe.skipIf(!there)(`files of public reports${there ? '' : ` (skipped: no ${cases}; set CROWFLY_SHARED)`}`, () => {
  it.each(filesOf(cases, /topo-m\.txt$/))('%s', async (name) => {
    const result = await one(join(cases, name));
    expect(notesOf(result)).toEqual([]);
    expect(result.formats.map(({ id }) => id)).toEqual(['nvidia-smi-topo']);
    const { devices, cells, truncated } = result.documents[0] as TopoMatrix;
    expect(truncated).toBe(false);
    expect(cells.flat().filter((cell) => cell === undefined)).toEqual([]);
    expect(devices.filter(({ kind }) => kind === 'gpu').every(({ cpuAffinity }) => cpuAffinity !== undefined)).toBe(
      true,
    );
    // The text names every device in the first column, and the legend every NIC of an input that has one.
    const text = readFileSync(join(cases, name), 'utf8');
    if (text.includes('NIC Legend'))
      expect(devices.every(({ kind, name: nic }) => kind === 'gpu' || nic !== undefined)).toBe(true);
  });

  it.each([
    ...filesOf(cases, /(?:^|\/)topo(?:-fixed)?\.xml$/).map((name) => join(cases, name)),
    ...(there ? filesOf(inputs, /\.xml$/).map((name) => join(inputs, name)) : []),
  ])('%s', async (path) => {
    const result = await one(path);
    expect(notesOf(result)).toEqual([]);
    expect(result.formats.map(({ id }) => id)).toEqual(['nccl-topo-xml']);
    const [document] = result.documents;
    if (document?.kind !== 'nccl-topo-xml') throw new Error('no topology');
    expect(document.complete).toBe(true);
    // Every tag of the file is an element of the tree.
    const text = readFileSync(path, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
    let elements = 0;
    const stack = [document.root];
    while (stack.length > 0) {
      elements++;
      stack.push(...stack.pop()!.children);
    }
    expect(elements).toBe(text.match(/<[a-z]/g)!.length);
  });

  it.each(filesOf(cases, /graph\.xml$/))('%s', async (name) => {
    const result = await one(join(cases, name));
    expect(notesOf(result)).toEqual([]);
    expect(result.formats.map(({ id }) => id)).toEqual(['nccl-graph-xml']);
  });

  it.each(filesOf(cases, /nccl\.log$/))('%s', async (name) => {
    const result = await one(join(cases, name));
    // One log holds a table whose footer was not pasted; to say so is right.
    expect(notesOf(result).filter((note) => !note.includes('without its average'))).toEqual([]);
    const log = result.documents.find((document): document is NcclLog => document.kind === 'nccl-log')!;
    const text = readFileSync(join(cases, name), 'utf8');
    const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    expect(log.records.info).toBe(count(/NCCL INFO/g));
    expect(log.records.warn).toBe(count(/NCCL WARN/g));
    expect(log.connections.reduce((total, { count: lines }) => total + lines, 0)).toBe(count(/ -> .* via /g));
    expect(log.warnings.reduce((total, { count: lines }) => total + lines, 0)).toBe(count(/NCCL WARN/g));
    expect(log.warnings.every(({ kind }) => kind !== 'other')).toBe(true);
    const printed = [...text.matchAll(/NCCL version (\d[\d.]*\d)/g)].map(([, version]) => version);
    expect(new Set(log.versions.filter(({ flavour }) => flavour === 'nccl').map((version) => version.text))).toEqual(
      new Set(printed),
    );
    const others = log.other.samples
      .map((sample) => sample.text)
      .filter((text) => !/^Using non-device net plugin|^\[Proxy/.test(text));
    expect(others).toEqual([]);
  });

  it.each(filesOf(cases, /nccl-tests[^/]*\.txt$/))('%s', async (name) => {
    const result = await one(join(cases, name));
    expect(notesOf(result)).toEqual([]);
    const tests = result.documents.find((document): document is NcclTests => document.kind === 'nccl-tests')!;
    const text = readFileSync(join(cases, name), 'utf8');
    expect(tests.complete).toBe(true);
    expect(tests.rows).toHaveLength(text.match(/^ +\d+ +\d+ +float/gm)!.length);
    expect(tests.ranks).toHaveLength(text.match(/^# +Rank/gm)!.length);
    // The average over both halves is what the footer says, so no column was mistaken for another.
    const all = tests.rows.flatMap(({ inPlace, outOfPlace }) => [outOfPlace!.busbw, inPlace!.busbw]);
    const mean = all.reduce((total, busbw) => total + busbw, 0) / all.length;
    expect(Math.abs(mean / tests.averageBusbw!.value - 1)).toBeLessThan(0.01);
  });
});
