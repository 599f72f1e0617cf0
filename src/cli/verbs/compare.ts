import { answerCompare } from '../../answer/compare.ts';
import { assumptionText } from '../../assemble/assume.ts';
import { clockedTimes } from '../../predict/collective/clocked.ts';
import { compareJson } from '../../tell/json/compare.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { compareText } from '../../tell/text/compare.ts';
import { say } from '../../words/message.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';
import { testOf } from './predict.ts';

/** `compare TABLE [INPUT…]`: a measured table of nccl-tests against the predicted one. */
export async function compare(words: readonly string[], options: Options): Promise<Outcome> {
  const [file] = words;
  if (file === undefined) throw new NoAnswer(say('compare.what'));
  const told = options.as === undefined ? undefined : testOf(options.as);
  const { machine, inputs } = await load(words, options, { usual: true });
  const tables = inputs.flatMap((i) => i.documents).filter((d) => d.kind === 'nccl-tests');
  // The longest table of those pasted: short ones are warm-ups and cut ends.
  const table = tables.reduce<(typeof tables)[number] | undefined>(
    (best, t) => (best === undefined || t.rows.length > best.rows.length ? t : best),
    undefined,
  );
  if (!table || table.rows.length === 0) throw new NoAnswer(say('compare.no-table', { file }));
  if (machine.hosts.length === 0) throw new NoAnswer(say('compare.no-machine'));
  const answer = answerCompare(machine, askOf(options), table, clockedTimes, told);
  if (!answer.ok) throw new NoAnswer(say('cli.refused', { reason: answer.error.reason, where: '' }));
  if (!answer.value) throw new NoAnswer(say('compare.no-table', { file }));
  const assumed = options.assume.map(assumptionText);
  const text = options.json
    ? compareJson(answer.value, assumed, options.language)
    : compareText(answer.value, table.file, {
        language: options.language,
        width: options.width,
        style: stylerFor(options.color),
      });
  // Slower than it should be, or faster than its wires: a table of another machine.
  const { verdict } = answer.value;
  const bad = (verdict === 'low' || verdict === 'impossible') && options.failOn !== 'never';
  return { text, code: bad ? exit.findings : exit.fine };
}
