import { type Operations, type Schedule, Wait } from '../schedule/schedule.ts';
import { type Successors, successorsOf } from './successors.ts';

/** So many descriptions are kept at hand while all things are described. */
const REMEMBERED = 8;

/** Who is alike: a class number for each operation, resource and engine. */
export interface Classes {
  readonly operation: Int32Array;
  readonly resource: Int32Array;
  readonly engine: Int32Array;
}

/** Which operations cross a resource (or hold an engine): entries start[x] … start[x + 1] − 1, in order of operation. */
export interface Users {
  readonly start: Int32Array;
  readonly operation: Int32Array;
  /** Entry of the schedule's path (or hold) table. */
  readonly entry: Int32Array;
}

export function usersOf(count: number, starts: Int32Array, used: Int32Array): Users {
  const start = new Int32Array(count + 1);
  for (let k = 0; k < used.length; k++) start[used[k]! + 1]!++;
  for (let x = 0; x < count; x++) start[x + 1]! += start[x]!;
  const at = start.slice(0, count);
  const operation = new Int32Array(used.length);
  const entry = new Int32Array(used.length);
  for (let o = 0; o + 1 < starts.length; o++) {
    for (let k = starts[o]!; k < starts[o + 1]!; k++) {
      const i = at[used[k]!]!++;
      operation[i] = o;
      entry[i] = k;
    }
  }
  return { start, operation, entry };
}

/**
 * The coarsest classes such that members of a class do the same things with members of the same classes: equal operations wait
 * for equal operations and cross equal resources by equal factors, and equal resources are crossed by equal operations, equally
 * many. Then, from the first instant on, members of a class are at the same point at the same time: fair shares depend on
 * nothing else. Operations that queue at one engine differ by their place in its line, since there the order counts.
 *
 * Found by refinement: start from what each thing is on its own, and split classes whose members see different classes, until
 * none does. Only neighbours of what was split are looked at again, so one odd NIC costs what it splits. What a member sees is
 * summed up in 64 bits that do not depend on the order of seeing.
 *
 * With `rounds` it stops after so many, when members of a class are alike only as far as that. Members then also have to be
 * equally deep in the schedule, so that what waits for one another stays apart. Such classes are an approximation, good where
 * what is far away hardly matters.
 */
export function refine(schedule: Schedule, rounds = Number.POSITIVE_INFINITY): Classes {
  return new Refinement(schedule, rounds).classes();
}

/** Two random words a number, the same in every run. */
class Keys {
  readonly low: Int32Array;
  readonly high: Int32Array;
  private made = 0;

  constructor(
    private readonly salt: number,
    most: number,
  ) {
    this.low = new Int32Array(most);
    this.high = new Int32Array(most);
  }

  /** Makes those of the numbers below `end`. */
  reach(end: number): void {
    for (; this.made < end; this.made++) {
      this.low[this.made] = scrambled(4 * this.made + this.salt);
      this.high[this.made] = scrambled(~(4 * this.made + this.salt));
    }
  }
}

function scrambled(x: number): number {
  let h = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  h = Math.imul(h ^ (h >>> 16) ^ 0x2545f491, 0x9e3779b1);
  return h ^ (h >>> 15);
}

class Refinement {
  private readonly operations: number;
  private readonly resources: number;
  private readonly count: number;
  /** Class of each operation, then each resource, then each engine. */
  private readonly colour: Int32Array;
  private readonly low: Int32Array;
  private readonly high: Int32Array;
  private colours = 0;
  private size = new Int32Array(0);
  private readonly successors: Successors;
  private readonly crossing: Users;
  private readonly holding: Users;
  private readonly placeInLine: Int32Array;
  /** What an entry of the path, wait and hold tables says, as a number: the same for the same factor, kind and lag, or place. */
  private readonly pathSays: Int32Array;
  private readonly waitSays: Int32Array;
  private readonly holdSays: Int32Array;
  /** Two random words for each saying and for each class: a sight is a saying about a class. */
  private readonly sayings: Keys;
  private readonly classKeys: Keys;
  private sumLow = 0;
  private sumHigh = 0;
  private readonly double = new Float64Array(1);
  private readonly words = new Int32Array(this.double.buffer);

  private readonly depth: { readonly before: Int32Array; readonly behind: Int32Array } | undefined;

  constructor(
    private readonly schedule: Schedule,
    private readonly rounds: number,
  ) {
    const { operations: o, resources, engines } = schedule;
    this.operations = o.count;
    this.resources = resources.count;
    this.count = o.count + resources.count + engines.count;
    this.colour = new Int32Array(this.count);
    this.low = new Int32Array(this.count);
    this.high = new Int32Array(this.count);
    this.size = new Int32Array(this.count + 1);
    this.size[0] = this.count;
    this.colours = 1;
    this.successors = successorsOf(o);
    this.depth = rounds === Number.POSITIVE_INFINITY ? undefined : depths(o, this.successors);
    this.crossing = usersOf(resources.count, o.pathStart, o.pathResource);
    this.holding = usersOf(engines.count, o.holdStart, o.holdEngine);
    this.placeInLine = new Int32Array(o.holdEngine.length);
    for (let e = 0; e < engines.count; e++) {
      const first = this.holding.start[e]!;
      for (let i = first; i < this.holding.start[e + 1]!; i++) {
        // Slots are taken in the order in which they are listed, so the place in that list counts too.
        const k = this.holding.entry[i]!;
        this.placeInLine[k] = Math.imul(i - first, 64) + k - o.holdStart[this.holding.operation[i]!]!;
      }
    }
    this.classKeys = new Keys(1, this.count + 1);
    let said = 0;
    /** Numbers what entries say, so that a sight costs two look-ups and not a sum over all that it is made of. */
    const number = (entries: number, what: (k: number) => number): Int32Array => {
      const says = new Int32Array(entries);
      const known = new Map<number, number>();
      for (let k = 0; k < entries; k++) {
        const x = what(k);
        let n = known.get(x);
        if (n === undefined) {
          n = said++;
          known.set(x, n);
        }
        says[k] = n;
      }
      return says;
    };
    this.pathSays = number(o.pathFactor.length, (k) => o.pathFactor[k]!);
    this.waitSays = number(o.waitLag.length, (k) => 4 * o.waitLag[k]! + o.waitKind[k]!);
    this.holdSays = number(o.holdEngine.length, (k) => this.placeInLine[k]!);
    this.sayings = new Keys(2, said);
    this.sayings.reach(said);
  }

  classes(): Classes {
    this.classKeys.reach(this.colours);
    let dirty: Int32Array = new Int32Array(this.count);
    for (let v = 0; v < this.count; v++) dirty[v] = v;
    this.describeAll();
    let split = this.split(dirty);
    const marked = new Uint8Array(this.count);
    // The first round told kinds apart; now everything looks around once.
    let all = true;
    for (let round = 0; (all || split.length > 0) && round < this.rounds; round++) {
      if (!all) dirty = this.neighbours(split, marked);
      all = false;
      for (let i = 0; i < dirty.length; i++) this.lookAround(dirty[i]!);
      split = this.split(dirty);
    }
    const resource = this.operations;
    const engine = resource + this.resources;
    return {
      operation: this.colour.slice(0, resource),
      resource: this.colour.slice(resource, engine),
      engine: this.colour.slice(engine),
    };
  }

  /** What each thing is on its own. Most are like one of the few summed up last: those are compared, which costs far less. */
  private describeAll(): void {
    const { low, high } = this;
    const last: number[] = [];
    let oldest = 0;
    for (let v = 0; v < this.count; v++) {
      let like = -1;
      for (let i = 0; i < last.length && like < 0; i++) if (this.describedAlike(last[i]!, v)) like = last[i]!;
      if (like >= 0) {
        low[v] = low[like]!;
        high[v] = high[like]!;
        continue;
      }
      this.describe(v);
      last[oldest] = v;
      oldest = (oldest + 1) % REMEMBERED;
    }
  }

  /** Whether `describe` would say the same of two things. */
  private describedAlike(u: number, v: number): boolean {
    const { operations: o, resources, engines } = this.schedule;
    const { depth } = this;
    const resource = this.operations;
    const engine = resource + this.resources;
    if (v < resource) {
      if (depth && (depth.before[u] !== depth.before[v] || depth.behind[u] !== depth.behind[v])) return false;
      return (
        o.after[u] === o.after[v] &&
        o.before[u] === o.before[v] &&
        o.amount[u] === o.amount[v] &&
        o.last[u] === o.last[v] &&
        o.repeat[u] === o.repeat[v] &&
        o.copies[u] === o.copies[v] &&
        o.times[u] === o.times[v]
      );
    }
    if (v < engine) {
      const [a, b] = [u - resource, v - resource];
      if (a < 0 || resources.kind[a] !== resources.kind[b]) return false;
      return resources.rate[a] === resources.rate[b] && resources.times[a] === resources.times[b];
    }
    const [a, b] = [u - engine, v - engine];
    return a >= 0 && engines.slots[a] === engines.slots[b] && engines.times[a] === engines.times[b];
  }

  private describe(v: number): void {
    const { operations: o, resources, engines } = this.schedule;
    this.sumLow = 0;
    this.sumHigh = 0;
    if (v < this.operations) {
      this.seeNumber(1, o.amount[v]!);
      this.seeNumber(2, o.last[v]!);
      this.seeNumber(3, o.repeat[v]!);
      this.seeNumber(4, o.before[v]!);
      this.seeNumber(5, o.after[v]!);
      this.seeNumber(6, o.copies[v]!);
      this.seeNumber(7, o.times[v]!);
      if (this.depth) this.see(13, this.depth.before[v]!, this.depth.behind[v]!);
    } else if (v < this.operations + this.resources) {
      const r = v - this.operations;
      this.seeNumber(8, resources.rate[r]!);
      this.seeNumber(9, resources.times[r]!);
      for (const letter of resources.kind[r]!) this.seeNumber(10, letter.codePointAt(0)!);
    } else {
      const e = v - this.operations - this.resources;
      this.seeNumber(11, engines.slots[e]!);
      this.seeNumber(12, engines.times[e]!);
    }
    this.low[v] = this.sumLow;
    this.high[v] = this.sumHigh;
  }

  /** What a thing sees around it. */
  private lookAround(v: number): void {
    const { operations: o } = this.schedule;
    const { colour } = this;
    const resource = this.operations;
    const engine = resource + this.resources;
    this.sumLow = 0;
    this.sumHigh = 0;
    const { pathSays, waitSays, holdSays } = this;
    if (v < resource) {
      for (let k = o.pathStart[v]!; k < o.pathStart[v + 1]!; k++) {
        this.sight(pathSays[k]!, colour[resource + o.pathResource[k]!]!);
      }
      for (let k = o.waitStart[v]!; k < o.waitStart[v + 1]!; k++) this.sight(waitSays[k]!, colour[o.waitOn[k]!]!);
      for (let k = o.holdStart[v]!; k < o.holdStart[v + 1]!; k++) {
        this.sight(holdSays[k]!, colour[engine + o.holdEngine[k]!]!);
      }
    } else {
      const users = v < engine ? this.crossing : this.holding;
      const says = v < engine ? pathSays : holdSays;
      const x = v < engine ? v - resource : v - engine;
      for (let i = users.start[x]!; i < users.start[x + 1]!; i++) {
        this.sight(says[users.entry[i]!]!, colour[users.operation[i]!]!);
      }
    }
    this.low[v] = this.sumLow;
    this.high[v] = this.sumHigh;
  }

  private seeNumber(what: number, value: number): void {
    this.double[0] = value;
    this.see(what, this.words[0]!, this.words[1]!);
  }

  /** Adds a sight, well mixed, to both sums; sums do not depend on the order. */
  private sight(says: number, colour: number): void {
    const { sayings, classKeys } = this;
    let h = sayings.low[says]! ^ classKeys.low[colour]!;
    let g = sayings.high[says]! ^ classKeys.high[colour]!;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    g = Math.imul(g ^ (g >>> 15), 0x2c1b3c6d);
    this.sumLow = (this.sumLow + (h ^ (h >>> 13))) | 0;
    this.sumHigh = (this.sumHigh + (g ^ (g >>> 12))) | 0;
  }

  /** Adds three numbers, well mixed, to both sums. */
  private see(a: number, b: number, c: number): void {
    let h = Math.imul(a ^ 0x2545f491, 0x9e3779b1);
    h = Math.imul(h ^ (h >>> 15) ^ b, 0x85ebca77);
    h = Math.imul(h ^ (h >>> 13) ^ c, 0xc2b2ae3d);
    let g = Math.imul(h ^ (h >>> 16) ^ a, 0x27d4eb2f);
    g = Math.imul(g ^ (g >>> 15) ^ c, 0x165667b1);
    g = Math.imul(g ^ (g >>> 13) ^ b, 0x9e3779b1);
    this.sumLow = (this.sumLow + (h ^ (h >>> 16))) | 0;
    this.sumHigh = (this.sumHigh + (g ^ (g >>> 15))) | 0;
  }

  /**
   * Splits classes whose members among `dirty` saw different things; returns those that got a new class. Members not looked at
   * saw nothing new and keep their class together; of a class looked at as a whole the largest part keeps it.
   */
  private split(dirty: Int32Array): Int32Array {
    const { colour, low, high, size } = this;
    // Groups (class, what was seen) in an open-addressing table.
    let slots = 16;
    while (slots < 2 * dirty.length) slots *= 2;
    const table = new Int32Array(slots).fill(-1);
    const groupOf = new Int32Array(dirty.length);
    const sample: number[] = [];
    const members: number[] = [];
    for (let i = 0; i < dirty.length; i++) {
      const v = dirty[i]!;
      let at = (low[v]! ^ Math.imul(colour[v]!, 0x9e3779b1) ^ (high[v]! >>> 7)) & (slots - 1);
      for (;;) {
        const g = table[at]!;
        if (g < 0) {
          table[at] = sample.length;
          groupOf[i] = sample.length;
          sample.push(v);
          members.push(1);
          break;
        }
        const w = sample[g]!;
        if (low[w] === low[v] && high[w] === high[v] && colour[w] === colour[v]) {
          groupOf[i] = g;
          members[g]!++;
          break;
        }
        at = (at + 1) & (slots - 1);
      }
    }
    const looked = new Map<number, { total: number; largest: number }>();
    for (let g = 0; g < sample.length; g++) {
      const c = colour[sample[g]!]!;
      const known = looked.get(c);
      if (known === undefined) looked.set(c, { total: members[g]!, largest: g });
      else {
        known.total += members[g]!;
        if (members[g]! > members[known.largest]!) known.largest = g;
      }
    }
    const becomes = new Int32Array(sample.length).fill(-1);
    for (let g = 0; g < sample.length; g++) {
      const c = colour[sample[g]!]!;
      const { total, largest } = looked.get(c)!;
      if (total === size[c] && g === largest) continue;
      becomes[g] = this.colours++;
      size[becomes[g]!] = members[g]!;
    }
    for (const [c, { total, largest }] of looked) size[c] = total === size[c] ? members[largest]! : size[c]! - total;
    const split: number[] = [];
    for (let i = 0; i < dirty.length; i++) {
      const c = becomes[groupOf[i]!]!;
      if (c < 0) continue;
      colour[dirty[i]!] = c;
      split.push(dirty[i]!);
    }
    this.classKeys.reach(this.colours);
    return Int32Array.from(split);
  }

  /** Everything that sees one of these. */
  private neighbours(of: Int32Array, marked: Uint8Array): Int32Array {
    const { operations: o } = this.schedule;
    const resource = this.operations;
    const engine = resource + this.resources;
    const list: number[] = [];
    const mark = (v: number): void => {
      if (marked[v] === 1) return;
      marked[v] = 1;
      list.push(v);
    };
    for (const v of of) {
      if (v < resource) {
        for (let i = this.successors.start[v]!; i < this.successors.start[v + 1]!; i++) {
          mark(this.successors.operation[i]!);
        }
        for (let k = o.pathStart[v]!; k < o.pathStart[v + 1]!; k++) mark(resource + o.pathResource[k]!);
        for (let k = o.holdStart[v]!; k < o.holdStart[v + 1]!; k++) mark(engine + o.holdEngine[k]!);
      } else {
        const users = v < engine ? this.crossing : this.holding;
        const x = v < engine ? v - resource : v - engine;
        for (let i = users.start[x]!; i < users.start[x + 1]!; i++) mark(users.operation[i]!);
      }
    }
    for (const v of list) marked[v] = 0;
    return Int32Array.from(list);
  }
}

/** How many operations at most come one after the other before each one and behind it, through waits that have no lag. */
function depths(o: Operations, successors: Successors): { before: Int32Array; behind: Int32Array } {
  const direct = (k: number): boolean => o.waitLag[k] === 0 || o.waitKind[k]! >= Wait.WholeDelivered;
  const before = new Int32Array(o.count);
  const behind = new Int32Array(o.count);
  const open = new Int32Array(o.count);
  const order: number[] = [];
  for (let i = 0; i < o.count; i++) {
    for (let k = o.waitStart[i]!; k < o.waitStart[i + 1]!; k++) if (direct(k)) open[i]!++;
    if (open[i] === 0) order.push(i);
  }
  for (let n = 0; n < order.length; n++) {
    const p = order[n]!;
    for (let s = successors.start[p]!; s < successors.start[p + 1]!; s++) {
      if (!direct(successors.wait[s]!)) continue;
      const i = successors.operation[s]!;
      before[i] = Math.max(before[i]!, before[p]! + 1);
      if (--open[i]! === 0) order.push(i);
    }
  }
  for (let n = order.length - 1; n >= 0; n--) {
    const i = order[n]!;
    for (let k = o.waitStart[i]!; k < o.waitStart[i + 1]!; k++) {
      if (direct(k)) behind[o.waitOn[k]!] = Math.max(behind[o.waitOn[k]!]!, behind[i]! + 1);
    }
  }
  return { before, behind };
}
