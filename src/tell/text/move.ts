import type { MoveAnswer, MoveAsk } from '../../answer/move.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { duration, significant } from './quantity.ts';

/** Each data path with what it costs, then latency and bandwidth by size, side by side. */
export function moveText(answer: MoveAnswer, how: MoveAsk, options: TextOptions): string {
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
  const rows = answer.paths.map((p) => {
    const slowest = [...p.model.stages].sort((a, b) => a.rate - b.rate)[0]!;
    const last = p.rows[p.rows.length - 1]!;
    return [
      p.model.path,
      t(say(`move.allowed.${p.model.allowed}`)),
      String(p.copies),
      `${p.hostMemoryBytesPerByte} B/B`,
      `${significant(last.cpuSecondsPerGB, 2)} s/GB`,
      t(slowest.name),
    ];
  });
  out.push(...columns([head.map((h) => style.dim(t(say(h)))), ...rows], new Set([2, 3, 4]), ' '), '');
  const names = answer.paths.map((p) => p.model.path);
  const table = (title: Message, value: (path: number, row: number) => string): void => {
    out.push(style.dim(t(title)));
    const sizes = answer.paths[0]!.rows.map((r, i) => [size(r.bytes), ...answer.paths.map((_, p) => value(p, i))]);
    out.push(...columns([['', ...names], ...sizes], new Set(names.map((_, i) => i + 1).concat(0)), ' '), '');
  };
  table(say('move.latency'), (p, i) => duration(answer.paths[p]!.rows[i]!.latencyUs));
  const load = how.both
    ? say('move.bandwidth-both', { depth: how.depth })
    : say('move.bandwidth', { depth: how.depth });
  table(load, (p, i) => significant(answer.paths[p]!.rows[i]!.bandwidthGBps));
  out.push(...answer.paths.filter((p) => p.model.allowed !== 'yes').map((p) => `${p.model.path}: ${t(p.model.rule)}`));
  return `${out.join('\n').trimEnd()}\n`;
}

function size(bytes: number): string {
  for (const [unit, n] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= n && bytes % n === 0) return `${bytes / n} ${unit}`;
  }
  return `${bytes} B`;
}
