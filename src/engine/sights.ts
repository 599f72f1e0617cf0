import type { Schedule } from '../schedule/schedule.ts';

/**
 * Who sees whom in a schedule. All things have one numbering: operations, then resources, then engines. An operation sees what it
 * crosses, waits for and holds; a resource or an engine sees who crosses or holds it. So nothing that goes over these lists has
 * to know what kind of thing it deals with.
 */
export interface Sights {
  /** Thing v sees `target[k]`, k from start[v] to start[v + 1] − 1. */
  readonly start: Int32Array;
  readonly target: Int32Array;
  /** As what it sees it, numbered from 0: the same for the same factor, the same kind and lag, the same place in a line. */
  readonly as: Int32Array;
  readonly manners: number;
  /** It is seen by `seenBy[k]`, k from seenStart[v] to seenStart[v + 1] − 1. */
  readonly seenStart: Int32Array;
  readonly seenBy: Int32Array;
}

export function sightsOf({ operations: o, resources, engines }: Schedule): Sights {
  const resource = o.count;
  const engine = resource + resources.count;
  const start = new Int32Array(engine + engines.count + 1);
  countLists(start, o.pathStart);
  countLists(start, o.waitStart);
  countLists(start, o.holdStart);
  countEntries(start, o.pathResource, resource);
  countEntries(start, o.holdEngine, engine);
  addUp(start);
  const writer = new Writer(start);
  writer.paths(o.pathStart, o.pathResource, o.pathFactor, resource);
  writer.waits(o.waitStart, o.waitOn, o.waitLag, o.waitKind);
  writer.holds(o.holdStart, o.holdEngine, engine);
  const { target, as, manners } = writer;
  return { start, target, as, manners, ...turnedRound(start, target) };
}

/** Adds the length of each list to the entry after its own. */
function countLists(counts: Int32Array, starts: Int32Array): void {
  for (let v = 0; v + 1 < starts.length; v++) counts[v + 1]! += starts[v + 1]! - starts[v]!;
}

function countEntries(counts: Int32Array, entries: Int32Array, first: number): void {
  for (let k = 0; k < entries.length; k++) counts[first + entries[k]! + 1]!++;
}

function addUp(starts: Int32Array): void {
  for (let v = 1; v < starts.length; v++) starts[v]! += starts[v - 1]!;
}

function turnedRound(start: Int32Array, target: Int32Array): Pick<Sights, 'seenStart' | 'seenBy'> {
  const seenStart = new Int32Array(start.length);
  countEntries(seenStart, target, 0);
  addUp(seenStart);
  const seenBy = new Int32Array(target.length);
  fillSeen(start, target, seenStart.slice(), seenBy);
  return { seenStart, seenBy };
}

function fillSeen(start: Int32Array, target: Int32Array, at: Int32Array, seenBy: Int32Array): void {
  for (let v = 0; v + 1 < start.length; v++) {
    for (let k = start[v]!; k < start[v + 1]!; k++) seenBy[at[target[k]!]!++] = v;
  }
}

class Writer {
  readonly target: Int32Array;
  readonly as: Int32Array;
  manners = 0;
  private readonly at: Int32Array;

  constructor(private readonly start: Int32Array) {
    this.at = start.slice();
    const sights = start[start.length - 1]!;
    this.target = new Int32Array(sights);
    this.as = new Int32Array(sights);
  }

  paths(starts: Int32Array, crossed: Int32Array, factors: Float64Array, first: number): void {
    const known = new Map<number, number>();
    for (let o = 0; o + 1 < starts.length; o++) {
      for (let k = starts[o]!; k < starts[o + 1]!; k++) {
        const as = this.number(known, factors[k]!);
        this.add(o, first + crossed[k]!, as);
        this.add(first + crossed[k]!, o, as);
      }
    }
  }

  waits(starts: Int32Array, on: Int32Array, lags: Int32Array, kinds: Uint8Array): void {
    const known = new Map<number, number>();
    for (let o = 0; o + 1 < starts.length; o++) {
      for (let k = starts[o]!; k < starts[o + 1]!; k++)
        this.add(o, on[k]!, this.number(known, 4 * lags[k]! + kinds[k]!));
    }
  }

  /** Slots are taken in the order in which they are listed, so that place counts as well as the place in the engine's line. */
  holds(starts: Int32Array, held: Int32Array, first: number): void {
    const known = new Map<number, number>();
    for (let o = 0; o + 1 < starts.length; o++) {
      for (let k = starts[o]!; k < starts[o + 1]!; k++) {
        const engine = first + held[k]!;
        const as = this.number(known, Math.imul(this.at[engine]! - this.start[engine]!, 64) + k - starts[o]!);
        this.add(o, engine, as);
        this.add(engine, o, as);
      }
    }
  }

  private number(known: Map<number, number>, what: number): number {
    let n = known.get(what);
    if (n === undefined) {
      n = this.manners++;
      known.set(what, n);
    }
    return n;
  }

  private add(v: number, target: number, as: number): void {
    const k = this.at[v]!++;
    this.target[k] = target;
    this.as[k] = as;
  }
}
