/** One of the things that happen to every round. */
export interface Stage {
  /** The stage that it follows, by number, and µs from the end of that until it can begin; −1 for one that nothing comes before. */
  readonly from: number;
  readonly delay: number;
  /** µs that a round takes of it at least, and for how long it keeps each wire busy. */
  readonly least: number;
  readonly load: readonly number[];
}

/** So many rounds, or two for each stage, are followed one by one; by then each takes as long as the one before. */
const followed = 12;

/** Parts of a last round that are worked out; between them times go straight. */
const parts = 8;

/** Rounds that follow each other through stages. */
export class Rounds {
  private readonly ends: number[] = [0];
  private readonly most: number;
  private readonly each: number;

  constructor(private readonly stages: readonly Stage[]) {
    this.most = Math.max(followed, 2 * stages.length);
    let each = 0;
    for (let w = 0; w < wiresOf(stages); w++)
      each = Math.max(
        each,
        stages.reduce((busy, { load }) => busy + load[w]!, 0),
      );
    for (const { least } of stages) each = Math.max(each, least);
    this.each = each;
  }

  /** When so many are through all stages, µs; the last one may be a part of one. */
  end(count: number): number {
    const further = Math.max(0, Math.ceil(count - 1e-9) - this.most);
    const at = (count - further) * parts;
    const below = Math.floor(at + 1e-6);
    const end = this.endOf(below);
    const rest = at - below;
    return further * this.each + (rest < 1e-6 ? end : end + rest * (this.endOf(below + 1) - end));
  }

  private endOf(count: number): number {
    this.ends[count] ??= throughStages(this.stages, count / parts);
    return this.ends[count];
  }
}

/**
 * When the last of `count` rounds, which may be a part of one, is through all stages, µs. Stages at work on one wire go on equally fast,
 * whatever a round costs them: a small one beside a large one takes as long as that, and so later stages fall behind while the first
 * still has rounds to begin.
 */
export function throughStages(stages: readonly Stage[], count: number): number {
  const rounds = Math.ceil(count - 1e-9);
  return new Followed(stages, rounds, count - (rounds - 1)).end();
}

const wiresOf = (stages: readonly Stage[]): number => stages[0]?.load.length ?? 0;

/** Ends so close together, of the time passed, are one. */
const INSTANT = 1e-12;

/** Stages by number in flat arrays: closed forms are asked thousands of times. */
class Followed {
  private readonly count: number;
  private readonly wires: number;
  private readonly done: Int32Array;
  /** Of the round at hand what is left, and how much of it a µs takes away. */
  private readonly left: Float64Array;
  private readonly speed: Float64Array;
  /** When a stage at work would be through with its round. */
  private readonly ends: Float64Array;
  /** When each round can begin each stage, as far as that is known. */
  private readonly begins: Float64Array;
  /** Stages at work, and those whose speed is not found yet. */
  private readonly active: Int32Array;
  private readonly open: Int32Array;
  private now = 0;

  constructor(
    private readonly stages: readonly Stage[],
    private readonly rounds: number,
    private readonly last: number,
  ) {
    const n = stages.length;
    this.count = n;
    this.wires = wiresOf(stages);
    this.done = new Int32Array(n);
    this.left = new Float64Array(n).fill(rounds === 1 ? last : 1);
    this.speed = new Float64Array(n);
    this.ends = new Float64Array(n);
    this.begins = new Float64Array(n * (rounds + 1)).fill(Number.POSITIVE_INFINITY);
    this.active = new Int32Array(n);
    this.open = new Int32Array(n);
    for (let i = 0; i < n; i++)
      if (stages[i]!.from < 0) this.begins.fill(0, i * (rounds + 1), i * (rounds + 1) + rounds);
  }

  end(): number {
    const { count, rounds, done, left, speed, ends, begins, active } = this;
    for (;;) {
      let next = Number.POSITIVE_INFINITY;
      let at = 0;
      for (let i = 0; i < count; i++) {
        const begin = begins[i * (rounds + 1) + done[i]!]!;
        if (begin <= this.now) active[at++] = i;
        else if (begin < next) next = begin;
      }
      this.share(at);
      for (let k = 0; k < at; k++) {
        const i = active[k]!;
        ends[i] = this.now + left[i]! / speed[i]!;
        if (ends[i]! < next) next = ends[i]!;
      }
      if (next === Number.POSITIVE_INFINITY) return this.now;
      for (let k = 0; k < at; k++) {
        const i = active[k]!;
        // What is left of a very short one is less than the clock tells.
        if (ends[i]! <= next * (1 + INSTANT)) this.finish(i, next);
        else left[i]! -= speed[i]! * (next - this.now);
      }
      this.now = next;
    }
  }

  private finish(stage: number, at: number): void {
    const { stages, count, rounds, done, begins } = this;
    const round = done[stage]!++;
    this.left[stage] = round + 1 === rounds - 1 ? this.last : 1;
    for (let i = stage + 1; i < count; i++) {
      if (stages[i]!.from === stage) begins[i * (rounds + 1) + round] = at + stages[i]!.delay;
    }
  }

  /** How fast each stage at work goes on: all equally fast, until its own limit or a full wire holds one. */
  private share(working: number): void {
    const { stages, wires, speed, active, open } = this;
    let left = working;
    for (let k = 0; k < working; k++) {
      open[k] = active[k]!;
      speed[active[k]!] = 0;
    }
    while (left > 0) {
      let most = Number.POSITIVE_INFINITY;
      let full = -1;
      for (let w = 0; w < wires; w++) {
        let all = 0;
        for (let k = 0; k < left; k++) all += stages[open[k]!]!.load[w]!;
        if (all === 0) continue;
        let free = 1;
        for (let k = 0; k < working; k++) free -= stages[active[k]!]!.load[w]! * speed[active[k]!]!;
        if (free >= most * all) continue;
        most = free / all;
        full = w;
      }
      let kept = 0;
      for (let k = 0; k < left; k++) {
        const i = open[k]!;
        const { least } = stages[i]!;
        // What no wire holds is as fast as it can be, at once if it takes no time.
        if (full < 0 || least * most >= 1) speed[i] = 1 / least;
        else open[kept++] = i;
      }
      if (kept === left) {
        kept = 0;
        for (let k = 0; k < left; k++) {
          const i = open[k]!;
          if (stages[i]!.load[full]! > 0) speed[i] = most;
          else open[kept++] = i;
        }
      }
      left = kept;
    }
  }
}
