import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allFormats } from '../../src/read/formats.ts';
import type { ReadResult } from '../../src/read/reader.ts';
import { en } from '../../src/words/en/index.ts';
import { declinedOf, read, readBytes } from './expect-read.ts';
import { samples } from './samples.ts';

/** The same cases on every run; another seed, and more of them, by hand: CROWFLY_SEED=7 CROWFLY_RUNS=10 (times as many). */
const seed = Number(process.env['CROWFLY_SEED'] ?? 2025);
const times = Number(process.env['CROWFLY_RUNS'] ?? 1);

/** What every outcome must keep to, however broken the input. */
function expectSane(result: ReadResult): void {
  const had = new Set(result.formats.map(({ id }) => id));
  expect(result.documents.length).toBe(result.formats.length);
  if (result.documents.length === 0) {
    expect(result.looks).toBeDefined();
    expect(result.declined.length).toBe(allFormats.length + (result.lines === 0 ? 0 : 1));
  }
  for (const { format, reason } of result.declined) {
    expect(had.has(format)).toBe(false);
    expect(reason.code in en).toBe(true);
  }
  for (const { lines, count } of result.formats) {
    expect(lines[0]).toBeGreaterThan(0);
    expect(lines[1]).toBeLessThanOrEqual(result.lines);
    expect(count).toBeGreaterThan(0);
  }
  // Numbers in documents are numbers: NaN and Infinity would turn to null here.
  for (const document of result.documents) expectNumbers(document);
}

function expectNumbers(whole: unknown): void {
  const stack: unknown[] = [whole];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new Error(`a number is ${value}`);
    } else if (value instanceof Map) stack.push(...value.values());
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) stack.push(inner);
  }
}

const names = Object.keys(samples);
const sample = fc.constantFrom(...names);
const bytesOf = (name: string): Uint8Array => new TextEncoder().encode(`${samples[name]!.join('\n')}\n`);

describe('each sample', () => {
  it('is of a format, and each format has one', () => {
    expect(names.toSorted()).toEqual(allFormats.map((f) => f.id).toSorted());
  });

  it.each(names)('%s is read', async (name) => {
    const result = await read(samples[name]!);
    expect(result.formats.map(({ id }) => id)).toEqual([name]);
    expect(result.notes).toEqual([]);
    expectSane(result);
  });

  it.each(names)('%s is read with CRLF, as UTF-16 and behind a byte order mark', async (name) => {
    const text = samples[name]!.join('\r\n');
    const wide = new Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i++) new DataView(wide.buffer).setUint16(i * 2, text.charCodeAt(i), true);
    const plain = (await read(samples[name]!)).documents;
    for (const bytes of [new TextEncoder().encode(text), wide, new TextEncoder().encode(`\ufeff${text}`)]) {
      const [result] = await readBytes(bytes);
      expect(JSON.stringify(result!.documents)).toBe(JSON.stringify(plain));
    }
  });
});

describe('broken inputs give a result or a reason', () => {
  it('bytes swapped, cut and put in', async () => {
    const edit = fc.record({ at: fc.nat(5000), how: fc.constantFrom('set', 'drop', 'double'), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(sample, fc.array(edit, { maxLength: 12 }), fc.nat(5000), async (name, edits, cut) => {
        let bytes = [...bytesOf(name)];
        for (const { at, how, byte } of edits) {
          const i = at % bytes.length;
          if (how === 'set') bytes[i] = byte;
          else
            bytes = [
              ...bytes.slice(0, i),
              ...(how === 'drop' ? [] : bytes.slice(Math.max(0, i - 9), i)),
              ...bytes.slice(i + (how === 'drop' ? 3 : 0)),
            ];
        }
        const [result] = await readBytes(Uint8Array.from(bytes.slice(0, 1 + (cut % bytes.length))));
        expectSane(result!);
      }),
      { seed, numRuns: 1500 * times },
    );
  });

  it('lines dropped, doubled, moved and mixed with those of other formats', async () => {
    const all = Object.values(samples).flat();
    const lines = fc.array(
      fc.oneof(fc.constantFrom(...all), fc.constantFrom('', '```', '> ', '<system', '</system>', '{', '}', '#')),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(lines, async (mixed) => {
        expectSane(await read(mixed));
      }),
      { seed, numRuns: 800 * times },
    );
  });

  it('words put in the place of others', async () => {
    const word = fc.constantFrom(
      'NaN',
      'Infinity',
      '-1',
      '1e999',
      '__proto__',
      'constructor',
      '99999999999999999999',
      '0x',
      '[',
      ']]>',
      '&amp;',
      '"',
      '\t',
      'X',
      'GPU0',
      '->',
      '|',
      '\u0000',
    );
    await fc.assert(
      fc.asyncProperty(sample, fc.array(fc.tuple(fc.nat(200), word), { maxLength: 8 }), async (name, edits) => {
        const words = samples[name]!.join('\n').split(/(?<=[\s="/:,])/);
        for (const [at, text] of edits) words[at % words.length] = text;
        expectSane(await read(words.join('')));
      }),
      { seed, numRuns: 1000 * times },
    );
  });
});

describe('inputs without measure', () => {
  const within = async (seconds: number, lines: readonly string[] | string): Promise<ReadResult> => {
    const begun = performance.now();
    const result = await read(lines);
    expectSane(result);
    expect((performance.now() - begun) / 1000).toBeLessThan(seconds);
    return result;
  };

  it('a million columns', async () => {
    await within(10, [
      `\t${Array.from({ length: 1_000_000 }, (_, i) => `GPU${i}`).join('\t')}`,
      `GPU0\t${'X\t'.repeat(1_000_000)}`,
    ]);
    await within(10, [...samples['nccl-tests']!.slice(0, 3), `512 128 float ${'1 '.repeat(1_000_000)}`]);
    await within(
      10,
      `yew1:31:77 [0] NCCL INFO Trees ${Array.from({ length: 200_000 }, (_, i) => `[${i}] -1/-1/-1->0->1`).join(' ')}`,
    );
    await within(10, `yew1:31:77 [0] NCCL INFO NET/Socket : Using ${'[0]a:1<0> '.repeat(100_000)}`);
    await within(10, `yew1:31:77 [0] NCCL INFO ${'NCCL INFO '.repeat(6000)}`);
    await within(10, `yew1:31:77 [0] NCCL WARN ${'a:1:2 [0] '.repeat(6000)}`);
  });

  it('spaces, brackets and colons without end', async () => {
    for (const unit of [' ', '[', ':', '0', '<', '{', '"', 'a:1:', '\t', 'GPU0 ', '| ', '-> ', '> ']) {
      await within(
        10,
        Array.from({ length: 20 }, () => unit.repeat(Math.floor(60_000 / unit.length))),
      );
      await within(10, [`yew1:31:77 [0] NCCL INFO ${unit.repeat(Math.floor(60_000 / unit.length))}`]);
      await within(10, [
        ...samples['nvidia-smi-topo']!.slice(0, 1),
        `GPU0 X ${unit.repeat(Math.floor(60_000 / unit.length))}`,
      ]);
    }
  });

  it('deep and huge XML', async () => {
    const deep = await within(10, ['<system version="1">', ...Array.from({ length: 200_000 }, () => '<pci>')]);
    expect(declinedOf(deep)['nccl-topo-xml']).toMatch(/deeper than/);
    const wide = await within(20, [
      '<system version="1">',
      ...Array.from({ length: 200_000 }, () => '<cpu numaid="0"/>'),
      '</system>',
    ]);
    expect(wide.documents).toHaveLength(1);
    const bomb = [
      '<!DOCTYPE system [',
      ...Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};">`),
      ']>',
      '<system><cpu a="&e20;"/></system>',
    ];
    expect(declinedOf(await within(5, bomb))['nccl-topo-xml']).toMatch(/entity/);
  });

  it('a log of distinct things stays bounded', async () => {
    const lines: string[] = [];
    for (let i = 0; i < 120_000; i++) {
      lines.push(`h${i}:${i}:${i} [0] NCCL INFO Channel 00/0 : ${i}[0] -> ${i + 1}[1] via P2P/IPC`);
    }
    const result = await within(20, lines);
    const log = result.documents[0];
    expect(log?.kind === 'nccl-log' && log.connections.length).toBe(60_000);
    expect(log?.kind === 'nccl-log' && log.hosts.length).toBe(20_000);
  });
});
