import { describe, expect, it } from 'vitest';
import { run } from '../../src/engine/run.ts';
import { Trace } from '../../src/engine/trace.ts';
import { ScheduleBuilder } from '../../src/schedule/builder.ts';
import { built } from './plain-ring.ts';

/** Two GPUs read two NICs through one uplink, and one copy engine feeds both. */
function contended() {
  const b = new ScheduleBuilder();
  const uplink = b.resource('link', 'uplink', 10);
  const engine = b.engine('copy engine', 1);
  b.operation({ label: 'gpu0 → nic0', amount: 50, path: [[uplink, 1]] });
  b.operation({ label: 'gpu1 → nic1', amount: 50, path: [[uplink, 1]], repeat: 2 });
  b.operation({ label: 'copy a', amount: 10, path: [[b.resource('link', 'a', 10), 1]], holds: [engine] });
  b.operation({ label: 'copy b', amount: 10, path: [[b.resource('link', 'b', 10), 1]], holds: [engine] });
  return built(b);
}

describe('a trace', () => {
  it('has a track for each engine, and shows who waited and who was held by what', () => {
    const schedule = contended();
    const trace = new Trace(schedule);
    const { time } = run(schedule, { observer: trace });
    const document = trace.document(time);
    const tracks = document.traceEvents.filter((e) => e.name === 'thread_name').map((e) => e.args!['name']);
    expect(tracks).toContain('copy engine');
    expect(tracks).toContain('uplink');
    expect(tracks).toContain('gpu1 → nic1');
    const slices = document.traceEvents.filter((e) => e.ph === 'X');
    expect(slices.find((e) => e.name === 'copy b … copy engine')).toMatchObject({ cat: 'wait', ts: 0, dur: 1e6 });
    const held = slices.filter((e) => e.cat === 'held');
    // While both cross the uplink they share it, and then one has it all.
    const shares = held
      .filter((e) => e.name.startsWith('gpu'))
      .map((e) => [e.name, e.args!['bytes per second'], e.dur]);
    expect(shares).toContainEqual(['gpu0 → nic0', 5, 10e6]);
    expect(shares).toContainEqual(['gpu1 → nic1 [1]', 10, 5e6]);
    expect(document.otherData.leftOut).toBe(0);
    expect(trace.note()).toBeUndefined();
    // Slices of one track never overlap.
    const ends = new Map<number, number>();
    for (const e of slices.filter((s) => s.tid > 0)) {
      expect(e.ts!).toBeGreaterThanOrEqual((ends.get(e.tid) ?? 0) - 1e-6);
      ends.set(e.tid, e.ts! + e.dur!);
    }
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('keeps to its size and says what it left out', () => {
    const schedule = contended();
    const trace = new Trace(schedule, 3);
    const { time } = run(schedule, { observer: trace });
    expect(trace.document(time).traceEvents.filter((e) => e.cat !== undefined).length).toBe(3 + 1);
    const note = trace.note()!;
    expect(note.code).toBe('engine.trace.cut');
    expect(note.args['left']).toBe(trace.document(time).otherData.leftOut);
    expect(note.args['left']).toBeGreaterThan(3);
  });
});
