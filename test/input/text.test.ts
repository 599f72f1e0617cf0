import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textSink } from '../../src/input/text.ts';
import { render } from '../../src/words/render.ts';

interface Lines {
  readonly lines: string[];
  readonly notes: string[];
  readonly look: string | undefined;
}

/** Feeds bytes in pieces of a size. */
function linesOf(bytes: Uint8Array, piece = 7): Lines {
  const lines: string[] = [];
  const notes: string[] = [];
  const sink = textSink({
    line: (text) => lines.push(text),
    note: (message, line) => notes.push(`${line}: ${render(message, 'en')}`),
  });
  for (let from = 0; from < bytes.length; from += piece) sink.push(bytes.subarray(from, from + piece));
  const look = sink.end();
  return { lines, notes, look: look && render(look, 'en') };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string, little: boolean, mark: boolean): Uint8Array => {
  const units = mark ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(units.length * 2);
  for (let i = 0; i < units.length; i++) new DataView(bytes.buffer).setUint16(i * 2, units.charCodeAt(i), little);
  return bytes;
};

describe('bytes to lines', () => {
  it.each([1, 3, 4096, 1_000_000])('splits at every kind of line end, in pieces of %i', (piece) => {
    expect(linesOf(utf8('one\ntwo\r\n\nfour\r\n\r\nlast'), piece).lines).toEqual([
      'one',
      'two',
      '',
      'four',
      '',
      'last',
    ]);
  });

  it('splits at bare carriage returns', () => {
    expect(linesOf(utf8('old\rmac\rlines')).lines).toEqual(['old', 'mac', 'lines']);
    const many = Array.from({ length: 40_000 }, (_, i) => `line ${i}`);
    expect(linesOf(utf8(many.join('\r')), 65_536).lines).toEqual(many);
  });

  it('strips a byte order mark and keeps characters whole across pieces', () => {
    expect(linesOf(utf8('\ufeffgrün 显卡\nzwei')).lines).toEqual(['grün 显卡', 'zwei']);
  });

  it.each([
    ['little endian with a mark', true, true],
    ['big endian with a mark', false, true],
    ['little endian without', true, false],
    ['big endian without', false, false],
  ])('reads UTF-16 %s', (_what, little, mark) => {
    const { lines, notes } = linesOf(utf16('NCCL INFO ä\r\nzwei\r\n', little, mark));
    expect(lines).toEqual(['NCCL INFO ä', 'zwei']);
    expect(notes).toEqual(['0: read as UTF-16 (as Windows PowerShell writes files)']);
  });

  it('reads Latin-1 where UTF-8 is broken', () => {
    const { lines, notes } = linesOf(Uint8Array.from([...utf8('fine\n'), 0xe4, 0x31, 10, ...utf8('后\n')]), 3);
    expect(lines).toEqual(['fine', 'ä1', '后']);
    expect(notes).toEqual(['2: not valid UTF-8 from here on in places; those parts are read as Latin-1']);
  });

  it('removes NUL bytes, escapes and the blanks of web pages', () => {
    const { lines, notes } = linesOf(
      utf8('a\0b\n\u001b[4mGPU0\u001b[0m\u001b]0;title\u0007x\nGPU0\u00a0\u2003X\u200b\n'),
    );
    expect(lines).toEqual(['ab', 'GPU0x', 'GPU0  X']);
    expect(notes).toEqual(['1: NUL bytes were removed']);
  });

  it('cuts long lines, and lets long JSON and XML lines pass', () => {
    const long = 'x'.repeat(1_000_000);
    const { lines, notes } = linesOf(utf8(`${long}\n<system ${long}>\nend`), 65_536);
    expect(lines.map(({ length }) => length)).toEqual([65_536, 1_000_009, 3]);
    expect(notes).toEqual(['1: a line longer than 65536 characters was cut']);
    expect(linesOf(utf8(long.repeat(10)), 65_536).lines.map(({ length }) => length)).toEqual([65_536]);
  });

  it.each([
    ['binary data (ELF), not text', [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]],
    ['compressed with zstd, which is not unpacked here; unpack it first', [0x28, 0xb5, 0x2f, 0xfd, 4, 0]],
    ['binary data (?), not text', Array.from({ length: 4096 }, (_, i) => (i * i * 131 + i * 7) & 0xff)],
    ['binary data (?), not text', [1, 2, 3, 0, 0, 0, 4, 5, 200, 0, 0, 6, 1, 0, 3, 0]],
  ])('does not read %s', (look, bytes) => {
    expect(linesOf(Uint8Array.from(bytes))).toEqual({ lines: [], notes: [], look });
  });

  it('gives the same lines whatever the pieces', () => {
    const text = fc.array(
      fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('\n', '\r\n', 'ä', '显', '\u001b[1m')),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 64 }), (parts, piece) => {
        const bytes = utf8(parts.join(''));
        expect(linesOf(bytes, piece)).toEqual(linesOf(bytes, 1_000_000));
      }),
      { seed: 2025 },
    );
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6000 }), fc.integer({ min: 1, max: 5000 }), (bytes, piece) => {
        linesOf(bytes, piece);
      }),
      { seed: 2025 },
    );
  });
});
