import type { NcclLesson } from '../../answer/learn-nccl.ts';
import type { Language, Message } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { findTerm } from '../../words/terms.ts';

/** `crowfly/learn-nccl@1`: what the library decides on a machine. */
export function learnNcclJson(lesson: NcclLesson, language: Language): string {
  const t = (m: Message): string => render(m, language);
  return `${JSON.stringify(
    {
      schema: 'crowfly/learn-nccl@1',
      topic: 'nccl',
      about: findTerm('NCCL')?.[language].split('\n') ?? [],
      ncclVersion: lesson.release,
      ways: lesson.ways.map((w) => ({
        from: w.from,
        to: w.to,
        path: w.course.ways[0]?.path ?? 'not-known',
        direct: w.course.direct,
        rule: { code: w.course.rule.code, text: t(w.course.rule) },
      })),
      choices: lesson.choices.map((c) => ({
        fromBytes: c.from,
        toBytes: c.to,
        algorithm: c.algorithm,
        protocol: c.protocol,
        channels: c.channels,
      })),
      limit: t(lesson.prediction.bottleneck.why),
    },
    null,
    1,
  )}\n`;
}
