import type { DoctorAnswer } from '../../answer/doctor.ts';
import { type Language, type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { Redact } from '../redact.ts';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

/** SARIF 2.1.0: each finding points at the input lines that show it. */
export function doctorSarif(answer: DoctorAnswer, language: Language, version: string, redact: Redact): string {
  const t = (m: Message): string => redact(render(m, language));
  const place = (e: { readonly file: string; readonly line: number; readonly text: string }) => ({
    physicalLocation: {
      artifactLocation: { uri: redact(e.file).split('/').map(encodeURIComponent).join('/') },
      region: { startLine: e.line, ...(e.text === '' ? {} : { snippet: { text: redact(e.text) } }) },
    },
  });
  const mistaken = [...new Set(answer.mistakes.map((m) => m.id))];
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'crowfly',
              version,
              rules: [
                ...answer.findings.map((f) => ({
                  id: f.id,
                  shortDescription: { text: t(f.title) },
                  fullDescription: { text: t(f.effect) },
                  helpUri: f.docs,
                  defaultConfiguration: { level: levels[f.severity] },
                })),
                ...mistaken.map((id) => ({ id, defaultConfiguration: { level: levels.error } })),
              ],
            },
          },
          results: [
            ...answer.findings.map((f, i) => ({
              ruleId: f.id,
              ruleIndex: i,
              level: levels[f.severity],
              message: {
                text: t(
                  f.fix
                    .filter((x) => x.text.code !== 'doctor.fix-then')
                    .reduce<Message>(
                      (first, x) => say('doctor.report.both', { first, second: x.text }),
                      say('doctor.report.ended', { text: f.title }),
                    ),
                ),
              },
              locations: f.evidence.slice(0, 1).map(place),
              relatedLocations: f.evidence.slice(1).map((e, n) => ({ id: n + 1, ...place(e) })),
              rank: Math.round(f.confidence * 100),
            })),
            ...answer.mistakes.map((m) => ({
              ruleId: m.id,
              ruleIndex: answer.findings.length + mistaken.indexOf(m.id),
              level: levels.error,
              message: { text: t(m.message) },
              locations: [place({ ...m.at, text: '' })],
            })),
          ],
        },
      ],
    },
    null,
    1,
  )}\n`;
}
