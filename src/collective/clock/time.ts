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
  /**
   * What is alike is run once: `exact` (the default) where that changes nothing, as among the nodes of a ring; `near` also where
   * only the near neighbourhood is alike, as among the nodes of large trees, whose places differ by whom their NICs are shared
   * with. That is off by less than 1 %, and its cost hardly grows with the number of nodes. `none`: everything is run.
   */
  readonly fold?: 'exact' | 'near' | 'none';
  /** Every slice is an operation of its own. */
  readonly single?: boolean;
}

/** How far a neighbourhood reaches that must be alike: from an operation over links and waits to others, and on. */
const nearby = 4;

/** How long a program takes, on the engine's clock. */
export function timeCollective(
  program: Program,
  costs: Costs,
  options: TimeOptions = {},
): Result<CollectiveTime, EngineMessage> {
  const compiled = compile(program, costs, options.single);
  if (!compiled.ok) return compiled;
  const schedule = compiled.value;
  const result =
    options.fold === 'none'
      ? run(schedule, options)
      : runFolded(schedule, options, options.fold === 'near' ? nearby : undefined);
  const time = seconds(result.time + (costs.startUs + costs.finishUs) * 1e-6);
  return ok({ time, schedule, run: result });
}
