import type { Segment } from './memory.ts';

interface Common {
  /** Comes back in the completion. */
  readonly id: number;
  /** Where the bytes are, or where they go for a READ or an atomic operation. */
  readonly local: Segment;
  /** Waits for all READs and atomic operations posted before (IBTA vol. 1, 10.8). */
  readonly fence?: boolean;
}

interface Remote {
  readonly remoteAddress: bigint;
  readonly remoteKey: number;
}

export interface SendWork extends Common {
  readonly kind: 'send';
  readonly immediate?: number;
  /** A key of the peer's to withdraw; not together with `immediate`. */
  readonly invalidate?: number;
  /** Wakes the receiver. */
  readonly solicited?: boolean;
}

export interface WriteWork extends Common, Remote {
  readonly kind: 'write';
  readonly immediate?: number;
  readonly solicited?: boolean;
}

export interface ReadWork extends Common, Remote {
  readonly kind: 'read';
}

export interface CompareSwapWork extends Common, Remote {
  readonly kind: 'compare-swap';
  readonly compare: bigint;
  readonly swap: bigint;
}

export interface FetchAddWork extends Common, Remote {
  readonly kind: 'fetch-add';
  readonly add: bigint;
}

export type Work = SendWork | WriteWork | ReadWork | CompareSwapWork | FetchAddWork;

/** Room for one SEND, or the token that a WRITE with immediate takes. */
export interface ReceiveWork {
  readonly id: number;
  readonly local: Segment;
}

/** How a work request ended (IBTA vol. 1, 11.6.2). Words for people: `wire.status.*`. */
export type Status =
  | 'success'
  | 'unconnected'
  | 'flushed'
  | 'local-length-error'
  | 'local-protection-error'
  | 'local-operation-error'
  | 'bad-response'
  | 'remote-invalid-request'
  | 'remote-access-error'
  | 'remote-operational-error'
  | 'retry-exceeded'
  | 'rnr-retry-exceeded';

export interface Completion {
  readonly side: 'send' | 'receive';
  readonly id: number;
  readonly status: Status;
  /** Bytes received, or sent. */
  readonly length: number;
  readonly immediate?: number;
  readonly invalidated?: number;
}
