/** Where a step reads its own data or writes: nowhere, the user's input or output buffer, or scratch memory of the rank. */
export const Place = { None: 0, Input: 1, Output: 2, Scratch: 3 } as const;
export type Place = (typeof Place)[keyof typeof Place];

/** A step's connections: none, all the worker has on that side, or else the one of that number. */
export const NONE = -1;
export const ALL = -2;

/**
 * Takes the steps of one worker as they are told, in order. One step is one of NCCL's primitives (send, recv, recvReduceSend,
 * recvReduceCopySend, copySend …): what comes in from `from` and what is read from `source` is reduced to one value, which is
 * written to `target` and sent to `to`. Offsets and counts are elements; a step of 0 elements still passes an empty message.
 */
export interface Sink {
  /**
   * A turn of the outermost loop begins, in which no step has more than so many elements; where steps are unequal, and more so
   * for one worker than another, `mean` is their mean over all workers.
   */
  loop(most: number, mean?: number): void;
  step(from: number, to: number, source: Place, sourceAt: number, target: Place, targetAt: number, count: number): void;
}

/** All steps of a worker, in order, as typed arrays. */
export class Steps implements Sink {
  length = 0;
  from = new Int32Array(16);
  to = new Int32Array(16);
  source = new Uint8Array(16);
  sourceAt = new Float64Array(16);
  target = new Uint8Array(16);
  targetAt = new Float64Array(16);
  count = new Float64Array(16);

  loop(_most: number): void {}

  step(
    from: number,
    to: number,
    source: Place,
    sourceAt: number,
    target: Place,
    targetAt: number,
    count: number,
  ): void {
    if (this.length === this.from.length) this.grow();
    const i = this.length++;
    this.from[i] = from;
    this.to[i] = to;
    this.source[i] = source;
    this.sourceAt[i] = sourceAt;
    this.target[i] = target;
    this.targetAt[i] = targetAt;
    this.count[i] = count;
  }

  /** The same steps but one: what the check of a program must notice. */
  without(step: number): Steps {
    const out = new Steps();
    for (let i = 0; i < this.length; i++) if (i !== step) out.copyOf(this, i);
    return out;
  }

  private copyOf(other: Steps, i: number): void {
    this.step(
      other.from[i]!,
      other.to[i]!,
      other.source[i]! as Place,
      other.sourceAt[i]!,
      other.target[i]! as Place,
      other.targetAt[i]!,
      other.count[i]!,
    );
  }

  private grow(): void {
    const size = this.from.length * 2;
    const larger = <T extends Int32Array | Uint8Array | Float64Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    this.from = larger(this.from, new Int32Array(size));
    this.to = larger(this.to, new Int32Array(size));
    this.source = larger(this.source, new Uint8Array(size));
    this.sourceAt = larger(this.sourceAt, new Float64Array(size));
    this.target = larger(this.target, new Uint8Array(size));
    this.targetAt = larger(this.targetAt, new Float64Array(size));
    this.count = larger(this.count, new Float64Array(size));
  }
}
