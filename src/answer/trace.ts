import type { Result } from '../base/result.ts';
import { seconds } from '../base/units.ts';
import { Trace, type TraceDocument } from '../engine/trace.ts';
import type { Machine } from '../machine/machine.ts';
import type { DataPathModel, MoveLoad } from '../move/model.ts';
import type { ScheduleNames } from '../move/schedule.ts';
import { runMove } from '../predict/move.ts';
import { type Language, type Message, say } from '../words/message.ts';
import { render } from '../words/render.ts';
import { hostMemoryBandwidth } from '../workload/gain.ts';

/** A trace shows one run; longer ones only repeat themselves. */
export const tracedBytes = 64 * 2 ** 20;

/** Runs a data path on the engine and records it, for Perfetto. */
export function traceOf(
  machine: Machine,
  model: DataPathModel,
  bytes: number,
  load: MoveLoad,
  language: Language,
): Result<TraceDocument, Message> {
  const text = (message: Message): string => render(message, language);
  const names: ScheduleNames = {
    memory: (side) => text(say(side === 'near' ? 'move.trace.memory-near' : 'move.trace.memory-far')),
    core: (side) => text(say(side === 'near' ? 'move.trace.core-near' : 'move.trace.core-far')),
    control: text(say('move.trace.control')),
    start: text(say('move.trace.start')),
    handOver: (stage) => text(say('move.trace.hand-over', { stage })),
  };
  const hostMemory = hostMemoryBandwidth(machine);
  let trace: Trace | undefined;
  const ran = runMove(
    model,
    { bytes, depth: load.depth, threads: load.threads, named: text, names, ...(hostMemory ? { hostMemory } : {}) },
    {
      observer: (schedule) => {
        trace = new Trace(schedule, undefined, {
          operations: text(say('move.trace.operations')),
          engines: text(say('move.trace.engines')),
          resources: text(say('move.trace.resources')),
          total: text(say('move.trace.total')),
        });
        return trace;
      },
    },
  );
  return ran.ok ? { ok: true, value: trace!.document(seconds(ran.value.seconds)) } : ran;
}
