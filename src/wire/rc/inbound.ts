import { operation as op, operationOf } from '../ib/opcode.ts';
import type { IbPacket } from '../ib/packet.ts';
import type { RcConfig } from './config.ts';
import type { Emit } from './events.ts';
import type { Memory, MemoryFault } from './memory.ts';
import type { Completion, ReceiveWork, Status } from './work.ts';

/**
 * SENDs and WRITEs as they arrive packet by packet, in order, on a reliable or unreliable connection: where their
 * bytes go, and what the receiver is told at their end (IBTA vol. 1, 9.7.4, 9.8).
 */
export interface Inbound {
  post(work: ReceiveWork): void;
  /** What became of a packet; a refusal is the NAK that it earns. */
  take(packet: IbPacket): Outcome;
  /** Receives that a message may still take, the one under way included. */
  readonly posted: number;
  /** Whether a message is under way. */
  readonly open: boolean;
  /** Gives up a message that lost a packet; its receive is there for the next one (unreliable connections only). */
  abandon(): void;
  flush(): void;
}

export type Outcome =
  | 'more'
  | 'complete'
  | 'not-ready'
  | 'invalid-request'
  | 'remote-access-error'
  | 'remote-operational-error';

interface Place {
  readonly kind: 'send' | 'write';
  readonly key: number;
  readonly address: bigint;
  readonly length: number;
  received: number;
}

const sends = new Set<number>([
  op.sendFirst,
  op.sendMiddle,
  op.sendLast,
  op.sendLastImmediate,
  op.sendOnly,
  op.sendOnlyImmediate,
  op.sendLastInvalidate,
  op.sendOnlyInvalidate,
]);
const begins = new Set<number>([
  op.sendFirst,
  op.sendOnly,
  op.sendOnlyImmediate,
  op.sendOnlyInvalidate,
  op.writeFirst,
  op.writeOnly,
  op.writeOnlyImmediate,
]);
const goesOn = new Set<number>([op.sendFirst, op.sendMiddle, op.writeFirst, op.writeMiddle]);
const known = new Set<number>([
  ...sends,
  op.writeFirst,
  op.writeMiddle,
  op.writeLast,
  op.writeLastImmediate,
  op.writeOnly,
  op.writeOnlyImmediate,
]);

export interface InboundPort {
  readonly config: Pick<RcConfig, 'mtu'>;
  readonly memory: Memory;
  readonly emit: Emit;
}

/** Memory that does not answer is the responder's own trouble, no fault of the request (9.9.3). */
const refusal = (fault: MemoryFault): Outcome =>
  fault === 'unreachable' ? 'remote-operational-error' : 'remote-access-error';

export function inbound({ config, memory, emit }: InboundPort): Inbound {
  const receives: ReceiveWork[] = [];
  let current: Place | undefined;

  const complete = (work: ReceiveWork, status: Status, length: number, packet?: IbPacket): undefined => {
    const completion: Completion = {
      side: 'receive',
      id: work.id,
      status,
      length,
      ...(packet?.immediate === undefined ? {} : { immediate: packet.immediate }),
      ...(packet?.invalidate === undefined ? {} : { invalidated: packet.invalidate }),
    };
    emit({ kind: 'completion', completion });
  };
  /** The first packet of a message says where it goes. */
  const open = (packet: IbPacket, kind: Place['kind']): Place | Outcome => {
    const [receive] = receives;
    if (kind === 'send') {
      if (receive === undefined) return 'not-ready';
      return { kind, ...receive.local, received: 0 };
    }
    const { key, address, length } = packet.reth ?? { key: 0, address: 0n, length: 0 };
    const fault = length > 0 ? memory.check(key, address, length, 'remote-write') : undefined;
    return fault ? refusal(fault) : { kind, key, address, length, received: 0 };
  };
  const store = (place: Place, payload: Uint8Array): Outcome | undefined => {
    if (place.received + payload.length > place.length) {
      const [receive] = place.kind === 'send' ? receives : [];
      if (receive !== undefined) complete(receives.shift()!, 'local-length-error', place.received);
      return 'invalid-request';
    }
    if (payload.length === 0) return undefined;
    const at = place.address + BigInt(place.received);
    const access = place.kind === 'send' ? 'local-write' : 'remote-write';
    const fault = memory.check(place.key, at, payload.length, access);
    if (fault !== undefined) {
      if (place.kind === 'write') return refusal(fault);
      complete(receives.shift()!, 'local-protection-error', place.received);
      return 'remote-operational-error';
    }
    memory.write(place.key, at, payload);
    place.received += payload.length;
    return undefined;
  };
  const sizeFits = (payload: number, more: boolean, only: boolean): boolean =>
    more ? payload === config.mtu : payload <= config.mtu && (only || payload > 0);

  const finish = (place: Place, packet: IbPacket): Outcome => {
    if (place.kind === 'write' && place.received !== place.length) return 'invalid-request';
    if (packet.invalidate !== undefined && memory.invalidate(packet.invalidate) !== undefined) {
      return 'remote-access-error';
    }
    if (place.kind === 'send' || packet.immediate !== undefined) {
      complete(receives.shift()!, 'success', place.received, packet);
    }
    current = undefined;
    return 'complete';
  };

  return {
    post: (work) => void receives.push(work),
    get posted() {
      return receives.length;
    },
    get open() {
      return current !== undefined;
    },
    take(packet) {
      const code = operationOf(packet.bth.opcode);
      const kind = sends.has(code) ? 'send' : 'write';
      const starts = begins.has(code);
      const more = goesOn.has(code);
      if (!known.has(code) || starts !== (current === undefined)) return 'invalid-request';
      if (!sizeFits(packet.payload.length, more, starts)) return 'invalid-request';
      const place = current ?? open(packet, kind);
      if (typeof place === 'string') return place;
      if (place.kind !== kind) return 'invalid-request';
      // Immediate data takes a receive even from a WRITE, and must not write before there is one.
      if (packet.immediate !== undefined && receives.length === 0) return 'not-ready';
      const fault = store(place, packet.payload);
      if (fault !== undefined) return fault;
      current = place;
      return more ? 'more' : finish(place, packet);
    },
    abandon() {
      current = undefined;
    },
    flush() {
      current = undefined;
      for (const work of receives.splice(0)) complete(work, 'flushed', 0);
    },
  };
}
