import { answerDoctor } from '../../answer/doctor.ts';
import { KeptLines } from '../../read/kept-lines.ts';
import { doctorJson } from '../../tell/json/doctor.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { doctorText } from '../../tell/text/doctor.ts';
import { say } from '../../words/message.ts';
import { declined, read } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `doctor [INPUT…]`: what is wrong, from whatever is at hand. */
export async function doctor(words: readonly string[], options: Options): Promise<Outcome> {
  const lines = new KeptLines();
  const inputs = await read(words, lines);
  if (inputs.length === 0) throw new NoAnswer(say('cli.no-input'));
  if (inputs.every((r) => r.documents.length === 0))
    throw new NoAnswer(say('cli.nothing-read'), inputs.flatMap(declined));
  const answer = answerDoctor(inputs, lines);
  const { counts } = answer;
  const bad = counts.error + (options.failOn === 'warning' ? counts.warning : 0);
  const code = options.failOn !== 'never' && bad > 0 ? exit.findings : exit.fine;
  if (options.json) return { text: doctorJson(answer, inputs, options.language), code };
  const style = stylerFor(options.color);
  return { text: doctorText(answer, inputs, { language: options.language, width: options.width, style }), code };
}
