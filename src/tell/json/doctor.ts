import type { DoctorAnswer } from '../../answer/doctor.ts';
import type { ReadResult } from '../../read/reader.ts';
import type { Language, Message } from '../../words/message.ts';
import { render } from '../../words/render.ts';

/** `crowfly/findings@1`. */
export function doctorJson(answer: DoctorAnswer, inputs: readonly ReadResult[], language: Language): string {
  const t = (m: Message): string => render(m, language);
  return `${JSON.stringify(
    {
      schema: 'crowfly/findings@1',
      inputs: inputs.map((r) =>
        r.documents.length > 0
          ? {
              file: r.file,
              formats: [...new Set(r.formats.map((f) => f.id))],
              facts: r.formats.reduce((sum, f) => sum + f.count, 0),
              ...(r.notes.length > 0 ? { notes: r.notes.map((n) => ({ line: n.line, text: t(n.message) })) } : {}),
            }
          : { file: r.file, declined: r.looks ? t(r.looks) : '' },
      ),
      findings: answer.findings.map((f) => ({
        id: f.id,
        severity: f.severity,
        confidence: f.confidence,
        ...(f.devices.length > 0 ? { devices: f.devices } : {}),
        title: t(f.title),
        effect: t(f.effect),
        ...(f.cost ? { cost: t(f.cost) } : {}),
        evidence: f.evidence,
        ...(f.absent.length > 0 ? { absent: f.absent.map(t) } : {}),
        fix: f.fix.map((x) => ({ text: t(x.text), ...(x.command === undefined ? {} : { command: x.command }) })),
        ...(f.settle === undefined ? {} : { settle: { command: f.settle } }),
        ...(f.follows === undefined ? {} : { follows: f.follows }),
        docs: f.docs,
      })),
      verdicts: [
        ...answer.ways.map((w) => ({
          way: w.way,
          about: t(w.about),
          verdict: w.answer,
          evidence: w.evidence,
          ...(w.because === undefined ? {} : { because: w.because }),
          ...(w.settle === undefined ? {} : { settle: { command: w.settle } }),
        })),
        ...answer.open.map((o) => ({
          about: t(o.about),
          verdict: 'unknown',
          evidence: o.evidence,
          settle: { command: o.settle },
        })),
      ],
    },
    null,
    1,
  )}\n`;
}
