/**
 * Moves real bytes while a schedule runs. `copy` is called once for every iteration of every operation that has an amount, at
 * the simulated moment when its bytes have been sent, in the order of those moments: what an iteration waited for has been
 * copied before it.
 */
export interface Mover {
  copy(operation: number, iteration: number): void;
}

/** Is told what happens while a schedule runs; all times in seconds. Used by traces. */
export interface Observer {
  /** An iteration took its slots at `from`, its bytes flowed from `flow` to `to`, and it was delivered at `delivered`. */
  onRan(operation: number, iteration: number, from: number, flow: number, to: number, delivered: number): void;
  /** An iteration was ready at `from` and got the slot of the engine that kept it waiting at `to`. */
  onWaited(operation: number, iteration: number, engine: number, from: number, to: number): void;
  /** From `from` to `to` the iteration flowed at `rate` bytes per second, held there by a resource. */
  onHeld(operation: number, iteration: number, resource: number, rate: number, from: number, to: number): void;
}
