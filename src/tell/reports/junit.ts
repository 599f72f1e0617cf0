import type { DoctorAnswer } from '../../answer/doctor.ts';
import type { Language, Message } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { Redact } from '../redact.ts';

const xmlText = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');

/** JUnit XML: a finding is a test that failed, a remark one that passed, an open question one that was skipped. */
export function doctorJunit(answer: DoctorAnswer, language: Language, redact: Redact): string {
  const t = (m: Message): string => redact(render(m, language));
  const failed = answer.counts.error + answer.counts.warning + answer.mistakes.length;
  const total = answer.findings.length + answer.open.length + answer.mistakes.length;
  const out = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${total}" failures="${failed}">`,
    `<testsuite name="crowfly doctor" tests="${total}" failures="${failed}" skipped="${answer.open.length}">`,
  ];
  for (const m of answer.mistakes) {
    const place = xmlText(redact(`${m.at.file}:${m.at.line}`));
    out.push(
      `<testcase classname="crowfly.doctor" name="${m.id}"><failure type="error" message="${xmlText(t(m.message))}">${place}</failure></testcase>`,
    );
  }
  for (const f of answer.findings) {
    const body = xmlText(
      [
        t(f.effect),
        ...f.evidence.map((e) => redact(`${e.file}:${e.line}: ${e.text}`)),
        ...f.absent.map(t),
        ...f.fix.map((x) => `${t(x.text)}${x.command === undefined ? '' : `\n$ ${redact(x.command)}`}`),
      ].join('\n'),
    );
    const inside =
      f.severity === 'info'
        ? `<system-out>${body}</system-out>`
        : `<failure type="${f.severity}" message="${xmlText(t(f.title))}">${body}</failure>`;
    out.push(`<testcase classname="crowfly.doctor" name="${xmlText(f.id)}">${inside}</testcase>`);
  }
  for (const o of answer.open) {
    out.push(
      `<testcase classname="crowfly.doctor" name="${xmlText(t(o.about))}"><skipped message="${xmlText(o.settle)}"/></testcase>`,
    );
  }
  return `${[...out, '</testsuite>', '</testsuites>'].join('\n')}\n`;
}
