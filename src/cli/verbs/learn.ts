import { answerNcclLesson, ncclTopic } from '../../answer/learn-nccl.ts';
import { typicalMachine } from '../../answer/typical.ts';
import { learnJson, topicsJson } from '../../tell/json/learn.ts';
import { learnNcclJson } from '../../tell/json/learn-nccl.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { learnText, topicsText } from '../../tell/text/learn.ts';
import { learnNcclText } from '../../tell/text/learn-nccl.ts';
import { say } from '../../words/message.ts';
import { demonstrate, lessons } from '../../workload/learn.ts';
import { askOf, assumed, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

const topics: readonly string[] = [...lessons.map((l) => l.topic), ncclTopic];

/** `learn [TOPIC] [INPUT…]`: a technology on the machine at hand, or on a typical one. */
export async function learn(words: readonly string[], options: Options): Promise<Outcome> {
  const [topic, ...rest] = words;
  const lesson = lessons.find((l) => l.topic === topic);
  const library = topic === ncclTopic;
  const inputs = lesson || library || topic === undefined ? rest : words;
  // Without a machine of one's own, a typical one that has what it takes.
  const own = inputs.length > 0 || options.system !== undefined;
  const machine = own ? (await load(inputs, options)).machine : assumed(await typicalMachine(lesson), options.assume);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const text = { language: options.language, width: options.width, style: stylerFor(options.color) };
  const ask = askOf(options);
  if (library) {
    const told = answerNcclLesson(machine, ask);
    if (!told.ok) throw new NoAnswer(say('cli.refused', { reason: told.error.reason, where: '' }));
    const said = options.json ? learnNcclJson(told.value, options.language) : learnNcclText(told.value, text);
    return { text: said, code: exit.fine };
  }
  if (topic === undefined || !lesson) {
    if (topic !== undefined && inputs.length === 0)
      throw new NoAnswer(say('cli.learn.unknown', { topic, known: topics.join(', ') }));
    const here = new Set([
      ...lessons.filter((l) => !own || demonstrate(machine, ask, l.topic).ok).map((l) => l.topic),
      ncclTopic,
    ]);
    if (options.json) return { text: topicsJson(here, options.language), code: exit.fine };
    return { text: topicsText(text, here), code: exit.fine };
  }
  const shown = demonstrate(machine, ask, topic);
  if (!shown.ok)
    throw new NoAnswer(say(shown.error === 'not-on-this-machine' ? 'learn.no-machine' : 'learn.failed', { topic }));
  if (!options.json) return { text: learnText(shown.value, text), code: exit.fine };
  return { text: learnJson(shown.value, options.language), code: exit.fine };
}
