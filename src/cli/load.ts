import { dirname, resolve } from 'node:path';
import { assemble } from '../assemble/assemble.ts';
import { assume } from '../assemble/assume.ts';
import { systemMachine } from '../assemble/build/machine.ts';
import { nearestSystem } from '../catalogue/systems.ts';
import type { Source } from '../input/source.ts';
import type { Machine } from '../machine/machine.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { looksLikeClusterYaml, maxClusterYaml, readClusterYaml } from '../read/cluster-yaml.ts';
import type { Document } from '../read/documents.ts';
import { readSource } from '../read/read-source.ts';
import type { ReadResult } from '../read/reader.ts';
import { type Message, say } from '../words/message.ts';
import type { Options } from './options.ts';
import { NoAnswer } from './outcome.ts';
import { sourcesOf } from './sources.ts';

export interface Loaded {
  readonly machine: Machine;
  readonly inputs: readonly Input[];
}

/** What one file gave: documents of several formats, or why nothing. */
export interface Input extends ReadResult {
  /** Files that were read because this one names them. */
  readonly from?: string;
}

/** Reads the inputs (or takes a system of the catalogue) and makes the machine of them, assumptions in force. */
export async function load(words: readonly string[], options: Options): Promise<Loaded> {
  const base = options.system === undefined ? undefined : systemOf(options.system);
  const inputs = await read(words);
  if (inputs.length === 0 && !base) throw new NoAnswer(say('cli.no-input'));
  const documents = inputs.flatMap((r) => r.documents);
  if (documents.length === 0 && !base) throw new NoAnswer(say('cli.nothing-read'), inputs.flatMap(declined));
  let machine = assemble(documents, base);
  if (options.nodes !== undefined) machine = { ...machine, nodes: options.nodes };
  return { machine: assume(machine, options.assume), inputs };
}

/** The release and variables that the command line asks for. */
export const askOf = (options: Options): Ask => ({
  ...(options.nccl === undefined ? {} : { nccl: options.nccl }),
  env: options.env,
});

function systemOf(name: string): Machine {
  const machine = systemMachine(name);
  if (machine) return machine;
  const near = nearestSystem(name);
  throw new NoAnswer(near ? say('cli.system-near', { name, near }) : say('cli.system', { name }));
}

export async function read(words: readonly string[]): Promise<Input[]> {
  const sources = await sourcesOf(words);
  if (!sources.ok) throw new NoAnswer(sources.error);
  const inputs: Input[] = [];
  for (const source of sources.value) {
    const kept = keeping(source);
    const results = await readSource(kept.source);
    const text = kept.text();
    if (results.every((r) => r.documents.length === 0) && text?.split(/\r?\n/, 200).some(looksLikeClusterYaml)) {
      inputs.push(...(await description(source.name, text, results)));
    } else inputs.push(...results);
  }
  return inputs;
}

/** A small source keeps its bytes, since a cluster description is read whole. */
function keeping(source: Source): { source: Source; text: () => string | undefined } {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = async function* (): AsyncIterable<Uint8Array> {
    for await (const chunk of source.stream()) {
      size += chunk.length;
      if (size <= maxClusterYaml) chunks.push(chunk);
      else chunks.length = 0;
      yield chunk;
    }
  };
  return {
    source: { ...source, stream },
    text: () => (size > maxClusterYaml ? undefined : Buffer.concat(chunks).toString('utf8')),
  };
}

/** A cluster description, and the topology file it may name. */
async function description(file: string, text: string, results: readonly ReadResult[]): Promise<Input[]> {
  const parsed = await readClusterYaml(text, file);
  if (!parsed.ok) {
    const problems = parsed.error.map(
      (p): Message => say('cli.problem', { where: `${p.at.file}:${p.at.line}`, what: p.message }),
    );
    throw new NoAnswer(say('cli.description', { file }), problems);
  }
  const lines = results[0]?.lines ?? 0;
  const input: Input = {
    file,
    lines,
    documents: [parsed.value],
    formats: [{ id: 'cluster-yaml', lines: [1, lines], count: lines }],
    declined: [],
    notes: [],
    looks: undefined,
  };
  const node = parsed.value.cluster.node;
  if (node.kind !== 'file') return [input];
  const named = resolve(dirname(file), node.path);
  const below = await read([named]);
  const documents: Document[] = below.flatMap((b) => b.documents);
  if (!documents.some((d) => d.kind === 'nccl-topo-xml'))
    throw new NoAnswer(say('cli.node-file', { file: node.path }), below.flatMap(declined));
  return [input, ...below.map((b) => ({ ...b, from: file }))];
}

/** Why an input gave nothing: what it looked like, and each format's own reason. */
export function declined(result: ReadResult): Message[] {
  const lines = result.looks ? [say('cli.declined.looks', { file: result.file, looks: result.looks })] : [];
  for (const d of result.declined) {
    lines.push(say('cli.declined.format', { file: result.file, format: d.format, reason: d.reason }));
  }
  return lines;
}
