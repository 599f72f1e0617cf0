import type { Bytes, Seconds } from '../base/units.ts';

/** What moving bytes costs a CPU core, in CPU seconds. */
export interface CoreCost {
  /** Per payload byte: copying, checksums. */
  readonly perByte?: Seconds;
  /** Per packet: interrupts, protocol work. */
  readonly perPacket?: Seconds;
  /** Per iteration: a system call, a doorbell, a completion. */
  readonly perOperation?: Seconds;
}

/**
 * CPU seconds per payload byte of an iteration of `amount` bytes in packets of `packet` bytes: the factor with which an
 * operation crosses a core. Packets count whole, so the last one costs as much as the others.
 */
export function coreFactor({ perByte, perPacket, perOperation }: CoreCost, amount: Bytes, packet?: Bytes): number {
  if (amount <= 0) return perByte ?? 0;
  const packets = packet === undefined ? 0 : Math.ceil(amount / packet);
  return (perByte ?? 0) + ((perPacket ?? 0) * packets + (perOperation ?? 0)) / amount;
}
