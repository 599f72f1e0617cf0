import { assumptionText } from '../../assemble/assume.ts';
import { usualRates } from '../../physics/usual-rates.ts';
import { gainJson } from '../../tell/json/gain.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { gainText } from '../../tell/text/gain.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { gains } from '../../workload/gain.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** What the direct way brings on this machine, work by work. */
export async function gain(inputs: readonly string[], options: Options): Promise<Outcome> {
  const { machine } = await load(inputs, options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const rows = gains(machine, askOf(options));
  const assumed = usualRates(machine).assumed.map((a) => render(a, options.language));
  const text = options.json
    ? gainJson(rows, [...options.assume.map(assumptionText), ...assumed], options.language)
    : gainText(machine, rows, { language: options.language, width: options.width, style: stylerFor(options.color) });
  return { text, code: exit.fine };
}
