import { type CompareAnswer, verdictOf } from '../../answer/compare.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { predictJson } from './predict.ts';

const short = (x: number, digits = 5): number => Number(x.toPrecision(digits));

/** `crowfly/prediction@1` with what was measured. */
export function compareJson(answer: CompareAnswer, assumed: readonly string[], language: Language): string {
  const base = JSON.parse(predictJson(answer, assumed, language)) as { rows: Record<string, unknown>[] };
  const rows = base.rows.map((row, i) => {
    const r = answer.rows[i]!;
    return {
      ...row,
      measuredTimeUs: short(r.measuredTimeUs),
      measuredBusbwGBps: short(r.measuredBusbwGBps),
      ratio: short(r.ratio, 4),
      verdict: r.verdict,
    };
  });
  return `${JSON.stringify({
    ...base,
    rows,
    verdict: answer.verdict,
    says: render(verdictOf(answer), language),
    notes: answer.notes.map((n) => render(n, language)),
    explanations: answer.explanations.map((e) => ({
      id: e.id,
      what: render(e.what, language),
      distance: short(e.distance, 3),
    })),
  })}\n`;
}
