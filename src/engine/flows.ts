import { EventQueue } from '../base/event-queue.ts';
import type { FlowPaths } from './paths.ts';
import { withoutDominated } from './prune.ts';

/** Below this relative difference two levels count as one, and what hangs on them is left alone. */
const SAME = 1e-12;
const NEVER = Number.POSITIVE_INFINITY;

/** How a flow stands while rates are being re-solved. */
const CLEAN = 0; // its old rate is taken to hold
const GROWING = 1; // nothing holds it yet
const DONE = 2; // its new rate is known

/**
 * Max-min fair rates of the flows that are active, kept up to date as flows come and go.
 *
 * All rates grow together from nothing; where a resource is full its flows stop; the rest grow on. A resource's *level* is the
 * rate at which it filled up. What changes when one flow leaves? Nothing below its rate; and above, only resources whose
 * flows change. So `solve` walks upwards through the levels of the touched resources alone:
 *
 * - a touched resource fills at a new level: flows that were faster, or held by nothing, stop there; other resources of flows
 *   whose rate changed are touched;
 * - the walk reaches the level at which a touched resource *used* to be full, and it is not full now: the flows that it held
 *   grow on, unless another full resource holds them; their other resources are touched.
 *
 * A resource that fills at its old level is unchanged and passes nothing on: that is where the walk dies out. The rates are
 * those of a full solve, because in the end every flow crosses a full resource on which no flow is faster, and only the
 * max-min rates have that property.
 */
export class Flows {
  /** Rate of each flow in its own units (payload bytes) per second; 0 when inactive; Infinity when it crosses nothing. */
  readonly rate: Float64Array;
  /** The resource that holds each flow at its rate; −1 when none does. */
  readonly heldBy: Int32Array;
  /** Number of active flows on each resource that matters. */
  private readonly count: Int32Array;
  /** Flows whose rate the last `solve` changed: the first `changes` entries. */
  readonly changed: Int32Array;
  changes = 0;
  /** Resources looked at and flows visited in the last `solve`, for benchmarks. */
  looked = 0;

  /** Without the hops that never matter. */
  private readonly paths: FlowPaths;
  private readonly capacity: Float64Array;
  private readonly level: Float64Array;
  private readonly state: Uint8Array;
  private readonly active: Uint8Array;
  private readonly before: Float64Array;
  private readonly reported: Uint8Array;

  /** Active flows of resource r and their factors: entries first[r] … first[r] + count[r] − 1. */
  private readonly first: Int32Array;
  private readonly member: Int32Array;
  private readonly memberFactor: Float64Array;
  /** Which entry of `paths` a member stands for, and where each entry of `paths` stands among the members. */
  private readonly memberEntry: Int32Array;
  private readonly place: Int32Array;

  /** Load of all flows that have a rate; factors and number of those that grow: enough to rule a resource out without a scan. */
  private readonly load: Float64Array;
  private readonly grow: Float64Array;
  private readonly growers: Int32Array;

  private readonly touched: Int32Array;
  private touchedCount = 0;
  private readonly isTouched: Uint8Array;
  /** Old level of a touched resource, until the walk has passed it; then Infinity. */
  private readonly thaw: Float64Array;
  private readonly stamp: Int32Array;
  /** Level for which a touched resource is queued. */
  private readonly key: Float64Array;
  private readonly queue = new EventQueue(256);
  private readonly visited: Int32Array;
  private visitedCount = 0;

  /**
   * @param capacity of each resource, in its units per second
   * @param paths of every flow that may ever be active; none is at first
   */
  constructor(capacity: Float64Array, allPaths: FlowPaths) {
    const paths = withoutDominated(capacity, allPaths);
    this.paths = paths;
    const flows = paths.start.length - 1;
    const resources = capacity.length;
    const entries = paths.resource.length;
    this.capacity = capacity.slice();
    this.rate = new Float64Array(flows);
    this.heldBy = new Int32Array(flows).fill(-1);
    this.changed = new Int32Array(flows);
    this.state = new Uint8Array(flows);
    this.active = new Uint8Array(flows);
    this.before = new Float64Array(flows);
    this.reported = new Uint8Array(flows);
    this.visited = new Int32Array(flows);
    this.count = new Int32Array(resources);
    this.level = new Float64Array(resources).fill(NEVER);
    // Twice each: one that was settled at once may be touched again.
    this.touched = new Int32Array(2 * resources);
    this.isTouched = new Uint8Array(resources);
    this.thaw = new Float64Array(resources);
    this.stamp = new Int32Array(resources);
    this.key = new Float64Array(resources);
    this.load = new Float64Array(resources);
    this.grow = new Float64Array(resources);
    this.growers = new Int32Array(resources);
    this.first = new Int32Array(resources + 1);
    this.member = new Int32Array(entries);
    this.memberFactor = new Float64Array(entries);
    this.memberEntry = new Int32Array(entries);
    this.place = new Int32Array(entries);
    for (let k = 0; k < entries; k++) this.first[paths.resource[k]! + 1]!++;
    for (let r = 0; r < resources; r++) this.first[r + 1]! += this.first[r]!;
  }

  isActive(flow: number): boolean {
    return this.active[flow] === 1;
  }

  /** A flow begins; its rate is known after the next `solve`. */
  add(flow: number): void {
    if (this.active[flow] === 1) return;
    this.active[flow] = 1;
    this.remember(flow);
    this.state[flow] = GROWING;
    this.rate[flow] = NEVER;
    const { start, resource, factor } = this.paths;
    for (let k = start[flow]!; k < start[flow + 1]!; k++) {
      const r = resource[k]!;
      const at = this.first[r]! + this.count[r]!++;
      this.member[at] = flow;
      this.memberFactor[at] = factor[k]!;
      this.memberEntry[at] = k;
      this.place[k] = at;
      this.grow[r]! += factor[k]!;
      this.growers[r]!++;
      this.register(r);
    }
  }

  /** A flow ends. */
  remove(flow: number): void {
    if (this.active[flow] === 0) return;
    const growing = this.state[flow] === GROWING;
    const x = this.rate[flow]!;
    this.active[flow] = 0;
    this.state[flow] = CLEAN;
    this.rate[flow] = 0;
    this.heldBy[flow] = -1;
    const { start, resource, factor } = this.paths;
    for (let k = start[flow]!; k < start[flow + 1]!; k++) {
      const r = resource[k]!;
      const at = this.place[k]!;
      const last = this.first[r]! + --this.count[r]!;
      this.member[at] = this.member[last]!;
      this.memberFactor[at] = this.memberFactor[last]!;
      this.memberEntry[at] = this.memberEntry[last]!;
      this.place[this.memberEntry[at]!] = at;
      if (growing) this.stopGrowing(r, factor[k]!);
      else this.load[r]! -= factor[k]! * x;
      // With less to carry it fills later, and only if it was full and holds others does that change anything.
      if (this.count[r] === 0) this.empty(r);
      else if (this.level[r] !== NEVER) this.register(r);
    }
  }

  /** Nobody is left on it. */
  private empty(resource: number): void {
    this.load[resource] = 0;
    this.level[resource] = NEVER;
    this.thaw[resource] = NEVER;
  }

  /** Brings all rates up to date; `changed` lists the flows whose rate is another one now. */
  solve(): void {
    const { queue, key, thaw, stamp } = this;
    this.looked = 0;
    for (let i = 0; i < this.visitedCount; i++) this.settleAtOnce(this.visited[i]!);
    // Whatever came and went is looked at once, together.
    for (let i = 0; i < this.touchedCount; i++) {
      if (this.isTouched[this.touched[i]!] === 1) this.touch(this.touched[i]!, 0);
    }
    while (queue.pop()) {
      const r = queue.item;
      if (queue.stamp !== stamp[r]) continue;
      const t = queue.time;
      key[r] = Number.POSITIVE_INFINITY;
      const old = thaw[r]!;
      const soonest = Math.min(this.notBefore(r), old);
      if (soonest > t) {
        this.enqueue(r, soonest);
        continue;
      }
      const full = this.fillLevel(r, t);
      if (full <= t * (1 + SAME)) this.saturate(r, old < NEVER && Math.abs(full - old) <= SAME * old ? old : full);
      else if (old <= t) this.release(r, old);
      else this.enqueue(r, Math.min(full, old));
    }
    this.finish();
  }

  /**
   * A new flow that is held by a hop of its own, and leaves the others not full, changes nothing for anyone: the commonest case,
   * and the cheapest. It then counts as having been there before.
   */
  private settleAtOnce(flow: number): void {
    if (this.state[flow] !== GROWING) return;
    const { start, resource, factor } = this.paths;
    const begin = start[flow]!;
    const end = start[flow + 1]!;
    let rate = NEVER;
    let holder = -1;
    for (let k = begin; k < end; k++) {
      const r = resource[k]!;
      if (this.count[r] !== 1) {
        if (this.level[r] !== NEVER || this.growers[r] !== 1) return;
        continue;
      }
      const level = this.capacity[r]! / factor[k]!;
      if (level < rate) {
        rate = level;
        holder = r;
      }
    }
    if (holder < 0) return;
    for (let k = begin; k < end; k++) {
      const r = resource[k]!;
      if (this.count[r] !== 1 && this.load[r]! + factor[k]! * rate > this.capacity[r]! * (1 - 1e-11)) return;
    }
    for (let k = begin; k < end; k++) {
      const r = resource[k]!;
      this.load[r] = this.count[r] === 1 ? factor[k]! * rate : this.load[r]! + factor[k]! * rate;
      this.grow[r] = 0;
      this.growers[r] = 0;
      this.level[r] = r === holder ? rate : NEVER;
      this.isTouched[r] = 0;
    }
    this.rate[flow] = rate;
    this.heldBy[flow] = holder;
    this.state[flow] = CLEAN;
  }

  /** The resource may fill at another level now: look at it from this level on. */
  private touch(resource: number, from: number): void {
    this.register(resource);
    const level = Math.max(from, Math.min(this.notBefore(resource), this.thaw[resource]!));
    if (level < this.key[resource]!) this.enqueue(resource, level);
  }

  /** The resource has less to carry. If it was full, look at it where it was; if it was not, it still is not. */
  private eased(resource: number): void {
    const level = this.level[resource]!;
    if (level === NEVER || this.isTouched[resource] === 1) return;
    this.register(resource);
    this.enqueue(resource, level);
  }

  private register(resource: number): void {
    if (this.isTouched[resource] === 1) return;
    this.isTouched[resource] = 1;
    this.touched[this.touchedCount++] = resource;
    this.thaw[resource] = this.level[resource]!;
    this.key[resource] = NEVER;
  }

  private enqueue(resource: number, level: number): void {
    if (level === NEVER) return;
    this.key[resource] = level;
    this.queue.push(level, resource, ++this.stamp[resource]!);
  }

  /** A level below which the resource cannot fill: flows with a rate are counted at that rate, which is never too little. */
  private notBefore(resource: number): number {
    const left = this.capacity[resource]! - this.load[resource]!;
    // Sums kept by adding and subtracting have drifted a little: stay on the safe side, a scan settles it.
    if (this.growers[resource]! > 0) {
      return ((left - 1e-11 * this.capacity[resource]!) / this.grow[resource]!) * (1 - 1e-9);
    }
    return left < -SAME * this.capacity[resource]! ? 0 : NEVER;
  }

  private stopGrowing(resource: number, factor: number): void {
    if (--this.growers[resource]! === 0) this.grow[resource] = 0;
    else this.grow[resource]! -= factor;
  }

  /**
   * The level at which the resource fills, given what is known at level `t`: flows with a rate keep it, the rest grow. NEVER
   * when it never fills.
   */
  private fillLevel(resource: number, t: number): number {
    const { member, memberFactor, rate, state } = this;
    const own = this.thaw[resource]!;
    const begin = this.first[resource]!;
    const end = begin + this.count[resource]!;
    let left = this.capacity[resource]!;
    let growing = 0;
    let growers = 0;
    let later = 0;
    let load = 0;
    this.looked++;
    for (let i = begin; i < end; i++) {
      const f = member[i]!;
      const s = state[f]!;
      const x = rate[f]!;
      if (s === DONE || (s === CLEAN && x <= t && x !== own)) left -= memberFactor[i]! * x;
      else {
        growing += memberFactor[i]!;
        growers++;
        if (s === CLEAN && x !== own) later++;
      }
      if (s !== GROWING) load += memberFactor[i]! * x;
    }
    this.load[resource] = load;
    if (growers === 0) return left < -SAME * this.capacity[resource]! ? t : NEVER;
    let level = Math.max(left / growing, t);
    // Flows that another resource will stop before this one fills leave more to the rest: raise the level until none is left.
    let reached = t;
    while (later > 0) {
      let stopped = 0;
      for (let i = begin; i < end; i++) {
        const f = member[i]!;
        const x = rate[f]!;
        if (state[f] !== CLEAN || x === own || x <= reached || x > level) continue;
        left -= memberFactor[i]! * x;
        growing -= memberFactor[i]!;
        stopped++;
      }
      if (stopped === 0) break;
      later -= stopped;
      growers -= stopped;
      // With nobody left to grow, what remains of the sum of factors is rounding.
      if (growers === 0) return NEVER;
      reached = level;
      level = Math.max(left / growing, reached);
    }
    return level;
  }

  /** The resource is full at this level: whoever is faster, or not held yet, stops here. */
  private saturate(resource: number, level: number): void {
    const { member, rate, state } = this;
    const { start, resource: crossed, factor } = this.paths;
    this.level[resource] = level;
    this.thaw[resource] = level;
    const begin = this.first[resource]!;
    const end = begin + this.count[resource]!;
    for (let i = begin; i < end; i++) {
      const f = member[i]!;
      const s = state[f]!;
      const x = rate[f]!;
      if (s === DONE || (s === CLEAN && x <= level * (1 + SAME))) continue;
      this.remember(f);
      state[f] = DONE;
      rate[f] = level;
      this.heldBy[f] = resource;
      for (let k = start[f]!; k < start[f + 1]!; k++) {
        const r = crossed[k]!;
        if (s === GROWING) {
          // Touched when it began to grow; that it stops only lets the resource fill later than it is queued for.
          this.load[r]! += factor[k]! * level;
          this.stopGrowing(r, factor[k]!);
        } else {
          this.load[r]! += factor[k]! * (level - x);
          if (r !== resource) this.eased(r);
        }
      }
    }
  }

  /** The resource used to be full at this level and is not any more: flows that only it held grow on. */
  private release(resource: number, level: number): void {
    const { member, rate, state } = this;
    const { start, resource: crossed, factor } = this.paths;
    this.level[resource] = NEVER;
    this.thaw[resource] = NEVER;
    const begin = this.first[resource]!;
    const end = begin + this.count[resource]!;
    for (let i = begin; i < end; i++) {
      const f = member[i]!;
      if (state[f] !== CLEAN || rate[f] !== level) continue;
      const other = this.heldElsewhere(f, level);
      if (other >= 0) {
        this.heldBy[f] = other;
        continue;
      }
      this.remember(f);
      state[f] = GROWING;
      rate[f] = NEVER;
      for (let k = start[f]!; k < start[f + 1]!; k++) {
        const r = crossed[k]!;
        this.load[r]! -= factor[k]! * level;
        this.grow[r]! += factor[k]!;
        this.growers[r]!++;
        if (r !== resource) this.touch(r, level);
      }
    }
    this.touch(resource, level);
  }

  private heldElsewhere(flow: number, level: number): number {
    const { start, resource } = this.paths;
    for (let k = start[flow]!; k < start[flow + 1]!; k++) if (this.level[resource[k]!] === level) return resource[k]!;
    return -1;
  }

  private remember(flow: number): void {
    if (this.reported[flow] === 1) return;
    this.reported[flow] = 1;
    this.before[flow] = this.rate[flow]!;
    this.visited[this.visitedCount++] = flow;
  }

  private finish(): void {
    this.changes = 0;
    for (let i = 0; i < this.visitedCount; i++) {
      const f = this.visited[i]!;
      this.state[f] = CLEAN;
      this.reported[f] = 0;
      if (this.active[f] === 1 && this.rate[f] !== this.before[f]) this.changed[this.changes++] = f;
    }
    this.visitedCount = 0;
    for (let i = 0; i < this.touchedCount; i++) {
      const r = this.touched[i]!;
      this.isTouched[r] = 0;
      // Nobody left to hold: its level says nothing.
      if (this.count[r] === 0) this.level[r] = NEVER;
    }
    this.touchedCount = 0;
    this.queue.clear();
  }
}
