import { big, flag, type Layout, layout, num, raw } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/**
 * The messages of communication management (IBTA vol. 1, 12.6), 232 bytes each, by which two queue pairs learn each
 * other's number and first PSN.
 */

/** A path of a REQ (12.6). */
export interface CmPath {
  readonly localLid: number;
  readonly remoteLid: number;
  readonly localGid: Uint8Array;
  readonly remoteGid: Uint8Array;
  readonly flowLabel: number;
  readonly reserved6: number;
  readonly packetRate: number;
  readonly trafficClass: number;
  readonly hopLimit: number;
  readonly serviceLevel: number;
  readonly subnetLocal: boolean;
  readonly reserved3: number;
  readonly localAckTimeout: number;
  readonly reserved3b: number;
}

export const cmPathLayout: Layout<CmPath> = layout<CmPath>(44, {
  localLid: num(0, 16),
  remoteLid: num(2, 16),
  localGid: raw(4, 16),
  remoteGid: raw(20, 16),
  flowLabel: num(36, 20),
  reserved6: num(38, 6, 4),
  packetRate: num(39, 6, 2),
  trafficClass: num(40, 8),
  hopLimit: num(41, 8),
  serviceLevel: num(42, 4),
  subnetLocal: flag(42, 4),
  reserved3: num(42, 3, 5),
  localAckTimeout: num(43, 5),
  reserved3b: num(43, 3, 5),
});

/** REQ: asks for a connection (12.6). The paths are `CmPath`s of 44 bytes. */
export interface CmRequest {
  readonly localId: number;
  readonly reserved4: number;
  readonly serviceId: bigint;
  readonly localGuid: bigint;
  readonly reserved24: number;
  readonly localQueueKey: number;
  readonly localQp: number;
  readonly responderResources: number;
  readonly localEec: number;
  readonly initiatorDepth: number;
  readonly remoteEec: number;
  readonly remoteResponseTimeout: number;
  readonly transportService: number;
  readonly endToEndFlow: boolean;
  readonly startingPsn: number;
  readonly localResponseTimeout: number;
  readonly retryCount: number;
  readonly partitionKey: number;
  /** 1 for 256 bytes, up to 5 for 4,096. */
  readonly pathMtu: number;
  readonly rdcExists: boolean;
  readonly rnrRetryCount: number;
  readonly maxCmRetries: number;
  readonly sharedReceiveQueue: boolean;
  readonly extendedTransport: number;
  readonly primaryPath: Uint8Array;
  readonly alternatePath: Uint8Array;
  readonly privateData: Uint8Array;
}

export const cmRequestLayout: Layout<CmRequest> = layout<CmRequest>(232, {
  localId: num(0, 32),
  reserved4: num(4, 32),
  serviceId: big(8),
  localGuid: big(16),
  reserved24: num(24, 32),
  localQueueKey: num(28, 32),
  localQp: num(32, 24),
  responderResources: num(35, 8),
  localEec: num(36, 24),
  initiatorDepth: num(39, 8),
  remoteEec: num(40, 24),
  remoteResponseTimeout: num(43, 5),
  transportService: num(43, 2, 5),
  endToEndFlow: flag(43, 7),
  startingPsn: num(44, 24),
  localResponseTimeout: num(47, 5),
  retryCount: num(47, 3, 5),
  partitionKey: num(48, 16),
  pathMtu: num(50, 4),
  rdcExists: flag(50, 4),
  rnrRetryCount: num(50, 3, 5),
  maxCmRetries: num(51, 4),
  sharedReceiveQueue: flag(51, 4),
  extendedTransport: num(51, 3, 5),
  primaryPath: raw(52, 44),
  alternatePath: raw(96, 44),
  privateData: raw(140, 92),
});

/** REP: grants it (12.6). */
export interface CmReply {
  readonly localId: number;
  readonly remoteId: number;
  readonly localQueueKey: number;
  readonly localQp: number;
  readonly reserved15: number;
  readonly localEec: number;
  readonly reserved19: number;
  readonly startingPsn: number;
  readonly reserved23: number;
  readonly responderResources: number;
  readonly initiatorDepth: number;
  readonly targetAckDelay: number;
  readonly failoverAccepted: number;
  readonly endToEndFlow: boolean;
  readonly rnrRetryCount: number;
  readonly sharedReceiveQueue: boolean;
  readonly reserved27: number;
  readonly localGuid: bigint;
  readonly privateData: Uint8Array;
}

export const cmReplyLayout: Layout<CmReply> = layout<CmReply>(232, {
  localId: num(0, 32),
  remoteId: num(4, 32),
  localQueueKey: num(8, 32),
  localQp: num(12, 24),
  reserved15: num(15, 8),
  localEec: num(16, 24),
  reserved19: num(19, 8),
  startingPsn: num(20, 24),
  reserved23: num(23, 8),
  responderResources: num(24, 8),
  initiatorDepth: num(25, 8),
  targetAckDelay: num(26, 5),
  failoverAccepted: num(26, 2, 5),
  endToEndFlow: flag(26, 7),
  rnrRetryCount: num(27, 3),
  sharedReceiveQueue: flag(27, 3),
  reserved27: num(27, 4, 4),
  localGuid: big(28),
  privateData: raw(36, 196),
});

/** RTU and DREP: both names of the connection and private data (12.6). */
export interface CmPair {
  readonly localId: number;
  readonly remoteId: number;
  readonly privateData: Uint8Array;
}

export const cmPairLayout: Layout<CmPair> = layout<CmPair>(232, {
  localId: num(0, 32),
  remoteId: num(4, 32),
  privateData: raw(8, 224),
});

/** REJ: refuses it (12.6). */
export interface CmReject {
  readonly localId: number;
  readonly remoteId: number;
  /** 0 REQ, 1 REP, 2 any other. */
  readonly messageRejected: number;
  readonly reserved6: number;
  readonly infoLength: number;
  readonly reserved1: number;
  /** 28 is the consumer's own refusal. */
  readonly reason: number;
  readonly info: Uint8Array;
  readonly privateData: Uint8Array;
}

export const cmRejectLayout: Layout<CmReject> = layout<CmReject>(232, {
  localId: num(0, 32),
  remoteId: num(4, 32),
  messageRejected: num(8, 2),
  reserved6: num(8, 6, 2),
  infoLength: num(9, 7),
  reserved1: num(9, 1, 7),
  reason: num(10, 16),
  info: raw(12, 72),
  privateData: raw(84, 148),
});

/** DREQ: ends it (12.6). */
export interface CmDisconnect {
  readonly localId: number;
  readonly remoteId: number;
  readonly remoteQp: number;
  readonly reserved11: number;
  readonly privateData: Uint8Array;
}

export const cmDisconnectLayout: Layout<CmDisconnect> = layout<CmDisconnect>(232, {
  localId: num(0, 32),
  remoteId: num(4, 32),
  remoteQp: num(8, 24),
  reserved11: num(11, 8),
  privateData: raw(12, 220),
});

/** MRA: asks for patience (12.6). */
export interface CmWait {
  readonly localId: number;
  readonly remoteId: number;
  readonly messageReceived: number;
  readonly reserved6: number;
  readonly serviceTimeout: number;
  readonly reserved3: number;
  readonly privateData: Uint8Array;
}

export const cmWaitLayout: Layout<CmWait> = layout<CmWait>(232, {
  localId: num(0, 32),
  remoteId: num(4, 32),
  messageReceived: num(8, 2),
  reserved6: num(8, 6, 2),
  serviceTimeout: num(9, 5),
  reserved3: num(9, 3, 5),
  privateData: raw(10, 222),
});

/** SIDR_REQ: asks for a datagram queue pair (12.11). */
export interface CmServiceRequest {
  readonly requestId: number;
  readonly partitionKey: number;
  readonly reserved6: number;
  readonly serviceId: bigint;
  readonly privateData: Uint8Array;
}

export const cmServiceRequestLayout: Layout<CmServiceRequest> = layout<CmServiceRequest>(232, {
  requestId: num(0, 32),
  partitionKey: num(4, 16),
  reserved6: num(6, 16),
  serviceId: big(8),
  privateData: raw(16, 216),
});

/** SIDR_REP: names it (12.11). */
export interface CmServiceReply {
  readonly requestId: number;
  readonly status: number;
  readonly infoLength: number;
  readonly reserved6: number;
  readonly queuePair: number;
  readonly reserved11: number;
  readonly serviceId: bigint;
  readonly queueKey: number;
  readonly info: Uint8Array;
  readonly privateData: Uint8Array;
}

export const cmServiceReplyLayout: Layout<CmServiceReply> = layout<CmServiceReply>(232, {
  requestId: num(0, 32),
  status: num(4, 8),
  infoLength: num(5, 8),
  reserved6: num(6, 16),
  queuePair: num(8, 24),
  reserved11: num(11, 8),
  serviceId: big(12),
  queueKey: num(20, 32),
  info: raw(24, 72),
  privateData: raw(96, 136),
});

interface CmLayouts {
  readonly request: Layout<CmRequest>;
  readonly wait: Layout<CmWait>;
  readonly reject: Layout<CmReject>;
  readonly reply: Layout<CmReply>;
  readonly ready: Layout<CmPair>;
  readonly disconnect: Layout<CmDisconnect>;
  readonly disconnected: Layout<CmPair>;
  readonly 'service-request': Layout<CmServiceRequest>;
  readonly 'service-reply': Layout<CmServiceReply>;
}

const layouts: CmLayouts = {
  request: cmRequestLayout,
  wait: cmWaitLayout,
  reject: cmRejectLayout,
  reply: cmReplyLayout,
  ready: cmPairLayout,
  disconnect: cmDisconnectLayout,
  disconnected: cmPairLayout,
  'service-request': cmServiceRequestLayout,
  'service-reply': cmServiceReplyLayout,
};

export type CmKind = keyof CmLayouts;
export type CmBody = {
  readonly [K in CmKind]: CmLayouts[K] extends Layout<infer T> ? { readonly kind: K; readonly message: T } : never;
}[CmKind];

const attributes: ReadonlyMap<number, CmKind> = new Map([
  [0x10, 'request'],
  [0x11, 'wait'],
  [0x12, 'reject'],
  [0x13, 'reply'],
  [0x14, 'ready'],
  [0x15, 'disconnect'],
  [0x16, 'disconnected'],
  [0x17, 'service-request'],
  [0x18, 'service-reply'],
]);

/** Which message an attribute of communication management is (16.7). */
export const cmMessage = (attributeId: number): CmKind | undefined => attributes.get(attributeId);

export function decodeCm(attributeId: number, b: Uint8Array, offset: number): Decoding<CmBody> {
  const kind = attributes.get(attributeId);
  if (kind === undefined) return refused('unknown-opcode');
  const read = layouts[kind].decode(b, offset);
  if (!read.ok) return read;
  // The table pairs each kind with its own layout, which the type of a union cannot follow.
  return decoded({ kind, message: read.value.value } as CmBody, read.value.next);
}

export function encodeCm(body: CmBody): Uint8Array {
  const chosen = layouts[body.kind] as Layout<typeof body.message>;
  return chosen.encode(body.message);
}
