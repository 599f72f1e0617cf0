import { type ExplainAnswer, foremost } from '../../answer/explain.ts';
import type { Where } from '../../fact/fact.ts';
import type { Flip } from '../../flip/flips.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Course } from '../../way/course.ts';
import type { Way } from '../../way/stages.ts';
import { type Language, type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns, gbps, type Styler, wide, wrap } from './columns.ts';

export interface TextOptions {
  readonly language: Language;
  readonly width: number;
  readonly style: Styler;
}

/** Ways that may be taken, each where those before it are not. */
const ifs = ['report.if-direct', 'report.if-staged', 'report.if-neither'] as const;

/** A way for a terminal: stages, the rule with its line, and what would flip it. */
export function explainText(answer: ExplainAnswer, options: TextOptions): string {
  const { course } = answer;
  const t = (m: Message): string => render(m, options.language);
  const out: string[] = [];
  if (course.ways.length === 0) {
    const none = say(course.direct === 'no' ? 'report.not-taken' : 'report.not-known');
    out.push(options.style.strong(`${course.from} → ${course.to}   ${t(none)}`), '');
  }
  course.ways.forEach((way, i) => {
    if (course.ways.length > 1) out.push(t(say(ifs[Math.min(i, ifs.length - 1)]!)));
    out.push(...wayText(course, way, options), '');
  });
  out.push(options.style.strong(t(heading(course))));
  out.push(...withPlace(t(course.rule), course.evidence, options));
  if (course.settle !== undefined) out.push(`  ${t(say('report.run', { command: course.settle }))}`);
  // Nothing flips the way of a device to itself.
  if (course.ways[0]?.path !== 'same-device') out.push('', ...flipsText(answer, options));
  return `${out.join('\n')}\n`;
}

export function pathName(path: string, language: Language): string {
  return path === 'not-known' ? render(say('report.not-known'), language) : path;
}

function wayText(course: Course, way: Way, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const limit =
    way.weakest === undefined ? '' : `   ${t(say('report.at-most', { rate: gbps(way.stages[way.weakest]!.rate!) }))}`;
  const copies = t(say(way.copies === 1 ? 'report.copy' : 'report.copies', { count: way.copies }));
  const head = `${style.strong(`${course.from} → ${course.to}`)}   ${style.strong(pathName(way.path, options.language))}   ${copies}${limit}`;
  if (way.stages.length === 0) return [head];
  const rows = way.stages.map((s, i) => [
    String(i + 1),
    `${s.from} → ${s.to}`,
    t(s.by),
    t(s.medium),
    s.rate === undefined ? '' : gbps(s.rate),
    mark(way, i, t),
  ]);
  const table = columns(rows, new Set([0, 4]), ' ');
  // Too wide for the terminal: the mover goes below each stage.
  if (table.some((line) => wide(line) > options.width)) {
    const narrow = columns(
      rows.map((r) => [r[0]!, r[1]!, r[4]!, r[5]!]),
      new Set([0, 2]),
      ' ',
    );
    return [
      head,
      '',
      ...narrow.flatMap((line, i) => [
        line,
        `    ${style.dim([rows[i]![2]!, rows[i]![3]!, ...through(way, i, t)].join(t(say('report.comma'))))}`,
      ]),
    ];
  }
  return [head, '', ...table.flatMap((line, i) => [line, ...through(way, i, t).map((x) => style.dim(`    ${x}`))])];
}

const through = (way: Way, i: number, t: (m: Message) => string): string[] => {
  const via = way.stages[i]!.via;
  return via.length === 0 ? [] : [t(say('report.through', { devices: via.join(', ') }))];
};

function mark(way: Way, i: number, t: (m: Message) => string): string {
  const copy = way.stages[i]!.copy;
  const marks = [
    ...(copy === undefined ? [] : [t(say('report.copy-n', { n: copy }))]),
    ...(way.weakest === i ? [t(say('report.weakest'))] : []),
  ];
  return marks.join('  ');
}

function heading(course: Course): Message {
  if (course.direct === 'yes') return say('report.why');
  if (course.direct === 'no') return say('report.why-not');
  return say('report.why-unknown');
}

export const placeText = (at: readonly Where[]): string => (at.length === 0 ? '' : `${at[0]!.file}:${at[0]!.line}`);

/** How often the inputs contradict each other. */
export const conflictsIn = ({ conflicts }: Machine): Message =>
  say(conflicts.length === 1 ? 'report.conflict' : 'report.conflicts', { count: conflicts.length });

/** A sentence with the line that shows it at the right edge, or below when there is no room. */
export function withPlace(text: string, at: readonly Where[], options: TextOptions, indent = '  '): string[] {
  const lines = wrap(text, options.width - 2, indent);
  const place = placeText(at);
  if (place === '') return lines;
  return [...lines.slice(0, -1), ...placed(lines[lines.length - 1] ?? '', place, options, indent)];
}

/** A line with a place at the right edge, or below it when there is no room. */
export function placed(line: string, place: string, { width, style }: TextOptions, indent = '  '): string[] {
  const gap = width - wide(line) - wide(place);
  if (gap >= 3) return [`${line}${' '.repeat(gap)}${style.dim(place)}`];
  return [line, `${' '.repeat(Math.max(indent.length, width - wide(place)))}${style.dim(place)}`];
}

function flipsText(answer: ExplainAnswer, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const { course, flips } = answer;
  const direct = course.direct === 'yes';
  const title = options.style.strong(t(say(direct ? 'report.ends' : 'report.flips')));
  if (flips.length === 0) return [title, `  ${t(say(direct ? 'report.no-end' : 'report.no-flip'))}`];
  const rows = foremost(flips, direct ? 4 : 5).flatMap((f) => [flipLine(f, course, options)]);
  return [title, ...rows.flat()];
}

function flipLine(flip: Flip, course: Course, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const what = flip.edits.map((e) => t(e.what)).join(t(say('report.and')));
  const way = flip.after.ways[0];
  const result = way ? `${pathName(way.path, options.language)}${after(way, course, t)}` : '';
  const first = wrap(`${what}  →  ${result}`, options.width, '  ');
  const commands = flip.edits.flatMap((e) =>
    e.command === undefined || e.effort === 'setting' || e.effort === 'unset'
      ? []
      : [`    ${options.style.dim(e.command)}`],
  );
  return [...first, ...commands];
}

/** What the changed way brings: its ceiling, or that it brings nothing. */
function after(way: Way, course: Course, t: (m: Message) => string): string {
  if (way.weakest === undefined) return '';
  const rate = way.stages[way.weakest]!.rate!;
  const before = course.ways[0];
  const old = before?.weakest === undefined ? undefined : before.stages[before.weakest]!.rate!;
  const same = old !== undefined && Math.abs(rate / old - 1) <= 0.02;
  const fewer = same && before !== undefined && way.copies < before.copies;
  if (fewer)
    return `${t(say('report.comma'))}${t(say('report.fewer-copies', { before: before.copies, after: way.copies }))}`;
  return `${t(say('report.comma'))}${t(say('report.at-most', { rate: gbps(rate) }))}`;
}
