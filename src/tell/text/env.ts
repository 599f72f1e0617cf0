import type { EnvAnswer } from '../../answer/env.ts';
import { type EnvVerdict, severityOf } from '../../doctor/lint-env.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { wide, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';

/** Each setting with where it came from and what it does; those to be changed first. */
export function envText(answer: EnvAnswer, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { style, width } = options;
  if (answer.settings.length === 0) return `${wrap(t(say('env.none')), width).join('\n')}\n`;
  const out = wrap(t(say('env.title', { count: answer.settings.length, version: answer.release.name })), width);
  const weight = (v: EnvVerdict): number => ['error', 'warning', undefined].indexOf(severityOf(v));
  const order = [...answer.settings].sort((a, b) => weight(a.verdict) - weight(b.verdict));
  for (const s of order) {
    const from = s.at ? `${s.at.file}:${s.at.line}` : t(say('env.given'));
    const severity = severityOf(s.verdict);
    const mark = severity === 'error' ? style.bad('✖') : severity === 'warning' ? style.warn('▲') : ' ';
    const set = cut(`${s.name}=${s.value}`, width - 2);
    const fits = wide(set) + wide(from) + 4 <= width;
    out.push('', `${mark} ${style.strong(set)}${fits ? `  ${style.dim(from)}` : ''}`);
    if (!fits) out.push(`    ${style.dim(from)}`);
    out.push(
      ...wrap(t(say('env.judged', { verdict: say(`env.verdict.${s.verdict}`), why: s.why })), width - 4).map(
        (l) => `    ${l}`,
      ),
    );
  }
  return `${out.join('\n')}\n`;
}

/** A long value, its end left out. */
function cut(text: string, width: number): string {
  if (wide(text) <= width) return text;
  let short = text.slice(0, width);
  while (wide(short) >= width) short = short.slice(0, -1);
  return `${short}…`;
}
