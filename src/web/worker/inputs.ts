import { systemMachine } from '../../assemble/build/machine.ts';
import type { Source } from '../../input/source.ts';
import type { Machine } from '../../machine/machine.ts';
import type { KeptLines } from '../../read/kept-lines.ts';
import type { ReadResult } from '../../read/reader.ts';
import { say } from '../../words/message.ts';
import type { InputFile, Inputs } from '../protocol.ts';
import { NoAnswer } from './no-answer.ts';

/** What was read of the files that lie on the page. */
export interface Opened {
  readonly system?: string;
  readonly results: readonly ReadResult[];
  readonly lines: KeptLines | undefined;
  /** The machine before any assumption; without a host when the inputs show none. */
  readonly machine: Machine;
}

export async function open(inputs: Inputs): Promise<Opened> {
  const base = inputs.system === undefined ? undefined : systemOf(inputs.system);
  if (base && inputs.files.length === 0)
    return {
      ...(inputs.system === undefined ? {} : { system: inputs.system }),
      results: [],
      lines: undefined,
      machine: base,
    };
  const { assemble, KeptLines, readSource, usualMachine } = await import('./of-files.ts');
  const lines = new KeptLines();
  const results: ReadResult[] = [];
  for (const file of inputs.files) results.push(...(await readSource(sourceOf(file), { keep: lines })));
  // A cluster description may name its topology file: it must lie on the page as well, under that name.
  for (const r of results) {
    const cluster = r.documents.find((d) => d.kind === 'cluster-yaml');
    if (cluster?.cluster.node.kind !== 'file') continue;
    const { path } = cluster.cluster.node;
    const wanted = path.split('/').at(-1);
    if (!results.some((x) => x.file.split('/').at(-1) === wanted))
      throw new NoAnswer(say('page.node-file', { file: path }));
  }
  const documents = results.flatMap((r) => r.documents);
  const machine = assemble(documents, base);
  return {
    ...(inputs.system === undefined ? {} : { system: inputs.system }),
    results,
    lines,
    machine: usualMachine(machine, documents) ?? machine,
  };
}

export function systemOf(id: string): Machine {
  const machine = systemMachine(id);
  if (!machine) throw new NoAnswer(say('cli.system', { name: id }));
  return machine;
}

/** A dropped file as a source: its bytes are streamed, never held as a whole. */
function sourceOf(file: InputFile): Source {
  return {
    name: file.name,
    size: file.content.size,
    stream: async function* () {
      const reader = file.content.stream().getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    },
  };
}
