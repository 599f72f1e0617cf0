import type { CmReply, CmRequest } from '../ib/cm.ts';
import { cmPathLayout } from '../ib/cm.ts';
import { type RcConfig, rcDefaults } from './config.ts';

/** What the two messages of communication management settle for both ends of a connection (IBTA vol. 1, 12.9). */
export interface AgreedConnection {
  /** The end that asked. */
  readonly active: RcConfig;
  /** The end that granted. */
  readonly passive: RcConfig;
}

/** Path MTU codes of a REQ: 1 for 256 bytes up to 5 for 4,096; others are reserved. */
export const mtuOfCode = (code: number): number | undefined => (code >= 1 && code <= 5 ? 128 << code : undefined);

/**
 * A REQ names the asking end's queue pair, and the PSN and retry counts with which the other shall send to it; the REP
 * answers in kind (12.6: a starting PSN is the one at which the receiver of the message begins). `undefined` when the REQ's path MTU is a reserved code.
 */
export function agreedConnection(request: CmRequest, reply: CmReply): AgreedConnection | undefined {
  const mtu = mtuOfCode(request.pathMtu);
  const path = cmPathLayout.decode(request.primaryPath);
  if (mtu === undefined || !path.ok) return undefined;
  const common = {
    ...rcDefaults,
    mtu,
    partitionKey: request.partitionKey,
    ackTimeout: path.value.value.localAckTimeout,
    retryCount: request.retryCount,
  };
  return {
    active: {
      ...common,
      queuePair: request.localQp,
      startingPsn: reply.startingPsn,
      peer: { queuePair: reply.localQp, startingPsn: request.startingPsn },
      rnrRetry: reply.rnrRetryCount,
      initiatorDepth: Math.max(1, reply.responderResources),
      responderResources: Math.max(1, reply.initiatorDepth),
      countsCredits: request.endToEndFlow,
      peerCountsCredits: reply.endToEndFlow,
    },
    passive: {
      ...common,
      queuePair: reply.localQp,
      startingPsn: request.startingPsn,
      peer: { queuePair: request.localQp, startingPsn: reply.startingPsn },
      rnrRetry: request.rnrRetryCount,
      initiatorDepth: Math.max(1, request.responderResources),
      responderResources: Math.max(1, request.initiatorDepth),
      countsCredits: reply.endToEndFlow,
      peerCountsCredits: request.endToEndFlow,
    },
  };
}
