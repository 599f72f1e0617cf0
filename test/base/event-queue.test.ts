import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/base/event-queue.ts';

/** Few distinct times, so that ties are common. */
const times = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ min: 0, max: 10, noNaN: true }), fc.constant(1e12));
const steps = fc.array(fc.oneof(times, times, fc.constant('pop' as const), fc.constant('shift' as const)), {
  maxLength: 400,
});

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
