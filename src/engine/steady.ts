import { Wait } from '../schedule/schedule.ts';
import { needOf, Phase, type Simulation } from './simulation.ts';

/**
 * Two moments look alike when all times agree to this part of the period between them, give or take the rounding of times
 * themselves. What truly drifts by less than that per period is off by no larger part in the end.
 */
const ALIKE = 1e-12;
const ROUNDING = 4e-15;
/** Fewer iterations than this are simply run. */
const WORTHWHILE = 16;
/** Looking at so many operations costs nothing worth mentioning. */
const ALLOWANCE = 100_000;

/**
 * Recognises when a run repeats itself, and skips ahead. After a few chunks a pipeline, and after a few steps a ring, does the
 * same thing over and over: every operation is where it was one period ago, so many iterations further on. What follows is then
 * known: the same again, until some operation comes to its last iteration.
 *
 * One earlier moment is remembered, at the 1st, 2nd, 4th, 8th … iteration of an anchor operation, and every later one is compared
 * with it: a period of any length is found, with one comparison per iteration of the anchor, which mostly ends at the first
 * difference.
 */
export class Steady {
  /** Iterations that were not run one by one. */
  skipped = 0;
  private anchor = -1;
  private anchorSent = 0;
  private wait = 1;
  private waited = 0;
  private saved: Moment | undefined;
  /** Number of events from which on another anchor may be chosen: this one is done, or stands still. */
  private another = 0;
  /** Operations gone over so far: looking must not cost more than running. */
  private spent = 0;

  constructor(private readonly sim: Simulation) {}

  /** To be called after every instant. */
  look(): void {
    const { sim } = this;
    if (this.anchor < 0 || sim.sent[this.anchor] === this.anchorSent) {
      if (sim.events >= this.another) this.choose();
      return;
    }
    if (sim.phase[this.anchor] === Phase.Finished) {
      this.anchor = -1;
      return;
    }
    this.anchorSent = sim.sent[this.anchor]!;
    this.another = sim.events + this.patience();
    if (this.spent > ALLOWANCE + 4 * sim.events) return;
    if (this.saved !== undefined) {
      const alike = this.saved.isLike(sim);
      this.spent += this.saved.compared;
      if (alike && this.skip(this.saved)) {
        this.forget();
        return;
      }
    }
    if (++this.waited < this.wait) return;
    this.waited = 0;
    this.wait *= 2;
    this.saved = new Moment(sim);
    this.spent += sim.phase.length;
  }

  private forget(): void {
    this.saved = undefined;
    this.wait = 1;
    this.waited = 0;
  }

  private patience(): number {
    return 64 + 4 * this.sim.phase.length;
  }

  /** Of those at work, the operation with most left to do sets the pace of looking. */
  private choose(): void {
    const { repeat, count } = this.sim.schedule.operations;
    this.forget();
    this.another = this.sim.events + this.patience();
    this.anchor = -1;
    let most = WORTHWHILE;
    for (let o = 0; o < count; o++) {
      const left = repeat[o]! - this.sim.begun[o]!;
      const phase = this.sim.phase[o]!;
      if (left <= most || (phase !== Phase.Flowing && phase !== Phase.Before)) continue;
      most = left;
      this.anchor = o;
    }
    if (this.anchor >= 0) this.anchorSent = this.sim.sent[this.anchor]!;
  }

  /** Repeats what happened since the saved moment as often as it surely would; false when not even once. */
  private skip(saved: Moment): boolean {
    const { sim } = this;
    const { repeat, count, waitStart, waitOn, waitKind, waitLag, times } = sim.schedule.operations;
    const done = new Int32Array(count);
    let rounds = Number.POSITIVE_INFINITY;
    for (let o = 0; o < count; o++) {
      done[o] = sim.sent[o]! - saved.sent[o]!;
      // The last iteration may be smaller, and is followed by other things: it is always run.
      if (done[o]! > 0) rounds = Math.min(rounds, Math.floor((repeat[o]! - 1 - sim.begun[o]!) / done[o]!));
    }
    if (!(rounds >= 1 && rounds < Number.POSITIVE_INFINITY)) return false;
    for (let o = 0; o < count; o++) {
      if (sim.phase[o] === Phase.Finished) continue;
      for (let k = waitStart[o]!; k < waitStart[o + 1]!; k++) {
        const p = waitOn[k]!;
        if (done[p] === done[o]) continue;
        const kind = waitKind[k]!;
        // Different paces are a steady state only where this wait cannot end, or has ended, in the rounds to be skipped.
        if (sim.phase[p] === Phase.Finished && sim.delivered[p] === repeat[p]) continue;
        if (done[o] === 0 && kind >= Wait.WholeDelivered) continue;
        if (done[o] === 0) {
          const need = needOf(kind, sim.begun[o]!, waitLag[k]!, repeat[p]!);
          const reached = kind === Wait.Sent ? sim.sent[p]! : sim.delivered[p]!;
          if (reached >= need) continue;
          rounds = Math.min(rounds, Math.floor((need - 1 - reached) / done[p]!) - 1);
          continue;
        }
        return false;
      }
    }
    if (rounds < 1) return false;
    const period = sim.now - saved.now;
    sim.flush();
    const more = sim.tally.values.map((value, i) => rounds * (value - saved.tally[i]!));
    for (let o = 0; o < count; o++) {
      done[o]! *= rounds;
      this.skipped += done[o]! * times[o]!;
    }
    sim.jump(rounds * period, done, more);
    this.anchorSent = sim.sent[this.anchor]!;
    return true;
  }
}

/** Everything that decides what happens next, relative to now and to how far each operation has come. */
class Moment {
  /** How many operations the last comparison went over. */
  compared = 0;
  readonly now: number;
  readonly sent: Int32Array;
  readonly tally: Float64Array;
  private readonly phase: Uint8Array;
  private readonly begun: Int32Array;
  private readonly delivered: Int32Array;
  private readonly remaining: Float64Array;
  private readonly updated: Float64Array;
  private readonly readyAt: Float64Array;
  private readonly beganAt: Float64Array;
  private readonly events: readonly Event[];
  private readonly waiters: readonly number[];

  constructor(sim: Simulation) {
    sim.flush();
    this.now = sim.now;
    this.sent = sim.sent.slice();
    this.begun = sim.begun.slice();
    this.delivered = sim.delivered.slice();
    this.phase = sim.phase.slice();
    this.tally = sim.tally.values.slice();
    this.remaining = sim.remaining.slice();
    this.updated = sim.updated.slice();
    this.readyAt = sim.readyAt.slice();
    this.beganAt = sim.beganAt.slice();
    this.events = eventsOf(sim);
    this.waiters = waitersOf(sim);
  }

  isLike(sim: Simulation): boolean {
    const period = sim.now - this.now;
    if (!(period > 0)) return false;
    const slack = ALIKE * period + ROUNDING * sim.now;
    const { phase, begun, sent, delivered } = sim;
    /** Between now and then, for what happened at each. */
    const passed = sim.now - this.now;
    for (let o = 0; o < phase.length; o++) {
      this.compared = o;
      if (phase[o] !== this.phase[o]) return false;
      const d = sent[o]! - this.sent[o]!;
      if (begun[o]! - this.begun[o]! !== d || delivered[o]! - this.delivered[o]! !== d) return false;
      // When it became ready and when it began decides nothing, but is counted in the end.
      if (phase[o] === Phase.Blocked && apart(sim.readyAt[o]!, this.readyAt[o]!, passed) > slack) return false;
      if (phase[o] === Phase.Before && apart(sim.beganAt[o]!, this.beganAt[o]!, passed) > slack) return false;
      if (phase[o] === Phase.Flowing) {
        if (apart(sim.beganAt[o]!, this.beganAt[o]!, passed) > slack) return false;
        // How much is left shows in the event of its end; at a standstill there is none.
        if (sim.rate[o] === 0 && sim.remaining[o] !== this.remaining[o]) return false;
        if (apart(sim.updated[o]!, this.updated[o]!, passed) > slack) return false;
      }
    }
    const waiters = waitersOf(sim);
    if (waiters.length !== this.waiters.length || waiters.some((w, i) => w !== this.waiters[i])) return false;
    const events = eventsOf(sim);
    return (
      events.length === this.events.length &&
      events.every((e, i) => e.item === this.events[i]!.item && Math.abs(e.in - this.events[i]!.in) <= slack)
    );
  }
}

/** How far two times are from being the same, so much later. */
const apart = (now: number, then: number, passed: number): number => Math.abs(passed - now + then);

interface Event {
  readonly item: number;
  /** Seconds from now. */
  readonly in: number;
}

/** The events that still hold, in an order that does not depend on the heap. */
function eventsOf(sim: Simulation): Event[] {
  const events: Event[] = [];
  sim.queue.each((time, item, stamp) => {
    if (sim.isCurrent(item, stamp)) events.push({ item, in: time - sim.now });
  });
  return events.sort((a, b) => a.item - b.item || a.in - b.in);
}

function waitersOf(sim: Simulation): number[] {
  const list: number[] = [];
  for (let e = 0; e < sim.waiterHead.length; e++) {
    list.push(-1);
    for (let o = sim.waiterHead[e]!; o >= 0; o = sim.waiterNext[o]!) list.push(o);
  }
  return list;
}
