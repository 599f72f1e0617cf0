import { ok, type Result } from '../../base/result.ts';
import { type Seconds, seconds } from '../../base/units.ts';
import { type RunOptions, type RunResult, run } from '../../engine/run.ts';
import { runFolded } from '../../engine/run-folded.ts';
import type { EngineMessage } from '../../schedule/message.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import type { Program } from '../program.ts';
import { compilePaces } from './compile.ts';
import type { Costs } from './costs.ts';
import { bundled, type Pace, paces } from './pace.ts';

export interface CollectiveTime {
  /** From the call until the last rank is done. */
  readonly time: Seconds;
  readonly schedule: Schedule;
  /** The run behind it, without start and finish; resources go by the number of the link. */
  readonly run: RunResult;
  /** Slices told as one in that run; 1: none, and `time` is the run's own. */
  readonly bundle: number;
}

export interface TimeOptions extends RunOptions {
  /** False: every rank is run, though others are like it. */
  readonly fold?: boolean;
  /** Every slice is an operation of its own. */
  readonly single?: boolean;
  /**
   * For large trees, which fold little: a long pipeline is run twice with several slices as one, and the time with none as one is
   * read off the two, since filling a pipeline takes in proportion to what is one. Within about 1 % of the whole run, in a
   * fraction of its time; what is short, or a ring, is run whole all the same.
   */
  readonly coarse?: boolean;
}

/** How long a program takes, on the engine's clock. */
export function timeCollective(
  program: Program,
  costs: Costs,
  options: TimeOptions = {},
): Result<CollectiveTime, EngineMessage> {
  const pace = paces(program, options.single);
  const coarse = options.coarse === true ? coarsened(pace) : undefined;
  const first = timed(program, costs, coarse?.fine ?? pace, options);
  if (!first.ok || !coarse) return first.ok ? ok({ ...first.value, bundle: 1 }) : first;
  const second = timed(program, costs, coarse.rough, options);
  if (!second.ok) return second;
  const { slices } = coarse;
  // Linear in the bundle: from `slices` and twice as many back to one.
  const one = first.value.time - ((slices - 1) * (second.value.time - first.value.time)) / slices;
  return ok({ ...first.value, time: seconds(one), bundle: slices });
}

function timed(
  program: Program,
  costs: Costs,
  pace: readonly Pace[],
  options: TimeOptions,
): Result<Omit<CollectiveTime, 'bundle'>, EngineMessage> {
  const compiled = compilePaces(program, costs, pace);
  if (!compiled.ok) return compiled;
  const schedule = compiled.value;
  const result = options.fold === false ? run(schedule, options) : runFolded(schedule, options);
  const time = seconds(result.time + (costs.startUs + costs.finishUs) * 1e-6);
  return ok({ time, schedule, run: result });
}

/** Fewer turns than this in the rougher run would not show the pipeline. */
const fewestTurns = 16;

function coarsened(
  pace: readonly Pace[],
): { slices: number; fine: readonly Pace[]; rough: readonly Pace[] } | undefined {
  let longest = 0;
  for (const { runs } of new Set(pace)) for (const run of runs) longest = Math.max(longest, run.slices);
  const slices = 2 ** Math.floor(Math.log2(longest / fewestTurns)) / 2;
  if (slices < 2) return undefined;
  const fine = bundled(pace, slices);
  const rough = fine && bundled(pace, 2 * slices);
  return fine && rough && { slices, fine, rough };
}
