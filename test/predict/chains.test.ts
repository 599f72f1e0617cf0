import { describe, expect, it } from 'vitest';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { clockedTimes, foldFor } from '../../src/predict/collective/clocked.ts';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { OnEngine } from '../../src/predict/collective/on-engine.ts';
import { datatypes, Predictor } from '../../src/predict/collective/predict.ts';
import { system } from '../support/machines.ts';

describe('a chain that has filled', () => {
  it.each([
    ['broadcast', 'dgx-1v', 2],
    ['reduce', 'dgx-1v', 2],
    ['broadcast', 'gh200', 4],
  ] as const)('takes for a long %s on %s × %i what every round of it takes on the engine', (name, id, nodes) => {
    const made = groundOf(system(id, nodes), { env: new Map([['NCCL_PROTO', 'Simple']]) });
    if (!made.ok) throw new Error(made.error.reason.code);
    const ground = made.value;
    const speeds = speedsFor(ground);
    const predictor = new Predictor(ground, speeds, name, 'float');
    // Whole rounds, and a rest that no round divides.
    for (const bytes of [2 ** 30, 2 ** 30 + 12_345_680]) {
      const launch = predictor.launch(bytes)!;
      expect(bytes / (launch.nChannels * launch.chunkBytes)).toBeGreaterThan(100);
      const told = clockedTimes(predictor, 'float', [bytes])![0]!;
      const fold = foldFor(name, launch);
      const whole = new OnEngine(ground, speeds).time(name, bytes, datatypes.float, { fold }, launch);
      if (!whole.ok) throw new Error('not run');
      expect(Math.abs(told / (whole.value.time * 1e6) - 1)).toBeLessThan(1e-5);
    }
  });
});
