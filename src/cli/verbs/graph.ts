import { answerGraph } from '../../answer/graph.ts';
import { graphJson } from '../../tell/json/graph.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { graphText } from '../../tell/text/graph.ts';
import { say } from '../../words/message.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `graph [INPUT…]`: NCCL's rings, trees and NVLS, and its choices by size. */
export async function graph(inputs: readonly string[], options: Options): Promise<Outcome> {
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const answer = answerGraph(machine, askOf(options));
  if (!answer.ok) {
    const at = answer.error.at[0];
    const where = at === undefined ? '' : ` (${at.file}:${at.line})`;
    const { reason } = answer.error;
    throw new NoAnswer(reason.code.startsWith('graph.') ? reason : say('cli.refused', { reason, where }));
  }
  const assumptions = options.assume.map((a) => `${a.fact}=${a.on ? 'on' : 'off'}`);
  const text = options.json
    ? graphJson(answer.value, assumptions)
    : graphText(answer.value, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
      });
  return { text, code: exit.fine };
}
