import type { ExplainAnswer } from '../../answer/explain.ts';
import type { Way } from '../../way/stages.ts';
import type { Language, Message } from '../../words/message.ts';
import { render } from '../../words/render.ts';

/** `crowfly/explain@1`: the way, its rule, and every edit that flips it. Rates are bytes per second. */
export function explainJson(answer: ExplainAnswer, assumptions: readonly string[], language: Language): string {
  const t = (m: Message): { code: string; text: string } => ({ code: m.code, text: render(m, language) });
  const { course } = answer;
  return `${JSON.stringify(
    {
      schema: 'crowfly/explain@1',
      ncclVersion: answer.release.name,
      assumptions,
      from: course.from,
      to: course.to,
      direct: course.direct,
      ways: course.ways.map((w) => wayJson(w, language)),
      rule: t(course.rule),
      evidence: course.evidence,
      ...(course.settle === undefined ? {} : { settle: { command: course.settle } }),
      ...(course.nics === undefined ? {} : { nics: course.nics }),
      flips: answer.flips.map((f) => ({
        edits: f.edits.map((e) => ({
          id: e.id,
          effort: e.effort,
          what: t(e.what),
          ...(e.command === undefined ? {} : { command: e.command }),
        })),
        direct: f.after.direct,
        ways: f.after.ways.map((w) => wayJson(w, language)),
      })),
    },
    null,
    1,
  )}\n`;
}

export function wayJson(way: Way, language: Language): Record<string, unknown> {
  return {
    path: way.path,
    copies: way.copies,
    ...(way.weakest === undefined ? {} : { weakest: way.weakest }),
    stages: way.stages.map((s) => ({
      from: s.from,
      to: s.to,
      via: s.via,
      by: render(s.by, language),
      medium: render(s.medium, language),
      ...(s.rate === undefined ? {} : { bytesPerSecond: Math.round(s.rate) }),
      ...(s.copy === undefined ? {} : { copy: s.copy }),
      evidence: s.at,
    })),
  };
}
