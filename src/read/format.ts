import type { Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import type { Document } from './documents.ts';

/**
 * A format is one file in this folder. It is told by content, never by file name, and sees lines, never one huge string.
 *
 * The core (`reader.ts`) hands every line of an input to `match` of each idle format, in registry order; a format that says
 * yes gets a session, and the session gets that line and all that follow until it says it is done. Several formats may
 * stand in one input, one after the other or interleaved (a log with a table in it).
 */
export interface Format {
  /** Stable id, shown to people and in JSON, such as `nvidia-smi-topo`. */
  readonly id: string;
  /** ASCII words of which a line must hold one before `match` is asked; the core looks for those of all formats at once. */
  readonly hints?: readonly string[];
  /** Words by which a person would know it, where `missing` has no example: they tell what a text that nobody reads comes close to. */
  readonly marks?: readonly string[];
  /** Could a section of this format begin at this line? Cheap, without side effects. */
  readonly match: (line: string) => boolean;
  readonly open: (context: ReadContext) => Session;
  /** Lines that are this format's alone, whatever other section is open (a log record between the rows of a table). Cheap. */
  readonly claims?: (line: string) => boolean;
  /** What to say when no line of an input matched: which line would have opened this format. */
  readonly missing: Message;
}

export interface ReadContext {
  /** The file as the user knows it. */
  readonly file: string;
  /** What a launcher put before the lines to say whose they are, where it did. */
  readonly host?: string;
  at(line: number): Where;
  /** Something in the input that a person should know about (cut short, a value out of range …). */
  note(message: Message, line?: number): void;
  /** The section looked like this format and is not, or must not be read: why. The session then gives no document. */
  decline(reason: Message, line?: number): void;
}

/** What a session did with a line: took it, left it to others but wants the next ones, or is finished and did not take it. */
export type Took = 'took' | 'passed' | 'ended';

export interface Session {
  line(text: string, number: number): Took;
  /**
   * The input ended or the session was finished: the document, several where lines of several hosts came mixed, or nothing when it
   * proved to be something else.
   */
  close(): Document | readonly Document[] | undefined;
}
