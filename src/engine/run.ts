import { type Seconds, seconds } from '../base/units.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { LimitKeeper, type Limits } from './limits.ts';
import type { Mover, Observer } from './observer.ts';
import { Simulation } from './simulation.ts';
import { Steady } from './steady.ts';
import { workOf } from './tally.ts';

export interface RunOptions {
  /** Moves real bytes; every iteration is then run one by one. */
  readonly mover?: Mover;
  /** Is told of every iteration; they are then run one by one. */
  readonly observer?: Observer;
  /** False: run every iteration one by one, even where the run repeats itself. */
  readonly skip?: boolean;
  /** Keep at most so many stretches of who was held by what; 0 when left out. Iterations are then run one by one. */
  readonly limits?: number;
  /** Give the run up after so much work (see `workDone`); what has not ended by then is among the stuck. */
  readonly most?: number;
}

/** What a schedule cost. Arrays go by number of operation, resource or engine. */
export interface RunResult {
  /** When the last operation was delivered. */
  readonly time: Seconds;
  /** Seconds: first iteration begun, last delivered; NaN when it never was. */
  readonly start: Float64Array;
  readonly finish: Float64Array;
  readonly resources: ResourceUse;
  readonly engines: EngineUse;
  readonly totals: Totals;
  /** Operations that could not end: everything they wait for waits too, or a resource has no rate. Empty when all is well. */
  readonly stuck: readonly number[];
  readonly limits: Limits;
  /** What the run itself took: iterations done, of which skipped as repetitions; events taken; re-solves of the rates, and what these cost. */
  readonly effort: Effort;
}

export interface ResourceUse {
  /** Units through each resource: bytes, or CPU seconds on a core. */
  readonly load: Float64Array;
  /** Seconds in which anything crossed it. */
  readonly busy: Float64Array;
  /** load / (rate · time): 1 is a resource that was full all the time. */
  readonly utilisation: Float64Array;
  /** Flow-seconds for which this resource held a flow at its rate; of several that are full at once, one is named. */
  readonly held: Float64Array;
}

export interface EngineUse {
  /** Slot-seconds held. */
  readonly busy: Float64Array;
  /** Seconds that operations waited for a slot, added up. */
  readonly waited: Float64Array;
}

export interface Totals {
  /** Payload bytes copied by cores and copy engines: each pass counts. */
  readonly copiedBytes: number;
  readonly cpuSeconds: Seconds;
  /** Bytes written to and read from host memory. */
  readonly memoryBytes: number;
  readonly linkBytes: number;
}

export interface Effort {
  readonly iterations: number;
  readonly skipped: number;
  readonly events: number;
  readonly solves: number;
  /** In all re-solves, resources looked at and rates changed. */
  readonly resolved: number;
}

/** How much work a run was: the same for the same schedule, whatever the machine. */
export const workDone = ({ events, resolved }: Pick<Effort, 'events' | 'resolved'>): number => events + resolved;

/** Runs a schedule from time 0. The same schedule gives the same result, bit for bit. */
export function run(schedule: Schedule, options: RunOptions = {}): RunResult {
  const limits = new LimitKeeper(options.limits ?? 0, options.observer);
  const watched = options.observer !== undefined || (options.limits ?? 0) > 0;
  const sim = new Simulation(schedule, options.mover, watched ? limits : undefined);
  const steady = options.skip === false || watched || options.mover !== undefined ? undefined : new Steady(sim);
  const most = options.most ?? Number.POSITIVE_INFINITY;
  while (sim.step()) {
    steady?.look();
    if (workDone(sim) > most) break;
  }
  sim.flush();
  return resultOf(sim, limits, steady?.skipped ?? 0);
}

function resultOf(sim: Simulation, limits: Limits, skipped: number): RunResult {
  const { resources, engines, operations } = sim.schedule;
  const { tally, finish } = sim;
  let time = 0;
  for (let o = 0; o < finish.length; o++) if (finish[o]! > time) time = finish[o]!;
  const { load, copied, iterations } = workOf(sim.schedule, sim.sent);
  const total = (kind: string): number =>
    load.reduce((sum, x, r) => (resources.kind[r] === kind ? sum + x * resources.times[r]! : sum), 0);
  const stuck: number[] = [];
  if (sim.unfinished > 0) {
    for (let o = 0; o < operations.count; o++) if (Number.isNaN(finish[o]!)) stuck.push(o);
  }
  return {
    time: seconds(time),
    start: sim.start,
    finish,
    resources: {
      load,
      busy: tally.series(tally.busy, resources.count),
      utilisation: load.map((x, r) => (time > 0 && resources.rate[r]! > 0 ? x / (resources.rate[r]! * time) : 0)),
      held: tally.series(tally.held, resources.count),
    },
    engines: {
      busy: tally.series(tally.slots, engines.count),
      waited: tally.series(tally.waited, engines.count),
    },
    totals: {
      copiedBytes: copied,
      cpuSeconds: seconds(total('core')),
      memoryBytes: total('memory'),
      linkBytes: total('link'),
    },
    stuck,
    limits: { held: limits.held, waits: limits.waits, leftOut: limits.leftOut },
    effort: {
      iterations,
      skipped,
      events: sim.events,
      solves: sim.solves,
      resolved: sim.resolved,
    },
  };
}
