import { operation, service } from '../ib/opcode.ts';
import { type IbPacket, padFor } from '../ib/packet.ts';
import type { RcConfig } from './config.ts';
import type { ReadWork, SendWork, Work, WriteWork } from './work.ts';

type Extra = Omit<IbPacket, 'bth' | 'payload' | 'pad'>;

interface Base {
  readonly opcode: number;
  readonly psn: number;
  readonly ackRequest?: boolean;
  readonly solicited?: boolean;
  readonly payload?: Uint8Array;
}

/** A packet from this end to its peer. */
export function packetTo(config: RcConfig, base: Base, extra: Extra = {}): IbPacket {
  const payload = base.payload ?? new Uint8Array(0);
  return {
    bth: {
      opcode: base.opcode,
      solicited: base.solicited ?? false,
      migrationRequest: config.migrated ?? false,
      version: 0,
      partitionKey: config.partitionKey,
      fecn: false,
      becn: false,
      reserved6: 0,
      destinationQp: config.peer?.queuePair ?? 0,
      ackRequest: base.ackRequest ?? false,
      reserved7: 0,
      psn: base.psn,
    },
    ...extra,
    payload,
    pad: padFor(payload),
  };
}

/** First, middle, last or only: the opcode of packet `k` of `n` (IBTA vol. 1, 9.2). */
export function dataOpcode(work: SendWork | WriteWork, k: number, n: number): number {
  const last = k === n - 1;
  const first = k === 0;
  if (work.kind === 'write') {
    if (!last) return first ? operation.writeFirst : operation.writeMiddle;
    if (work.immediate !== undefined) return first ? operation.writeOnlyImmediate : operation.writeLastImmediate;
    return first ? operation.writeOnly : operation.writeLast;
  }
  if (!last) return first ? operation.sendFirst : operation.sendMiddle;
  if (work.immediate !== undefined) return first ? operation.sendOnlyImmediate : operation.sendLastImmediate;
  if (work.invalidate !== undefined) return first ? operation.sendOnlyInvalidate : operation.sendLastInvalidate;
  return first ? operation.sendOnly : operation.sendLast;
}

/** Packet `k` of the `n` of a SEND or WRITE, on a reliable or unreliable connection. */
export function dataPacket(
  config: RcConfig,
  work: SendWork | WriteWork,
  part: { readonly k: number; readonly n: number; readonly psn: number; readonly ackRequest: boolean },
  payload: Uint8Array,
  kind: number = service.rc,
): IbPacket {
  const { k, n, psn, ackRequest } = part;
  const last = k === n - 1;
  const reth = { address: 0n, key: 0, length: work.local.length };
  const extra: Extra = {
    ...(work.kind === 'write' && k === 0
      ? { reth: { ...reth, address: work.remoteAddress, key: work.remoteKey } }
      : {}),
    ...(last && work.immediate !== undefined ? { immediate: work.immediate } : {}),
    ...(last && work.kind === 'send' && work.immediate === undefined && work.invalidate !== undefined
      ? { invalidate: work.invalidate }
      : {}),
  };
  const opcode = kind | dataOpcode(work, k, n);
  const solicited = last && work.solicited === true;
  return packetTo(config, { opcode, psn, ackRequest, solicited, payload }, extra);
}

/** A READ request for what is missing from packet `k` on: a READ cut short is asked for from there (9.7.5). */
export function readRequest(config: RcConfig, work: ReadWork, k: number, psn: number): IbPacket {
  const skipped = k * config.mtu;
  const reth = {
    address: work.remoteAddress + BigInt(skipped),
    key: work.remoteKey,
    length: work.local.length - skipped,
  };
  return packetTo(config, { opcode: operation.readRequest, psn, ackRequest: true }, { reth });
}

export function atomicRequest(
  config: RcConfig,
  work: Extract<Work, { kind: 'compare-swap' | 'fetch-add' }>,
  psn: number,
): IbPacket {
  const place = { address: work.remoteAddress, key: work.remoteKey };
  const swaps = work.kind === 'compare-swap';
  const atomicEth = swaps
    ? { ...place, swap: work.swap, compare: work.compare }
    : { ...place, swap: work.add, compare: 0n };
  const opcode = swaps ? operation.compareSwap : operation.fetchAdd;
  return packetTo(config, { opcode, psn, ackRequest: true }, { atomicEth });
}
