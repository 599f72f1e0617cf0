import { existsSync } from 'node:fs';
import type { Machine } from '../machine/machine.ts';
import { type Message, say } from '../words/message.ts';
import { load } from './load.ts';
import type { Options } from './options.ts';
import { NoAnswer } from './outcome.ts';

const endShape =
  /^(?:node\d+\/)?(?:gpu|nic|cpu|host|nvme|drive|storage|capture|client|switch|nvswitch)s?(?:\d+(?:\.\d+)?)?(?:(?:\.\.|-)(?:node\d+\/)?[a-z]*\d+)?$/i;

/** `gpu0`, `node1/host0`, `gpu0..gpu7`, `gpu0,gpu3`: an end of a way, whether or not the machine has it. */
export const isEnd = (word: string): boolean => word.split(',').every((part) => endShape.test(part.trim()));

/** A word that can only be an input: a file that is there, or one that is called like a file. */
export const isInput = (word: string): boolean =>
  !isEnd(word) && (word === '-' || /\.[a-z]\w{0,4}$/i.test(word) || existsSync(word));

export interface Ends {
  /** Two where all is said. */
  readonly ends: readonly string[];
  readonly inputs: readonly string[];
}

/** The two ends among the words, and the inputs, in whichever order they were typed. */
export function splitEnds(words: readonly string[]): Ends {
  const ends: string[] = [];
  const inputs: string[] = [];
  for (const word of words) (ends.length < 2 && !isInput(word) ? ends : inputs).push(word);
  return { ends, inputs };
}

/** An end is missing: which ones the machine at hand has, where there is one, else what to type. */
export async function endMissing(
  { ends: [name], inputs }: Ends,
  options: Options,
  without: Message,
  known: (machine: Machine, like?: string) => string,
): Promise<NoAnswer> {
  if (inputs.length === 0 && options.system === undefined) return new NoAnswer(without);
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) return new NoAnswer(say('assemble.no-topology'));
  const list = known(machine, name);
  return new NoAnswer(
    name === undefined ? say('cli.ends.none', { known: list }) : say('cli.ends.one', { name, known: list }),
  );
}
