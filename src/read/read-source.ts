import { type ExpandLimits, expand, expandLimits } from '../input/expand.ts';
import type { Source } from '../input/source.ts';
import { textSink } from '../input/text.ts';
import type { Format } from './format.ts';
import { allFormats } from './formats.ts';
import { lineReader, type ReadResult } from './reader.ts';

export interface ReadOptions {
  readonly formats?: readonly Format[];
  readonly limits?: ExpandLimits;
  /** Called as soon as a file of the source is done (a source can be an archive of many). */
  readonly sink?: (result: ReadResult) => void;
}

/** Reads a source: unpacks it, makes lines of its bytes and documents of its lines. One result a file, in order. */
export async function readSource(source: Source, options: ReadOptions = {}): Promise<readonly ReadResult[]> {
  const results: ReadResult[] = [];
  const done = (result: ReadResult): void => {
    results.push(result);
    options.sink?.(result);
  };
  await expand(source, options.limits ?? expandLimits, (name) => {
    const reader = lineReader(name, options.formats ?? allFormats);
    const text = textSink({
      line: (line) => reader.push(line),
      note: (message, line) => reader.note(message, line),
    });
    return {
      push: (chunk) => text.push(chunk),
      note: (message) => reader.note(message, 0),
      end: () => done(reader.end(text.end())),
    };
  });
  return results;
}

/** Reads a text that is already at hand, such as a paste. */
export function readText(file: string, text: string, formats: readonly Format[] = allFormats): ReadResult {
  const reader = lineReader(file, formats);
  for (const line of text.split(/\r\n|\n|\r/)) reader.push(line);
  return reader.end();
}

export function readLines(file: string, lines: Iterable<string>, formats: readonly Format[] = allFormats): ReadResult {
  const reader = lineReader(file, formats);
  for (const line of lines) reader.push(line);
  return reader.end();
}
