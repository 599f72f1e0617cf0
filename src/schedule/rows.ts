import { doubled, roomier } from './growable.ts';
import type { Operations } from './schedule.ts';

type Columns = Pick<
  Operations,
  'label' | 'amount' | 'last' | 'repeat' | 'before' | 'after' | 'copies' | 'pathStart' | 'holdStart' | 'waitStart'
>;

/**
 * What a schedule under construction says of each operation. The columns grow together, so that one more operation is one look at
 * the room left and one store a column: a collective of thousands of GPUs has hundreds of thousands.
 */
export class OperationRows {
  count = 0;
  private label: Int32Array<ArrayBuffer>;
  private amount: Float64Array<ArrayBuffer>;
  private last: Float64Array<ArrayBuffer>;
  private repeat: Int32Array<ArrayBuffer>;
  private before: Float64Array<ArrayBuffer>;
  private after: Float64Array<ArrayBuffer>;
  private copies: Uint8Array<ArrayBuffer>;
  private pathStart: Int32Array<ArrayBuffer>;
  private holdStart: Int32Array<ArrayBuffer>;
  private waitStart: Int32Array<ArrayBuffer>;

  constructor(private room: number) {
    this.label = new Int32Array(room);
    this.amount = new Float64Array(room);
    this.last = new Float64Array(room);
    this.repeat = new Int32Array(room);
    this.before = new Float64Array(room);
    this.after = new Float64Array(room);
    this.copies = new Uint8Array(room);
    this.pathStart = new Int32Array(room);
    this.holdStart = new Int32Array(room);
    this.waitStart = new Int32Array(room);
  }

  add(
    label: number,
    amount: number,
    last: number,
    repeat: number,
    before: number,
    after: number,
    copies: number,
    pathStart: number,
    holdStart: number,
    waitStart: number,
  ): number {
    if (this.count === this.room) this.grow();
    const o = this.count++;
    this.label[o] = label;
    this.amount[o] = amount;
    this.last[o] = last;
    this.repeat[o] = repeat;
    this.before[o] = before;
    this.after[o] = after;
    this.copies[o] = copies;
    this.pathStart[o] = pathStart;
    this.holdStart[o] = holdStart;
    this.waitStart[o] = waitStart;
    return o;
  }

  labelOf(operation: number): number {
    return this.label[operation]!;
  }

  /** First entry of the path of the operation added last. */
  get path(): number {
    return this.pathStart[this.count - 1]!;
  }

  /** The columns as they are, not copied; each list's starts are followed by its end. */
  done(pathEnd: number, holdEnd: number, waitEnd: number): Columns {
    const { count } = this;
    const starts = (of: Int32Array, end: number): Int32Array => {
      const made = new Int32Array(count + 1);
      made.set(of.subarray(0, count));
      made[count] = end;
      return made;
    };
    return {
      label: this.label.subarray(0, count),
      amount: this.amount.subarray(0, count),
      last: this.last.subarray(0, count),
      repeat: this.repeat.subarray(0, count),
      before: this.before.subarray(0, count),
      after: this.after.subarray(0, count),
      copies: this.copies.subarray(0, count),
      pathStart: starts(this.pathStart, pathEnd),
      holdStart: starts(this.holdStart, holdEnd),
      waitStart: starts(this.waitStart, waitEnd),
    };
  }

  private grow(): void {
    this.room = 2 * this.room + 1;
    const ints = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => roomier(old, new Int32Array(this.room));
    const floats = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> =>
      roomier(old, new Float64Array(this.room));
    this.label = ints(this.label);
    this.amount = floats(this.amount);
    this.last = floats(this.last);
    this.repeat = ints(this.repeat);
    this.before = floats(this.before);
    this.after = floats(this.after);
    this.copies = roomier(this.copies, new Uint8Array(this.room));
    this.pathStart = ints(this.pathStart);
    this.holdStart = ints(this.holdStart);
    this.waitStart = ints(this.waitStart);
  }
}

/** The waits of a schedule under construction, likewise. */
export class WaitRows {
  count = 0;
  private on = new Int32Array(64);
  private lag = new Int32Array(64);
  private kind = new Uint8Array(64);

  add(on: number, lag: number, kind: number): void {
    if (this.count === this.on.length) this.grow();
    const k = this.count++;
    this.on[k] = on;
    this.lag[k] = lag;
    this.kind[k] = kind;
  }

  done(): Pick<Operations, 'waitOn' | 'waitLag' | 'waitKind'> {
    const { count } = this;
    return {
      waitOn: this.on.subarray(0, count),
      waitLag: this.lag.subarray(0, count),
      waitKind: this.kind.subarray(0, count),
    };
  }

  private grow(): void {
    this.on = doubled(this.on);
    this.lag = doubled(this.lag);
    this.kind = roomier(this.kind, new Uint8Array(2 * this.count));
  }
}
