import type { FoundBeside } from '../../answer/found-beside.ts';
import { folded, type ReportAnswer, type ReportPoint, type ReportRow } from '../../answer/report.ts';
import type { Machine } from '../../machine/machine.ts';
import type { ReadResult } from '../../read/reader.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { drawText, type Ink, picture, type Styler } from '../picture/index.ts';
import { columns, gbps, wrap } from './columns.ts';
import { conflictsIn, pathName, placeText, type TextOptions, withPlace } from './explain.ts';
import { inputLines, noteLines } from './inputs.ts';
import { observedText } from './observed.ts';

export interface ReportInput {
  readonly machine: Machine;
  readonly inputs: readonly ReadResult[];
  readonly answer: ReportAnswer | undefined;
  readonly beside: readonly FoundBeside[];
  /** The inputs as the caller named them. */
  readonly named: readonly string[];
  /** Was the release told, not found in the inputs? */
  readonly asked: boolean;
  readonly assumptions: readonly string[];
  readonly verbose: boolean;
  readonly color: boolean;
}

/** The whole report for a terminal: what was read, the machine, its ways, what deserves attention. */
export function reportText(input: ReportInput, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { machine, answer } = input;
  const out: string[] = [...inputsText(input, options)];
  if (machine.hosts.length > 0) {
    out.push(
      '',
      drawText(picture(machine), {
        width: options.width,
        language: options.language,
        ...paint(input, options),
      }).trimEnd(),
    );
  }
  if (answer?.refused) {
    out.push(
      '',
      ...withPlace(`✖ ${t(say('report.refused', { reason: answer.refused.reason }))}`, answer.refused.at, options, ''),
    );
  }
  if (answer && answer.rows.length > 0) out.push('', ...rowsText(answer, options));
  if (machine.observed) out.push(...observedText(machine.observed, (answer?.points.length ?? 0) > 0, options));
  if (answer && answer.points.length > 0) out.push('', ...answer.points.flatMap((p) => pointText(p, options)));
  out.push(...besideText(input, options));
  out.push(...conflictsText(input, options));
  return `${out.join('\n')}\n`;
}

/** The drawing's inks in the report's colours. */
function paint(input: ReportInput, options: TextOptions): { color?: Styler } {
  if (!input.color) return {};
  const { style } = options;
  const inks: Partial<Record<Ink, (text: string) => string>> = { bad: style.bad, look: style.warn, unknown: style.dim };
  return { color: (ink, text) => inks[ink]?.(text) ?? text };
}

function inputsText(input: ReportInput, options: TextOptions): string[] {
  const { inputs, machine, answer, assumptions } = input;
  const t = (m: Message): string => render(m, options.language);
  const lines = inputLines(inputs, input.verbose, options);
  if (answer) {
    const asked = answer.release.asked;
    const version = answer.release.name;
    const source = machine.software.nccl;
    const text =
      asked !== undefined
        ? say('report.nccl-nearest', { asked, version })
        : input.asked
          ? say('report.nccl-asked', { version })
          : source
            ? say('report.nccl-read', { version })
            : say('report.nccl-default', { version });
    lines.push(...withPlace(t(text), input.asked ? [] : (source?.at ?? []), options, ''));
  }
  for (const a of assumptions) lines.push(t(say('report.assumed', { what: a })));
  return lines;
}

function rowsText(answer: ReportAnswer, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const head = ['report.from', 'report.to', 'report.goes', 'report.ceiling', 'report.could'] as const;
  const body = answer.rows.map((row) => [
    folded(row.from),
    folded(row.to),
    goes(row, options),
    ceiling(row),
    row.flip ? (row.flip.after.ways[0]?.path ?? '') : row.course.direct === 'yes' ? '–' : '',
  ]);
  return columns([head.map((code) => options.style.dim(t(say(code)))), ...body], new Set(), ' ');
}

function goes(row: ReportRow, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const way = row.course.ways[0];
  if (!way || row.course.direct === 'unknown') return options.style.warn(t(say('report.not-known')));
  const text = pathName(way.path, options.language);
  return row.course.direct === 'yes' ? options.style.good(text) : options.style.bad(text);
}

function ceiling(row: ReportRow): string {
  const way = row.course.ways[0];
  return row.course.direct === 'unknown' || way?.weakest === undefined
    ? ''
    : `≤ ${gbps(way.stages[way.weakest]!.rate!)}`;
}

function pointText(point: ReportPoint, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const mark = point.mark === 'bad' ? options.style.bad('✖') : options.style.warn('?');
  const lines = wrap(t(point.what), options.width - 2).map((l, i) => (i === 0 ? `${mark} ${l}` : `  ${l}`));
  lines.push(...withPlace(t(point.rule), point.evidence, options, '  '));
  if (point.settle !== undefined)
    lines.push(...wrap(t(say('report.run', { command: point.settle })), options.width, '  '));
  if (point.flip) {
    const what = point.flip.edits.map((e) => t(e.what)).join(t(say('report.and')));
    const to = point.flip.after.ways[0]?.path ?? '';
    lines.push(...wrap(t(say('report.flip', { what, path: to })), options.width, '  '));
    for (const e of point.flip.edits) {
      if (e.command !== undefined && e.effort !== 'setting') lines.push(`    ${options.style.strong(e.command)}`);
    }
  }
  return lines;
}

/** What the doctor would say, in a line each. */
function besideText({ machine, beside: all, named }: ReportInput, options: TextOptions): string[] {
  // A warning that was shown among what was seen needs no second line.
  const seen = new Set(machine.observed?.warnings.slice(0, 5).map((w) => `${w.at.file} ${w.at.line}`));
  const beside = all.filter((f) => f.mark !== 'unknown' || !f.evidence.some((e) => seen.has(`${e.file} ${e.line}`)));
  if (beside.length === 0) return [];
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const marks = { bad: style.bad('✖'), look: style.warn('▲'), unknown: style.warn('?') };
  return [
    '',
    ...beside.flatMap((f) => {
      const [first = '', ...rest] = withPlace(`  ${t(f.what)}`, f.evidence, options);
      return [`${marks[f.mark]} ${first.trimStart()}`, ...rest];
    }),
    ...wrap(t(say('report.doctor', { inputs: named.join(' ') })), options.width),
  ];
}

function conflictsText({ machine, inputs, verbose }: ReportInput, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const out: string[] = [];
  const place = (at: readonly { file: string; line: number }[]): string =>
    at.length === 0 ? '' : ` (${placeText(at)})`;
  if (machine.conflicts.length > 0) {
    out.push('', `▲ ${t(conflictsIn(machine))}`);
    for (const c of machine.conflicts.slice(0, verbose ? 100 : 3)) {
      out.push(
        ...wrap(`${t(c.about)}: ${c.claims.map((x) => `${x.value}${place(x.at)}`).join(' ≠ ')}`, options.width, '  '),
      );
    }
  }
  const notes = machine.notes.map((n) => `${t(n.message)}${place(n.at)}`);
  notes.push(...noteLines(inputs, verbose, options));
  if (verbose) {
    for (const r of inputs) {
      if (r.documents.length > 0) continue;
      for (const d of r.declined) notes.push(`${r.file}: ${d.format}: ${t(d.reason)}`);
    }
  }
  if (notes.length > 0) out.push('', ...notes.flatMap((n) => wrap(`· ${n}`, options.width)));
  return out;
}
