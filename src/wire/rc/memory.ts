/** What an access needs of a memory region (IBTA vol. 1, 10.6). */
export type Access = 'local-read' | 'local-write' | 'remote-read' | 'remote-write' | 'remote-atomic';

/** Why memory refuses. */
export type MemoryFault = 'unknown-key' | 'out-of-bounds' | 'not-permitted' | 'misaligned' | 'unreachable';

/**
 * Registered memory as a queue pair sees it: whoever owns the bytes implements this. `read`, `write` and the rest are
 * called only behind a `check` of the same span in the same step.
 */
export interface Memory {
  check(key: number, address: bigint, length: number, access: Access): MemoryFault | undefined;
  /** A copy that the caller may keep. */
  read(key: number, address: bigint, length: number): Uint8Array;
  write(key: number, address: bigint, bytes: Uint8Array): void;
  /** Withdraws a key on the peer's behalf (SEND with invalidate). */
  invalidate(key: number): MemoryFault | undefined;
}

/** A span of registered memory. Zero bytes need no valid key. */
export interface Segment {
  readonly key: number;
  readonly address: bigint;
  /** Bytes. */
  readonly length: number;
}
