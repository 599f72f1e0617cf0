import type { Observer } from './observer.ts';

/** From `from` to `to` (seconds) an iteration of an operation flowed at `rate` bytes per second, held there by a resource. */
export interface Held {
  readonly operation: number;
  readonly iteration: number;
  readonly resource: number;
  readonly rate: number;
  readonly from: number;
  readonly to: number;
}

/** From `from` to `to` (seconds) an iteration that was ready waited for a slot of an engine. */
export interface Waited {
  readonly operation: number;
  readonly iteration: number;
  readonly engine: number;
  readonly from: number;
  readonly to: number;
}

/** Who waited for what, up to a number of entries; what came later is only counted. */
export interface Limits {
  readonly held: readonly Held[];
  readonly waits: readonly Waited[];
  readonly leftOut: number;
}

/** Keeps limits while a schedule runs, and passes everything on to another observer. */
export class LimitKeeper implements Observer, Limits {
  readonly held: Held[] = [];
  readonly waits: Waited[] = [];
  leftOut = 0;

  constructor(
    private readonly most: number,
    private readonly follower?: Observer,
  ) {}

  onRan(operation: number, iteration: number, from: number, flow: number, to: number, delivered: number): void {
    this.follower?.onRan(operation, iteration, from, flow, to, delivered);
  }

  onWaited(operation: number, iteration: number, engine: number, from: number, to: number): void {
    if (this.room()) this.waits.push({ operation, iteration, engine, from, to });
    this.follower?.onWaited(operation, iteration, engine, from, to);
  }

  onHeld(operation: number, iteration: number, resource: number, rate: number, from: number, to: number): void {
    if (this.room()) this.held.push({ operation, iteration, resource, rate, from, to });
    this.follower?.onHeld(operation, iteration, resource, rate, from, to);
  }

  private room(): boolean {
    if (this.held.length + this.waits.length < this.most) return true;
    this.leftOut++;
    return false;
  }
}
