import { fail, ok, type Result } from '../base/result.ts';
import { seconds } from '../base/units.ts';
import { Trace, type TraceDocument } from '../engine/trace.ts';
import type { Machine } from '../machine/machine.ts';
import { findEnd } from '../move/ends.ts';
import { chunksOf } from '../move/legs.ts';
import type { DataPathModel, MoveLoad } from '../move/model.ts';
import type { Movement, ScheduleAsk } from '../move/schedule.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { type Beside, runTogether } from '../predict/together.ts';
import { type Language, type Message, say } from '../words/message.ts';
import { render } from '../words/render.ts';
import { hostMemoryBandwidth } from '../workload/gain.ts';
import { answerMove, type MoveAnswer } from './move.ts';

/** A run shows one size; longer ones only repeat themselves. */
export const runBytes = 64 * 2 ** 20;

export interface RunAsk {
  readonly bytes: number;
  readonly load: MoveLoad;
  readonly language: Language;
}

export interface TogetherAnswer {
  readonly bytes: number;
  readonly movements: readonly (Beside & { readonly from: string; readonly to: string; readonly path: string })[];
  readonly trace?: TraceDocument;
}

export interface Named {
  readonly from: string;
  readonly to: string;
  readonly model: DataPathModel;
}

/**
 * Runs the first data path of an answer on the engine, and beside it others told as `A B` or `A B PATH`; all start together.
 * @returns what each brought alone and in company, and a trace for Perfetto when asked for
 */
export function answerTogether(
  machine: Machine,
  ask: Ask,
  answer: MoveAnswer,
  beside: readonly string[],
  how: RunAsk & { readonly trace: boolean },
): Result<TogetherAnswer, Message> {
  const all: Named[] = [{ from: answer.from, to: answer.to, model: best(answer) }];
  for (const text of beside) {
    const [from, to, path, ...rest] = text.trim().split(/[\s,]+/);
    if (from === undefined || to === undefined || rest.length > 0) return fail(say('move.beside', { text }));
    const other = answerMove(machine, ask, from, to, {
      ...how.load,
      sizes: [how.bytes],
      ...(path === undefined ? {} : { path }),
    });
    if (!other.ok) return other;
    all.push({ from, to, model: best(other.value) });
  }
  const steps = all.reduce((sum, m) => sum + stepsOf(m.model, how), 0);
  if (steps > mostSteps) return fail(say('move.too-much', { steps: Math.ceil(steps), most: mostSteps }));
  const movements = all.map((m): Movement => ({ model: m.model, ask: askOf(machine, m, how, all.length > 1) }));
  let trace: Trace | undefined;
  const observe = (schedule: ConstructorParameters<typeof Trace>[0]): Trace => {
    trace = new Trace(schedule, undefined, titles(how.language));
    return trace;
  };
  const ran = runTogether(movements, how.trace ? observe : undefined);
  if (!ran.ok) return ran;
  return ok({
    bytes: how.bytes,
    movements: ran.value.movements.map((b, i) => ({
      ...b,
      from: all[i]!.from,
      to: all[i]!.to,
      path: all[i]!.model.path,
    })),
    ...(trace ? { trace: trace.document(seconds(ran.value.seconds)) } : {}),
  });
}

/** Iterations that a run which is watched takes one by one: about a second's worth. */
export const mostSteps = 200_000;

export const stepsOf = (model: DataPathModel, { bytes, load }: RunAsk): number =>
  chunksOf(model, bytes).count * model.stages.length * (model.timing.workers ? load.threads : load.depth);

/** The path that data takes today, as far as anyone can tell. */
const best = (answer: MoveAnswer): DataPathModel =>
  (answer.paths.find((p) => p.model.allowed === 'yes') ?? answer.paths[0]!).model;

export function askOf(machine: Machine, m: Named, how: RunAsk, several: boolean): ScheduleAsk {
  const text = (message: Message): string => render(message, how.language);
  const place = (name: string): string => {
    const end = findEnd(machine, name);
    return `node${end.ok ? end.value.node : 0}`;
  };
  const hostMemory = hostMemoryBandwidth(machine);
  return {
    bytes: how.bytes,
    depth: how.load.depth,
    threads: how.load.threads,
    named: text,
    ...(several ? { title: `${m.from} → ${m.to}` } : {}),
    places: { near: place(m.from), far: place(m.to) },
    ...(hostMemory === undefined ? {} : { hostMemory }),
    names: {
      memory: (node) => text(say('move.link.memory', { node })),
      core: (side) => text(say(side === 'near' ? 'move.trace.core-near' : 'move.trace.core-far')),
      control: text(say('move.trace.control')),
      launch: text(say('move.trace.launch')),
      start: text(say('move.trace.start')),
      handOver: (stage) => text(say('move.trace.hand-over', { stage })),
    },
  };
}

export function titles(language: Language): ConstructorParameters<typeof Trace>[2] {
  const text = (message: Message): string => render(message, language);
  return {
    operations: text(say('move.trace.operations')),
    engines: text(say('move.trace.engines')),
    resources: text(say('move.trace.resources')),
    total: text(say('move.trace.total')),
  };
}
