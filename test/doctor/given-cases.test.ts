import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { readText } from '../../src/read/read-source.ts';
import { shared, whyNot } from '../support/shared.ts';
import { loud } from './case.ts';

interface Expected {
  readonly finding: string;
  readonly severity: string;
  readonly optional?: boolean;
}

interface Given {
  readonly id: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly must: readonly string[];
  readonly may: ReadonlySet<string>;
}

const folder = shared === undefined ? undefined : join(shared, 'data/cases');

function load(path: string, id: string): Given[] {
  if (!existsSync(join(path, id, 'case.json'))) return [];
  const { expected } = JSON.parse(readFileSync(join(path, id, 'case.json'), 'utf8')) as { expected: Expected[] };
  const strong = expected.filter((e) => !['info', 'advice'].includes(e.severity));
  return [
    {
      id,
      files: readdirSync(join(path, id))
        .filter((f) => f !== 'case.json')
        .map((name) => ({ name, text: readFileSync(join(path, id, name), 'utf8') })),
      must: [...new Set(strong.filter((e) => !e.optional).map((e) => e.finding))],
      may: new Set(strong.map((e) => e.finding)),
    },
  ];
}

const given: readonly Given[] =
  folder && existsSync(folder) ? readdirSync(folder).flatMap((id) => load(folder, id)) : [];

type Change = (text: string, name: string) => string;

const eachLine =
  (change: (line: string, i: number) => string): Change =>
  (text, name) =>
    // A prefix before each line of an XML file makes it another file.
    name.endsWith('.xml')
      ? text
      : text
          .split('\n')
          .map((l, i) => (l === '' ? l : change(l, i)))
          .join('\n');

/** How people hand on what a terminal printed. */
const clothes: Readonly<Record<string, Change>> = {
  'as it is': (text) => text,
  'with other names': (text) =>
    text
      .replace(/mlx5_(\d)/g, (_, n: string) => `mlx5_${Number(n) + 10}`)
      .replace(/node(\d)/g, 'gpu-w-$1a')
      .replace(/10\.0\.0\./g, '192.168.7.'),
  'with blanks for tabs': (text, name) => (name.endsWith('.xml') ? text : text.replace(/\t/g, '        ')),
  quoted: (text) =>
    text
      .split('\n')
      .map((l) => (l === '' ? '>' : `> ${l}`))
      .join('\n'),
  'with times': eachLine((l, i) => `2025-11-03T09:${String(i % 60).padStart(2, '0')}:00.123Z ${l}`),
  'of pdsh': eachLine((l) => `node7: ${l}`),
  indented: eachLine((l) => `    ${l}`),
  fenced: (text) => `Here is what I see:\n\`\`\`\n${text}\n\`\`\`\nthanks`,
  'without leading blanks': (text) =>
    text
      .split('\n')
      .map((l) => l.trim())
      .join('\n'),
};

const diagnosed = (one: Given, change: Change) =>
  diagnose(one.files.flatMap((f) => readText(f.name, change(f.text, f.name)).documents))
    .findings.filter(loud)
    .map((f) => f.id as string);

describe.skipIf(given.length === 0)(`the given cases${given.length === 0 ? ` (skipped: ${whyNot})` : ''}`, () => {
  it.each(Object.entries(clothes))('are found %s, and nothing else is', (_, change) => {
    const wrong = given.flatMap((one) => {
      const found = diagnosed(one, change);
      return [
        ...one.must.filter((id) => !found.includes(id)).map((id) => `${one.id} lacks ${id}`),
        ...found.filter((id) => !one.may.has(id)).map((id) => `${one.id} has ${id}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('are found in one pasted issue', () => {
    const lacking = given.flatMap((one) => {
      const text = one.files.map((f) => `### ${f.name}\n\`\`\`\n${f.text}\n\`\`\`\n`).join('\n');
      const found = diagnose(readText('issue.md', text).documents)
        .findings.filter(loud)
        .map((f) => f.id as string);
      return one.must.filter((id) => !found.includes(id)).map((id) => `${one.id} lacks ${id}`);
    });
    expect(lacking).toEqual([]);
  });

  it('raise no alarm when their ends are cut off', () => {
    const alarms = given.flatMap((one) =>
      [0.3, 0.5, 0.8].flatMap((part) =>
        diagnosed(one, (text) => text.slice(0, Math.floor(text.length * part)))
          .filter((id) => !one.may.has(id))
          .map((id) => `${one.id} at ${part} has ${id}`),
      ),
    );
    expect(alarms).toEqual([]);
  });
});
