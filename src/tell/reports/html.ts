import { type DoctorAnswer, headlineOf, type ToldFinding } from '../../answer/doctor.ts';
import { type Language, type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { escapeMarkup } from '../picture/safe.ts';
import type { Redact } from '../redact.ts';
import { percent } from '../text/quantity.ts';

/** Follows the light or dark setting of the reader, prints on paper, asks nothing of the network. */
const style = `:root{color-scheme:light dark;--line:#8884}
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
article{border:1px solid var(--line);border-left-width:6px;border-radius:4px;padding:.25rem 1rem;margin:1rem 0}
.error{border-left-color:#d33}.warning{border-left-color:#c80}.info{border-left-color:#48c}
h2{font-size:1.1rem}.meta{opacity:.75}
pre{overflow-x:auto;background:#8882;padding:.5rem;border-radius:4px}
article.follows{margin-left:2rem}`;

/** Nothing may be loaded or run. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Lines of inputs whole, without what would move or hide text. */
const escaped = (text: string): string =>
  escapeMarkup(text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd'));

/** Findings as one page that needs nothing beside it: names and addresses taken out, as in every form that is passed on. */
export function doctorHtml(answer: DoctorAnswer, language: Language, redact: Redact): string {
  const t = (m: Message): string => escaped(redact(render(m, language)));
  const { findings, open } = answer;
  const title = t(say('doctor.report'));
  const summary = headlineOf(answer);
  const mistakes = answer.mistakes.map(
    (m) => `<li>${t(m.message)} <code>${escaped(redact(`${m.at.file}:${m.at.line}`))}</code></li>`,
  );
  const questions = open.map((o) => `<li>${t(o.about)}<pre><code>${escaped(redact(o.settle))}</code></pre></li>`);
  return `${[
    '<!doctype html>',
    `<html lang="${language}">`,
    `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head>`,
    '<body>',
    `<h1>${title}</h1>`,
    ...(mistakes.length === 0 ? [] : [`<ul>${mistakes.join('')}</ul>`]),
    ...(mistakes.length > 0 && findings.length === 0 ? [] : [`<p>${t(summary)}</p>`]),
    ...findings.map((f) => article(f, language, redact)),
    ...(questions.length === 0 ? [] : [`<h2>${t(say('doctor.open'))}</h2>`, `<ul>${questions.join('')}</ul>`]),
    '</body>',
    '</html>',
  ].join('\n')}\n`;
}

function article(f: ToldFinding, language: Language, redact: Redact): string {
  const t = (m: Message): string => escaped(redact(render(m, language)));
  const code = (lines: readonly string[]): string => `<pre><code>${escaped(lines.map(redact).join('\n'))}</code></pre>`;
  const labelled = (label: Message, text: string): string =>
    `<p>${t(say('doctor.report.labelled', { label, text }))}</p>`;
  const meta = [
    f.id,
    render(say(`doctor.severity.${f.severity}`), language),
    percent(Math.round(f.confidence * 100), language),
  ];
  const out = [
    `<article id="${f.id}" class="${f.severity}${f.follows === undefined ? '' : ' follows'}">`,
    `<h2>${t(f.title)}</h2>`,
    `<p class="meta">${escaped(meta.join(' · '))}</p>`,
  ];
  if (f.cause) out.push(`<p>${t(say('doctor.follows', { title: f.cause }))}</p>`);
  if (f.devices.length > 0) out.push(labelled(say('doctor.devices'), f.devices.slice(0, 16).join(', ')));
  out.push(`<p>${t(f.cost ? say('doctor.report.both', { first: f.effect, second: f.cost }) : f.effect)}</p>`);
  if (f.absent.length > 0) out.push(`<ul>${f.absent.map((a) => `<li>${t(a)}</li>`).join('')}</ul>`);
  if (f.evidence.length > 0) out.push(code(f.evidence.map((e) => `${e.file}:${e.line}: ${e.text}`)));
  for (const x of f.fix) {
    if (x.text.code !== 'doctor.fix-then') out.push(`<p>${t(x.text)}</p>`);
    if (x.command !== undefined) out.push(code([x.command]));
  }
  if (f.settle !== undefined) out.push(labelled(say('doctor.unsure'), ''), code([f.settle]));
  out.push(`<p><a href="${escaped(f.docs)}">${t(say('doctor.docs'))}</a></p>`, '</article>');
  return out.join('\n');
}
