import { existsSync } from 'node:fs';
import { parseSizes } from '../../answer/move.ts';
import { answerPlain } from '../../answer/plain.ts';
import { answerPredict, type PredictAsk } from '../../answer/predict.ts';
import { assumptionText } from '../../assemble/assume.ts';
import { nearest } from '../../base/nearest.ts';
import { clockedTimes } from '../../predict/collective/clocked.ts';
import { type Datatype, datatypeNamed, datatypes, type TestName, testNames } from '../../predict/collective/predict.ts';
import { predictJson } from '../../tell/json/predict.ts';
import { plainJson, plainText } from '../../tell/plain.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { predictText } from '../../tell/text/predict.ts';
import { say } from '../../words/message.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `predict COLLECTIVE [INPUT…]`: the table that nccl-tests should print. */
export async function predict(words: readonly string[], options: Options): Promise<Outcome> {
  const [word, ...inputs] = words;
  const what: PredictAsk = {
    name: testOf(word),
    datatype: datatypeOf(options.datatype),
    sizes: sizesOf(options),
  };
  const { machine, inputs: results } = await load(inputs, options, { usual: true });
  const plain = results.flatMap((r) => r.documents).find((d) => d.kind === 'plain-network');
  if (plain && machine.hosts.length === 0) {
    const told = answerPlain(plain, what.name, what.sizes);
    if (!told.ok) throw new NoAnswer(told.error);
    return { text: options.json ? plainJson(told.value) : plainText(told.value, options.language), code: exit.fine };
  }
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const answer = answerPredict(machine, askOf(options), what, clockedTimes);
  if (!answer.ok) {
    const at = answer.error.at[0];
    const where = at === undefined ? '' : ` (${at.file}:${at.line})`;
    const { reason } = answer.error;
    const plain = reason.code.startsWith('graph.') || reason.code.startsWith('predict.');
    throw new NoAnswer(plain ? reason : say('cli.refused', { reason, where }));
  }
  const assumed = options.assume.map(assumptionText);
  const text = options.json
    ? predictJson(answer.value, assumed, options.language)
    : predictText(answer.value, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
      });
  return { text, code: exit.fine };
}

/** `all_reduce`, `AllReduce`, `all_reduce_perf`. */
export function testOf(word: string | undefined): TestName {
  const names = testNames.join(', ');
  if (word === undefined) throw new NoAnswer(say('predict.what', { names }));
  const plain = (w: string): string =>
    w
      .toLowerCase()
      .replace(/_perf$/, '')
      .replaceAll(/[_-]/g, '');
  const found = testNames.find((n) => plain(n) === plain(word));
  if (found) return found;
  // Inputs as with other verbs, the collective forgotten.
  if (word === '-' || existsSync(word)) throw new NoAnswer(say('predict.before', { file: word, names }));
  const near = nearest(word.toLowerCase(), testNames);
  throw new NoAnswer(near ? say('predict.near', { name: word, near }) : say('predict.unknown', { name: word, names }));
}

function datatypeOf(text: string | undefined): Datatype {
  const name = text ?? 'float';
  // PyTorch and others write it without the bar.
  const known = datatypeNamed(name.replace(/^fp8(e\dm\d)$/, 'fp8_$1'));
  if (known) return known;
  throw new NoAnswer(say('predict.datatype', { text: name, names: Object.keys(datatypes).join(', ') }));
}

const mostSizes = 4096;

function sizesOf(options: Options): number[] {
  const one = (text: string): number => {
    const sizes = parseSizes(text);
    if (!sizes.ok) throw new NoAnswer(sizes.error);
    return sizes.value[0]!;
  };
  const min = one(options.min ?? '8');
  const max = one(options.max ?? '8G');
  const factor = Number(options.factor ?? '2');
  const wrong = (text: string): NoAnswer => new NoAnswer(say('predict.range', { text }));
  if (!(factor > 1 && Number.isFinite(factor))) throw wrong(`--factor ${options.factor}`);
  if (min > max) throw wrong(`${options.min ?? '8'} > ${options.max ?? '8G'}`);
  const sizes: number[] = [];
  for (let s = min; s <= max; s *= factor) {
    sizes.push(Math.floor(s));
    if (sizes.length > mostSizes)
      throw new NoAnswer(say('predict.many', { text: `--factor ${factor}`, most: mostSizes }));
  }
  return sizes;
}
