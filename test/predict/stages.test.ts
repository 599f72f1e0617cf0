import { describe, expect, it } from 'vitest';
import { Rounds, type Stage, throughStages } from '../../src/predict/collective/stages.ts';

const stage = (from: number, least: number, load: Stage['load'], delay = 0): Stage => ({ from, delay, least, load });

describe('rounds through stages', () => {
  it('take what the slowest stage takes of each, and the way of the last', () => {
    expect(throughStages([stage(-1, 2, [0, 0, 0]), stage(0, 3, [0, 0, 0], 1)], 4)).toBeCloseTo(2 + 1 + 4 * 3, 9);
  });

  it('share a wire as equals, whatever a round costs them', () => {
    // Two stages on one wire, the second of a tenth: beside the first it goes no faster than that.
    const two = [stage(-1, 1, [1, 0, 0]), stage(0, 0.1, [0.1, 0, 0])];
    expect(throughStages(two, 1)).toBeCloseTo(1.1, 9);
    expect(throughStages(two, 2)).toBeCloseTo(2.2, 9);
  });

  it('that follow each other take no longer each than a wire or a stage needs, and a part of one comes between', () => {
    const rounds = new Rounds([stage(-1, 2, [2, 0]), stage(0, 3, [0, 3], 5)]);
    expect(rounds.end(1)).toBeCloseTo(2 + 5 + 3, 9);
    expect(rounds.end(1000)).toBeCloseTo(2 + 5 + 1000 * 3, 9);
    for (const count of [1.3, 2.5, 12.7, 40.1]) {
      expect(rounds.end(count)).toBeGreaterThan(rounds.end(Math.floor(count)));
      expect(rounds.end(count)).toBeLessThan(rounds.end(Math.ceil(count)));
    }
    const exact = throughStages([stage(-1, 2, [2, 0]), stage(0, 3, [0, 3], 5)], 3.5);
    expect(rounds.end(3.5)).toBeCloseTo(exact, 9);
  });

  it('end where a stage takes no time and no wire', () => {
    expect(throughStages([stage(-1, 0, [0, 0, 0]), stage(0, 2, [1, 0, 0])], 2)).toBeCloseTo(4, 9);
    expect(throughStages([stage(-1, 0, [0, 0, 0])], 3)).toBe(0);
  });
});
