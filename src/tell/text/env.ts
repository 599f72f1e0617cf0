import type { EnvAnswer } from '../../answer/env.ts';
import { bad } from '../../doctor/lint-env.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';

/** Each setting with where it came from and what it does; those to be changed first. */
export function envText(answer: EnvAnswer, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { style, width } = options;
  if (answer.settings.length === 0) return `${t(say('env.none'))}\n`;
  const out = wrap(t(say('env.title', { count: answer.settings.length, version: answer.release.name })), width);
  const order = [...answer.settings].sort((a, b) => Number(bad.has(b.verdict)) - Number(bad.has(a.verdict)));
  for (const s of order) {
    const from = s.at ? `${s.at.file}:${s.at.line}` : t(say('env.given'));
    const wrong = bad.has(s.verdict);
    out.push(
      '',
      `${wrong ? style.warn('▲') : ' '} ${style.strong(`${s.name}=${s.value.slice(0, 120)}`)}  ${style.dim(from)}`,
    );
    out.push(
      ...wrap(t(say('env.judged', { verdict: say(`env.verdict.${s.verdict}`), why: s.why })), width - 4).map(
        (l) => `    ${l}`,
      ),
    );
  }
  return `${out.join('\n')}\n`;
}
