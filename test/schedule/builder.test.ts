import { describe, expect, it } from 'vitest';
import { bytes } from '../../src/base/units.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import type { EngineMessage } from '../../src/schedule/message.ts';
import { pipeline } from '../../src/schedule/pipeline.ts';
import { Wait } from '../../src/schedule/schedule.ts';
import { engine as en } from '../../src/words/en/engine.ts';
import { engine as zh } from '../../src/words/zh/engine.ts';

/** The reason for which a schedule is refused. */
function refused(build: (b: ScheduleBuilder) => void): EngineMessage {
  const b = new ScheduleBuilder();
  build(b);
  const result = b.build();
  if (result.ok) throw new Error('built after all');
  // Every reason can be said, with all its data.
  const holes = [...en[result.error.code].matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
  expect(Object.keys(result.error.args).sort()).toEqual(holes.sort());
  expect(zh[result.error.code]).toBeDefined();
  // The name of what is wrong is a word of its own in each language.
  const { what } = result.error.args;
  if (typeof what !== 'object') return result.error;
  return { ...result.error, args: { ...result.error.args, what: what.code.replace('engine.what.', '') } };
}

describe('a schedule', () => {
  it('refuses numbers that mean nothing, and says which', () => {
    expect(refused((b) => b.resource('link', 'wire', Number.NaN))).toEqual({
      code: 'engine.fault.number',
      args: { where: 'wire', what: 'rate', value: 'NaN', least: 0 },
    });
    expect(refused((b) => b.resource('link', 'wire', -1)).args['value']).toBe('-1');
    expect(refused((b) => b.engine('dma', 0)).args['what']).toBe('slots');
    expect(refused((b) => b.engine('dma', 1.5)).args['value']).toBe('1.5');
    for (const what of ['amount', 'last', 'before', 'after'] as const) {
      for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
        const fault = refused((b) => b.operation({ label: 'copy', amount: 1, [what]: value }));
        expect(fault.args).toEqual({ where: 'copy', what, value: String(value), least: 0 });
      }
    }
    for (const repeat of [0, -3, 1.5, Number.NaN, 1e12]) {
      expect(refused((b) => b.operation({ amount: 1, repeat })).args['what']).toBe('repeat');
    }
    expect(refused((b) => b.operation({ amount: 1, waits: [{ on: 0, lag: -1 }] })).args['what']).toBe('lag');
    const factor = refused((b) => b.operation({ amount: 1, path: [[b.resource('link', 'wire', 1), -2]] }));
    expect(factor.args['what']).toBe('factor');
  });

  it('refuses what does not exist', () => {
    expect(refused((b) => b.operation({ amount: 1, path: [[0, 1]] })).args['what']).toBe('resource');
    expect(refused((b) => b.operation({ amount: 1, holds: [3] })).args).toMatchObject({ what: 'engine', value: 3 });
    expect(refused((b) => b.operation({ amount: 1, waits: [{ on: 5 }] })).args['what']).toBe('operation');
  });

  it('refuses circles in which nothing could ever begin, and only those', () => {
    expect(refused((b) => b.operation({ label: 'me', amount: 1, waits: [{ on: 0 }] })).args).toEqual({
      where: 'me',
      count: 1,
    });
    const three = refused((b) => {
      for (let o = 0; o < 3; o++) b.operation({ amount: 1, waits: [{ on: (o + 1) % 3 }] });
    });
    expect(three.args['count']).toBe(3);
    const whole = refused((b) => {
      b.operation({ amount: 1, repeat: 2, waits: [{ on: 1, lag: 1 }] });
      b.operation({ amount: 1, repeat: 2, waits: [{ on: 0, kind: Wait.WholeDelivered }] });
    });
    expect(whole.code).toBe('engine.fault.circle');
    const b = new ScheduleBuilder();
    for (let o = 0; o < 3; o++) b.operation({ amount: 1, repeat: 5, waits: [{ on: (o + 1) % 3, lag: 1 }] });
    b.operation({ amount: 1, waits: [{ on: 0, kind: Wait.WholeSent }] });
    expect(b.build().ok).toBe(true);
  });

  it('is checked without recursion, however deep', () => {
    const b = new ScheduleBuilder();
    const label = b.labelled('step');
    for (let o = 0; o < 300_000; o++) {
      b.begin(label, 1);
      if (o > 0) b.wait(o - 1);
    }
    expect(b.build().ok).toBe(true);
  });

  it('adds up what crosses a resource twice', () => {
    const b = new ScheduleBuilder();
    const memory = b.resource('memory', 'memory', 1);
    b.operation({
      amount: 1,
      path: [
        [memory, 1],
        [memory, 1.5],
      ],
    });
    const built = b.build();
    expect(built.ok && [...built.value.operations.pathFactor]).toEqual([2.5]);
  });

  it('cuts a transfer into chunks that add up to it', () => {
    for (const size of [0, 1, 63, 64, 65, 128, 1000]) {
      const b = new ScheduleBuilder();
      const wire = b.resource('link', 'wire', 1);
      pipeline(b, {
        bytes: bytes(size),
        chunk: bytes(64),
        stages: [
          { label: 'a', path: [[wire, 1]] },
          { label: 'b', path: [[wire, 1]] },
        ],
      });
      const built = b.build();
      if (!built.ok) throw new Error(built.error.code);
      const { amount, last, repeat } = built.value.operations;
      for (const o of [0, 1]) expect(amount[o]! * (repeat[o]! - 1) + last[o]!).toBe(size);
    }
    const b = new ScheduleBuilder();
    pipeline(b, { bytes: bytes(10), chunk: bytes(0), stages: [{ label: 'a', path: [] }] });
    expect(b.build().ok).toBe(false);
  });
});
