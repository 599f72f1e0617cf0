import { expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { described } from '../support/machines.ts';
import { checked, clusters, type PublishedPoint } from './published-points.ts';

const machines = new Map<string, Machine>();
for (const [name, yaml] of Object.entries(clusters)) machines.set(name, await described(yaml));

/** |ln(predicted / published)|: twice as much and half as much are equally wrong. */
function errorOf(p: PublishedPoint): number {
  const { on, from, to, path, bytes, depth = 1, threads = 1, both = false, metric, value } = p;
  const answer = answerMove(machines.get(on)!, {}, from, to, { sizes: [bytes], depth, threads, both, path });
  if (!answer.ok) throw new Error(`${on} ${from} ${to} ${path}: ${answer.error.code}`);
  return Math.abs(Math.log(answer.value.paths[0]!.rows[0]![metric] / value));
}

it('further points are predicted within 10 % for the median one, 40 % for nine in ten', () => {
  const errors = checked.map(errorOf).sort((a, b) => a - b);
  const at = (share: number): number => errors[Math.floor(share * (errors.length - 1))]!;
  const shown = `${checked.length} points: median ${at(0.5).toFixed(3)}, p90 ${at(0.9).toFixed(3)}`;
  expect(checked.length).toBeGreaterThan(50);
  expect(at(0.5), shown).toBeLessThan(0.06);
  expect(at(0.9), shown).toBeLessThan(0.3);
  if (process.env['CROWFLY_SHOW']) console.log(shown);
});
