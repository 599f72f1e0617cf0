/**
 * What is to be done, as plain data: operations that repeat, the resources they share, and what waits for what. Nothing here
 * knows of time passing; `engine` runs it.
 *
 * One *operation* is one leg of the work, done `repeat` times in order: the chunks of a transfer, the steps of a ring. Each
 * iteration goes through the same stations:
 *
 *   waits for others → takes its engine slots → `before` passes → `amount` bytes flow → *sent*: slots are free, the next
 *   iteration may start → `after` passes → *delivered*: whoever waited for this iteration may start
 *
 * so latency does not keep the wire busy, and a pipeline of chunks is a handful of operations however many chunks it has.
 */
export interface Schedule {
  readonly resources: Resources;
  readonly engines: Engines;
  readonly operations: Operations;
}

/** What a resource counts: bytes on a link or in host memory, CPU seconds on a core, bytes worked through by a unit. */
export const resourceKinds = ['link', 'memory', 'core', 'unit'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** Things with a rate that operations share fairly. Each direction of a link is a resource of its own. */
export interface Resources {
  readonly count: number;
  readonly name: readonly string[];
  readonly kind: readonly ResourceKind[];
  /** Bytes per second; on a core CPU seconds per second, that is 1. */
  readonly rate: Float64Array;
  /** How many equal resources each one stands for: 1 unless the schedule was folded. */
  readonly times: Float64Array;
}

/** Things that only so many operations may hold at once: copy engines, DMA queues, buffers. First come, first served. */
export interface Engines {
  readonly count: number;
  readonly name: readonly string[];
  readonly slots: Int32Array;
  readonly times: Float64Array;
}

/** When a wait is over. `Whole` means every iteration of the other operation, else the one that matches. */
export const Wait = { Delivered: 0, Sent: 1, WholeDelivered: 2, WholeSent: 3 } as const;
export type Wait = (typeof Wait)[keyof typeof Wait];

export interface Operations {
  readonly count: number;
  /** Index into `labels`: what the operation is called in traces and faults. */
  readonly label: Int32Array;
  readonly labels: readonly string[];
  /** Payload bytes of one iteration, and of the last one. For work on a core: CPU seconds. */
  readonly amount: Float64Array;
  readonly last: Float64Array;
  /** Number of iterations, at least 1. */
  readonly repeat: Int32Array;
  /** Seconds before the bytes of an iteration flow: software, a doorbell, set-up. Slots are held. */
  readonly before: Float64Array;
  /** Seconds from sent to delivered: propagation, completion. Nothing is held. */
  readonly after: Float64Array;
  /** Copies of the payload that the operation makes: passes of a core or a copy engine over it; 0 for a wire. */
  readonly copies: Uint8Array;
  /** How many equal operations each one stands for. */
  readonly times: Float64Array;
  /** Operation o crosses `pathResource[k]` with `pathFactor[k]` units per payload byte, k from pathStart[o] to pathStart[o + 1] − 1. */
  readonly pathStart: Int32Array;
  readonly pathResource: Int32Array;
  readonly pathFactor: Float64Array;
  /** Engines of which an iteration holds a slot, likewise. */
  readonly holdStart: Int32Array;
  readonly holdEngine: Int32Array;
  /**
   * Waits, likewise: iteration i starts only when iteration i − `waitLag` of `waitOn` is through. A lag of 0 feeds the next
   * stage of a pipeline; a lag of n towards a later stage allows n chunks in between.
   */
  readonly waitStart: Int32Array;
  readonly waitOn: Int32Array;
  readonly waitLag: Int32Array;
  readonly waitKind: Uint8Array;
}

export const labelOf = (operations: Operations, operation: number): string =>
  operations.labels[operations.label[operation]!] ?? `#${operation}`;
