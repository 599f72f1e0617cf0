import type { ReadResult } from '../../read/reader.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { padEnd, wide } from './columns.ts';
import type { TextOptions } from './explain.ts';

/** Files that gave nothing, of a folder of thousands: so many are listed, the others counted. */
export const mostIdle = 12;
/** Remarks shown of one file, and files shown with one and the same remark. */
const mostNotes = 3;

/** What was read from each input, or why nothing. */
export function inputLines(inputs: readonly ReadResult[], verbose: boolean, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const read = t(say('report.read'));
  const idle = inputs.filter((r) => r.documents.length === 0);
  // One more would take the line that counts it.
  const hidden = new Set(verbose || idle.length <= mostIdle + 1 ? [] : idle.slice(mostIdle));
  const shown = inputs.filter((r) => !hidden.has(r));
  const width = Math.min(28, Math.max(0, ...shown.map((r) => wide(short(r.file)))));
  const lines = shown.map((r) => {
    const what =
      r.formats.length > 0
        ? [...new Set(r.formats.map((f) => f.id))].join(', ')
        : t(isUnpacked(r, inputs) ? say('report.archive-below') : whyNothing(r, inputs));
    return `${padEnd(short(r.file), width)}  ${options.style.dim(what)}`;
  });
  if (hidden.size > 0) lines.push(options.style.dim(t(say('report.more-idle', { count: hidden.size }))));
  return lines.map((line, i) => `${i === 0 ? read : ' '.repeat(wide(read))}  ${line}`);
}

/** Why an input gave nothing. */
export function whyNothing(r: ReadResult, inputs: readonly ReadResult[]): Message {
  if (isUnpacked(r, inputs)) return say('report.archive', { note: r.notes[0]!.message });
  return r.lines === 0 && r.looks ? say('report.unread', { why: r.looks }) : say('report.read-nothing');
}

/** An archive is listed beside its files only when it has something to say of itself, such as where it is cut. */
const isUnpacked = (r: ReadResult, inputs: readonly ReadResult[]): boolean =>
  r.lines === 0 && r.notes.length > 0 && inputs.some((other) => other.file.startsWith(`${r.file}!`));

/** What inputs lost on their way is told unasked: what follows from it may be wrong. */
export function noteLines(inputs: readonly ReadResult[], verbose: boolean, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const lines: string[] = [];
  const told = new Map<string, number>();
  for (const r of inputs) {
    const most = verbose ? r.notes.length : mostNotes;
    for (const n of r.notes.slice(0, most)) {
      const text = t(n.message);
      const before = told.get(text) ?? 0;
      told.set(text, before + 1);
      if (verbose || before < mostNotes) lines.push(`${text} (${n.line > 0 ? `${r.file}:${n.line}` : r.file})`);
    }
    if (r.notes.length > most) lines.push(t(say('report.more-notes', { file: r.file, count: r.notes.length - most })));
  }
  for (const [text, count] of told) {
    if (!verbose && count > mostNotes) lines.push(t(say('report.same-note', { note: text, count: count - mostNotes })));
  }
  return lines;
}

/** The end of a long path is what tells files apart. */
function short(file: string): string {
  if (file.length <= 28) return file;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.length <= 28 ? name : `…${name.slice(-27)}`;
}
