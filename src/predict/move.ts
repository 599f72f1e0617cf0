import type { Result } from '../base/result.ts';
import type { Mover, Observer } from '../engine/observer.ts';
import { type RunResult, run } from '../engine/run.ts';
import { chunksOf, legsOf } from '../move/legs.ts';
import type { DataPathModel } from '../move/model.ts';
import { type MoveSchedule, type ScheduleAsk, scheduleMove } from '../move/schedule.ts';
import type { EngineMessage } from '../schedule/message.ts';
import type { Schedule } from '../schedule/schedule.ts';

export interface MoveRun {
  readonly schedule: Schedule;
  readonly result: RunResult;
  /** Seconds until the last byte was there. */
  readonly seconds: number;
  /** Bytes per second, the last completion included. */
  readonly rate: number;
}

/** Runs a movement on the engine: the same stages that `moveRow` takes in a closed form. */
export function runMove(
  model: DataPathModel,
  ask: ScheduleAsk,
  watch: { readonly observer?: (schedule: Schedule) => Observer; readonly mover?: (made: MoveSchedule) => Mover } = {},
): Result<MoveRun, EngineMessage> {
  const made = scheduleMove(model, ask);
  if (!made.ok) return made;
  const { schedule } = made.value;
  const result = run(schedule, {
    ...(watch.observer ? { observer: watch.observer(schedule) } : {}),
    ...(watch.mover ? { mover: watch.mover(made.value) } : {}),
  });
  const seconds = Math.max(...made.value.ends.map((o) => result.finish[o]!));
  const { timing } = model;
  const all = timing.workers ? ask.threads * (ask.rounds ?? 1) : ask.depth;
  const known = timing.workers ? seconds : seconds - timing.oneWay + timing.cycle;
  return { ok: true, value: { schedule, result, seconds, rate: (all * ask.bytes) / known } };
}

/**
 * Real bytes under the engine's clock: a buffer between any two legs, filled and read chunk by chunk at the moments at which
 * the engine says so. What a leg reads before it is there arrives as zeros.
 */
export class ByteMover implements Mover {
  /** By transfer, then by leg: what lies before that leg; the last one is what arrived. */
  readonly buffers: readonly (readonly Uint8Array[])[];
  private readonly size: number;

  constructor(
    private readonly made: MoveSchedule,
    model: DataPathModel,
    payloads: readonly Uint8Array[],
  ) {
    const legs = legsOf(model, payloads[0]!.length).length;
    this.size = chunksOf(model, payloads[0]!.length).size;
    this.buffers = payloads.map((p) => [p, ...Array.from({ length: legs }, () => new Uint8Array(p.length))]);
  }

  copy(operation: number, iteration: number): void {
    const at = this.made.legs.get(operation);
    if (!at) return;
    const buffers = this.buffers[at.transfer]!;
    const from = iteration * this.size;
    buffers[at.leg + 1]!.set(buffers[at.leg]!.subarray(from, from + this.size), from);
  }
}
