import { describe, expect, it } from 'vitest';
import { answerPredict, type PredictAsk } from '../../src/answer/predict.ts';
import { clockedTimes, clockWithin } from '../../src/predict/collective/clocked.ts';
import { system } from '../support/machines.ts';

const what: PredictAsk = { name: 'all_reduce', datatype: 'float', sizes: [1024, 1 << 20, 2 ** 30] };

function predicted(nodes: number, engine: boolean) {
  const answer = answerPredict(system('dgx-a100-80g', nodes), {}, what, engine ? clockedTimes : undefined);
  if (!answer.ok) throw new Error(answer.error.reason.code);
  return answer.value;
}

describe('the clock of a prediction', () => {
  it('is the engine, whose times the closed form tells beforehand', () => {
    const [run, formed] = [predicted(2, true), predicted(2, false)];
    expect([run.timedBy, formed.timedBy]).toEqual(['engine', 'closed-form']);
    expect(run.rows.some((r, i) => r.timeUs !== formed.rows[i]!.timeUs)).toBe(true);
    for (const [i, { timeUs, algorithm }] of run.rows.entries()) {
      expect(Math.abs(Math.log(timeUs / formed.rows[i]!.timeUs))).toBeLessThan(0.02);
      expect(algorithm).toBe(formed.rows[i]!.algorithm);
    }
  });

  it('is the closed form where runs would take long, and the answer says so', () => {
    const far = predicted(512, true);
    expect(far.timedBy).toBe('closed-form');
    expect(far.assumptions.map((m) => m.code)).toContain('predict.form');
    // Who did not ask for runs is not told that there were none.
    expect(predicted(512, false).assumptions.map((m) => m.code)).not.toContain('predict.form');
  });

  it('is the closed form where runs turn out to be too much work', () => {
    const timed = (work: number) => {
      const answer = answerPredict(system('dgx-a100-80g', 2), {}, what, clockWithin(work));
      if (!answer.ok) throw new Error(answer.error.reason.code);
      return answer.value;
    };
    const long = timed(1_000_000);
    expect([long.timedBy, long.rows]).toEqual(['engine', predicted(2, true).rows]);
    const short = timed(100);
    expect(short.timedBy).toBe('closed-form');
    expect(short.rows).toEqual(predicted(2, false).rows);
    expect(short.assumptions.map((m) => m.code)).toContain('predict.form');
  });
});
