import { EventQueue } from '../base/event-queue.ts';
import { type Schedule, Wait } from '../schedule/schedule.ts';
import { Flows } from './flows.ts';
import type { Mover, Observer } from './observer.ts';
import { type Successors, successorsOf } from './successors.ts';
import { Tally } from './tally.ts';

/** Where the current iteration of an operation is. */
export const Phase = { Idle: 0, Ready: 1, Blocked: 2, Before: 3, Flowing: 4, Finished: 5 } as const;

const BEFORE_OVER = 0;
const FLOWED = 1;
const ARRIVED = 2;
/** An event's item is the operation, shifted, and the kind. */
const KIND_BITS = 2;
const KIND = 3;

/** Events this close together, relative to the time passed, happen at one instant: they differ by rounding alone. */
const INSTANT = 1e-13;

/** How many iterations of the other operation an iteration waits for. */
export const needOf = (kind: number, iteration: number, lag: number, repeat: number): number =>
  kind >= Wait.WholeDelivered ? repeat : Math.min(iteration - lag + 1, repeat);

/**
 * A schedule on a clock. `step` takes one instant: all its events, then everything that can start, then one re-solve of the
 * rates. The state is open to `steady.ts`, which recognises when it repeats.
 */
export class Simulation {
  now = 0;
  /** Iterations begun, sent and delivered, by operation. */
  readonly begun: Int32Array;
  readonly sent: Int32Array;
  readonly delivered: Int32Array;
  readonly phase: Uint8Array;
  /** Bytes left of the flowing iteration at time `updated`, its rate, and the stamp of the event that ends it. */
  readonly remaining: Float64Array;
  readonly updated: Float64Array;
  readonly rate: Float64Array;
  readonly stamp: Int32Array;
  /** When the current iteration became ready, got its slots and began to flow. */
  readonly readyAt: Float64Array;
  readonly beganAt: Float64Array;
  readonly flowedAt: Float64Array;
  /** When the first iteration began and the last was delivered; NaN until then. */
  readonly start: Float64Array;
  readonly finish: Float64Array;
  readonly queue: EventQueue;
  readonly tally: Tally;
  /** Operations blocked at each engine, as lists in order of arrival. */
  readonly waiterHead: Int32Array;
  readonly waiterNext: Int32Array;
  events = 0;
  solves = 0;
  /** In all re-solves, resources looked at and rates changed: what they cost. */
  resolved = 0;
  unfinished: number;

  readonly flows: Flows;
  private readonly heldBy: Int32Array;
  private readonly missing: Int32Array;
  private readonly successors: Successors;
  private readonly free: Int32Array;
  private readonly waiterTail: Int32Array;
  private readonly crossing: Int32Array;
  private readonly busySince: Float64Array;
  /** Whose end must be queued anew. */
  private readonly due: Uint8Array;
  private ready: number[] = [];
  private freed: number[] = [];
  private entering: number[] = [];
  private leaving: number[] = [];

  constructor(
    readonly schedule: Schedule,
    private readonly mover?: Mover,
    private readonly observer?: Observer,
  ) {
    const { operations: o, resources, engines } = schedule;
    const n = o.count;
    this.begun = new Int32Array(n);
    this.sent = new Int32Array(n);
    this.delivered = new Int32Array(n);
    this.phase = new Uint8Array(n);
    this.remaining = new Float64Array(n);
    this.updated = new Float64Array(n);
    this.rate = new Float64Array(n);
    this.stamp = new Int32Array(n);
    this.readyAt = new Float64Array(n);
    this.beganAt = new Float64Array(n);
    this.flowedAt = new Float64Array(n);
    this.start = new Float64Array(n).fill(Number.NaN);
    this.finish = new Float64Array(n).fill(Number.NaN);
    this.heldBy = new Int32Array(n).fill(-1);
    this.missing = new Int32Array(n);
    this.queue = new EventQueue(Math.min(n, 1 << 16) + 16);
    this.tally = new Tally(schedule);
    this.flows = new Flows(resources.rate, { start: o.pathStart, resource: o.pathResource, factor: o.pathFactor });
    this.crossing = new Int32Array(resources.count);
    this.busySince = new Float64Array(resources.count);
    this.due = new Uint8Array(n);
    this.successors = successorsOf(o);
    this.free = engines.slots.slice();
    this.waiterHead = new Int32Array(engines.count).fill(-1);
    this.waiterTail = new Int32Array(engines.count).fill(-1);
    this.waiterNext = new Int32Array(n).fill(-1);
    this.unfinished = n;
    for (let i = 0; i < n; i++) this.arm(i);
    this.startReady();
    this.settle();
  }

  /** Takes the next instant; false when nothing is left to happen. */
  step(): boolean {
    const { queue } = this;
    const time = queue.peek();
    if (time === Number.POSITIVE_INFINITY) return false;
    this.now = time;
    const end = time + time * INSTANT;
    do {
      do this.take();
      while (queue.peek() <= end);
      this.startReady();
    } while (queue.peek() <= end);
    this.settle();
    return true;
  }

  /** Jumps ahead by a time in which every operation does `iterations[o]` more rounds and everything that adds up grows by `more`. */
  jump(time: number, iterations: Int32Array, more: Float64Array): void {
    this.now += time;
    this.queue.shift(time);
    for (let o = 0; o < iterations.length; o++) {
      this.begun[o]! += iterations[o]!;
      this.sent[o]! += iterations[o]!;
      this.delivered[o]! += iterations[o]!;
      this.updated[o]! += time;
      this.readyAt[o]! += time;
      this.beganAt[o]! += time;
      this.flowedAt[o]! += time;
    }
    for (let i = 0; i < more.length; i++) this.tally.values[i]! += more[i]!;
    for (let r = 0; r < this.busySince.length; r++) this.busySince[r]! += time;
  }

  /** Counts what is going on right now up to this moment, so that the tally is complete. */
  flush(): void {
    const { values, busy } = this.tally;
    for (let r = 0; r < this.crossing.length; r++) {
      if (this.crossing[r] === 0) continue;
      values[busy + r]! += this.now - this.busySince[r]!;
      this.busySince[r] = this.now;
    }
  }

  /** Whether a queued event still stands: the end of a flow does not once its rate has changed. */
  isCurrent(item: number, stamp: number): boolean {
    return (item & KIND) !== FLOWED || stamp === this.stamp[item >> KIND_BITS];
  }

  private take(): void {
    const { queue } = this;
    queue.pop();
    const o = queue.item >> KIND_BITS;
    const kind = queue.item & KIND;
    if (kind === FLOWED) {
      if (queue.stamp !== this.stamp[o]) return;
      this.account(o);
      this.leaving.push(o);
      this.send(o);
    } else if (kind === BEFORE_OVER) this.flow(o);
    else this.deliver(o);
    this.events++;
  }

  /** Counts what the next iteration still waits for; with nothing, it is ready. */
  private arm(o: number): void {
    const { waitStart, waitOn, waitLag, waitKind, repeat } = this.schedule.operations;
    let missing = 0;
    for (let k = waitStart[o]!; k < waitStart[o + 1]!; k++) {
      const p = waitOn[k]!;
      const kind = waitKind[k]!;
      const reached = kind === Wait.Sent || kind === Wait.WholeSent ? this.sent[p]! : this.delivered[p]!;
      if (reached < needOf(kind, this.begun[o]!, waitLag[k]!, repeat[p]!)) missing++;
    }
    this.missing[o] = missing;
    this.phase[o] = Phase.Idle;
    if (missing === 0) this.becomeReady(o);
  }

  private becomeReady(o: number): void {
    this.phase[o] = Phase.Ready;
    this.readyAt[o] = this.now;
    this.ready.push(o);
  }

  /** Operation p has sent or delivered one more: whoever waits for exactly this one waits for one thing less. */
  private announce(p: number, reached: number, sent: boolean): void {
    const { start, operation, wait } = this.successors;
    const { waitLag, waitKind, repeat } = this.schedule.operations;
    for (let i = start[p]!; i < start[p + 1]!; i++) {
      const o = operation[i]!;
      if (this.phase[o] !== Phase.Idle) continue;
      const k = wait[i]!;
      const kind = waitKind[k]!;
      if ((kind === Wait.Sent || kind === Wait.WholeSent) !== sent) continue;
      const need = needOf(kind, this.begun[o]!, waitLag[k]!, repeat[p]!);
      if (need === reached && --this.missing[o]! === 0) this.becomeReady(o);
    }
  }

  /** Starts everything that can: first who waits for a freed slot, in order of arrival; then the newly ready, by number. */
  private startReady(): void {
    for (;;) {
      while (this.freed.length > 0) this.serve(this.freed.pop()!);
      if (this.ready.length === 0) return;
      const now = this.ready;
      if (now.length === 1) {
        // Almost always there is one.
        const o = now.pop()!;
        const engine = this.lacking(o, true);
        if (engine < 0) this.begin(o);
        else this.block(o, engine);
        continue;
      }
      this.ready = [];
      now.sort((a, b) => a - b);
      for (let i = 0; i < now.length; i++) {
        const o = now[i]!;
        const engine = this.lacking(o, true);
        if (engine < 0) this.begin(o);
        else this.block(o, engine);
      }
    }
  }

  /** The first engine of which the operation cannot have a slot now; −1 when it can have all. */
  private lacking(o: number, queueUp: boolean): number {
    const { holdStart, holdEngine } = this.schedule.operations;
    for (let k = holdStart[o]!; k < holdStart[o + 1]!; k++) {
      const e = holdEngine[k]!;
      if (this.free[e]! <= 0 || (queueUp && this.waiterHead[e]! >= 0)) return e;
    }
    return -1;
  }

  private block(o: number, engine: number): void {
    this.phase[o] = Phase.Blocked;
    this.waiterNext[o] = -1;
    if (this.waiterHead[engine]! < 0) this.waiterHead[engine] = o;
    else this.waiterNext[this.waiterTail[engine]!] = o;
    this.waiterTail[engine] = o;
  }

  /** Gives free slots of an engine to those who wait for it; who lacks another engine goes on to wait there. */
  private serve(engine: number): void {
    while (this.free[engine]! > 0 && this.waiterHead[engine]! >= 0) {
      const o = this.waiterHead[engine]!;
      this.waiterHead[engine] = this.waiterNext[o]!;
      const other = this.lacking(o, false);
      if (other >= 0) {
        this.block(o, other);
        continue;
      }
      const waited = this.now - this.readyAt[o]!;
      this.tally.values[this.tally.waited + engine]! += waited;
      this.observer?.onWaited(o, this.begun[o]!, engine, this.readyAt[o]!, this.now);
      this.begin(o);
    }
  }

  private begin(o: number): void {
    const { holdStart, holdEngine, before } = this.schedule.operations;
    for (let k = holdStart[o]!; k < holdStart[o + 1]!; k++) this.free[holdEngine[k]!]!--;
    if (this.begun[o]! === 0) this.start[o] = this.now;
    this.begun[o]!++;
    this.beganAt[o] = this.now;
    if (before[o]! > 0) {
      this.phase[o] = Phase.Before;
      this.queue.push(this.now + before[o]!, (o << KIND_BITS) | BEFORE_OVER);
    } else this.flow(o);
  }

  private amountOf(o: number): number {
    const { amount, last, repeat } = this.schedule.operations;
    return this.begun[o] === repeat[o] ? last[o]! : amount[o]!;
  }

  private flow(o: number): void {
    const { pathStart } = this.schedule.operations;
    const amount = this.amountOf(o);
    this.flowedAt[o] = this.now;
    this.phase[o] = Phase.Flowing;
    if (amount === 0 || pathStart[o] === pathStart[o + 1]) {
      this.send(o);
      return;
    }
    this.remaining[o] = amount;
    this.updated[o] = this.now;
    this.entering.push(o);
  }

  private send(o: number): void {
    const { operations } = this.schedule;
    const { holdStart, holdEngine, after, repeat } = operations;
    const { values, slots } = this.tally;
    for (let k = holdStart[o]!; k < holdStart[o + 1]!; k++) {
      const e = holdEngine[k]!;
      this.free[e]!++;
      values[slots + e]! += this.now - this.beganAt[o]!;
      if (this.waiterHead[e]! >= 0) this.freed.push(e);
    }
    const iteration = this.sent[o]!++;
    if (this.mover && this.amountOf(o) > 0) this.mover.copy(o, iteration);
    this.observer?.onRan(o, iteration, this.beganAt[o]!, this.flowedAt[o]!, this.now, this.now + after[o]!);
    // Announced before the next iteration counts what it waits for, or a wait for oneself would be counted twice.
    this.announce(o, this.sent[o]!, true);
    if (this.sent[o]! < repeat[o]!) this.arm(o);
    else this.phase[o] = Phase.Finished;
    if (after[o]! > 0) this.queue.push(this.now + after[o]!, (o << KIND_BITS) | ARRIVED);
    else this.deliver(o);
  }

  private deliver(o: number): void {
    const delivered = ++this.delivered[o]!;
    if (delivered === this.schedule.operations.repeat[o]!) {
      this.finish[o] = this.now;
      this.unfinished--;
    }
    this.announce(o, delivered, false);
  }

  /** Books what the flow has done since its rate last changed. */
  private account(o: number): void {
    const passed = this.now - this.updated[o]!;
    const holder = this.heldBy[o]!;
    this.remaining[o]! -= this.rate[o]! * passed;
    if (passed > 0 && holder >= 0) {
      // In a folded schedule one stands for many, spread over as many resources as the holder stands for.
      const { operations, resources } = this.schedule;
      this.tally.values[this.tally.held + holder]! += (passed * operations.times[o]!) / resources.times[holder]!;
      this.observer?.onHeld(o, this.begun[o]! - 1, holder, this.rate[o]!, this.updated[o]!, this.now);
    }
    this.updated[o] = this.now;
  }

  /** Brings the rates up to date with who flows now. A flow whose next iteration follows at once never left. */
  private settle(): void {
    const { flows, entering, leaving } = this;
    if (entering.length === 0 && leaving.length === 0) return;
    let changed = false;
    for (let i = 0; i < leaving.length; i++) {
      const o = leaving[i]!;
      if (this.phase[o] === Phase.Flowing || !flows.isActive(o)) continue;
      flows.remove(o);
      this.occupy(o, -1);
      changed = true;
    }
    for (let i = 0; i < entering.length; i++) {
      const o = entering[i]!;
      this.due[o] = 1;
      if (flows.isActive(o)) continue;
      flows.add(o);
      this.occupy(o, 1);
      changed = true;
    }
    if (changed) {
      flows.solve();
      this.solves++;
      this.resolved += flows.looked + flows.changes;
      for (let i = 0; i < flows.changes; i++) {
        const o = flows.changed[i]!;
        this.account(o);
        this.rate[o] = flows.rate[o]!;
        this.heldBy[o] = flows.heldBy[o]!;
        this.due[o] = 1;
      }
      for (let i = 0; i < flows.changes; i++) this.expect(flows.changed[i]!);
    }
    for (let i = 0; i < entering.length; i++) this.expect(entering[i]!);
    entering.length = 0;
    leaving.length = 0;
  }

  /** Queues the end of a flow whose rate or bytes are new; a standstill has none. */
  private expect(o: number): void {
    if (this.due[o] === 0) return;
    this.due[o] = 0;
    this.stamp[o]!++;
    if (this.rate[o]! <= 0) return;
    this.queue.push(
      this.now + Math.max(0, this.remaining[o]!) / this.rate[o]!,
      (o << KIND_BITS) | FLOWED,
      this.stamp[o]!,
    );
  }

  /** Keeps how long each resource is in use. */
  private occupy(o: number, by: number): void {
    const { pathStart, pathResource } = this.schedule.operations;
    for (let k = pathStart[o]!; k < pathStart[o + 1]!; k++) {
      const r = pathResource[k]!;
      if (by > 0) {
        if (this.crossing[r] === 0) this.busySince[r] = this.now;
        this.crossing[r]!++;
      } else if (--this.crossing[r]! === 0) this.tally.values[this.tally.busy + r]! += this.now - this.busySince[r]!;
    }
  }
}
