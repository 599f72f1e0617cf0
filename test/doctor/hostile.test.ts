import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerDoctor } from '../../src/answer/doctor.ts';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { about } from '../../src/doctor/ids.ts';
import { KeptLines } from '../../src/read/kept-lines.ts';
import { readText } from '../../src/read/read-source.ts';
import { render } from '../../src/words/render.ts';
import { samples } from '../read/samples.ts';
import { cases } from './cases/index.ts';

const lines = [...Object.values(samples).flat(), ...cases.flatMap((c) => Object.values(c.files).flat())];
const word = fc.constantFrom(
  'NaN',
  '-1',
  '1e999',
  '__proto__',
  'constructor',
  '99999999999999999999',
  '[',
  ']]>',
  '\t',
  'x0',
  '\u0000',
  '=',
  '0000:ff:1f.7',
);
/** A line of some tool, whole, cut, or with a word of it replaced. */
const line = fc.oneof(
  fc.constantFrom(...lines),
  fc.tuple(fc.constantFrom(...lines), fc.nat(80)).map(([l, n]) => l.slice(0, n)),
  fc.tuple(fc.constantFrom(...lines), fc.nat(30), word).map(([l, n, w]) => {
    const words = l.split(/(?<=[\s:=])/);
    words[n % words.length] = w;
    return words.join('');
  }),
);
const file = fc.array(line, { maxLength: 40 });

describe('rules on what nobody would paste', () => {
  it('never fail, point at lines that exist, and speak whole sentences', () => {
    fc.assert(
      fc.property(fc.array(file, { maxLength: 4 }), (files) => {
        const read = files.map((f, i) => readText(`f${i}`, f.join('\n')));
        const { findings, open } = diagnose(read.flatMap((r) => r.documents));
        for (const f of findings) {
          expect(Object.hasOwn(about, f.id)).toBe(true);
          expect(f.confidence).toBeGreaterThan(0);
          expect(f.confidence).toBeLessThanOrEqual(1);
          expect(f.evidence.length).toBeLessThanOrEqual(5);
          expect(f.evidence.length + f.absent.length).toBeGreaterThan(0);
          for (const e of f.evidence) {
            const text = files[Number(e.file.slice(1))]!.join('\n').split(/\r\n|\n|\r/);
            expect(e.line).toBeLessThanOrEqual(text.length);
          }
          for (const m of [...f.absent, ...f.fix.map((x) => x.text)])
            expect(render(m, 'zh-CN')).not.toMatch(/\{\w+\}|undefined/);
          // A name of a device stands in commands as it was pasted; a number that is none must not.
          const named = files.flat().some((l) => /\bnetdev NaN\b/.test(l));
          for (const { command } of f.fix) expect(command ?? '').not.toMatch(named ? /undefined/ : /undefined|\bNaN\b/);
        }
        for (const o of open) expect(o.settle).not.toBe('');
        answerDoctor(read, new KeptLines());
      }),
      { seed: 2025, numRuns: 400 },
    );
  });

  it('say each finding once, loudest first, a symptom below its cause', () => {
    const everything = cases.flatMap((c, i) =>
      Object.entries(c.files).map(([name, text]) => readText(`${i}/${name}`, text.join('\n'))),
    );
    const { findings } = diagnose(everything.flatMap((r) => r.documents));
    expect(new Set(findings.map((f) => f.id)).size).toBe(findings.length);
    findings.forEach((f, i) => {
      if (f.follows !== undefined) expect(findings.findIndex((x) => x.id === f.follows)).toBeLessThan(i);
    });
  });
});
