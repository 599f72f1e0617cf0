import type { AtOnce } from '../../answer/at-once.ts';
import type { MoveAnswer, MoveAsk } from '../../answer/move.ts';
import type { TogetherAnswer } from '../../answer/movements.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { atOnceJson } from './at-once.ts';

/** `crowfly/move@1`. */
export function moveJson(
  answer: MoveAnswer,
  how: MoveAsk,
  assumptions: readonly string[],
  language: Language,
  more: { readonly together?: TogetherAnswer; readonly atOnce?: AtOnce } = {},
): string {
  const { together, atOnce } = more;
  return `${JSON.stringify(
    {
      schema: 'crowfly/move@1',
      from: answer.from,
      to: answer.to,
      depth: how.depth,
      threads: how.threads,
      both: how.both,
      assumptions: [...assumptions, ...answer.assumed.map((a) => render(a, language))],
      paths: answer.paths.map((p) => ({
        path: p.model.path,
        allowed: p.model.allowed,
        rule: p.model.rule.code,
        reason: render(p.model.rule, language),
        ...(p.model.note ? { note: render(p.model.note, language) } : {}),
        copies: p.copies,
        hostMemoryBytesPerByte: p.hostMemoryBytesPerByte,
        stages: p.model.stages.map((s) => ({
          name: render(s.name, language),
          ...(Number.isFinite(s.rate) ? { bytesPerSecond: s.rate } : {}),
          copy: s.copy,
          hostMemoryBytesPerByte: s.hostMemory,
          cpuSecondsPerByte: s.cpuPerByte,
          links: s.links.map((l) => ({
            ...(typeof l.name.args['device'] === 'string' ? { device: l.name.args['device'] } : {}),
            kind: l.name.code.replace('move.link.', ''),
            text: render(l.name, language),
            bytesPerSecond: l.rate,
          })),
        })),
        rows: p.rows,
        ...(p.frames
          ? {
              frames: p.frames.map(({ format, ...f }) => ({
                format: format.name,
                bytes: format.bytes,
                perSecond: format.perSecond,
                ...f,
              })),
            }
          : {}),
      })),
      ...(together
        ? {
            together: {
              bytes: together.bytes,
              movements: together.movements.map((m) => ({
                from: m.from,
                to: m.to,
                path: m.path,
                aloneGBps: m.alone / 1e9,
                togetherGBps: m.rate / 1e9,
                heldBy: m.heldBy,
              })),
            },
          }
        : {}),
      ...(atOnce ? { atOnce: atOnceJson(atOnce, language) } : {}),
    },
    null,
    1,
  )}\n`;
}
