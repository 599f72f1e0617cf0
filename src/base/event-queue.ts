const NONE = -1;
/** So few events are kept in the heap alone. */
const FEW = 48;
/** Of so many times the event that came last is remembered. */
const REMEMBERED = 64;

/**
 * A priority queue of events on typed arrays, ordered by (time, sequence): of two events at one time the one pushed first
 * comes first, so a run never depends on how the store happens to lie.
 *
 * Three tiers. `near`, a small 4-ary heap, holds what is due now; `ring`, a row of buckets of equal width, holds the time after
 * that, unsorted; `far` all the rest, unsorted. When the heap is empty the next bucket is tipped into it, and when the row is
 * used up a new one is laid over the near end of what is far. An event is moved three times, whatever the number of events:
 * cheaper than a heap of all of them as long as times spread. Where they do not, as when a thousand GPUs do the same thing, events
 * of one time go into the heap as a list.
 *
 * Nothing is cancelled in place: give an event a `stamp`, and drop it when it comes out with a stamp that is no longer yours.
 */
export class EventQueue {
  /**
   * By slot: time, sequence, what was pushed, and the next slot of the same list: of a bucket, of what is far, of the free ones, and
   * in the heap of those of one time, in their order.
   */
  private times: Float64Array;
  private sequences: Float64Array;
  private data: Int32Array;
  private next: Int32Array;
  private free = NONE;
  private top = 0;

  /** The heap: times side by side for comparison, and the slots they belong to. */
  private heapTime: Float64Array;
  private heapSlot: Int32Array;
  private heapSize = 0;
  /** A heap larger than this is laid out anew: the buckets were too wide. */
  private crowded = FEW;

  /** Bucket k holds times from base + k / perSecond on; those up to `current` are in the heap already. */
  private ring = new Int32Array(64).fill(NONE);
  private buckets = 0;
  private inRing = 0;
  private current = Number.POSITIVE_INFINITY;
  private base = 0;
  private perSecond = 0;

  private readonly sample = new Float64Array(15);
  private far = NONE;
  private farCount = 0;

  /** By a hash of its time, the event that was pushed into the heap last: the end of the list of its time while it is there. */
  private readonly latest = new Int32Array(REMEMBERED);
  private readonly double = new Float64Array(1);
  private readonly words = new Int32Array(this.double.buffer);

  private sequence = 0;
  private count = 0;

  /** Time of the event that `pop` took last. */
  time = 0;
  /** What that event is about: whatever integer was pushed. */
  item = 0;
  /** The stamp it was pushed with. */
  stamp = 0;

  constructor(capacity = 64) {
    const slots = Math.max(8, capacity);
    this.times = new Float64Array(slots);
    this.sequences = new Float64Array(slots);
    this.data = new Int32Array(2 * slots);
    this.next = new Int32Array(slots);
    this.heapTime = new Float64Array(64);
    this.heapSlot = new Int32Array(64);
  }

  get size(): number {
    return this.count;
  }

  clear(): void {
    if (this.inRing > 0) this.ring.fill(NONE, 0, this.buckets);
    this.inRing = 0;
    this.heapSize = 0;
    this.far = NONE;
    this.farCount = 0;
    this.free = NONE;
    this.top = 0;
    if (this.count > 0) this.times.fill(Number.NaN);
    this.count = 0;
    this.sequence = 0;
    this.current = Number.POSITIVE_INFINITY;
    this.crowded = FEW;
  }

  /** Adds an event. `time` must be finite: NaN has no place in an order, and never is not a time. */
  push(time: number, item: number, stamp = 0): void {
    let slot = this.free;
    if (slot !== NONE) this.free = this.next[slot]!;
    else {
      if (this.top === this.times.length) this.grow();
      slot = this.top++;
    }
    this.count++;
    this.times[slot] = time;
    this.sequences[slot] = this.sequence++;
    this.data[2 * slot] = item;
    this.data[2 * slot + 1] = stamp;
    const x = (time - this.base) * this.perSecond;
    if (!(x >= this.current + 1)) {
      this.next[slot] = NONE;
      if (this.hangs(time, slot)) return;
      this.rise(time, slot);
      if (this.heapSize > this.crowded) this.spread();
    } else if (x < this.buckets) {
      const k = Math.floor(x);
      this.next[slot] = this.ring[k]!;
      this.ring[k] = slot;
      this.inRing++;
    } else {
      this.next[slot] = this.far;
      this.far = slot;
      this.farCount++;
    }
  }

  /** Whether an event of this time came into the heap of late, so that this one goes with it. */
  private hangs(time: number, slot: number): boolean {
    this.double[0] = time;
    const known = Math.imul(this.words[0]! ^ this.words[1]!, 0x9e3779b1) >>> 26;
    const end = this.latest[known]!;
    this.latest[known] = slot;
    if (end === slot || this.times[end] !== time || this.next[end] !== NONE) return false;
    this.next[end] = slot;
    return true;
  }

  /** Takes the earliest event into `time`, `item` and `stamp`; false when there is none. */
  pop(): boolean {
    if (this.heapSize === 0 && !this.refill()) return false;
    const slot = this.heapSlot[0]!;
    this.time = this.heapTime[0]!;
    this.item = this.data[2 * slot]!;
    this.stamp = this.data[2 * slot + 1]!;
    const same = this.next[slot]!;
    this.next[slot] = this.free;
    this.free = slot;
    this.times[slot] = Number.NaN;
    this.count--;
    if (same !== NONE) {
      this.sink(this.time, same, 0);
      return true;
    }
    const last = --this.heapSize;
    if (last > 0) this.sink(this.heapTime[last]!, this.heapSlot[last]!, 0);
    return true;
  }

  /** Time of the earliest event; Infinity when there is none. */
  peek(): number {
    return this.heapSize === 0 && !this.refill() ? Number.POSITIVE_INFINITY : this.heapTime[0]!;
  }

  /** Calls `visit` for every event, in no particular order. */
  each(visit: (time: number, item: number, stamp: number) => void): void {
    const tell = (slot: number): void => visit(this.times[slot]!, this.data[2 * slot]!, this.data[2 * slot + 1]!);
    for (let i = 0; i < this.heapSize; i++) {
      for (let slot = this.heapSlot[i]!; slot !== NONE; slot = this.next[slot]!) tell(slot);
    }
    let left = this.inRing;
    for (let k = 0; k < this.buckets && left > 0; k++) {
      for (let slot = this.ring[k]!; slot !== NONE; slot = this.next[slot]!) {
        tell(slot);
        left--;
      }
    }
    for (let slot = this.far; slot !== NONE; slot = this.next[slot]!) tell(slot);
  }

  /** Moves every event by the same time. */
  shift(by: number): void {
    this.gather();
    for (let slot = this.far; slot !== NONE; slot = this.next[slot]!) this.times[slot] = this.times[slot]! + by;
  }

  /** Fills the empty heap with what comes next; false when nothing does. */
  private refill(): boolean {
    while (this.inRing === 0 || this.current >= this.buckets) {
      if (this.farCount === 0) return false;
      this.layOut();
      if (this.heapSize > 0) return true;
    }
    let k = this.current + 1;
    while (this.ring[k] === NONE) k++;
    this.current = k;
    const list = this.ring[k]!;
    this.ring[k] = NONE;
    this.inRing -= this.tip(list);
    return true;
  }

  /** Lays a new row of buckets over what is far; a few events go straight into the heap. */
  private layOut(): void {
    const n = this.farCount;
    let slot = this.far;
    this.far = NONE;
    this.farCount = 0;
    if (n <= FEW) {
      this.current = Number.POSITIVE_INFINITY;
      this.crowded = 2 * FEW;
      this.tip(slot);
      return;
    }
    let earliest = Number.POSITIVE_INFINITY;
    for (let s = slot; s !== NONE; s = this.next[s]!) if (this.times[s]! < earliest) earliest = this.times[s]!;
    const window = 6 * this.middle(slot, n, earliest);
    let buckets = 64;
    while (buckets < 2 * n) buckets *= 2;
    const perSecond = buckets / window;
    if (!(window > 0) || !(perSecond < Number.POSITIVE_INFINITY)) {
      // Half of all events are at one time: no bucket can part them.
      this.current = Number.POSITIVE_INFINITY;
      this.crowded = 2 * n;
      this.tip(slot);
      return;
    }
    if (buckets > this.ring.length) this.ring = new Int32Array(buckets).fill(NONE);
    this.buckets = buckets;
    this.base = earliest;
    this.perSecond = perSecond;
    this.current = -1;
    this.crowded = FEW;
    while (slot !== NONE) {
      const after = this.next[slot]!;
      const x = (this.times[slot]! - earliest) * perSecond;
      if (x < buckets) {
        const k = Math.floor(x);
        this.next[slot] = this.ring[k]!;
        this.ring[k] = slot;
        this.inRing++;
      } else {
        this.next[slot] = this.far;
        this.far = slot;
        this.farCount++;
      }
      slot = after;
    }
  }

  /** About the median time of a list, after the earliest: from a sample, so that a single late event does not matter. */
  private middle(list: number, n: number, earliest: number): number {
    const { sample, next, times } = this;
    const stride = Math.max(1, Math.floor(n / sample.length));
    let taken = 0;
    let wait = 0;
    for (let slot = list; slot !== NONE && taken < sample.length; slot = next[slot]!) {
      if (wait-- > 0) continue;
      wait = stride - 1;
      const t = times[slot]! - earliest;
      let i = taken++;
      for (; i > 0 && sample[i - 1]! > t; i--) sample[i] = sample[i - 1]!;
      sample[i] = t;
    }
    return sample[taken >> 1]!;
  }

  /** Too much ended up in the heap: everything is laid out anew. */
  private spread(): void {
    const n = this.heapSize;
    this.gather();
    this.layOut();
    if (this.heapSize === 0) this.refill();
    // Where it did not help, wait until there is twice as much before trying again.
    if (2 * this.heapSize > n) this.crowded = Math.max(this.crowded, 2 * n);
  }

  /** Puts everything into `far`. */
  private gather(): void {
    const put = (slot: number): void => {
      this.next[slot] = this.far;
      this.far = slot;
      this.farCount++;
    };
    for (let i = 0; i < this.heapSize; i++) {
      let slot = this.heapSlot[i]!;
      while (slot !== NONE) {
        const after = this.next[slot]!;
        put(slot);
        slot = after;
      }
    }
    this.heapSize = 0;
    for (let k = 0; k < this.buckets && this.inRing > 0; k++) {
      let slot = this.ring[k]!;
      this.ring[k] = NONE;
      while (slot !== NONE) {
        const after = this.next[slot]!;
        put(slot);
        this.inRing--;
        slot = after;
      }
    }
    // With no buckets and nothing near, even a new event goes to `far`, or it would overtake.
    this.buckets = 0;
    this.base = 0;
    this.perSecond = 0;
    this.current = -1;
    this.crowded = FEW;
  }

  /** Tips a list into the heap; neighbours of one time go together, in their order. Returns how many there were. */
  private tip(list: number): number {
    const { times, sequences, next } = this;
    let tipped = 0;
    let slot = list;
    while (slot !== NONE) {
      const time = times[slot]!;
      let first = slot;
      let last = slot;
      slot = next[slot]!;
      next[first] = NONE;
      tipped++;
      while (slot !== NONE && times[slot] === time) {
        const after = next[slot]!;
        if (sequences[slot]! < sequences[first]!) {
          next[slot] = first;
          first = slot;
        } else if (sequences[slot]! > sequences[last]!) {
          next[last] = slot;
          next[slot] = NONE;
          last = slot;
        } else break;
        slot = after;
        tipped++;
      }
      this.rise(time, first);
    }
    return tipped;
  }

  private rise(time: number, slot: number): void {
    if (this.heapSize === this.heapTime.length) this.growHeap();
    const { heapTime, heapSlot, sequences } = this;
    let hole = this.heapSize++;
    while (hole > 0) {
      const parent = (hole - 1) >> 2;
      const t = heapTime[parent]!;
      if (t < time || (t === time && sequences[heapSlot[parent]!]! < sequences[slot]!)) break;
      heapTime[hole] = t;
      heapSlot[hole] = heapSlot[parent]!;
      hole = parent;
    }
    heapTime[hole] = time;
    heapSlot[hole] = slot;
  }

  private sink(time: number, slot: number, from: number): void {
    const { heapTime, heapSlot, heapSize, sequences } = this;
    let hole = from;
    for (;;) {
      let child = 4 * hole + 1;
      if (child >= heapSize) break;
      const end = Math.min(child + 4, heapSize);
      let least = child;
      let leastTime = heapTime[child]!;
      while (++child < end) {
        const t = heapTime[child]!;
        if (t < leastTime || (t === leastTime && sequences[heapSlot[child]!]! < sequences[heapSlot[least]!]!)) {
          least = child;
          leastTime = t;
        }
      }
      if (leastTime > time || (leastTime === time && sequences[heapSlot[least]!]! > sequences[slot]!)) break;
      heapTime[hole] = leastTime;
      heapSlot[hole] = heapSlot[least]!;
      hole = least;
    }
    heapTime[hole] = time;
    heapSlot[hole] = slot;
  }

  private grow(): void {
    const slots = 2 * this.times.length;
    const larger = <T extends Float64Array | Int32Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.times = larger(new Float64Array(slots), this.times);
    this.sequences = larger(new Float64Array(slots), this.sequences);
    this.data = larger(new Int32Array(2 * slots), this.data);
    this.next = larger(new Int32Array(slots), this.next);
  }

  private growHeap(): void {
    const time = new Float64Array(2 * this.heapTime.length);
    const slot = new Int32Array(2 * this.heapSlot.length);
    time.set(this.heapTime);
    slot.set(this.heapSlot);
    this.heapTime = time;
    this.heapSlot = slot;
  }
}
