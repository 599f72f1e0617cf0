import { type DoctorAnswer, headlineOf } from '../../answer/doctor.ts';
import { type Language, type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { Redact } from '../redact.ts';
import { percent } from '../text/quantity.ts';

/** Findings to paste into an issue: names and addresses taken out, lines quoted as code. */
export function doctorMarkdown(answer: DoctorAnswer, language: Language, redact: Redact): string {
  const t = (m: Message): string => redact(render(m, language));
  const out = [`## ${t(say('doctor.report'))}`, ''];
  for (const m of answer.mistakes) out.push(`- ${t(m.message)} (${code(redact(`${m.at.file}:${m.at.line}`))})`);
  if (answer.mistakes.length === 0 || answer.findings.length > 0) out.push('', t(headlineOf(answer)));
  for (const f of answer.findings) {
    out.push(
      '',
      `### ${t(f.title)}`,
      '',
      `\`${f.id}\` · ${t(say(`doctor.severity.${f.severity}`))} · ${percent(Math.round(f.confidence * 100), language)}`,
      '',
    );
    if (f.cause) out.push(`_${t(say('doctor.follows', { title: f.cause }))}_`, '');
    if (f.devices.length > 0)
      out.push(
        t(
          say('doctor.report.labelled', {
            label: `**${t(say('doctor.devices'))}**`,
            text: f.devices
              .slice(0, 16)
              .map((d) => code(d))
              .join(', '),
          }),
        ),
        '',
      );
    out.push(f.cost ? t(say('doctor.report.both', { first: f.effect, second: f.cost })) : t(f.effect), '');
    for (const a of f.absent) out.push(`- ${t(a)}`);
    if (f.evidence.length > 0) {
      const lines = f.evidence.map((e) => `${redact(e.file)}:${e.line}: ${redact(e.text)}`);
      out.push(...fenced(lines), '');
    }
    for (const x of f.fix) {
      if (x.text.code !== 'doctor.fix-then') out.push(t(x.text), '');
      if (x.command !== undefined) out.push(...fenced([redact(x.command)], 'sh'), '');
    }
    if (f.settle !== undefined)
      out.push(
        t(say('doctor.report.labelled', { label: say('doctor.unsure'), text: '' })).trim(),
        '',
        ...fenced([f.settle], 'sh'),
        '',
      );
  }
  if (answer.open.length > 0) {
    out.push('', `### ${t(say('doctor.open'))}`, '');
    for (const o of answer.open)
      out.push(`- ${t(o.about)}; ${t(say('doctor.run', { command: '' })).trim()} ${code(o.settle)}`);
  }
  return `${out
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

const code = (text: string): string => `\`${text.replace(/`/g, "'")}\``;

/** A fence longer than any in the lines, so that a pasted fence cannot close it. */
function fenced(lines: readonly string[], language = 'text'): string[] {
  const longest = Math.max(2, ...lines.flatMap((l) => (l.match(/`{3,}/g) ?? []).map((m) => m.length)));
  const fence = '`'.repeat(longest + 1);
  return [fence + language, ...lines, fence];
}
