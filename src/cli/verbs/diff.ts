import { answerDiff, type DiffAnswer, type Difference, type Seen } from '../../answer/diff.ts';
import { stylerFor, wrap } from '../../tell/text/columns.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { askOf, nothingIn, read } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `diff A B`: two nodes, or before and after; files, folders or bundles. */
export async function diff(words: readonly string[], options: Options): Promise<Outcome> {
  const [a, b, ...more] = words;
  if (a === undefined || b === undefined || more.length > 0) throw new NoAnswer(say('diff.what'));
  const [left, right] = [await read([a]), await read([b])];
  for (const side of [left, right]) {
    if (side.every((r) => r.documents.length === 0)) throw nothingIn(side, options);
  }
  const answer = answerDiff(
    left.flatMap((r) => r.documents),
    right.flatMap((r) => r.documents),
    askOf(options),
  );
  const worse = answer.differences.some((d) => d.kind === 'finding' || d.kind === 'way');
  const code = worse && options.failOn !== 'never' ? exit.findings : exit.fine;
  return { text: options.json ? json(answer, options) : text(answer, a, b, options), code };
}

function text(answer: DiffAnswer, a: string, b: string, options: Options): string {
  const t = (m: Message): string => render(m, options.language);
  const style = stylerFor(options.color);
  if (answer.differences.length === 0) return `${t(say(answer.apart ? 'diff.apart' : 'diff.same'))}\n`;
  const line = (name: string, seen: Seen | undefined): string[] => {
    const value = seen ? t(seen.value) : t(say('diff.not-seen'));
    const where = seen?.at ? style.dim(`  ${seen.at.file}:${seen.at.line}`) : '';
    return [`    ${name}: ${value}${where}`];
  };
  const one = (d: Difference): string[] => [
    ...wrap(`▲ ${style.strong(t(d.what))}`, options.width),
    ...(d.a || d.b ? [...line(a, d.a), ...line(b, d.b)] : []),
  ];
  return `${answer.differences.flatMap(one).join('\n')}\n`;
}

function json(answer: DiffAnswer, options: Options): string {
  const t = (m: Message): string => render(m, options.language);
  const seen = (s: Seen | undefined) =>
    s ? { value: t(s.value), ...(s.at ? { file: s.at.file, line: s.at.line } : {}) } : null;
  return `${JSON.stringify({
    schema: 'crowfly/diff@1',
    apart: answer.apart,
    differences: answer.differences.map((d) => ({ kind: d.kind, what: t(d.what), a: seen(d.a), b: seen(d.b) })),
  })}\n`;
}
