import { foundBeside } from '../../answer/found-beside.ts';
import { answerReport } from '../../answer/report.ts';
import { assumptionText } from '../../assemble/assume.ts';
import { reportJson } from '../../tell/json/report.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { reportText } from '../../tell/text/report.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, type Outcome } from '../outcome.ts';

/** The machine, its ways and what deserves attention. */
export async function report(words: readonly string[], options: Options): Promise<Outcome> {
  const { machine, inputs } = await load(words, options, { lists: true });
  const answer = machine.hosts.length > 0 ? answerReport(machine, askOf(options)) : undefined;
  const beside = foundBeside(
    inputs.flatMap((r) => r.documents),
    answer?.points ?? [],
  );
  const assumptions = options.assume.map(assumptionText);
  const text = options.json
    ? reportJson(machine, inputs, answer, assumptions, options.language, beside)
    : reportText(
        {
          machine,
          inputs,
          answer,
          beside,
          named: words,
          asked: options.nccl !== undefined,
          assumptions,
          verbose: options.verbose,
          color: options.color,
        },
        { language: options.language, width: options.width, style: stylerFor(options.color) },
      );
  // What is not direct is a warning: the machine works, only slower.
  const slow = answer?.points.some((p) => p.mark === 'bad') ?? false;
  return { text, code: slow && options.failOn === 'warning' ? exit.findings : exit.fine };
}
