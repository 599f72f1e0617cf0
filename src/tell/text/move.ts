import type { MoveAnswer, MoveAsk } from '../../answer/move.ts';
import type { TogetherAnswer } from '../../answer/movements.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns, columnsWithin, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { duration, significant, size } from './quantity.ts';

/** Each data path with what it costs, then latency and bandwidth by size, side by side. */
export function moveText(
  answer: MoveAnswer,
  how: MoveAsk,
  options: TextOptions & { readonly together?: TogetherAnswer },
): string {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const out = [style.strong(`${answer.from} → ${answer.to}`), ''];
  const head = [
    'move.head.path',
    'move.head.allowed',
    'move.head.copies',
    'move.head.memory',
    'move.head.cpu',
    'move.head.slowest',
  ] as const;
  const most = answer.paths[0]!.rows.at(-1)!.bytes;
  const rows = answer.paths.map((p) => {
    const slowest = [...p.model.stages].sort((a, b) => a.rate - b.rate)[0]!;
    const last = p.rows[p.rows.length - 1]!;
    return [
      p.model.path,
      t(say(`move.allowed.${p.model.allowed}`)),
      String(p.copies),
      `${p.hostMemoryBytesPerByte} B/B`,
      `${duration(last.cpuSecondsPerGB * 1e6, 2)}/GB`,
      t(slowest.name),
    ];
  });
  out.push(
    ...columnsWithin(
      [head.map((h) => style.dim(h === 'move.head.cpu' ? t(say(h, { size: size(most) })) : t(say(h)))), ...rows],
      new Set([2, 3, 4]),
      ' ',
      options.width,
    ),
    '',
  );
  const names = answer.paths.map((p) => p.model.path);
  const table = (title: Message, value: (path: number, row: number) => string): void => {
    out.push(style.dim(t(title)));
    const sizes = answer.paths[0]!.rows.map((r, i) => [size(r.bytes), ...answer.paths.map((_, p) => value(p, i))]);
    out.push(...columns([['', ...names], ...sizes], new Set(names.map((_, i) => i + 1).concat(0)), ' '), '');
  };
  table(say('move.latency'), (p, i) => duration(answer.paths[p]!.rows[i]!.latencyUs));
  const workers = answer.paths.every((p) => p.model.timing.workers);
  const load = workers
    ? say('move.bandwidth-workers', { threads: how.threads })
    : say(how.both ? 'move.bandwidth-both' : 'move.bandwidth', { depth: how.depth });
  table(load, (p, i) => significant(answer.paths[p]!.rows[i]!.bandwidthGBps));
  out.push(...frameLines(answer, options));
  for (const p of answer.paths) {
    if (p.model.allowed !== 'yes') out.push(...wrap(`${p.model.path}: ${t(p.model.rule)}`, options.width));
  }
  // What several paths have in common is said once.
  const noted = new Map<string, string[]>();
  for (const { model } of answer.paths) {
    if (model.note) noted.set(t(model.note), [...(noted.get(t(model.note)) ?? []), model.path]);
  }
  for (const [note, paths] of noted) out.push(...wrap(`${paths.join(', ')}: ${note}`, options.width));
  for (const a of answer.assumed) out.push(...wrap(style.dim(t(a)), options.width));
  if (options.together) out.push(...(out.at(-1) === '' ? [] : ['']), ...togetherLines(options.together, how, options));
  return `${out.join('\n').trimEnd()}\n`;
}

/** Whether frames are there before the next one is, by format of video. */
function frameLines(answer: MoveAnswer, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const told = answer.paths.filter((p) => p.frames);
  const first = told[0]?.frames;
  if (!first) return [];
  const rows = first.map(({ format, periodUs }, i) => [
    `${format.name}, ${significant(format.bytes / 1e6)} MB`,
    duration(periodUs),
    ...told.map(({ frames }) => {
      const f = frames![i]!;
      if (f.dropped > 0) return t(say('move.frames.dropped', { count: f.dropped }));
      return t(say(f.inTime ? 'move.frames.in-time' : 'move.frames.late', { time: duration(f.latencyUs) }));
    }),
  ]);
  const head = [t(say('move.frames')), t(say('move.frames.every')), ...told.map((p) => p.model.path)];
  return [...columns([head.map((h) => options.style.dim(h)), ...rows], new Set(head.keys()), ' '), ''];
}

/** What each movement brings alone and in company, and the shared wire that it waited for longest. */
function togetherLines(together: TogetherAnswer, how: MoveAsk, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const head = [
    'move.head.movement',
    'move.head.path',
    'move.head.alone',
    'move.head.together',
    'move.head.held',
  ] as const;
  const rows = together.movements.map((m) => {
    const [held] = m.heldBy;
    return [
      `${m.from} → ${m.to}`,
      m.path,
      significant(m.alone / 1e9),
      significant(m.rate / 1e9),
      held
        ? t(say('move.held', { name: held.name, percent: Math.round(held.share * 100) }))
        : t(say('move.held-nothing')),
    ];
  });
  return [
    style.dim(t(say('move.together', { size: size(together.bytes), depth: how.depth }))),
    ...columns([head.map((h) => style.dim(t(say(h)))), ...rows], new Set([2, 3]), ' '),
  ];
}
