import { ok, type Result } from '../../base/result.ts';
import { type Seconds, seconds } from '../../base/units.ts';
import { type RunOptions, type RunResult, run } from '../../engine/run.ts';
import { runFolded } from '../../engine/run-folded.ts';
import type { EngineMessage } from '../../schedule/message.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import type { Program } from '../program.ts';
import { compile } from './compile.ts';
import type { Costs } from './costs.ts';

export interface CollectiveTime {
  /** From the call until the last rank is done. */
  readonly time: Seconds;
  readonly schedule: Schedule;
  /** The run behind it, without start and finish; resources go by the number of the link. */
  readonly run: RunResult;
}

export interface TimeOptions extends RunOptions {
  /** False: every rank is run, though others are like it. */
  readonly fold?: boolean;
  /** Every slice is an operation of its own. */
  readonly single?: boolean;
}

/** How long a program takes, on the engine's clock. */
export function timeCollective(
  program: Program,
  costs: Costs,
  options: TimeOptions = {},
): Result<CollectiveTime, EngineMessage> {
  const compiled = compile(program, costs, options.single);
  if (!compiled.ok) return compiled;
  const schedule = compiled.value;
  const result = options.fold === false ? run(schedule, options) : runFolded(schedule, options);
  const time = seconds(result.time + (costs.startUs + costs.finishUs) * 1e-6);
  return ok({ time, schedule, run: result });
}
