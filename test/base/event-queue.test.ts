import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/base/event-queue.ts';
import { random } from '../../src/base/random.ts';

/** Few distinct times, so that ties are common. */
const times = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double({ min: 0, max: 10, noNaN: true }), fc.constant(1e12));
type Step = number | 'pop' | 'shift';
const steps = fc
  .tuple(
    // Enough at first to lay out buckets, and then times as they come or, as in a simulation, a little after the last.
    fc.array(times, { maxLength: 300 }),
    fc.array(
      fc.oneof(
        { weight: 8, arbitrary: times },
        { weight: 8, arbitrary: fc.constant<Step>('pop') },
        { weight: 1, arbitrary: fc.constant<Step>('shift') },
      ),
      { maxLength: 400 },
    ),
  )
  .map(([first, then]): Step[] => [...first, ...then]);

describe('the event queue', () => {
  it('gives events by time, and those of one time as they were pushed', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const queue = new EventQueue(1);
        let model: { time: number; item: number }[] = [];
        let pushed = 0;
        for (const step of list) {
          if (step === 'shift') {
            queue.shift(1);
            model = model.map(({ time, item }) => ({ time: time + 1, item }));
          } else if (step === 'pop') {
            const want = model.reduce<{ time: number; item: number } | undefined>(
              (a, b) => (a === undefined || b.time < a.time || (b.time === a.time && b.item < a.item) ? b : a),
              undefined,
            );
            expect(queue.peek()).toBe(want?.time ?? Number.POSITIVE_INFINITY);
            expect(queue.pop()).toBe(want !== undefined);
            if (want) {
              expect([queue.time, queue.item, queue.stamp]).toEqual([want.time, want.item, want.item + 7]);
              model.splice(model.indexOf(want), 1);
            }
          } else {
            queue.push(step, pushed, pushed + 7);
            model.push({ time: step, item: pushed++ });
          }
          expect(queue.size).toBe(model.length);
        }
        const seen: number[] = [];
        queue.each((_, item) => seen.push(item));
        expect(seen.sort((a, b) => a - b)).toEqual(model.map((e) => e.item).sort((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the order through many rounds of a simulation, whatever the spread of times', () => {
    for (const spread of [1, 1e-9, 1e6]) {
      for (const held of [10, 200, 3000]) {
        const { next, below } = random(held);
        const queue = new EventQueue();
        const later = (): number => (below(10) === 0 ? 0 : below(50) === 0 ? 1000 * spread : next() ** 3 * spread);
        for (let i = 0; i < held; i++) queue.push(later(), i, 0);
        let [time, stamp] = [0, 0];
        for (let i = 1; i <= 20 * held; i++) {
          expect(queue.pop()).toBe(true);
          // At one time, in order of pushing.
          if (queue.time < time || (queue.time === time && queue.stamp < stamp))
            throw new Error(`out of order at ${i}`);
          [time, stamp] = [queue.time, queue.stamp];
          queue.push(time + later(), queue.item, i);
        }
        expect(queue.size).toBe(held);
      }
    }
  });

  it('starts anew when cleared', () => {
    const queue = new EventQueue();
    queue.push(1, 1);
    queue.pop();
    queue.push(2, 2);
    queue.clear();
    expect(queue.size).toBe(0);
    expect(queue.pop()).toBe(false);
    queue.push(3, 3);
    expect(queue.pop() && queue.item).toBe(3);
  });
});
