import { type EngineMessage, notANumber, notWhole, unknown } from './message.ts';
import { labelOf, type Operations, type Schedule, Wait } from './schedule.ts';

/** The first thing that is wrong with a schedule; undefined when it can run to its end. */
export function checkSchedule(schedule: Schedule): EngineMessage | undefined {
  // Whose columns are all in order has nothing to name.
  const named = inOrder(schedule) ? undefined : (checkNumbers(schedule) ?? checkReferences(schedule));
  return named ?? checkCircles(schedule.operations);
}

const bad = (x: number): boolean => !(x >= 0 && x < Number.POSITIVE_INFINITY);

type Column = Float64Array | Int32Array;

/** Whether all numbers of a column lie from `least` up to, but not at, `end`. */
function within(values: Column, least: number, end: number): boolean {
  for (let i = 0; i < values.length; i++) if (!(values[i]! >= least && values[i]! < end)) return false;
  return true;
}

/** What `checkNumbers` and `checkReferences` look at, column by column: they name the first fault, which there rarely is. */
function inOrder({ resources, engines, operations: o }: Schedule): boolean {
  const never = Number.POSITIVE_INFINITY;
  return (
    [resources.rate, o.amount, o.last, o.before, o.after, o.pathFactor, o.waitLag].every((x) => within(x, 0, never)) &&
    [engines.slots, o.repeat].every((x) => within(x, 1, never)) &&
    within(o.pathResource, 0, resources.count) &&
    within(o.holdEngine, 0, engines.count) &&
    within(o.waitOn, 0, o.count)
  );
}

function checkNumbers({ resources, engines, operations: o }: Schedule): EngineMessage | undefined {
  for (let r = 0; r < resources.count; r++) {
    if (bad(resources.rate[r]!)) return notANumber(resources.name[r]!, 'rate', resources.rate[r]!);
  }
  for (let e = 0; e < engines.count; e++) {
    if (engines.slots[e]! < 1) return notWhole(engines.name[e]!, 'slots', engines.slots[e]!, 1);
  }
  for (let i = 0; i < o.count; i++) {
    if (bad(o.amount[i]!)) return notANumber(labelOf(o, i), 'amount', o.amount[i]!);
    if (bad(o.last[i]!)) return notANumber(labelOf(o, i), 'last', o.last[i]!);
    if (bad(o.before[i]!)) return notANumber(labelOf(o, i), 'before', o.before[i]!);
    if (bad(o.after[i]!)) return notANumber(labelOf(o, i), 'after', o.after[i]!);
    if (o.repeat[i]! < 1) return notWhole(labelOf(o, i), 'repeat', o.repeat[i]!, 1);
    for (let k = o.pathStart[i]!; k < o.pathStart[i + 1]!; k++) {
      if (bad(o.pathFactor[k]!)) return notANumber(labelOf(o, i), 'factor', o.pathFactor[k]!);
    }
    for (let k = o.waitStart[i]!; k < o.waitStart[i + 1]!; k++) {
      if (o.waitLag[k]! < 0) return notWhole(labelOf(o, i), 'lag', o.waitLag[k]!, 0);
    }
  }
  return undefined;
}

function checkReferences({ resources, engines, operations: o }: Schedule): EngineMessage | undefined {
  const outside = (x: number, count: number): boolean => !(x >= 0 && x < count);
  for (let i = 0; i < o.count; i++) {
    for (let k = o.pathStart[i]!; k < o.pathStart[i + 1]!; k++) {
      if (outside(o.pathResource[k]!, resources.count)) return unknown(labelOf(o, i), 'resource', o.pathResource[k]!);
    }
    for (let k = o.holdStart[i]!; k < o.holdStart[i + 1]!; k++) {
      if (outside(o.holdEngine[k]!, engines.count)) return unknown(labelOf(o, i), 'engine', o.holdEngine[k]!);
    }
    for (let k = o.waitStart[i]!; k < o.waitStart[i + 1]!; k++) {
      if (outside(o.waitOn[k]!, o.count)) return unknown(labelOf(o, i), 'operation', o.waitOn[k]!);
    }
  }
  return undefined;
}

/**
 * A circle of waits is fine as long as each turn of it goes back to an earlier iteration (a ring: my step needs my neighbour's
 * step before). Two kinds are not: a circle whose lags are all 0, and a circle through a wait for a whole operation.
 */
function checkCircles(o: Operations): EngineMessage | undefined {
  let anyWhole = false;
  let anyLag = false;
  let anyAhead = false;
  for (let i = 0; i < o.count; i++) {
    for (let k = o.waitStart[i]!; k < o.waitStart[i + 1]!; k++) {
      const whole = isWhole(o.waitKind[k]!);
      if (whole) anyWhole = true;
      else if (o.waitLag[k]! > 0) anyLag = true;
      if ((whole || o.waitLag[k] === 0) && o.waitOn[k]! >= i) anyAhead = true;
    }
  }
  // Waits that only look back close no circle among themselves, and where not both occur no lag closes one through a whole.
  if (!anyAhead && !(anyWhole && anyLag)) return undefined;
  const direct = strongComponents(o, (k) => o.waitLag[k] === 0 || isWhole(o.waitKind[k]!));
  const all = anyWhole && anyLag ? strongComponents(o, () => true) : direct;
  for (let i = 0; i < o.count; i++) {
    for (let k = o.waitStart[i]!; k < o.waitStart[i + 1]!; k++) {
      const kind = o.waitKind[k]!;
      const within = isWhole(kind) ? all : o.waitLag[k] === 0 ? direct : undefined;
      if (within === undefined || within[i] !== within[o.waitOn[k]!]) continue;
      let count = 0;
      for (let j = 0; j < o.count; j++) if (within[j] === within[i]) count++;
      return { code: 'engine.fault.circle', args: { where: labelOf(o, i), count } };
    }
  }
  return undefined;
}

const isWhole = (kind: number): boolean => kind === Wait.WholeDelivered || kind === Wait.WholeSent;

/** Tarjan's algorithm over the waits that `follow` admits, with a stack of its own: schedules are deep. Component by operation. */
function strongComponents(o: Operations, follow: (wait: number) => boolean): Int32Array {
  const component = new Int32Array(o.count).fill(-1);
  const order = new Int32Array(o.count);
  const low = new Int32Array(o.count);
  const cursor = o.waitStart.slice(0, o.count);
  const path = new Int32Array(o.count);
  const open = new Int32Array(o.count);
  let visited = 0;
  let components = 0;
  for (let root = 0; root < o.count; root++) {
    if (order[root] !== 0) continue;
    let depth = 0;
    let opened = 0;
    path[depth++] = root;
    open[opened++] = root;
    order[root] = ++visited;
    low[root] = visited;
    while (depth > 0) {
      const i = path[depth - 1]!;
      let descended = false;
      while (cursor[i]! < o.waitStart[i + 1]!) {
        const k = cursor[i]!++;
        if (!follow(k)) continue;
        const j = o.waitOn[k]!;
        if (order[j] === 0) {
          order[j] = ++visited;
          low[j] = visited;
          path[depth++] = j;
          open[opened++] = j;
          descended = true;
          break;
        }
        if (component[j] === -1) low[i] = Math.min(low[i]!, order[j]!);
      }
      if (descended) continue;
      depth--;
      if (depth > 0) low[path[depth - 1]!] = Math.min(low[path[depth - 1]!]!, low[i]!);
      if (low[i] !== order[i]) continue;
      let j: number;
      do {
        j = open[--opened]!;
        component[j] = components;
      } while (j !== i);
      components++;
    }
  }
  return component;
}
