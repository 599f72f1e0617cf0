import { type ByteSink, type ExpandLimits, expand, expandLimits, type TreeSink } from '../input/expand.ts';
import { rejoiner } from '../input/rejoin.ts';
import type { Source } from '../input/source.ts';
import { textSink } from '../input/text.ts';
import { unwrapper } from '../input/unwrap.ts';
import { say } from '../words/message.ts';
import { looksLikeClusterYaml, maxClusterYaml, readYamlDescription } from './cluster-yaml.ts';
import type { Format } from './format.ts';
import { allFormats } from './formats.ts';
import type { KeptLines } from './kept-lines.ts';
import { type LineReader, lineReader, type ReadResult } from './reader.ts';

export interface ReadOptions {
  readonly formats?: readonly Format[];
  readonly limits?: ExpandLimits;
  /** Called as soon as a file of the source is done (a source can be an archive of many). */
  readonly sink?: (result: ReadResult) => void;
  /** Gets every line, for those who quote them. */
  readonly keep?: KeptLines;
  /** Gets what an archive holds of a saved tree of /sys and /proc. */
  readonly tree?: TreeSink;
}

/**
 * Reads a source: unpacks it, makes lines of its bytes and documents of its lines. One result a file, in order. A cluster
 * description is read last, when a file turned out to be nothing else, because YAML is only itself as a whole.
 */
export async function readSource(source: Source, options: ReadOptions = {}): Promise<readonly ReadResult[]> {
  const results: Promise<ReadResult>[] = [];
  const open = (name: string): ByteSink => {
    const reader = lineReader(name, options.formats ?? allFormats);
    const yaml = clusterText();
    const push = pusher(reader);
    const text = textSink({
      line: (line) => {
        yaml.line(line);
        const read = push.line(line);
        options.keep?.add(name, read);
      },
      note: (message, line) => reader.note(message, line),
    });
    return {
      push: (chunk) => text.push(chunk),
      note: (message) => reader.note(message, 0),
      done: () => text.done(),
      end: (look) => {
        const own = text.end();
        push.end();
        results.push(yaml.finish(reader.end(look ?? own)));
      },
    };
  };
  await expand(source, options.limits ?? expandLimits, open, options.tree);
  const done: ReadResult[] = [];
  for (const pending of results) {
    const result = await pending;
    done.push(result);
    options.sink?.(result);
  }
  return done;
}

/** Keeps the lines of a file as long as it can still be a cluster description. */
function clusterText() {
  const lines: string[] = [];
  let size = 0;
  let candidate = false;
  return {
    line(text: string): void {
      if (size > maxClusterYaml) return;
      size += text.length + 1;
      if (size > maxClusterYaml) lines.length = 0;
      else lines.push(text);
      candidate ||= looksLikeClusterYaml(text);
    },
    async finish(result: ReadResult): Promise<ReadResult> {
      if (result.documents.length > 0 || result.lines === 0) return result;
      if (!candidate || size > maxClusterYaml) {
        const reason = say(candidate ? 'cluster.tooBig' : 'input.cluster.missing');
        const declined = { format: 'cluster-yaml', reason, line: 0 };
        // Other keys than a description has, in the same kind of text.
        if (result.looks?.code !== 'input.looks.yaml' || (result.near ?? []).length > 0)
          return { ...result, declined: [...result.declined, declined] };
        return { ...result, near: [declined.format], declined: [declined, ...result.declined] };
      }
      const read = await readYamlDescription(lines.join('\n'), result.file);
      if (read.ok) {
        const formats = [{ id: read.value.kind, lines: [1, result.lines] as const, count: result.lines }];
        return { ...result, documents: [read.value], formats, looks: undefined };
      }
      const [first, ...others] = read.error;
      const notes = others.map(({ message, at }) => ({ message, line: at.line }));
      const reason = first?.message ?? say('input.cluster.missing');
      return {
        ...result,
        notes: [...result.notes, ...notes],
        mistakes: read.error.map(({ message, at }) => ({ message, line: at.line })),
        declined: [...result.declined, { format: 'cluster-yaml', reason, line: first?.at.line ?? 0 }],
      };
    },
  };
}

/** Gives lines to the reader as they were before they were passed on; says how each reads then. */
function pusher(reader: LineReader) {
  const unwrap = unwrapper();
  const joined = rejoiner((line) => reader.push(line));
  return {
    line(line: string): string {
      const found = unwrap(line);
      const text = found?.lines[0] ?? line;
      if (!found?.whole) {
        joined.line(text);
        return text;
      }
      joined.end();
      reader.push(text, found.lines.slice(1));
      return found.lines.length === 1 ? text : line;
    },
    end: (): void => joined.end(),
  };
}

/** Reads a text that is already at hand, such as a paste. */
export function readText(file: string, text: string, formats: readonly Format[] = allFormats): ReadResult {
  const reader = lineReader(file, formats);
  const push = pusher(reader);
  for (const line of text.split(/\r\n|\n|\r/)) push.line(line);
  push.end();
  return reader.end();
}

export function readLines(file: string, lines: Iterable<string>, formats: readonly Format[] = allFormats): ReadResult {
  const reader = lineReader(file, formats);
  const push = pusher(reader);
  for (const line of lines) push.line(line);
  push.end();
  return reader.end();
}
