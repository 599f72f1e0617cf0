import type { Schedule } from '../schedule/schedule.ts';
import { fold, unfold } from './fold.ts';
import { type RunOptions, type RunResult, run } from './run.ts';

/**
 * Runs a schedule folded, and answers as if it had been run whole: arrays go by the numbers of the schedule given. With a mover
 * or an observer it is run whole indeed, since they are told of every operation. In `limits` and in the effort counted as
 * events, one operation speaks for all that are like it. With `rounds` it is folded further than exactly (see `refine`).
 */
export function runFolded(schedule: Schedule, options: RunOptions = {}, rounds?: number): RunResult {
  if (options.mover !== undefined || options.observer !== undefined) return run(schedule, options);
  const folded = fold(schedule, rounds);
  const result = run(folded.schedule, options);
  if (folded.schedule === schedule) return result;
  const { resources, engines } = result;
  const operation = firstOf(folded.operation);
  const resource = firstOf(folded.resource);
  const engine = firstOf(folded.engine);
  const stuck = new Set(result.stuck);
  return {
    ...result,
    start: unfold(result.start, folded.operation),
    finish: unfold(result.finish, folded.operation),
    resources: {
      load: unfold(resources.load, folded.resource),
      busy: unfold(resources.busy, folded.resource),
      utilisation: unfold(resources.utilisation, folded.resource),
      held: unfold(resources.held, folded.resource),
    },
    engines: { busy: unfold(engines.busy, folded.engine), waited: unfold(engines.waited, folded.engine) },
    stuck: stuck.size === 0 ? [] : [...folded.operation.keys()].filter((o) => stuck.has(folded.operation[o]!)),
    limits: {
      held: result.limits.held.map((h) => ({
        ...h,
        operation: operation[h.operation]!,
        resource: resource[h.resource]!,
      })),
      waits: result.limits.waits.map((w) => ({ ...w, operation: operation[w.operation]!, engine: engine[w.engine]! })),
      leftOut: result.limits.leftOut,
    },
  };
}

/** The first of those that each folded one stands for. */
function firstOf(of: Int32Array): number[] {
  const first: number[] = [];
  for (let x = 0; x < of.length; x++) if (of[x] === first.length) first.push(x);
  return first;
}
