import { answerGraph } from '../../answer/graph.ts';
import { shapesOf } from '../../answer/shapes.ts';
import { assumptionText } from '../../assemble/assume.ts';
import type { Communicator } from '../../nccl/communicator.ts';
import { graphJson } from '../../tell/json/graph.ts';
import { ncclGraphXml, noGraphFile } from '../../tell/nccl-graph-xml.ts';
import { ncclXml } from '../../tell/nccl-xml.ts';
import { shapesPicture, shapesText } from '../../tell/shapes/shapes.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { graphText } from '../../tell/text/graph.ts';
import { tunerCsv } from '../../tell/tuner-csv.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { askOf, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

const forms = ['text', 'json', 'picture', 'svg', 'graph-xml', 'topo-xml', 'tuner-csv'] as const;

/** `graph [INPUT…]`: NCCL's rings, trees and NVLS, and its choices by size; also as files that NCCL and its tuner plugin read. */
export async function graph(inputs: readonly string[], options: Options): Promise<Outcome> {
  const form = options.as ?? (options.json ? 'json' : 'text');
  if (!forms.some((f) => f === form)) throw new NoAnswer(say('cli.as', { form, known: forms.join(', ') }));
  const { machine, inputs: read } = await load(inputs, options);
  const documents = read.flatMap((r) => r.documents);
  const { language, width } = options;
  const look = { language, width, style: stylerFor(options.color) };
  if (machine.hosts.length === 0) {
    const alone = shapesOf(undefined, documents);
    if (alone.seen.length === 0) throw new NoAnswer(say('assemble.no-topology'));
    if (form === 'svg') return { text: shapesPicture(alone, look), code: exit.fine };
    if (form === 'text' || form === 'picture') return { text: shapesText(alone, look), code: exit.fine };
    throw new NoAnswer(say('assemble.no-topology'));
  }
  const answer = answerGraph(machine, askOf(options));
  if (!answer.ok) {
    const at = answer.error.at[0];
    const where = at === undefined ? '' : ` (${at.file}:${at.line})`;
    const { reason } = answer.error;
    throw new NoAnswer(reason.code.startsWith('graph.') ? reason : say('cli.refused', { reason, where }));
  }
  const { value } = answer;
  const usual = value.notes.filter((n) => n.code.startsWith('usual.'));
  const assumptions = [...options.assume.map(assumptionText), ...usual.map((n) => render(n, language))];
  const shapes = shapesOf(value.communicator, documents);
  const text = ((): string => {
    switch (form) {
      case 'json':
        return graphJson(value, assumptions, shapes);
      case 'picture':
        return shapesText(shapes, look);
      case 'svg':
        return shapesPicture(shapes, look);
      case 'graph-xml':
        return graphFile(value.communicator);
      case 'topo-xml':
        return ncclXml(machine.hosts[0]!);
      case 'tuner-csv':
        return tunerCsv(value.communicator);
      default:
        return graphText(value, look, shapes);
    }
  })();
  return { text, code: exit.fine };
}

function graphFile(c: Communicator): string {
  const reason = noGraphFile(c);
  if (reason) throw new NoAnswer(reason);
  return ncclGraphXml(c);
}
