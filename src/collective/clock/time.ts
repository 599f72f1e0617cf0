import { ok, type Result } from '../../base/result.ts';
import { type Seconds, seconds } from '../../base/units.ts';
import { type RunOptions, type RunResult, run } from '../../engine/run.ts';
import { runFolded } from '../../engine/run-folded.ts';
import type { EngineMessage } from '../../schedule/message.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import type { Program } from '../program.ts';
import { compile } from './compile.ts';
import type { Costs } from './costs.ts';
import { foldProgram } from './fold-program.ts';

export interface CollectiveTime {
  /** From the call until the last rank is done. */
  readonly time: Seconds;
  /** What was run: of ranks that are alike (`foldProgram`) some for all. */
  readonly schedule: Schedule;
  /** The run behind it: operations go by the schedule, resources by the number of the link. */
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
  const watched = options.mover !== undefined || options.observer !== undefined || options.limits !== undefined;
  const folded = options.fold === 'none' || options.single || watched ? undefined : foldProgram(program, costs);
  const compiled = folded ? compile(folded.program, folded.costs) : compile(program, costs, options.single);
  if (!compiled.ok) return compiled;
  const schedule = folded ? manyTimes(compiled.value, folded.times) : compiled.value;
  const result =
    options.fold === 'none'
      ? run(schedule, options)
      : runFolded(schedule, options, options.fold === 'near' ? nearby : undefined);
  const time = seconds(result.time + (costs.startUs + costs.finishUs) * 1e-6);
  return ok({ time, schedule, run: folded ? byLink(result, folded.link) : result });
}

/** A schedule whose operations and links each stand for so many. */
function manyTimes(schedule: Schedule, times: number): Schedule {
  const { operations, resources } = schedule;
  return {
    ...schedule,
    operations: { ...operations, times: operations.times.map((t) => t * times) },
    resources: { ...resources, times: resources.times.map((t) => t * times) },
  };
}

function byLink(result: RunResult, link: Int32Array): RunResult {
  const { load, busy, utilisation, held } = result.resources;
  const all = (values: Float64Array): Float64Array => {
    const out = new Float64Array(link.length);
    for (let l = 0; l < link.length; l++) if (link[l]! >= 0) out[l] = values[link[l]!]!;
    return out;
  };
  return {
    ...result,
    resources: { load: all(load), busy: all(busy), utilisation: all(utilisation), held: all(held) },
  };
}
