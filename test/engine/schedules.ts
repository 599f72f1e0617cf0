import fc from 'fast-check';
import { type OperationSpec, ScheduleBuilder, type WaitSpec } from '../../src/schedule/builder.ts';
import { type Schedule, Wait } from '../../src/schedule/schedule.ts';
import { built } from './plain-ring.ts';

/** What a random schedule is made of, kept apart from it so that it can be built in another order, or more than once. */
export interface Recipe {
  readonly rates: number[];
  readonly slots: number[];
  readonly operations: OperationSpec[];
}

const few = (values: number[]): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(...values),
    fc.integer({ min: 1, max: 1000 * values.at(-1)! }).map((x) => x / 1000),
  );

/** Small schedules with shared links, slots, lags, repeats and ties. Operations wait only for earlier ones, except with a lag. */
export const recipes = ({ engines = true, operations = 8, repeats = 6, holds = 2 } = {}): fc.Arbitrary<Recipe> =>
  fc
    .record({
      rates: fc.array(few([1, 2, 10]), { minLength: 1, maxLength: 5 }),
      slots: engines ? fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }) : fc.constant<number[]>([]),
      seeds: fc.array(
        fc.record({
          amount: few([0, 1, 4, 10]),
          repeat: fc.integer({ min: 1, max: repeats }),
          rest: fc.constantFrom(1, 1, 0.5, 0),
          before: fc.constantFrom(0, 0, 0.5, 0.3),
          after: fc.constantFrom(0, 0.25, 2),
          copies: fc.nat(1),
          path: fc.uniqueArray(fc.tuple(fc.nat(99), fc.constantFrom(1, 1, 2, 0.5)), {
            maxLength: 3,
            selector: ([r]) => r,
          }),
          holds: fc.uniqueArray(fc.nat(99), { maxLength: holds }),
          waits: fc.array(fc.record({ on: fc.nat(99), lag: fc.nat(3), kind: fc.constantFrom(0, 0, 1, 2, 3) }), {
            maxLength: 2,
          }),
        }),
        { minLength: 1, maxLength: operations },
      ),
    })
    .map(({ rates, slots, seeds }) => ({
      rates,
      slots,
      operations: seeds.map((seed, o): OperationSpec => {
        const path = new Map(seed.path.map(([r, factor]) => [r % rates.length, factor]));
        return {
          label: `op${o}`,
          amount: seed.amount,
          repeat: seed.repeat,
          last: seed.amount * seed.rest,
          before: seed.before,
          after: seed.after,
          copies: seed.copies,
          path: [...path.entries()],
          holds: slots.length === 0 ? [] : [...new Set(seed.holds.map((e) => e % slots.length))],
          waits: seed.waits.flatMap(({ on, lag, kind }): WaitSpec[] => {
            if (lag > 0 && kind < Wait.WholeDelivered) return [{ on: on % seeds.length, lag, kind: kind as Wait }];
            return o === 0 ? [] : [{ on: on % o, lag, kind: kind as Wait }];
          }),
        };
      }),
    }));

/** Builds a recipe `copies` times over, side by side or on the same resources; `order` says in which order operations come. */
export function cook(
  { rates, slots, operations }: Recipe,
  { copies = 1, shared = false, order = operations.map((_, o) => o) } = {},
): Schedule {
  const b = new ScheduleBuilder();
  const place = new Int32Array(order.length);
  order.forEach((o, i) => {
    place[o] = i;
  });
  let resources: number[] = [];
  let engines: number[] = [];
  for (let c = 0; c < copies; c++) {
    if (c === 0 || !shared) {
      resources = rates.map((rate, r) => b.resource('link', `link${r}.${c}`, rate));
      engines = slots.map((n, e) => b.engine(`engine${e}.${c}`, n));
    }
    const base = b.next;
    for (const o of order) {
      const spec = operations[o]!;
      b.operation({
        ...spec,
        path: (spec.path ?? []).map(([r, factor]) => [resources[r]!, factor]),
        holds: (spec.holds ?? []).map((e) => engines[e]!),
        waits: (spec.waits ?? []).map((w) => ({ ...w, on: base + place[w.on]! })),
      });
    }
  }
  return built(b);
}

/** Whether a recipe can be built: a wait for a whole operation may have closed a circle. */
export function cookable(recipe: Recipe): boolean {
  try {
    cook(recipe);
    return true;
  } catch {
    return false;
  }
}
