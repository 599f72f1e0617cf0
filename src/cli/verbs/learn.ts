import { typicalMachine } from '../../answer/typical.ts';
import { stylerFor } from '../../tell/text/columns.ts';
import { learnText, topicsText } from '../../tell/text/learn.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { demonstrate, lessons } from '../../workload/learn.ts';
import { askOf, assumed, load } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `learn [TOPIC] [INPUT…]`: a technology on the machine at hand, or on a typical one. */
export async function learn(words: readonly string[], options: Options): Promise<Outcome> {
  const [topic, ...rest] = words;
  const lesson = lessons.find((l) => l.topic === topic);
  const inputs = lesson || topic === undefined ? rest : words;
  // Without a machine of one's own, a typical one that has what it takes.
  const own = inputs.length > 0 || options.system !== undefined;
  const machine = own ? (await load(inputs, options)).machine : assumed(await typicalMachine(lesson), options.assume);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const text = { language: options.language, width: options.width, style: stylerFor(options.color) };
  const ask = askOf(options);
  if (topic === undefined || !lesson) {
    if (topic !== undefined && inputs.length === 0)
      throw new NoAnswer(say('cli.learn.unknown', { topic, known: lessons.map((l) => l.topic).join(', ') }));
    const here = new Set(lessons.filter((l) => !own || demonstrate(machine, ask, l.topic).ok).map((l) => l.topic));
    if (options.json)
      return {
        text: `${JSON.stringify({ schema: 'crowfly/topics@1', topics: lessons.map((l) => ({ topic: l.topic, here: here.has(l.topic) })) })}\n`,
        code: exit.fine,
      };
    return { text: topicsText(text, here), code: exit.fine };
  }
  const shown = demonstrate(machine, ask, topic);
  if (!shown.ok)
    throw new NoAnswer(say(shown.error === 'not-on-this-machine' ? 'learn.no-machine' : 'learn.failed', { topic }));
  if (!options.json) return { text: learnText(shown.value, text), code: exit.fine };
  const d = shown.value;
  const json = {
    schema: 'crowfly/learn@1',
    topic,
    from: d.from,
    to: d.to,
    path: d.model.path,
    allowed: d.model.allowed,
    rule: { code: d.model.rule.code, text: render(d.model.rule, options.language) },
    steps: d.steps.map((s) => ({
      stage: render(s.stage.name, options.language),
      copies: s.copies,
      hostMemoryBytesPerByte: s.hostMemory,
      coreBytesPerByte: s.coreBytes,
    })),
    bytes: d.bytes,
    counted: d.run,
    rows: d.rows,
    ...(d.packet ? { packet: d.packet } : {}),
  };
  return { text: `${JSON.stringify(json, null, 1)}\n`, code: exit.fine };
}
