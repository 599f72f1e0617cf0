import { type DoctorAnswer, headlineOf, type ToldFinding } from '../../answer/doctor.ts';
import type { ReadResult } from '../../read/reader.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { padEnd, wide, wrap } from './columns.ts';
import { type TextOptions, withPlace } from './explain.ts';
import { mostIdle, whyNothing } from './inputs.ts';
import { percent } from './quantity.ts';

/** Findings for a terminal: what, what it does, the lines that show it, what to type. */
export function doctorText(
  answer: DoctorAnswer,
  inputs: readonly ReadResult[],
  options: TextOptions,
  verbose = false,
): string {
  const t = (m: Message): string => render(m, options.language);
  const idle = inputs.filter((r) => r.documents.length === 0);
  const out: string[] = idle
    .slice(0, verbose || idle.length <= mostIdle + 1 ? undefined : mostIdle)
    .map((r) => options.style.dim(`${r.file}  ${t(whyNothing(r, inputs))}`));
  if (out.length < idle.length) {
    out.push(options.style.dim(t(say('report.more-idle', { count: idle.length - out.length }))));
  }
  const { mistakes } = answer;
  for (const m of mistakes) out.push(...withPlace(`${options.style.bad('✖')} ${t(m.message)}`, [m.at], options));
  if (out.length > 0) out.push('');
  const headline = t(headlineOf(answer));
  const { style } = options;
  if (answer.findings.length > 0) out.push(headline);
  else if (mistakes.length === 0)
    out.push(answer.open.some((o) => o.failed) ? style.warn(headline) : style.good(headline));
  if (answer.ways.length > 0) out.push('', ...answer.ways.flatMap((w) => wayText(w, options)));
  for (const f of answer.findings) out.push('', ...findingText(f, options));
  if (answer.open.length > 0) {
    out.push('', options.style.strong(t(say('doctor.open'))));
    for (const o of answer.open) {
      out.push(
        ...withPlace(`? ${t(o.about)}`, o.evidence.slice(0, 1), options),
        `    ${t(say('doctor.run', { command: o.settle }))}`,
      );
    }
  }
  const table = inputs.find((r) => r.documents.some((d) => d.kind === 'nccl-tests' && d.rows.length > 0));
  if (table) out.push('', ...wrap(t(say('doctor.table', { file: table.file })), options.width));
  return `${out.join('\n')}\n`;
}

/** One line a way: does data go directly, and which line says so. */
function wayText(w: DoctorAnswer['ways'][number], options: TextOptions): string[] {
  const { style, language } = options;
  const ink = w.answer === 'yes' ? style.good : w.answer === 'no' ? style.bad : style.dim;
  const said = render(say(`doctor.answer.${w.answer}`), language);
  return withPlace(`${render(w.about, language)}  ${ink(said)}`, w.evidence, options);
}

function findingText(f: ToldFinding, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const { style, width } = options;
  const mark = f.severity === 'error' ? style.bad('✖') : f.severity === 'warning' ? style.warn('▲') : style.dim('·');
  const labels = ['devices', 'effect', 'evidence', 'missing', 'do'] as const;
  const column = Math.max(...labels.map((l) => wide(t(say(`doctor.${l}`))))) + 2;
  const told = `${f.id} · ${t(say(`doctor.severity.${f.severity}`))} · ${percent(Math.round(f.confidence * 100), options.language)}`;
  const head = `${mark} ${style.strong(t(f.title))}`;
  const fits = wide(t(f.title)) + wide(told) + 4 <= width;
  const out = fits ? [`${head}  ${style.dim(told)}`] : [head, `  ${style.dim(told)}`];
  const part = (label: (typeof labels)[number], lines: readonly string[]): void => {
    lines.forEach((line, i) => {
      out.push(`  ${style.dim(padEnd(i === 0 ? t(say(`doctor.${label}`)) : '', column))}${line}`);
    });
  };
  const flow = (text: string): string[] => wrap(text, Math.max(20, width - column - 2));
  if (f.cause) out.push(...wrap(t(say('doctor.follows', { title: f.cause })), width, '  '));
  if (f.devices.length > 0) {
    const more = f.devices.length > 12 ? ` … (${f.devices.length})` : '';
    part('devices', flow(f.devices.slice(0, 12).join(', ') + more));
  }
  part('effect', [...flow(t(f.effect)), ...(f.cost ? flow(t(f.cost)) : [])]);
  part('evidence', [
    ...f.evidence
      .slice(0, shown)
      .flatMap((e) => [
        `${e.file}:${e.line}`,
        ...(e.text === '' ? [] : [`  ${style.dim(cut(e.text, width - column - 4))}`]),
      ]),
    ...(f.evidence.length > shown
      ? [
          t(
            say('doctor.more-lines', {
              lines: f.evidence
                .slice(shown)
                .map((e) => `${e.file === f.evidence[0]!.file ? '' : e.file}:${e.line}`)
                .join(' '),
            }),
          ),
        ]
      : []),
  ]);
  part(
    'missing',
    f.absent.flatMap((a) => flow(t(a))),
  );
  part(
    'do',
    f.fix.flatMap((x) => [
      ...(x.text.code === 'doctor.fix-then' ? [] : flow(t(x.text))),
      ...(x.command === undefined ? [] : [style.good(`$ ${x.command}`)]),
    ]),
  );
  if (f.settle !== undefined) out.push(`  ${style.dim(t(say('doctor.unsure')))} ${f.settle}`);
  return out;
}

/** Places quoted with their line; of the others the place alone is told. */
const shown = 3;

/** A line in the room there is. Of a log the message matters, so its prefix goes first. */
function cut(text: string, most: number): string {
  const room = Math.max(most, 24);
  let plain = text.replace(/\s+/g, ' ');
  const mark = plain.search(/NCCL (?:INFO|WARN) /);
  if (plain.length > room && mark > 0) plain = `…${plain.slice(mark)}`;
  return plain.length > room ? `${plain.slice(0, room - 1)}…` : plain;
}
