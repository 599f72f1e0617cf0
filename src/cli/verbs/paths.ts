import { answerPaths } from '../../answer/paths.ts';
import { pathsJson } from '../../tell/json/paths.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { pathsText } from '../../tell/text/paths.ts';
import { say } from '../../words/message.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

export async function paths(inputs: readonly string[], options: Options): Promise<Outcome> {
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const answer = answerPaths(machine, askOf(options));
  if (!answer.ok)
    throw new NoAnswer(say('cli.refused', { reason: answer.error.reason, where: place(answer.error.at) }));
  const open = answer.value.pairs.some((p) => p.p2p?.verdict === 'unknown' || p.gdr?.send === 'unknown');
  const code = open && options.failOn !== 'never' ? exit.findings : exit.fine;
  const text = options.json
    ? pathsJson(machine, answer.value, options)
    : pathsText(machine, answer.value, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
      });
  return { text, code };
}

const place = (at: readonly { file: string; line: number }[]): string =>
  at.length === 0 ? '' : ` (${at[0]!.file}:${at[0]!.line})`;
