import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../../src/read/reader.ts';
import { columnsWithin, plain, wrap } from '../../src/tell/text/columns.ts';
import { inputLines, noteLines } from '../../src/tell/text/inputs.ts';
import { say } from '../../src/words/message.ts';

const options = { language: 'en', width: 80, style: plain } as const;

const idle = (file: string, more: Partial<ReadResult> = {}): ReadResult => ({
  file,
  lines: 3,
  documents: [],
  formats: [],
  declined: [],
  notes: [],
  looks: undefined,
  ...more,
});

describe('what was read', () => {
  it('counts the files of a large folder that gave nothing, and lists them when asked', () => {
    const inputs = Array.from({ length: 400 }, (_, i) => idle(`folder/${i}.txt`));
    const lines = inputLines(inputs, false, options);
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toContain('388 more files that give nothing');
    expect(inputLines(inputs, true, options)).toHaveLength(400);
    expect(inputLines(inputs.slice(0, 13), false, options)).toHaveLength(13);
  });

  it('says of an archive whose files were read that it has remarks, not that it holds nothing', () => {
    const cut = idle('a.tgz', {
      lines: 0,
      looks: say('input.looks.archive'),
      notes: [{ message: say('input.archive.corrupt', { reason: 'unexpected EOF' }), line: 0 }],
    });
    expect(inputLines([idle('a.tgz!x.txt'), cut], false, options)[1]).toMatch(/an archive \(remarks below\)$/);
    expect(inputLines([cut], false, options)[0]).toMatch(/nothing: an archive$/);
    expect(noteLines([cut], false, options)[0]).toMatch(/\(a\.tgz\)$/);
  });

  it('says once what is so of many files', () => {
    const note = { message: say('input.archive.corrupt', { reason: 'EOF' }), line: 7 };
    const lines = noteLines(
      Array.from({ length: 50 }, (_, i) => idle(`${i}.gz`, { notes: [note] })),
      false,
      options,
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/\(0\.gz:7\)$/);
    expect(lines[3]).toContain('47 more files');
  });
});

describe('wrapped Chinese', () => {
  it('stays within the width, and no line begins with a closing mark', () => {
    const text =
      '网卡一侧不支持 GPUDirect RDMA：没有已注册的 peermem 模块，也没有可用的 DMA-BUF（见日志），因此要绕路。';
    for (let width = 20; width <= 60; width++) {
      const lines = wrap(text, width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      for (const line of lines) {
        expect([width, line, /^[，。；：、）》”？！]/.test(line)]).toEqual([width, line, false]);
        expect([...line].reduce((n, c) => n + (/[\u2e80-\u9fff\uff00-\uffef]/.test(c) ? 2 : 1), 0)).toBeLessThanOrEqual(
          width,
        );
      }
    }
  });
});

describe('a table whose last column holds sentences', () => {
  const rows = [
    ['GPU that offers its memory', 'yes', 'all_reduce.txt:4'],
    ['GPU memory registered', 'no', 'nothing registers GPU memory with the NIC, so data is staged  nccl.log:34'],
  ];

  it('breaks it under itself, or puts it below where there is no room', () => {
    const beside = columnsWithin(rows, new Set(), '  ', 60);
    expect(beside.every((l) => l.length <= 60)).toBe(true);
    expect(beside[2]).toMatch(/^ {35}\S/);
    const below = columnsWithin(rows, new Set(), '  ', 48);
    expect(below.every((l) => l.length <= 48)).toBe(true);
    expect(below.find((l) => l.includes('registered'))).toMatch(/registered +no$/);
    expect(below.find((l) => l.includes('nothing registers'))).toMatch(/^ {6}nothing/);
    expect(columnsWithin(rows, new Set(), '  ', 200)).toHaveLength(2);
  });
});
