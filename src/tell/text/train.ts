import type { TrainAnswer, TrainRow } from '../../answer/train.ts';
import { type Language, type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns, columnsWithin, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { duration, percent, significant } from './quantity.ts';

/** A step from one node to all, what it is made of, then without GPUDirect and NVLink. */
export function trainText(answer: TrainAnswer, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { model, strategy, kept } = answer.ask;
  const samples = say(model.sample === 'token' ? 'train.tokens' : 'train.images', { count: model.samples });
  const head = [
    t(say('train.nodes')),
    t(say('train.gpus')),
    t(say('train.step')),
    t(say('train.compute')),
    t(say('train.communication')),
    t(say('train.exposed')),
    t(say('train.efficiency')),
    t(say(model.sample === 'token' ? 'train.rate.token' : 'train.rate.image')),
  ];
  const numbers = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
  const title = say('train.title', {
    name: model.name,
    parameters: large(model.parameters),
    strategy: strategy.toUpperCase(),
    samples,
    peak: significant(answer.peak / 1e12),
    percent: Math.round(100 * kept),
  });
  const out = [
    ...wrap(t(title), options.width),
    '',
    ...columns([head, ...answer.rows.map((r) => cells(r, options.language))], numbers, '  '),
  ];
  out.push(...tooBigText(answer, options));
  const most = answer.rows.at(-1)!;
  out.push('', ...wrap(options.style.strong(t(say('train.parts', { gpus: most.ranks }))), options.width));
  out.push(...columnsWithin(parts(most, options.language), new Set([0, 1]), '  ', options.width));
  for (const w of answer.without) {
    out.push('', ...wrap(options.style.strong(t(say('train.without', { what: w.what }))), options.width));
    out.push(...columns([head, cells(w.row, options.language)], numbers, '  '));
  }
  out.push('', ...answer.assumptions.flatMap((a) => wrap(options.style.dim(t(a)), options.width)));
  return `${out.join('\n')}\n`;
}

/** That the GPUs have no room for it, and what would make it fit, the cheapest first. */
function tooBigText({ tooBig }: TrainAnswer, options: TextOptions): string[] {
  if (!tooBig) return [];
  const t = (m: Message): string => render(m, options.language);
  const { row, from, memory, remedies } = tooBig;
  const said = { gpus: row.ranks, gb: gigabytes(row.held), memory };
  if (from) {
    const text = t(say('train.fits-from', { ...said, from: from.ranks, fewer: gigabytes(from.held) }));
    return ['', ...wrap(options.style.warn(text), options.width)];
  }
  return [
    '',
    ...wrap(options.style.warn(t(say('train.too-big', said))), options.width),
    t(say('train.would-fit')),
    ...remedies.flatMap((r) =>
      wrap(t(say(`train.remedy.${r.id}`, { gb: gigabytes(r.bytes), gpus: r.ranks })), options.width, '  '),
    ),
  ];
}

const gigabytes = (bytes: number): string => significant(bytes / 1e9);

const cells = (r: TrainRow, language: Language): string[] => [
  String(r.nodes),
  String(r.ranks),
  duration(r.step),
  duration(r.compute),
  duration(r.communication),
  duration(r.exposed),
  percent(significant(100 * r.efficiency), language),
  significant(r.samplesPerSecond),
];

/** What a step is the sum of, the longest first. */
const parts = (r: TrainRow, language: Language): string[][] =>
  (['compute', 'slowed', 'waiting', 'exposed', 'optimizer'] as const)
    .filter((part) => r[part] > 0)
    .sort((a, b) => r[b] - r[a])
    .map((part) => [
      duration(r[part]),
      percent(significant((100 * r[part]) / r.step), language),
      render(say(`train.part.${part}`), language),
    ]);

/** 7B, 350M. */
function large(count: number): string {
  for (const [unit, n] of [
    ['T', 1e12],
    ['B', 1e9],
    ['M', 1e6],
    ['K', 1e3],
  ] as const) {
    if (count >= n) return `${significant(count / n)}${unit}`;
  }
  return String(count);
}
