import { answerExplain } from '../../answer/explain.ts';
import { assumptionText } from '../../assemble/assume.ts';
import { explainJson } from '../../tell/json/explain.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { explainText } from '../../tell/text/explain.ts';
import { knownDevices } from '../../way/known-devices.ts';
import { say } from '../../words/message.ts';
import { endMissing, isEnd, isInput, splitEnds } from '../ends.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `explain A B [INPUT…]`: the way between two devices; `explain WORD`: a term of the field. */
export async function explain(words: readonly string[], options: Options): Promise<Outcome> {
  const word = await wordOf(words);
  if (word !== undefined) return word(options);
  const told = splitEnds(words);
  const { inputs } = told;
  const [from, to] = told.ends;
  if (from === undefined || to === undefined) {
    throw await endMissing(told, options, say('cli.explain.what'), knownDevices);
  }
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const answer = answerExplain(machine, askOf(options), from, to);
  if (!answer.ok) throw new NoAnswer(answer.error.reason);
  const style = stylerFor(options.color);
  const text = options.json
    ? explainJson(answer.value, options.assume.map(assumptionText), options.language)
    : explainText(answer.value, { language: options.language, width: options.width, style });
  const open = answer.value.course.direct === 'unknown' && options.failOn !== 'never';
  return { text, code: open ? exit.findings : exit.fine };
}

/** NVSwitch is a word, nvswitch0 a device. */
const isDevice = (word: string): boolean => isEnd(word) && /\d/.test(word);

/** What explains the first word, where that is none of the ends or inputs; a word stays one though a file is called so, too. */
async function wordOf(words: readonly string[]): Promise<((options: Options) => Outcome) | undefined> {
  const [first, ...others] = words;
  if (first === undefined || isDevice(first)) return undefined;
  const { explains, explainWord } = await import('./explain-word.ts');
  const input = isInput(first) && (others.some(isDevice) || !explains(first));
  return input ? undefined : (options) => explainWord(first, options);
}
