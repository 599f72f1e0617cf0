import { answerEnv } from '../../answer/env.ts';
import { assemble } from '../../assemble/assemble.ts';
import { severityOf } from '../../doctor/lint-env.ts';
import { envJson } from '../../tell/json/env.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { envText } from '../../tell/text/env.ts';
import { say } from '../../words/message.ts';
import { askOf, assumed, load, nothingIn, read } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `env [INPUT…]`: every variable of NCCL that the inputs set, judged. */
export async function env(words: readonly string[], options: Options): Promise<Outcome> {
  if (words.length === 0 && options.env.size === 0) throw new NoAnswer(say('env.no-input'));
  const loaded =
    options.system === undefined
      ? await read(words).then((inputs) => {
          const documents = inputs.flatMap((i) => i.documents);
          return { inputs, machine: assumed(assemble(documents, undefined), options.assume) };
        })
      : await load(words, options);
  const documents = loaded.inputs.flatMap((i) => i.documents);
  if (words.length > 0 && documents.length === 0 && options.env.size === 0) {
    throw nothingIn(loaded.inputs, options);
  }
  const machine = options.nodes === undefined ? loaded.machine : { ...loaded.machine, nodes: options.nodes };
  const answer = answerEnv(documents, machine, askOf(options));
  const loud = answer.settings.map((s) => severityOf(s.verdict));
  const counted = loud.includes('error') || (options.failOn === 'warning' && loud.includes('warning'));
  const code = counted && options.failOn !== 'never' ? exit.findings : exit.fine;
  const text = options.json
    ? envJson(answer, options.language)
    : envText(answer, { language: options.language, width: options.width, style: stylerFor(options.color) });
  return { text, code };
}
