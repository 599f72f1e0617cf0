import { dirname, resolve } from 'node:path';
import { assemble } from '../assemble/assemble.ts';
import { type Assumption, assume } from '../assemble/assume.ts';
import { systemMachine } from '../assemble/build/machine.ts';
import { usualMachine } from '../assemble/usual-machine.ts';
import { nearestSystem, systems } from '../catalogue/systems.ts';
import type { Machine } from '../machine/machine.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { KeptLines } from '../read/kept-lines.ts';
import { readSource, readText } from '../read/read-source.ts';
import type { ReadResult } from '../read/reader.ts';
import { type Message, say } from '../words/message.ts';
import type { Options } from './options.ts';
import { NoAnswer, systemReason } from './outcome.ts';
import { gather } from './probe/gather.ts';
import { TreeCollector } from './probe/tree-sink.ts';
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
export async function load(
  words: readonly string[],
  options: Options,
  how: {
    /** Says of each input what was read from it, and goes on with the rest where one has mistakes. */
    readonly lists?: boolean;
    /** A table alone stands for the machine that it was most likely made on. */
    readonly usual?: boolean;
  } = {},
): Promise<Loaded> {
  const { lists = false, usual = false } = how;
  const base = options.system === undefined ? undefined : systemOf(options.system);
  const inputs = await read(words);
  if (inputs.length === 0 && !base) throw new NoAnswer(say('cli.no-input'));
  const documents = inputs.flatMap((r) => r.documents);
  // Left out in silence, a description with a typo would be answered by another machine than the one meant.
  const mistaken = inputs.find((r) => r.mistakes !== undefined);
  if (mistaken && (!lists || documents.length === 0)) {
    throw new NoAnswer(say('cli.description-mistakes', { file: mistaken.file }), mistakesIn(mistaken));
  }
  if (documents.length === 0 && !base) throw nothingIn(inputs, options);
  let machine = assemble(documents, base);
  if (usual) machine = usualMachine(machine, documents) ?? machine;
  if (options.nodes !== undefined) machine = { ...machine, nodes: options.nodes };
  return { machine: assumed(machine, options.assume), inputs };
}

/** The machine with what the command line assumes; a device that it lacks ends the answer. */
export function assumed(machine: Machine, assumptions: readonly Assumption[]): Machine {
  const made = assume(machine, assumptions);
  if (!made.ok) throw new NoAnswer(made.error);
  return made.value;
}

/** The release and variables that the command line asks for. */
export const askOf = (options: Options): Ask => ({
  ...(options.nccl === undefined ? {} : { nccl: options.nccl }),
  env: options.env,
});

/** A system of the catalogue; one that it does not have ends the answer. */
export function systemOf(name: string): Machine {
  const machine = systemMachine(name);
  if (machine) return machine;
  const near = nearestSystem(name);
  throw new NoAnswer(
    near ? say('cli.system-near', { name, near }) : say('cli.system', { name, known: [...systems.keys()].join(', ') }),
  );
}

export async function read(words: readonly string[], keep?: KeptLines): Promise<Input[]> {
  const sources = await sourcesOf(words);
  if (!sources.ok) throw new NoAnswer(sources.error);
  const { unreadable } = sources.value;
  if (sources.value.sources.length === 0 && unreadable.length > 0) {
    const [first, ...more] = unreadable.map((u) => say('cli.input.unreadable', { ...u }));
    throw new NoAnswer(first!, more);
  }
  const inputs: Input[] = unreadable.map((u) => nothingRead(u.input, u.why));
  for (const source of sources.value.sources) {
    const tree = new TreeCollector();
    let results: readonly ReadResult[];
    try {
      results = await readSource(source, { tree, ...(keep ? { keep } : {}) });
    } catch (error) {
      // Files of /sys and of failing disks open well and fail when they are read.
      if (!isSystemError(error)) throw error;
      inputs.push(nothingRead(source.name, say(systemReason(error))));
      continue;
    }
    for (const result of results) inputs.push(result, ...(await named(result)));
    inputs.push(...savedTrees(tree, keep));
  }
  return inputs;
}

/** Saved trees of /sys and /proc in an archive, as `probe --root` reads them unpacked. */
function savedTrees(collector: TreeCollector, keep: KeptLines | undefined): Input[] {
  const read = (file: string, text: string): Input => {
    if (keep) for (const line of text.split(/\r\n|\n|\r/)) keep.add(file, line);
    return readText(file, text);
  };
  return [...collector.trees()].flatMap(({ name, tree, files }) => {
    if (tree)
      return [...gather(tree).texts]
        .filter(([, text]) => text.trim() !== '')
        .map(([file, text]) => read(`${name}${file}`, text));
    return [...files].map(([path, bytes]) => read(`${name}${path}`, new TextDecoder().decode(bytes)));
  });
}

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';

const nothingRead = (file: string, why: Message): Input => ({
  file,
  lines: 0,
  documents: [],
  formats: [],
  declined: [],
  notes: [],
  looks: why,
});

/** The topology file that a cluster description names, relative to the description. */
async function named(result: ReadResult): Promise<Input[]> {
  const cluster = result.documents.find((d) => d.kind === 'cluster-yaml');
  if (cluster?.cluster.node.kind !== 'file') return [];
  const { path } = cluster.cluster.node;
  const below = await read([resolve(dirname(result.file), path)]);
  if (below.some((b) => b.documents.some((d) => d.kind === 'nccl-topo-xml'))) {
    return below.map((b) => ({ ...b, from: result.file }));
  }
  throw new NoAnswer(
    say('cli.node-file', { file: path }),
    below.flatMap((b) => declined(b, false)),
  );
}

const placeOf = (file: string, line: number): string => (line > 0 ? `${file}:${line}` : file);

const mistakesIn = ({ file, mistakes = [] }: ReadResult): Message[] =>
  mistakes.map(({ message, line }) => say('cli.declined.note', { file: placeOf(file, line), note: message }));

/** What a file looks like; of one that gave nothing at all there is only why. */
const seenOf = (file: string, looks: Message): Message =>
  /^input\.looks\.(?!empty)/.test(looks.code)
    ? say('cli.declined.looks', { file, looks })
    : say('cli.declined.note', { file, note: looks });

/** None of the inputs gave anything: why, of each. */
export function nothingIn(inputs: readonly ReadResult[], { verbose }: Pick<Options, 'verbose'>): NoAnswer {
  const told = inputs.flatMap((r) => declined(r, verbose));
  const formats = Math.max(0, ...inputs.map((r) => (r.mistakes || r.lines === 0 ? 0 : r.declined.length)));
  return new NoAnswer(say('cli.nothing-read'), [
    ...told,
    ...(verbose || formats === 0 ? [] : [say('cli.declined.verbose', { count: formats })]),
  ]);
}

/**
 * Why an input gave nothing: what it looked like, and what the formats that it comes closest to miss, or each of all formats.
 */
function declined(result: ReadResult, verbose: boolean): Message[] {
  if (result.mistakes) return mistakesIn(result);
  const lines = result.looks ? [seenOf(result.file, result.looks)] : [];
  // What was cut or refused on the way tells more than what each format missed.
  for (const n of result.notes.slice(0, 3))
    lines.push(say('cli.declined.note', { file: placeOf(result.file, n.line), note: n.message }));
  // A reason with a line of its own says more than which line would have opened a format; the plain ones share one sentence.
  const near = result.declined.filter((d) => result.near?.includes(d.format));
  const shown = verbose ? result.declined : near;
  const plain = shown.filter((d) => d.reason.code === 'input.opens' && !near.includes(d));
  for (const d of shown) {
    if (plain.includes(d)) continue;
    lines.push(say('cli.declined.format', { file: placeOf(result.file, d.line), format: d.format, reason: d.reason }));
  }
  if (plain.length > 0) {
    lines.push(say('cli.declined.others', { file: result.file, formats: plain.map((d) => d.format).join(', ') }));
  }
  return lines;
}
