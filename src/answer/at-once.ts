import { fail, ok, type Result } from '../base/result.ts';
import { seconds } from '../base/units.ts';
import { Trace, type TraceDocument } from '../engine/trace.ts';
import type { Answer } from '../fact/fact.ts';
import type { Machine } from '../machine/machine.ts';
import { type DataPathModel, hostMemoryOf, type MovePath } from '../move/model.ts';
import type { Movement } from '../move/schedule.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { type Beside, runTogether } from '../predict/together.ts';
import { type Message, say } from '../words/message.ts';
import { answerMove, type MoveAnswer } from './move.ts';
import { askOf, mostSteps, type RunAsk, stepsOf, titles } from './movements.ts';

/** One of several equal movements that run at the same time. */
export interface AtOnceMovement extends Beside {
  readonly from: string;
  readonly to: string;
  readonly model: DataPathModel;
}

/** All of them on one data path. Rates in bytes per second. */
export interface AtOncePath {
  readonly path: MovePath;
  /** What is allowed for all of them. */
  readonly allowed: Answer;
  /** All their bytes over the time until the last of them is done: no shared link brings more. */
  readonly total: number;
  /** What they would bring if none was in another's way. */
  readonly alone: number;
  /** Bytes per second through host memory, and cores kept busy, of all of them. */
  readonly hostMemory: number;
  readonly cores: number;
  readonly movements: readonly AtOnceMovement[];
}

export interface AtOnce {
  readonly bytes: number;
  readonly paths: readonly AtOncePath[];
  /** Of the first path, where asked for. */
  readonly trace?: TraceDocument;
}

/** So many operations of each worker, so that beginning and end of a run count little. */
const rounds = 8;

/**
 * Several movements started together, on each data path that all of them can take: what each brings in the others' company, all
 * in total, and which shared link or memory holds whom.
 */
export function answerAtOnce(
  machine: Machine,
  ask: Ask,
  pairs: readonly (readonly [string, string])[],
  how: RunAsk & { readonly trace: boolean; readonly path?: string },
): Result<{ readonly first: MoveAnswer; readonly atOnce: AtOnce }, Message> {
  const answers: MoveAnswer[] = [];
  for (const [from, to] of pairs) {
    const answer = answerMove(machine, ask, from, to, {
      ...how.load,
      sizes: [how.bytes],
      ...(how.path === undefined ? {} : { path: how.path }),
    });
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  const common = answers[0]!.paths
    .map((p) => p.model.path)
    .filter((p) => answers.every((a) => a.paths.some((x) => x.model.path === p)));
  if (common.length === 0) return fail(say('move.no-common-path', { count: pairs.length }));
  const paths: AtOncePath[] = [];
  let trace: TraceDocument | undefined;
  for (const path of common) {
    const ran = runPath(machine, answers, path, { ...how, trace: how.trace && paths.length === 0 });
    if (!ran.ok) return ran;
    paths.push(ran.value.path);
    trace ??= ran.value.trace;
  }
  return ok({ first: answers[0]!, atOnce: { bytes: how.bytes, paths, ...(trace ? { trace } : {}) } });
}

function runPath(
  machine: Machine,
  answers: readonly MoveAnswer[],
  path: MovePath,
  how: RunAsk & { readonly trace: boolean },
): Result<{ readonly path: AtOncePath; readonly trace?: TraceDocument }, Message> {
  const named = answers.map((a) => ({
    from: a.from,
    to: a.to,
    model: a.paths.find((p) => p.model.path === path)!.model,
  }));
  const steps = named.reduce((sum, m) => sum + stepsOf(m.model, how) * (m.model.timing.workers ? 2 * rounds : 1), 0);
  if (steps > mostSteps) return fail(say('move.too-much', { steps: Math.ceil(steps), most: mostSteps }));
  const movements = (turns: readonly number[]): Movement[] =>
    named.map((m, i) => ({
      model: m.model,
      ask: { ...askOf(machine, m, how, true), ...(m.model.timing.workers ? { rounds: turns[i]! } : {}) },
    }));
  let turns = named.map(() => rounds);
  if (named.some((m) => m.model.timing.workers)) {
    const trial = runTogether(movements(turns));
    if (!trial.ok) return trial;
    turns = evenly(trial.value.movements.map((m) => m.rate));
  }
  let watched: Trace | undefined;
  const ran = runTogether(
    movements(turns),
    how.trace ? (schedule) => (watched = new Trace(schedule, undefined, titles(how.language))) : undefined,
  );
  if (!ran.ok) return ran;
  const list = ran.value.movements.map((b, i): AtOnceMovement => ({ ...b, ...named[i]! }));
  const payload = list.map((m, i) =>
    m.model.timing.workers ? how.load.threads * turns[i]! * how.bytes : how.load.depth * how.bytes,
  );
  const longest = Math.max(...list.map((m, i) => payload[i]! / m.rate));
  const sum = (f: (m: AtOnceMovement) => number): number => list.reduce((s, m) => s + f(m), 0);
  return ok({
    path: {
      path,
      allowed: worst(list.map((m) => m.model.allowed)),
      total: payload.reduce((a, b) => a + b, 0) / longest,
      alone: sum((m) => m.alone),
      hostMemory: sum((m) => m.rate * hostMemoryOf(m.model)),
      cores: sum((m) => m.rate * coreSeconds(m.model, how.bytes)),
      movements: list,
    },
    ...(watched ? { trace: watched.document(seconds(ran.value.seconds)) } : {}),
  });
}

/** Turns for each so that all end at about the same time: who has less to share with at the end would seem faster. */
function evenly(rates: readonly number[]): number[] {
  const slowest = Math.min(...rates);
  return rates.map((r) => Math.min(8 * rounds, Math.round((rounds * r) / slowest)));
}

const coreSeconds = (m: DataPathModel, bytes: number): number =>
  m.stages.reduce((sum, s) => sum + s.cpuPerByte, 0) + m.timing.cpuPerOperation / bytes;

const worst = (answers: readonly Answer[]): Answer =>
  answers.includes('no') ? 'no' : answers.includes('unknown') ? 'unknown' : 'yes';

/** The GPU beside the drives that a movement is passed on by, where there is one. */
export const throughOf = (m: DataPathModel): string | undefined => {
  const near = m.stages.find((s) => /^move\.stage\.drive-(?:write|read)-near$/.test(s.name.code));
  const gpu = near?.name.args['gpu'];
  return gpu === undefined ? undefined : String(gpu);
};
