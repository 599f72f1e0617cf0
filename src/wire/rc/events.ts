import type { IbPacket } from '../ib/packet.ts';
import type { Completion, ReceiveWork, Work } from './work.ts';

/** Which clock rings: the one for missing answers, or the one that a receiver that is not ready asked for. */
export type Timer = 'retry' | 'rnr';

/** What can happen to a queue pair. Packets leave only on `poll`, one at a time, so that its owner sets the pace. */
export type RcEvent =
  | { readonly kind: 'post'; readonly work: Work }
  | { readonly kind: 'post-receive'; readonly work: ReceiveWork }
  | { readonly kind: 'packet'; readonly packet: IbPacket }
  | { readonly kind: 'timer'; readonly timer: Timer }
  /** The owner brings a send queue back from its error (unreliable connections only). */
  | { readonly kind: 'resume' }
  | { readonly kind: 'poll' };

/** Why a packet was passed over without an answer. */
export type Dropped =
  | 'unconnected'
  | 'failed'
  | 'wrong-queue-pair'
  | 'wrong-partition'
  | 'wrong-service'
  | 'wrong-key'
  | 'no-receive'
  | 'out-of-sequence'
  | 'duplicate'
  | 'unexpected';

/** Why the requester went back. */
export type RetryCause = 'timeout' | 'sequence-error' | 'missing-response' | 'receiver-not-ready';

export type RcEffect =
  | { readonly kind: 'packet'; readonly packet: IbPacket }
  | { readonly kind: 'completion'; readonly completion: Completion }
  /** Seconds on the clock of the events; undefined stops the timer. */
  | { readonly kind: 'timer'; readonly timer: Timer; readonly at: number | undefined }
  | { readonly kind: 'retry'; readonly cause: RetryCause; readonly psn: number }
  | { readonly kind: 'dropped'; readonly why: Dropped; readonly psn: number };

export type Emit = (effect: RcEffect) => undefined;
