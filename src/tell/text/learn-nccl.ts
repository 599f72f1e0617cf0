import type { NcclLesson } from '../../answer/learn-nccl.ts';
import { folded } from '../../answer/report.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { findTerm } from '../../words/terms.ts';
import { columns, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { size } from './quantity.ts';

/** What NCCL is, and what it decides here: the way of each kind of pair, and how an all_reduce runs by size. */
export function learnNcclText(lesson: NcclLesson, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { style, width } = options;
  const out = [style.strong(`NCCL ${lesson.release}`), ''];
  for (const p of findTerm('NCCL')?.[options.language].split('\n') ?? []) out.push(...wrap(p, width));
  out.push('', style.strong(t(say('learn.nccl.ways'))));
  for (const w of lesson.ways) {
    out.push(` ${folded(w.from)} → ${folded(w.to)}   ${style.strong(w.course.ways[0]?.path ?? '?')}`);
    out.push(...wrap(t(w.course.rule), width, '   '));
  }
  out.push('', style.strong(t(say('learn.nccl.choices'))));
  const rows = lesson.choices.map((c) => [
    size(c.from),
    `… ${size(c.to)}`,
    `${c.algorithm}/${c.protocol}`,
    t(say('learn.nccl.channels', { count: c.channels })),
  ]);
  out.push(...columns(rows, new Set([0]), ' '), '', ...wrap(t(lesson.prediction.bottleneck.why), width));
  return `${out.join('\n')}\n`;
}
