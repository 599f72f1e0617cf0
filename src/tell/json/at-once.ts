import { type AtOnce, throughOf } from '../../answer/at-once.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';

/** The `atOnce` of `crowfly/move@1`. */
export const atOnceJson = (atOnce: AtOnce, language: Language): unknown => ({
  bytes: atOnce.bytes,
  paths: atOnce.paths.map((p) => ({
    path: p.path,
    allowed: p.allowed,
    totalGBps: p.total / 1e9,
    aloneGBps: p.alone / 1e9,
    hostMemoryGBps: p.hostMemory / 1e9,
    cores: p.cores,
    movements: p.movements.map((m) => {
      const through = throughOf(m.model);
      return {
        from: m.from,
        to: m.to,
        ...(through === undefined ? {} : { through }),
        allowed: m.model.allowed,
        rule: m.model.rule.code,
        reason: render(m.model.rule, language),
        aloneGBps: m.alone / 1e9,
        togetherGBps: m.rate / 1e9,
        heldBy: m.heldBy,
      };
    }),
  })),
});
