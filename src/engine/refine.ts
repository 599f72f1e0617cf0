import { type Operations, type Schedule, Wait } from '../schedule/schedule.ts';
import { type Sights, sightsOf } from './sights.ts';
import { type Successors, successorsOf } from './successors.ts';

/** So many descriptions are kept at hand while all things are described. */
const REMEMBERED = 8;

/** Who is alike: a class number for each operation, resource and engine. */
export interface Classes {
  readonly operation: Int32Array;
  readonly resource: Int32Array;
  readonly engine: Int32Array;
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

/** The groups of a split: members of one class that saw the same. */
interface Groups {
  /** Group of each member looked at. */
  readonly of: Int32Array;
  /** One member of each group, and how many there are. */
  readonly sample: number[];
  readonly members: number[];
}

/**
 * Each step is a loop of its own in a method of its own: thousands of GPUs pass through most of them once, and a short loop is
 * optimised at once, and only once.
 */
class Refinement {
  private readonly operations: number;
  private readonly resources: number;
  private readonly count: number;
  /** Class of each operation, then each resource, then each engine. */
  private readonly colour: Int32Array;
  private readonly low: Int32Array;
  private readonly high: Int32Array;
  private colours = 1;
  private readonly size: Int32Array;
  private readonly sights: Sights;
  /** Two random words for each manner of seeing and for each class: a sight is a class seen in some manner. */
  private readonly manners: Keys;
  private readonly classKeys: Keys;
  private readonly marked: Uint8Array;
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
    this.marked = new Uint8Array(this.count);
    this.depth = rounds === Number.POSITIVE_INFINITY ? undefined : depths(o, successorsOf(o));
    this.sights = sightsOf(schedule);
    this.manners = new Keys(2, this.sights.manners);
    this.manners.reach(this.sights.manners);
    this.classKeys = new Keys(1, this.count + 1);
  }

  classes(): Classes {
    const resource = this.operations;
    const engine = resource + this.resources;
    this.describeAll(0, resource, (u, v) => this.operationsAlike(u, v));
    this.describeAll(resource, engine, (u, v) => this.resourcesAlike(u - resource, v - resource));
    this.describeAll(engine, this.count, () => false);
    let dirty = this.all();
    let split = this.split(dirty);
    // The first round told kinds apart; now everything looks around once.
    for (let round = 0; (round === 0 || split.length > 0) && round < this.rounds; round++) {
      if (round > 0) dirty = this.whoSees(split);
      this.lookAround(dirty);
      split = this.split(dirty);
    }
    return {
      operation: this.colour.slice(0, resource),
      resource: this.colour.slice(resource, engine),
      engine: this.colour.slice(engine),
    };
  }

  private all(): Int32Array {
    const all = new Int32Array(this.count);
    for (let v = 0; v < all.length; v++) all[v] = v;
    return all;
  }

  /** What each thing is on its own. Most are like one of the few summed up last: those are compared, which costs far less. */
  private describeAll(first: number, end: number, alike: (u: number, v: number) => boolean): void {
    const last: number[] = [];
    let oldest = 0;
    for (let v = first; v < end; v++) {
      let like = -1;
      for (let i = 0; i < last.length && like < 0; i++) if (alike(last[i]!, v)) like = last[i]!;
      if (like < 0) {
        like = v;
        this.describe(v);
        last[oldest] = v;
        oldest = (oldest + 1) % REMEMBERED;
      }
      this.low[v] = this.low[like]!;
      this.high[v] = this.high[like]!;
    }
  }

  private operationsAlike(u: number, v: number): boolean {
    const { operations: o } = this.schedule;
    const { depth } = this;
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

  private resourcesAlike(u: number, v: number): boolean {
    const { kind, rate, times } = this.schedule.resources;
    return kind[u] === kind[v] && rate[u] === rate[v] && times[u] === times[v];
  }

  /** Sums up what a thing is on its own. */
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

  private seeNumber(what: number, value: number): void {
    this.double[0] = value;
    this.see(what, this.words[0]!, this.words[1]!);
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

  /** What things see around them. Sums do not depend on the order. */
  private lookAround(dirty: Int32Array): void {
    const { start, target, as } = this.sights;
    const { low: mannerLow, high: mannerHigh } = this.manners;
    const { low: classLow, high: classHigh } = this.classKeys;
    const { colour, low, high } = this;
    for (let i = 0; i < dirty.length; i++) {
      const v = dirty[i]!;
      let sumLow = 0;
      let sumHigh = 0;
      for (let k = start[v]!; k < start[v + 1]!; k++) {
        const c = colour[target[k]!]!;
        const manner = as[k]!;
        const h = mannerLow[manner]! ^ classLow[c]!;
        const g = mannerHigh[manner]! ^ classHigh[c]!;
        const mixedLow = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
        const mixedHigh = Math.imul(g ^ (g >>> 15), 0x2c1b3c6d);
        sumLow = (sumLow + (mixedLow ^ (mixedLow >>> 13))) | 0;
        sumHigh = (sumHigh + (mixedHigh ^ (mixedHigh >>> 12))) | 0;
      }
      low[v] = sumLow;
      high[v] = sumHigh;
    }
  }

  /**
   * Splits classes whose members among `dirty` saw different things; returns those that got a new class. Members not looked at
   * saw nothing new and keep their class together; of a class looked at as a whole the largest part keeps it.
   */
  private split(dirty: Int32Array): Int32Array {
    const groups = this.group(dirty);
    const split = this.recolour(dirty, groups.of, this.newClasses(groups));
    this.classKeys.reach(this.colours);
    return split;
  }

  /** Groups by class and by what was seen, in an open-addressing table. */
  private group(dirty: Int32Array): Groups {
    const { colour, low, high } = this;
    let slots = 16;
    while (slots < 2 * dirty.length) slots *= 2;
    const table = new Int32Array(slots);
    const of = new Int32Array(dirty.length);
    const sample: number[] = [];
    const members: number[] = [];
    for (let i = 0; i < dirty.length; i++) {
      const v = dirty[i]!;
      let at = (low[v]! ^ Math.imul(colour[v]!, 0x9e3779b1) ^ (high[v]! >>> 7)) & (slots - 1);
      // A slot holds the number of a group, counted from 1, or 0 while it is free.
      let g = table[at]! - 1;
      while (
        g >= 0 &&
        !(low[sample[g]!] === low[v] && high[sample[g]!] === high[v] && colour[sample[g]!] === colour[v])
      ) {
        at = (at + 1) & (slots - 1);
        g = table[at]! - 1;
      }
      if (g < 0) {
        g = sample.push(v) - 1;
        members.push(0);
        table[at] = g + 1;
      }
      of[i] = g;
      members[g]!++;
    }
    return { of, sample, members };
  }

  /** The class that each group becomes; −1 for those that keep theirs. */
  private newClasses({ sample, members }: Groups): Int32Array {
    const { colour, size } = this;
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
    return becomes;
  }

  private recolour(dirty: Int32Array, of: Int32Array, becomes: Int32Array): Int32Array {
    const { colour } = this;
    const split = new Int32Array(dirty.length);
    let n = 0;
    for (let i = 0; i < dirty.length; i++) {
      const c = becomes[of[i]!]!;
      if (c < 0) continue;
      colour[dirty[i]!] = c;
      split[n++] = dirty[i]!;
    }
    return split.subarray(0, n);
  }

  /** Everything that sees one of these. */
  private whoSees(these: Int32Array): Int32Array {
    const { marked } = this;
    const { seenStart, seenBy } = this.sights;
    const list: number[] = [];
    for (let i = 0; i < these.length; i++) {
      const v = these[i]!;
      for (let k = seenStart[v]!; k < seenStart[v + 1]!; k++) {
        const w = seenBy[k]!;
        if (marked[w] === 1) continue;
        marked[w] = 1;
        list.push(w);
      }
    }
    const seers = Int32Array.from(list);
    for (let i = 0; i < seers.length; i++) marked[seers[i]!] = 0;
    return seers;
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
