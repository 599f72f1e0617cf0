import type { BytesPerSecond } from '../../base/units.ts';
import type { ProtocolName } from '../kinds.ts';
import type { Program } from '../program.ts';

/** What one message costs on one connection. */
export interface Hop {
  /** Links crossed, by their number in `Costs.links`. */
  readonly links: readonly number[];
  /** Bytes that each byte on the wire costs these links: what their way wastes; 1 when left out. */
  readonly weight?: number;
  /** µs for which the sending block is held by each message, besides moving its bytes. */
  readonly blockUs: number;
  /** µs from the last byte sent until the receiver can go on. */
  readonly latencyUs: number;
  /**
   * Present: a proxy carries the message over the links while the block goes on, and takes so many µs for each. The block then
   * only fills the buffer.
   */
  readonly proxyUs?: number;
  /** What the threads at both ends can pass on, as links: crossed while the block sends. */
  readonly blockLinks?: readonly number[];
}

export interface Link {
  readonly name: string;
  readonly rate: BytesPerSecond;
}

/** Everything that decides how long a program takes: plain data. */
export interface Costs {
  readonly links: readonly Link[];
  /** By connection of the program; connections of equal cost may share one. */
  readonly hops: readonly Hop[];
  /** Bytes on the wire for each byte of payload: flags, padding. */
  readonly wireFactor: number;
  /** µs before the first step (launch) and after the last one (completion). */
  readonly startUs: number;
  readonly finishUs: number;
  /**
   * Channels that share a wire are out of step, so that it is never idle: a turn of a worker's own data begins while the one before still
   * comes in, as long as there are slots.
   */
  readonly outOfStep?: boolean;
}

/**
 * Wire bytes for each payload byte: LL pairs 4 bytes of data with 4 of flag, LL128 gives 8 of 128 bytes to the flag, Simple has
 * none (src/device/prims_ll.h, prims_ll128.h).
 */
export const wireFactors: Readonly<Record<ProtocolName, number>> = { LL: 2, LL128: 128 / 120, Simple: 1 };

/** Costs of a program whose hops are told by their ends; `hopOf` may return one and the same object for many. */
export function costsOf(
  program: Program,
  links: readonly Link[],
  hopOf: (from: number, to: number, channel: number, connection: number) => Hop,
  times: { readonly startUs?: number; readonly finishUs?: number; readonly outOfStep?: boolean } = {},
): Costs {
  const { count, from, to, channel } = program.connections;
  const hops: Hop[] = [];
  for (let c = 0; c < count; c++) hops.push(hopOf(from[c]!, to[c]!, channel[c]!, c));
  return {
    links,
    hops,
    wireFactor: wireFactors[program.task.protocol],
    startUs: times.startUs ?? 0,
    finishUs: times.finishUs ?? 0,
    ...(times.outOfStep ? { outOfStep: true } : {}),
  };
}
