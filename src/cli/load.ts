import { assemble } from '../assemble/assemble.ts';
import { assume } from '../assemble/assume.ts';
import type { Machine } from '../machine/machine.ts';
import { readSource } from '../read/read-source.ts';
import type { ReadResult } from '../read/reader.ts';
import { say } from '../words/message.ts';
import type { Options } from './options.ts';
import { NoAnswer } from './outcome.ts';
import { sourcesOf } from './sources.ts';

export interface Loaded {
  readonly machine: Machine;
  readonly inputs: readonly ReadResult[];
}

/** Reads the inputs (or takes a system of the catalogue) and makes the machine of them, assumptions in force. */
export async function load(inputs: readonly string[], options: Options): Promise<Loaded> {
  const results = await read(inputs);
  if (results.length === 0 && options.system === undefined) throw new NoAnswer(say('cli.no-input'));
  const documents = results.flatMap((r) => r.documents);
  if (documents.length === 0 && options.system === undefined) {
    throw new NoAnswer(say('cli.nothing-read'), results.flatMap(declined));
  }
  let machine = assemble(documents, options.system);
  if (options.nodes !== undefined) machine = { ...machine, nodes: options.nodes };
  return { machine: assume(machine, options.assume), inputs: results };
}

export async function read(inputs: readonly string[]): Promise<ReadResult[]> {
  const sources = await sourcesOf(inputs);
  if (!sources.ok) throw new NoAnswer(sources.error);
  const results: ReadResult[] = [];
  for (const source of sources.value) results.push(...(await readSource(source)));
  return results;
}

/** Why an input gave nothing: what it looked like, and each format's own reason. */
export function declined(result: ReadResult): ReturnType<typeof say>[] {
  const lines = result.looks ? [say('cli.declined.looks', { file: result.file, looks: result.looks })] : [];
  for (const d of result.declined) {
    lines.push(say('cli.declined.format', { file: result.file, format: d.format, reason: d.reason }));
  }
  return lines;
}
