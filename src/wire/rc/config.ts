/** The other end, as communication management tells it (IBTA vol. 1, 12.6). */
export interface RcPeer {
  readonly queuePair: number;
  /** The first PSN that it sends. */
  readonly startingPsn: number;
}

export interface RcConfig {
  readonly queuePair: number;
  /** Absent while the queue pair is not connected. */
  readonly peer?: RcPeer;
  readonly partitionKey: number;
  /** Path MTU: bytes of payload in a packet, 256 to 4,096. */
  readonly mtu: number;
  /** The first PSN that this end sends. */
  readonly startingPsn: number;
  /** Times to go back for a missing or refused packet before giving up; 0 to 7. */
  readonly retryCount: number;
  /** Times to come back to a receiver that is not ready; 7 for ever. */
  readonly rnrRetry: number;
  /** Code of the local ACK timeout: 4.096 µs · 2^code, 0 for ever. */
  readonly ackTimeout: number;
  /** Code of the wait that this end asks for when it is not ready. */
  readonly rnrTimer: number;
  /** READs and atomic operations that this end may have under way. */
  readonly initiatorDepth: number;
  /** And that it serves at once. */
  readonly responderResources: number;
  /** Packets sent ahead of the oldest one not acknowledged; below 2²³. */
  readonly window: number;
  /** Ask for an acknowledgment every so many packets inside a message as well; 0 only at its end. */
  readonly ackEvery?: number;
  /** Tell in every acknowledgment how many receives are posted (9.7.7.2); else requests may come without end. */
  readonly countsCredits?: boolean;
  /** The peer does so: begin as if it had told of none. */
  readonly peerCountsCredits?: boolean;
  /** Let a new acknowledgment replace one that has not left yet (9.7.5). */
  readonly coalesce?: boolean;
  /**
   * What a second NAK does while a retry is under way: `restart` goes back again, as 9.7.5 reads; `ignore` waits
   * for an acknowledgment or the timeout, as Linux's soft-RoCE does.
   */
  readonly nakDuringRetry?: 'restart' | 'ignore';
  /** The MigReq bit, which adapters set and soft-RoCE does not. */
  readonly migrated?: boolean;
}

/** Sound values for two ends that know each other's queue pair and PSN; soft-RoCE's defaults where it has some. */
export const rcDefaults = {
  partitionKey: 0xffff,
  mtu: 1024,
  retryCount: 7,
  rnrRetry: 7,
  ackTimeout: 14,
  rnrTimer: 12,
  initiatorDepth: 16,
  responderResources: 16,
  window: 1024,
} as const;
