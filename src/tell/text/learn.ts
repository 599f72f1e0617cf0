import { ncclTopic } from '../../answer/learn-nccl.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { findTerm } from '../../words/terms.ts';
import { type Demonstration, lessons, type Topic } from '../../workload/learn.ts';
import { packetSentence, registeredSentence, runSentence, todaySentence } from '../lesson.ts';
import { columns, gbps, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { duration, significant, size } from './quantity.ts';

/** The topics, each with its title; those that the machine at hand lacks say so. */
export function topicsText(options: TextOptions, here: ReadonlySet<string>): string {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const topics: readonly Topic[] = [...lessons.map((l) => l.topic), ncclTopic];
  const rows = topics.map((topic) => [
    style.strong(topic),
    t(say(`learn.title.${topic}`)),
    here.has(topic) ? '' : style.dim(t(say('learn.not-here'))),
  ]);
  const lines = columns(rows, new Set(), '  ').map((line) => line.trimEnd());
  return `${[...wrap(t(say('learn.topics')), options.width), '', ...lines].join('\n')}\n`;
}

/** One technology: what it is, its stages on this machine with a running copy counter, and how fast it is here. */
export function learnText(d: Demonstration, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const term = findTerm(d.lesson.term);
  const out = [style.strong(`${d.lesson.topic}   ${d.from} → ${d.to}`), ''];
  if (term) for (const p of term[options.language].split('\n')) out.push(...wrap(p, options.width));
  out.push('', style.strong(t(say('learn.steps'))));
  const head = [
    '',
    t(say('learn.head.stage')),
    t(say('learn.head.rate')),
    t(say('learn.head.copies')),
    t(say('learn.head.memory')),
    t(say('learn.head.core')),
  ];
  const rows = d.steps.map((s, i) => [
    String(i + 1),
    t(s.stage.name),
    Number.isFinite(s.stage.rate) ? gbps(s.stage.rate) : '',
    String(s.copies),
    `${s.hostMemory} B/B`,
    s.coreBytes > 0 ? `${s.coreBytes} B/B` : '0',
  ]);
  out.push(...columns([head.map(style.dim), ...rows], new Set([0, 2, 3, 4, 5]), ' '), '');
  out.push(...wrap(t(runSentence(d)), options.width));
  const registered = registeredSentence(d);
  if (registered) out.push(...wrap(t(registered), options.width));
  const packet = packetSentence(d, options.language);
  if (packet) out.push('', ...wrap(t(packet), options.width));
  out.push('');
  const times = d.rows.map((r) => [size(r.bytes), duration(r.latencyUs), `${significant(r.bandwidthGBps)} GB/s`]);
  out.push(
    ...columns(
      [['', t(say('learn.head.latency')), t(say('learn.head.eight'))].map(style.dim), ...times],
      new Set([0, 1, 2]),
      ' ',
    ),
    '',
  );
  out.push(...wrap(t(todaySentence(d)), options.width));
  for (const a of d.assumed) out.push(...wrap(style.dim(t(a)), options.width));
  return `${out.join('\n')}\n`;
}
