import type { Result } from '../base/result.ts';
import type { Observer } from '../engine/observer.ts';
import { run } from '../engine/run.ts';
import type { Movement, MovePart } from '../move/schedule.ts';
import { scheduleTogether } from '../move/schedule.ts';
import type { EngineMessage } from '../schedule/message.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { runMove } from './move.ts';

/** What became of a movement that had company. */
export interface Beside {
  /** Bytes per second alone and in company, the last completion included. */
  readonly alone: number;
  readonly rate: number;
  /** Shared resources that held it, with their share of the time its bytes flowed; the longest first. */
  readonly heldBy: readonly { readonly name: string; readonly share: number }[];
}

export interface Together {
  readonly schedule: Schedule;
  readonly movements: readonly Beside[];
  /** Seconds until all had ended. */
  readonly seconds: number;
}

/** Enough for every iteration of what a person asks about; what comes later is left out. */
const most = 1_000_000;

/** Runs movements that start at the same time on one set of wires. */
export function runTogether(
  movements: readonly Movement[],
  observer?: (schedule: Schedule) => Observer,
): Result<Together, EngineMessage> {
  const made = scheduleTogether(movements);
  if (!made.ok) return made;
  const { schedule, parts } = made.value;
  const result = run(schedule, { limits: most, ...(observer ? { observer: observer(schedule) } : {}) });
  const shared = sharedResources(schedule, parts);
  const done: Beside[] = [];
  for (const [i, { model, ask }] of movements.entries()) {
    const alone = runMove(model, ask);
    if (!alone.ok) return alone;
    const part = parts[i]!;
    const held = new Map<number, number>();
    let flowed = 0;
    for (const h of result.limits.held) {
      if (!part.legs.has(h.operation)) continue;
      flowed += h.to - h.from;
      if (shared.has(h.resource)) held.set(h.resource, (held.get(h.resource) ?? 0) + h.to - h.from);
    }
    const end = Math.max(...part.ends.map((o) => result.finish[o]!));
    const known = model.timing.workers ? end : end - model.timing.oneWay + model.timing.cycle;
    const operations = model.timing.workers ? ask.threads * (ask.rounds ?? 1) : ask.depth;
    done.push({
      alone: alone.value.rate,
      rate: (operations * ask.bytes) / known,
      heldBy: [...held]
        .map(([resource, time]) => ({ name: schedule.resources.name[resource]!, share: time / flowed }))
        .sort((a, b) => b.share - a.share),
    });
  }
  return { ok: true, value: { schedule, movements: done, seconds: result.time } };
}

/** Resources that operations of more than one movement cross. */
function sharedResources({ operations }: Schedule, parts: readonly MovePart[]): ReadonlySet<number> {
  const user = new Map<number, number>();
  const shared = new Set<number>();
  for (const [i, part] of parts.entries()) {
    for (const o of part.legs.keys()) {
      for (let k = operations.pathStart[o]!; k < operations.pathStart[o + 1]!; k++) {
        const resource = operations.pathResource[k]!;
        const first = user.get(resource);
        if (first === undefined) user.set(resource, i);
        else if (first !== i) shared.add(resource);
      }
    }
  }
  return shared;
}
