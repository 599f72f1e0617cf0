/**
 * A priority queue of events on typed arrays, ordered by (time, sequence): of two events at one time the one pushed first
 * comes first, so a run never depends on how the heap happens to lie.
 *
 * A 4-ary heap: half the levels of a binary one, and the four children lie side by side. `pop` leaves the root vacant; a
 * `push` that follows (the usual rhythm of a simulation) falls into the hole, and one descent serves both.
 *
 * Nothing is cancelled in place: give an event a `stamp`, and drop it when it comes out with a stamp that is no longer yours.
 */
export class EventQueue {
  /** Time and sequence of slot i at 2i and 2i + 1: one cache line for two comparisons. */
  private keys: Float64Array;
  /** Item and stamp of slot i, likewise. */
  private data: Int32Array;
  private used = 0;
  private vacant = false;
  private sequence = 0;

  /** Time of the event that `pop` took last. */
  time = 0;
  /** What that event is about: whatever integer was pushed. */
  item = 0;
  /** The stamp it was pushed with. */
  stamp = 0;

  constructor(capacity = 64) {
    const slots = Math.max(4, capacity);
    this.keys = new Float64Array(2 * slots);
    this.data = new Int32Array(2 * slots);
  }

  get size(): number {
    return this.vacant ? this.used - 1 : this.used;
  }

  clear(): void {
    this.used = 0;
    this.vacant = false;
    this.sequence = 0;
  }

  /** Adds an event. `time` must be a number: NaN has no place in an order. */
  push(time: number, item: number, stamp = 0): void {
    const sequence = this.sequence++;
    if (this.vacant) {
      this.vacant = false;
      this.sink(time, sequence, item, stamp);
      return;
    }
    if (2 * this.used === this.keys.length) this.grow();
    const { keys, data } = this;
    let hole = this.used++;
    while (hole > 0) {
      const parent = (hole - 1) >> 2;
      // The new event is the latest, so at equal times it stays below.
      if (keys[2 * parent]! <= time) break;
      keys[2 * hole] = keys[2 * parent]!;
      keys[2 * hole + 1] = keys[2 * parent + 1]!;
      data[2 * hole] = data[2 * parent]!;
      data[2 * hole + 1] = data[2 * parent + 1]!;
      hole = parent;
    }
    keys[2 * hole] = time;
    keys[2 * hole + 1] = sequence;
    data[2 * hole] = item;
    data[2 * hole + 1] = stamp;
  }

  /** Takes the earliest event into `time`, `item` and `stamp`; false when there is none. */
  pop(): boolean {
    if (this.vacant) this.settle();
    if (this.used === 0) return false;
    this.time = this.keys[0]!;
    this.item = this.data[0]!;
    this.stamp = this.data[1]!;
    this.vacant = true;
    return true;
  }

  /** Time of the earliest event; Infinity when there is none. */
  peek(): number {
    if (this.vacant) this.settle();
    return this.used === 0 ? Number.POSITIVE_INFINITY : this.keys[0]!;
  }

  /** Calls `visit` for every event, in no particular order. */
  each(visit: (time: number, item: number, stamp: number) => void): void {
    if (this.vacant) this.settle();
    for (let i = 0; i < this.used; i++) visit(this.keys[2 * i]!, this.data[2 * i]!, this.data[2 * i + 1]!);
  }

  /** Moves every event by the same time. */
  shift(by: number): void {
    if (this.vacant) this.settle();
    for (let i = 0; i < this.used; i++) this.keys[2 * i] = this.keys[2 * i]! + by;
    // Rounding may have made two times equal: their sequence decides now.
    for (let i = (this.used - 2) >> 2; i >= 0; i--) {
      this.sink(this.keys[2 * i]!, this.keys[2 * i + 1]!, this.data[2 * i]!, this.data[2 * i + 1]!, i);
    }
  }

  /** Closes the hole a `pop` left, with the last event. */
  private settle(): void {
    this.vacant = false;
    const last = --this.used;
    if (last > 0) {
      this.sink(this.keys[2 * last]!, this.keys[2 * last + 1]!, this.data[2 * last]!, this.data[2 * last + 1]!);
    }
  }

  private sink(time: number, sequence: number, item: number, stamp: number, from = 0): void {
    const { keys, data, used } = this;
    let hole = from;
    for (;;) {
      let child = 4 * hole + 1;
      if (child >= used) break;
      const end = Math.min(child + 4, used);
      let least = child;
      let leastTime = keys[2 * child]!;
      while (++child < end) {
        const t = keys[2 * child]!;
        if (t < leastTime || (t === leastTime && keys[2 * child + 1]! < keys[2 * least + 1]!)) {
          least = child;
          leastTime = t;
        }
      }
      if (leastTime > time || (leastTime === time && keys[2 * least + 1]! > sequence)) break;
      keys[2 * hole] = leastTime;
      keys[2 * hole + 1] = keys[2 * least + 1]!;
      data[2 * hole] = data[2 * least]!;
      data[2 * hole + 1] = data[2 * least + 1]!;
      hole = least;
    }
    keys[2 * hole] = time;
    keys[2 * hole + 1] = sequence;
    data[2 * hole] = item;
    data[2 * hole + 1] = stamp;
  }

  private grow(): void {
    const keys = new Float64Array(this.keys.length * 2);
    const data = new Int32Array(this.data.length * 2);
    keys.set(this.keys);
    data.set(this.data);
    this.keys = keys;
    this.data = data;
  }
}
