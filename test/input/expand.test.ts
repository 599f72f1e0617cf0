import fc from 'fast-check';
import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type ExpandLimits, expand, expandLimits } from '../../src/input/expand.ts';
import { safePath } from '../../src/input/paths.ts';
import { bytesSource } from '../../src/input/source.ts';
import { render } from '../../src/words/render.ts';
import { tarOf } from './tar-of.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every file of an archive with its text and remarks; what an archive says of itself stands under `(archive)`. */
async function files(
  name: string,
  bytes: Uint8Array,
  limits: Partial<ExpandLimits> = {},
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  await expand(bytesSource(name, bytes), { ...expandLimits, ...limits }, (file) => {
    const parts: string[] = [];
    const decoder = new TextDecoder();
    return {
      push: (chunk) => parts.push(decoder.decode(chunk, { stream: true })),
      note: (message) => parts.push(`[${render(message, 'en')}]`),
      end: (look) => {
        found[file] = parts.join('') + (look ? ` (${render(look, 'en')})` : '');
      },
    };
  });
  return found;
}

describe('archives', () => {
  it('gives a plain file as it is', async () => {
    expect(await files('a.log', utf8('hello'))).toEqual({ 'a.log': 'hello' });
    expect(await files('empty', new Uint8Array(0))).toEqual({ empty: '' });
  });

  it('unpacks gzip, tar, zip and one in the other', async () => {
    const tar = tarOf([
      { name: 'node1/', type: '5' },
      { name: 'node1/nccl.log', text: 'one' },
      { name: './node2/topo.txt.gz', bytes: gzipSync(utf8('two')) },
    ]);
    const inner = { 'b!node1/nccl.log': 'one', 'b!node2/topo.txt.gz': 'two' };
    expect(await files('b', tar)).toEqual(inner);
    expect(await files('b', gzipSync(tar))).toEqual(inner);
    const zip = zipSync({ 'x/y.txt': utf8('three'), 'z.tar': [tar, { level: 0 }] });
    expect(await files('c', zip)).toEqual({
      'c!x/y.txt': 'three',
      'c!z.tar!node1/nccl.log': 'one',
      'c!z.tar!node2/topo.txt.gz': 'two',
    });
  });

  it('reads long names of both kinds', async () => {
    const name = `${'deep/'.repeat(30)}file.log`;
    const gnu = tarOf([
      { name: '././@LongLink', type: 'L', text: `${name}\0` },
      { name: name.slice(0, 99), text: 'g' },
    ]);
    const record = ` path=${name}\n`;
    const pax = tarOf([
      { name: 'PaxHeader', type: 'x', text: `${record.length + 3}${record}` },
      { name: 'short', text: 'p' },
    ]);
    expect(await files('t', gnu)).toEqual({ [`t!${name}`]: 'g' });
    expect(await files('t', pax)).toEqual({ [`t!${name}`]: 'p' });
  });

  it('names what it leaves out', async () => {
    const tar = tarOf([
      { name: 'a', type: '2', link: '/etc/shadow' },
      { name: '../../etc/passwd', text: 'x' },
      { name: 'dev', type: '3' },
    ]);
    expect(await files('t', tar)).toEqual({
      't!etc/passwd': 'x',
      t: '[a is a link and was not followed][the member "../../etc/passwd" points outside the archive; shown as etc/passwd][dev is no regular file and was skipped] (an archive)',
    });
  });

  it('says where an archive is damaged or cut', async () => {
    const tar = tarOf([
      { name: 'a', text: 'aaaa' },
      { name: 'b', text: 'b'.repeat(2000) },
    ]);
    expect(await files('t', tar.subarray(0, 2100))).toEqual({
      't!a': 'aaaa',
      't!b': 'b'.repeat(564),
      t: '[b is cut short: 564 of 2000 bytes] (an archive)',
    });
    const broken = tar.slice();
    broken[1024 + 3] = 7;
    expect((await files('t', broken))['t']).toMatch(/damaged archive \(tar header\)/);
    const gz = gzipSync(utf8('x'.repeat(100_000) + Math.PI));
    expect(Object.values(await files('t', gz.subarray(0, gz.length - 12))).join()).toMatch(/^x+.*\[damaged archive/);
  });

  it('stops at its limits', async () => {
    const bomb = gzipSync(new Uint8Array(4_000_000));
    const only = async (bytes: Uint8Array, limits: Partial<ExpandLimits>) =>
      Object.values(await files('b', bytes, limits)).join();
    expect(await only(bomb, { ratioFrom: 1_000_000 })).toMatch(/decompression bomb/);
    expect(await only(bomb, { bytes: 2 ** 20 })).toMatch(/unpacks to more than 1 MiB/);
    expect(await only(zipSync({ a: new Uint8Array(4_000_000) }), { bytes: 2 ** 20 })).toMatch(
      /unpacks to more than 1 MiB/,
    );
    const many = tarOf(Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, text: 'x' })));
    expect(Object.keys(await files('t', many, { entries: 5 }))).toEqual(['t!f0', 't!f1', 't!f2', 't!f3', 't!f4', 't']);
    let nested = utf8('core');
    for (let i = 0; i < 8; i++) nested = gzipSync(nested);
    expect(await only(nested, {})).toMatch(/nested deeper than 4/);
  });

  it('never throws on damaged archives, and never opens a path outside', async () => {
    const seeds = [
      tarOf([
        { name: 'a/b', text: 'hello' },
        { name: 'c', text: 'x'.repeat(700) },
      ]),
      gzipSync(utf8('hello '.repeat(200))),
      zipSync({ 'a/b.txt': utf8('hello '.repeat(50)), c: utf8('x') }),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 6 }),
        fc.nat(3000),
        async (seed, edits, cut) => {
          const bytes = seed.slice(0, Math.max(1, seed.length - (cut % seed.length)));
          for (const [at, value] of edits) bytes[at % bytes.length] = value;
          for (const name of Object.keys(await files('z', bytes))) {
            expect(name.split(/[!/]/)).not.toContain('..');
          }
        },
      ),
      { seed: 2025, numRuns: 300 },
    );
  });
});

describe('safePath', () => {
  it.each([
    ['a/b.log', 'a/b.log', false],
    ['./a//b', 'a/b', false],
    ['/etc/passwd', 'etc/passwd', true],
    ['..\\..\\x', 'x', true],
    ['C:\\logs\\nccl.log', 'logs/nccl.log', true],
    ['a/../../b', 'a/b', true],
    ['', '(no name)', false],
    ['a\u0000\u001b[31mb', 'a[31mb', false],
  ])('%j', (name, path, escaped) => {
    expect(safePath(name)).toEqual({ path, escaped });
  });
});
