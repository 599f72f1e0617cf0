import { ncclTopic } from '../../answer/learn-nccl.ts';
import { type Language, type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { findTerm } from '../../words/terms.ts';
import { type Demonstration, lessons, type Topic } from '../../workload/learn.ts';
import { packetSentence, registeredSentence, runSentence, todaySentence } from '../lesson.ts';

/** `crowfly/topics@1`: what can be shown, and what of it on this machine. */
export function topicsJson(here: ReadonlySet<string>, language: Language): string {
  const topics: readonly Topic[] = [...lessons.map((l) => l.topic), ncclTopic];
  const title = (topic: Topic): string => render(say(`learn.title.${topic}`), language);
  return `${JSON.stringify({
    schema: 'crowfly/topics@1',
    topics: topics.map((topic) => ({ topic, title: title(topic), here: here.has(topic) })),
  })}\n`;
}

/** `crowfly/learn@1`: one technology, run with real bytes. */
export function learnJson(d: Demonstration, language: Language): string {
  const t = (m: Message): string => render(m, language);
  const registered = registeredSentence(d);
  const packet = packetSentence(d, language);
  return `${JSON.stringify(
    {
      schema: 'crowfly/learn@1',
      topic: d.lesson.topic,
      about: findTerm(d.lesson.term)?.[language].split('\n') ?? [],
      from: d.from,
      to: d.to,
      path: d.model.path,
      allowed: d.model.allowed,
      rule: { code: d.model.rule.code, text: t(d.model.rule) },
      steps: d.steps.map((s) => ({
        stage: t(s.stage.name),
        ...(Number.isFinite(s.stage.rate) ? { bytesPerSecond: s.stage.rate } : {}),
        copies: s.copies,
        hostMemoryBytesPerByte: s.hostMemory,
        coreBytesPerByte: s.coreBytes,
      })),
      bytes: d.bytes,
      counted: d.run,
      rows: d.rows,
      assumptions: d.assumed.map(t),
      ...(d.packet ? { packet: d.packet } : {}),
      said: {
        run: t(runSentence(d)),
        ...(registered ? { registered: t(registered) } : {}),
        ...(packet ? { packet: t(packet) } : {}),
        today: t(todaySentence(d)),
      },
    },
    null,
    1,
  )}\n`;
}
