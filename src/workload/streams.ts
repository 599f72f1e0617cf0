/**
 * A GPU's two streams: kernels in order on one, collectives in order on the other. A collective that runs holds
 * multiprocessors and memory bandwidth, so that kernels beside it lose a share of its time. That it takes longer itself
 * is in this share; its end is not moved.
 */
export class Streams {
  /** When the last kernel and the last collective end. */
  kernelsEnd = 0;
  collectivesEnd = 0;
  /** What collectives took from kernels, how long kernels waited for their data, and how long collectives ran in all. */
  slowed = 0;
  waited = 0;
  communication = 0;
  private readonly busy: { readonly from: number; readonly to: number }[] = [];
  private passed = 0;

  /** @param taken Of a collective's time, what kernels beside it lose. */
  constructor(private readonly taken: number) {}

  /** A collective that starts when its data is ready and those before it are through. */
  collective(ready: number, duration: number): number {
    const from = Math.max(this.collectivesEnd, ready);
    this.collectivesEnd = from + duration;
    this.communication += duration;
    this.busy.push({ from, to: this.collectivesEnd });
    return this.collectivesEnd;
  }

  /** A kernel beside the collectives that are known by now; none that is told later may start before it ends. */
  kernel(ready: number, work: number): number {
    let now = Math.max(this.kernelsEnd, ready);
    this.waited += now - this.kernelsEnd;
    let left = work;
    for (let next = this.busy[this.passed]; left > 0 && next; next = this.busy[this.passed]) {
      const alone = Math.max(0, next.from - now);
      if (left <= alone) break;
      left -= alone;
      now += alone;
      const beside = Math.max(0, next.to - now);
      const done = Math.min(left, beside * (1 - this.taken));
      const took = this.taken < 1 && done === left ? done / (1 - this.taken) : beside;
      left -= done;
      now += took;
      this.slowed += took - done;
      if (now >= next.to) this.passed++;
    }
    this.kernelsEnd = now + left;
    return this.kernelsEnd;
  }
}
