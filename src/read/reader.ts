import { type Message, say } from '../words/message.ts';
import type { Document } from './documents.ts';
import type { Format, Session } from './format.ts';
import { hintIndex } from './hints.ts';
import { type Look, looksLike } from './looks.ts';
import { nearFormats } from './near.ts';

/** What a person should know about an input: the line it is about, 0 for the whole input. */
export interface ReadNote {
  readonly message: Message;
  readonly line: number;
}

/** The outcome for one input (a file, a member of an archive, standard input). */
export interface ReadResult {
  /** The name as the user knows it, such as `bundle.tar!node1/nccl.log`. */
  readonly file: string;
  /** Lines seen. */
  readonly lines: number;
  readonly documents: readonly Document[];
  /** One entry a document: the format, its first and last line and how many lines in between were its own. */
  readonly formats: readonly {
    readonly id: string;
    readonly lines: readonly [number, number];
    readonly count: number;
  }[];
  /** Every format that gave no document, and why not; those of `near` first. */
  readonly declined: readonly { readonly format: string; readonly reason: Message; readonly line: number }[];
  /** Of an input that gave nothing: the formats it comes closest to, the closest first. */
  readonly near?: readonly string[];
  readonly notes: readonly ReadNote[];
  /** It is surely of a format that refused it: what is wrong with it, and no word of other formats. */
  readonly mistakes?: readonly ReadNote[];
  /** What the input looked like (empty, HTML, binary …), when that says more than its documents do. */
  readonly looks: Message | undefined;
}

export interface LineReader {
  /** `more`: what stood in the same line of the input, after it. */
  push(line: string, more?: readonly string[]): void;
  /** A remark of those who made lines out of bytes (encoding, a line cut short). */
  note(message: Message, line?: number): void;
  end(look?: Message): ReadResult;
}

/** Bounds of one input, so that a hostile one cannot fill the memory with tiny documents or remarks. */
export interface ReadLimits {
  readonly documents: number;
  readonly notes: number;
}

/** How much of a line tells what it looks like, and how many formats are named that a text comes close to. */
const mostOfLine = 400;
const nearest = 3;

/** Lines that are remembered as nobody's. */
const remembered = 64;

export const readLimits: ReadLimits = { documents: 1000, notes: 200 };

/** One automaton for each set of formats, made once and not for every file of a bundle. */
const indexes = new WeakMap<readonly Format[], (line: string) => readonly Format[]>();

function hintIndexOf(formats: readonly Format[]): (line: string) => readonly Format[] {
  const known = indexes.get(formats);
  if (known) return known;
  const made = hintIndex(formats);
  indexes.set(formats, made);
  return made;
}

interface Active {
  readonly format: Format;
  readonly session: Session;
  first: number;
  last: number;
  count: number;
}

/**
 * The core: routes the lines of one input to the sessions of the formats. Synchronous and pure; whoever has the lines
 * pushes them.
 */
export function lineReader(file: string, formats: readonly Format[], limits: ReadLimits = readLimits): LineReader {
  const candidates = hintIndexOf(formats);
  const claiming = formats.filter((format) => format.claims !== undefined);
  let active: Active[] = [];
  const found: { document: Document; entry: Active }[] = [];
  const declined = new Map<string, { reason: Message; line: number }>();
  const notes: ReadNote[] = [];
  let notesDropped = 0;
  let number = 0;
  /** Lines of programs: a record of JSON holds many. */
  let taken = 0;
  const look: Look = looksLike();
  /** The beginning, to say what it comes close to when nothing is found. */
  const kept: string[] = [];

  /** Lines that no format wanted, the latest few: a file of one row a million times over costs no more than reading it. */
  const nobodys = new Set<string>();

  const note = (message: Message, line = 0): void => {
    if (notes.length < limits.notes) notes.push({ message, line });
    else notesDropped++;
  };

  const open = (format: Format): Active => {
    const session = format.open({
      file,
      at: (line) => ({ file, line }),
      note,
      decline: (reason, line = number) => {
        // The first reason stands for all: a log can hold a thousand lines that almost look like something.
        if (!declined.has(format.id)) declined.set(format.id, { reason, line });
      },
    });
    const entry: Active = { format, session, first: number, last: number, count: 0 };
    active.push(entry);
    return entry;
  };

  const close = (entry: Active): void => {
    active = active.filter((other) => other !== entry);
    const closed = entry.session.close();
    const documents = Array.isArray(closed) ? (closed as readonly Document[]) : closed ? [closed as Document] : [];
    for (const document of documents) found.push({ document, entry });
  };

  const offer = (entry: Active, line: string): boolean => {
    const took = entry.session.line(line, number);
    if (took === 'took') {
      entry.last = number;
      entry.count++;
      return true;
    }
    if (took === 'ended') close(entry);
    return false;
  };

  const push = (line: string, more: readonly string[] = []): void => {
    number++;
    take(line);
    for (const one of more) take(one);
  };

  const take = (line: string): void => {
    taken++;
    // Whether a line opens anything is told by the line alone: one that no format wanted before, none wants now.
    if (active.length === 0 && taken > look.lines && nobodys.has(line)) return;
    for (const format of claiming) {
      if (!format.claims!(line)) continue;
      const entry = active.find((one) => one.format === format) ?? open(format);
      if (offer(entry, line)) return;
    }
    if (taken <= look.lines) {
      look.line(line);
      if (found.length === 0) kept.push(line.slice(0, mostOfLine));
    }
    // The newest section first: a table inside a log takes its rows before the log sees them.
    for (let i = active.length - 1; i >= 0; i--) {
      const entry = active[i];
      if (entry && offer(entry, line)) return;
    }
    if (found.length >= limits.documents) return;
    let opened = false;
    for (const format of candidates(line)) {
      if (!format.match(line) || active.some((entry) => entry.format === format)) continue;
      if (offer(open(format), line)) return;
      opened = true;
    }
    if (opened || active.length > 0 || line.length > mostOfLine) return;
    if (nobodys.size >= remembered) nobodys.clear();
    nobodys.add(line);
  };

  const end = (given?: Message): ReadResult => {
    while (active.length > 0) close(active[active.length - 1]!);
    found.sort((a, b) => a.entry.first - b.entry.first);
    if (found.length >= limits.documents)
      notes.push({ message: say('input.manyDocuments', { limit: limits.documents }), line: 0 });
    const having = new Set(found.map(({ entry }) => entry.format.id));
    // A part that was refused although another part of the same format was read is a remark, not a verdict on the format.
    for (const [id, { reason, line }] of declined) {
      if (having.has(id)) notes.push({ message: say('input.declinedAgain', { format: id, reason }), line });
    }
    if (notesDropped > 0) notes.push({ message: say('input.moreNotes', { count: notesDropped }), line: 0 });
    const looks = given ?? look.end(found.length > 0);
    // Whoever began to read and gave up came closest.
    const near =
      found.length > 0
        ? []
        : [...new Set([...declined.keys(), ...nearFormats(kept, formats, looks)])].slice(0, nearest);
    const last = (id: string): number => (near.includes(id) ? near.indexOf(id) : near.length);
    return {
      file,
      lines: number,
      documents: found.map(({ document }) => document),
      formats: found.map(({ entry }) => ({
        id: entry.format.id,
        lines: [entry.first, entry.last],
        count: entry.count,
      })),
      declined: formats
        .filter(({ id }) => !having.has(id))
        .map(({ id, missing }) => ({ format: id, ...(declined.get(id) ?? { reason: missing, line: 0 }) }))
        .sort((a, b) => last(a.format) - last(b.format)),
      ...(near.length > 0 ? { near } : {}),
      notes,
      looks,
    };
  };

  return { push, note, end };
}
