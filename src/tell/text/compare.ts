import { type CompareAnswer, type ComparedRow, machineOf, nearestOf, verdictOf } from '../../answer/compare.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { duration, percent as share, significant, size } from './quantity.ts';

/** Measured beside predicted, size by size; then what explains the numbers best. */
export function compareText(answer: CompareAnswer, file: string, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { ground, ask, style } = { ...answer, style: options.style };
  const paint = (r: ComparedRow, text: string): string =>
    r.verdict === 'normal' ? text : r.verdict === 'high' ? style.dim(text) : style.warn(text);
  const head = [
    t(say('compare.size')),
    t(say('compare.way')),
    t(say('compare.measured')),
    t(say('compare.predicted')),
    t(say('compare.ratio')),
    t(say('compare.time')),
    '',
  ];
  const rows = answer.rows.map((r) => [
    size(r.bytes),
    `${r.algorithm}/${r.protocol}`,
    significant(r.measuredBusbwGBps),
    significant(r.busbwGBps),
    significant(r.ratio, 2),
    `${duration(r.measuredTimeUs)} / ${duration(r.timeUs)}`,
    paint(r, t(say(`compare.row.${r.verdict}`))),
  ]);
  const data = { name: ask.name, ranks: ground.ranks, nodes: ground.machine.nodes, file, machine: machineOf(answer) };
  const out = [
    ...wrap(t(say('compare.title', data)), options.width),
    // Of what machine the expectation is comes before it.
    ...answer.assumptions.filter(ofMachine).flatMap((a) => wrap(t(a), options.width)),
    '',
    ...columns([head, ...rows], new Set([0, 2, 3, 4]), '  '),
    '',
    ...wrap(style.strong(t(verdictOf(answer))), options.width),
    ...answer.notes.flatMap((n) => wrap(t(n), options.width)),
    ...wrap(t(say('compare.bottleneck', { why: answer.bottleneck.why })), options.width),
  ];
  const nearest = nearestOf(answer);
  if (nearest) out.push('', ...wrap(t(nearest), options.width));
  out.push('', t(say('compare.curves')));
  for (const e of answer.explanations.slice(0, 6)) {
    const [first = '', ...more] = wrap(t(e.what), options.width - 10);
    out.push(
      `  ${share(off(e.distance).padStart(4), options.language)}  ${first}`,
      ...more.map((l) => ' '.repeat(10) + l),
    );
  }
  out.push('', ...answer.assumptions.filter((a) => !ofMachine(a)).flatMap((a) => wrap(style.dim(t(a)), options.width)));
  return `${out.join('\n')}\n`;
}

const ofMachine = (a: Message): boolean => a.code === 'usual.system';

const off = (distance: number): string => String(Math.round(100 * (Math.exp(distance) - 1)));
