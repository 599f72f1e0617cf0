import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/read/format.ts';
import { allFormats } from '../../src/read/formats.ts';
import { readLines, readText } from '../../src/read/read-source.ts';
import { lineReader } from '../../src/read/reader.ts';
import { registry } from '../../src/read/registry.ts';
import { say } from '../../src/words/message.ts';
import { render } from '../../src/words/render.ts';
import { tarOf } from '../input/tar-of.ts';
import { declinedOf, notesOf, read, readBytes } from './expect-read.ts';

const looks = async (text: string): Promise<string> =>
  render((await read(text)).looks ?? say('input.looks.text'), 'en');

describe('the registry', () => {
  it('throws on an id that is taken, and takes formats out again', () => {
    const [first] = allFormats;
    const mine = registry([first!]);
    expect(() => mine.add(first!)).toThrow(`format id "${first!.id}" is taken`);
    const dispose = mine.add({ ...first!, id: 'other' });
    expect(mine.formats).toHaveLength(2);
    dispose();
    expect(mine.formats).toEqual([first]);
  });

  it('says in both languages what each format looks for', () => {
    for (const { missing } of allFormats) {
      expect(render(missing, 'en')).not.toBe(render(missing, 'zh-CN'));
    }
  });
});

describe('the reader', () => {
  it('asks the formats once about a line that nobody wants, however often it comes', () => {
    let asked = 0;
    const shy: Format = { ...allFormats[0]!, id: 'shy', claims: () => false, match: () => ++asked < 0 };
    const reader = lineReader('a.txt', [shy]);
    for (let i = 0; i < 100_000; i++) reader.push('GPU0\t X \tNV18');
    expect(reader.end().lines).toBe(100_000);
    expect(asked).toBeLessThan(1000);
    // What was in vain between is none the less the beginning of something later.
    const rows = Array.from({ length: 1000 }, () => 'GPU0\t X \tNV18\n').join('');
    const matrix = '\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n';
    expect(readText('b.txt', rows + matrix).documents.map((d) => d.kind)).toEqual(['topo-matrix']);
  });

  it('names the formats that a refused text comes closest to, and none for prose', async () => {
    const near = async (text: string): Promise<readonly string[]> => (await read(text)).near ?? [];
    expect((await near('GPU0\t X \tPIX\nGPU1\tPIX\t X \n'))[0]).toBe('nvidia-smi-topo');
    expect((await near('GPU0\t X \tNV18\tNV18\n'))[0]).toBe('nvidia-smi-topo');
    expect((await near('  <cpu numaid="0">\n    <pci busid="0000:01:00.0">\n'))[0]).toBe('nccl-topo-xml');
    expect(await near('<a>\n<b c="d"/>\n</a>\n')).toContain('nccl-topo-xml');
    expect(await near('{\n "options": {"noFallthroughCasesInSwitch": true}\n}\n')).toContain('nccl-tests-json');
    expect(await near('# a file of other keys\ncolour: red\nsize: 2\n')).toEqual(['cluster-yaml']);
    expect(await near('Dear reader,\nthis is a letter about GPUs and how much we like them.\n')).toEqual([]);
    expect((await read('node: dgx-a100-40g\n')).near).toBeUndefined();
    const refused = await read('GPU0\t X \tPIX\nGPU1\tPIX\t X \n');
    expect(refused.declined[0]?.format).toBe('nvidia-smi-topo');
  });

  it('says what an input looks like when nothing was read, and why each format declined', async () => {
    expect(await looks('')).toBe('it is empty');
    expect(await looks('\n \n')).toBe('it is empty');
    expect(await looks('<!DOCTYPE html>\n<html>')).toMatch(/HTML/);
    expect(await looks('<?xml version="1.0"?>\n<a/>')).toMatch(/XML of another kind/);
    expect(await looks('{\n "a": 1}')).toMatch(/JSON of another kind/);
    expect(await looks('some words')).toMatch(/plain text/);
    const result = await read('some words');
    expect(Object.keys(declinedOf(result)).sort()).toEqual([...allFormats.map(({ id }) => id), 'cluster-yaml'].sort());
  });

  it('gives each document its lines', async () => {
    const result = await read([
      'prose',
      '\tGPU0\tCPU Affinity',
      'GPU0\t X \t0-3',
      'ash:1:2 [0] NCCL INFO Using network IB',
      '<system version="1"><cpu/></system>',
      'ash:1:2 [0] NCCL INFO Connected all rings',
    ]);
    expect(result.formats).toEqual([
      { id: 'nvidia-smi-topo', lines: [2, 3], count: 2 },
      { id: 'nccl-log', lines: [4, 6], count: 2 },
      { id: 'nccl-topo-xml', lines: [5, 5], count: 1 },
    ]);
    expect(result.looks).toBeUndefined();
  });

  it('bounds documents and remarks', () => {
    const line = '<system version="1"><cpu a="1" a="2"/></system>';
    const result = readLines(
      'x',
      Array.from({ length: 5000 }, () => line),
    );
    expect(result.documents).toHaveLength(1000);
    expect(result.notes.length).toBeLessThan(210);
    expect(notesOf(result).at(-1)).toMatch(/^0: and \d+ more remarks/);
    expect(notesOf(result)).toContainEqual(expect.stringMatching(/more than 1000 documents/));
  });

  it('tells of a part that was refused when another part was read', () => {
    const result = readText('x', '<system><cpu/></system>\n<system>\n<cpu a="&x;"/>\n</system>');
    expect(result.documents).toHaveLength(1);
    expect(notesOf(result)).toEqual([
      expect.stringMatching(/^3: another part that looks like nccl-topo-xml was not read: .*entity/),
    ]);
  });

  it('offers a line again when a session ends on it', () => {
    let opened = 0;
    const once: Format = {
      id: 'once',
      match: (line) => line === 'x',
      missing: say('input.looks.text'),
      open: () => {
        opened++;
        let seen = 0;
        return { line: () => (++seen > 1 ? 'ended' : 'took'), close: () => undefined };
      },
    };
    const reader = lineReader('f', [once]);
    for (const line of ['x', 'x', 'y', 'x']) reader.push(line);
    reader.end();
    expect(opened).toBe(3);
  });

  it('reads every file of an archive under its own name', async () => {
    const archive = tarOf([
      { name: 'n1/log', text: 'ash:1:2 [0] NCCL INFO Using network IB\n' },
      { name: 'n2/topo', text: '\tGPU0\tCPU Affinity\nGPU0\t X \t0-3\n' },
    ]);
    const results = await readBytes(archive, 'bundle.tar');
    expect(results.map(({ file, documents }) => [file, documents[0]?.kind])).toEqual([
      ['bundle.tar!n1/log', 'nccl-log'],
      ['bundle.tar!n2/topo', 'topo-matrix'],
    ]);
  });

  it('reads a cluster description when a file is nothing else', async () => {
    const result = await read('# two nodes\nnode: dgx-a100-40g\nnodes: 2\n');
    expect(result.documents.map(({ kind }) => kind)).toEqual(['cluster-yaml']);
    expect(declinedOf(await read('prose'))['cluster-yaml']).toMatch(/no key node/);
  });
});
