import { type Program, sliceOf } from '../program.ts';
import { ALL, NONE, type Place, type Sink } from '../steps.ts';

/**
 * Slices that follow each other alike: all send over the same connections, and from slice `lead` on all receive over the same.
 * Message numbers count the slices over one connection.
 */
export interface Run {
  readonly from: number;
  readonly to: number;
  /** Slices at the beginning that receive nothing. */
  readonly lead: number;
  readonly slices: number;
  /** Elements of a slice, and of the last one. */
  readonly elements: number;
  readonly last: number;
  /** An empty slice after the first of its step, which costs nothing but its way. */
  readonly idle: boolean;
  /** Slices of a step here: one where the others would be empty. */
  readonly parts: number;
  /** Number of the first message received over each connection of `from`, and sent over each of `to`. */
  readonly firstIn: number;
  readonly firstOut: number;
}

/** What a worker does, as far as the clock is concerned: its runs in order. */
export interface Pace {
  readonly runs: readonly Run[];
  /** Runs that send over each connection of the worker, in order; likewise those that receive. */
  readonly sending: readonly (readonly number[])[];
  readonly receiving: readonly (readonly number[])[];
}

type Growing = { -readonly [K in keyof Run]: Run[K] } & {
  total: number;
  closed: boolean;
  /** Elements of the largest step of its turn. */
  readonly most: number;
};

interface Manner {
  /** Every slice is a run of its own, and nothing is averaged. */
  readonly single: boolean;
  /** The worker serves its connections side by side, so that their order among each other means nothing. */
  readonly sideBySide: boolean;
}

/** From here on a step is nearer to a single slice than to slices of equal size. */
const nearlyAll = 3 / 4;

/** Gathers the steps of a worker into runs. */
class PaceTaker implements Sink {
  private readonly runs: Growing[] = [];
  private readonly open = new Map<number, Growing>();
  private readonly seenIn: number[];
  private readonly seenOut: number[];
  private fresh = true;
  /** Messages of a step in this turn. */
  private parts = 1;
  private most = 0;
  private mean: number | undefined;
  /** Slices still to come of a turn that begins again by sending its own data. */
  private again = 0;

  constructor(
    private readonly program: Pick<Program, 'slices' | 'leastSlice'>,
    ins: number,
    outs: number,
    private readonly manner: Manner,
  ) {
    this.seenIn = new Array<number>(ins).fill(0);
    this.seenOut = new Array<number>(outs).fill(0);
  }

  loop(most: number, mean?: number): void {
    this.fresh = true;
    this.most = most;
    this.mean = this.manner.single ? undefined : mean;
    // Where the first slice takes all there is, or nearly so, the small or empty ones after it pass unnoticed.
    const alone = sliceOf(this.program, most) >= most * nearlyAll;
    this.parts = this.manner.single || !alone ? this.program.slices : 1;
  }

  step(from: number, to: number, _s: Place, _sAt: number, _t: Place, _tAt: number, count: number): void {
    if (this.mean !== undefined) {
      for (let p = 0; p < this.parts; p++) this.slice(from, to, this.mean / this.parts, false);
      return;
    }
    const most = this.parts === 1 ? count : sliceOf(this.program, count);
    for (let s = 0; s < this.parts; s++) {
      const elements = Math.min(most, count - Math.min(count, s * most));
      this.slice(from, to, elements, s > 0 && elements === 0 && this.manner.single);
    }
  }

  private slice(from: number, to: number, elements: number, idle: boolean): void {
    const lane = this.manner.sideBySide ? (to === NONE ? from : to) : 0;
    const fresh = this.fresh || this.manner.sideBySide;
    if (fresh && this.repeats(from, to)) {
      this.again = this.runs.pop()!.slices;
      this.open.set(lane, this.runs[this.runs.length - 1]!);
    }
    const run = this.open.get(lane);
    if (run !== undefined && this.continues(run, from, to, elements, fresh)) {
      if (run.from === NONE && from !== NONE) {
        run.lead = run.slices;
        run.from = from;
        run.firstIn = seen(this.seenIn, from);
      }
      // A smaller last turn ends the run that it belongs to.
      if (fresh && elements < run.last) run.closed = true;
      run.slices++;
      run.total += elements;
      run.last = elements;
    } else {
      const firstIn = seen(this.seenIn, from);
      const firstOut = seen(this.seenOut, to);
      const made = {
        from,
        to,
        lead: 0,
        slices: 1,
        elements,
        last: elements,
        idle,
        parts: this.parts,
        firstIn,
        firstOut,
      };
      this.open.set(lane, { ...made, total: elements, closed: false, most: this.most });
      this.runs.push(this.open.get(lane)!);
    }
    this.fresh = false;
    note(this.seenIn, from);
    note(this.seenOut, to);
  }

  private continues(run: Growing, from: number, to: number, elements: number, fresh: boolean): boolean {
    if (this.manner.single || run.closed || run.to !== to || run.parts !== this.parts) return false;
    if (this.again > 0) {
      this.again--;
      return true;
    }
    // Turns that do the same are one run.
    if (fresh) {
      return run.from === from && run.lead === 0 && elements <= run.last && run.last === run.total / run.slices;
    }
    return run.from === from || (run.from === NONE && to !== NONE);
  }

  /**
   * A ring's turn sends its own data, passes on what comes, and ends by receiving as much as it sent first. The next turn does the
   * same, and what it sends at step k it sends after having received what came at step k − 1, as within the turn.
   */
  private repeats(from: number, to: number): boolean {
    const { manner, runs } = this;
    if (manner.single || manner.sideBySide || from !== NONE || to === NONE || runs.length < 2) return false;
    const end = runs[runs.length - 1]!;
    const main = runs[runs.length - 2]!;
    return (
      end.to === NONE &&
      end.from === main.from &&
      main.to === to &&
      main.lead > 0 &&
      end.slices === main.lead &&
      main.parts === this.parts &&
      main.most === this.most
    );
  }

  done(): Pace {
    for (const run of this.runs) {
      if (run.closed) run.elements = (run.total - run.last) / (run.slices - 1);
      else run.elements = run.last = run.total / run.slices;
    }
    const list = (ports: number, side: 'from' | 'to'): number[][] =>
      Array.from({ length: ports }, (_, p) =>
        this.runs.flatMap((run, i) => (run[side] === p || run[side] === ALL ? [i] : [])),
      );
    return { runs: this.runs, sending: list(this.seenOut.length, 'to'), receiving: list(this.seenIn.length, 'from') };
  }
}

/** All connections of a side have seen equally many when they are used together. */
const seen = (counts: readonly number[], port: number): number =>
  port === NONE ? 0 : (counts[port === ALL ? 0 : port] ?? 0);

function note(counts: number[], port: number): void {
  if (port === NONE) return;
  if (port !== ALL) counts[port]!++;
  else for (let p = 0; p < counts.length; p++) counts[p]!++;
}

/** The pace of every worker, told once for each kind, since workers of a kind keep the same; `single`: told for each, slice by slice. */
export function paces(program: Program, single = false): readonly Pace[] {
  const { workers } = program;
  const known: Pace[] = [];
  const all: Pace[] = [];
  for (let w = 0; w < workers.count; w++) {
    const kind = workers.kind[w]!;
    const found = single ? undefined : known[kind];
    if (found) {
      all.push(found);
      continue;
    }
    const ins = workers.inStart[w + 1]! - workers.inStart[w]!;
    const outs = workers.outStart[w + 1]! - workers.outStart[w]!;
    const taker = new PaceTaker(program, ins, outs, { single, sideBySide: workers.sideBySide[w] === 1 });
    program.tell(w, taker);
    known[kind] = taker.done();
    all.push(known[kind]);
  }
  return all;
}
