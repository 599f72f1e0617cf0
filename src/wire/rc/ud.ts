import type { IbPacket } from '../ib/packet.ts';
import { datagramPacket, datagramRefusal } from './datagram.ts';
import type { Dropped } from './events.ts';
import type { Memory, Segment } from './memory.ts';
import { psnAdd } from './psn.ts';
import type { QueuePair } from './queue-pair.ts';
import type { Completion, ReceiveWork, Status } from './work.ts';

export interface UdConfig {
  readonly queuePair: number;
  readonly partitionKey: number;
  readonly queueKey: number;
  /** Bytes of payload that a datagram holds at most: one packet, whatever the message. */
  readonly mtu: number;
  readonly startingPsn: number;
}

/** A SEND to whoever holds a queue key: there is no connection that would say to whom. */
export interface UdWork {
  readonly id: number;
  readonly local: Segment;
  readonly destination: { readonly queuePair: number; readonly queueKey: number };
  readonly immediate?: number;
  readonly solicited?: boolean;
}

export type UdEvent =
  | { readonly kind: 'post'; readonly work: UdWork }
  | { readonly kind: 'post-receive'; readonly work: ReceiveWork }
  | { readonly kind: 'packet'; readonly packet: IbPacket }
  /** The owner brings the send queue back from its error. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'poll' };

export type UdEffect =
  | { readonly kind: 'packet'; readonly packet: IbPacket }
  | { readonly kind: 'completion'; readonly completion: Completion }
  | { readonly kind: 'dropped'; readonly why: Dropped; readonly psn: number };

export interface UdQueuePair {
  step(event: UdEvent): readonly UdEffect[];
  readonly ready: boolean;
  readonly state: Exclude<QueuePair['state'], 'unconnected'>;
  /** Datagrams with another queue key, which a port counts for its manager (IBTA vol. 1, 10.2.5). */
  readonly keyViolations: number;
}

/** A receive begins with room for a GRH, filled or not (11.4.1.2). */
export const grhRoom = 40;
/** A work request whose queue key has the top bit set sends that of the queue pair: a privileged key nobody can forge (10.2.5). */
const privileged = 0x80000000;

/**
 * An unreliable datagram queue pair (9.8.3): no connection, no order, no word back. A datagram without a receive is lost in
 * silence. An error of its own stops the send queue alone, and receives go on; a receive that goes wrong ends the queue pair.
 */
export function udQueuePair(config: UdConfig, memory: Memory): UdQueuePair {
  let effects: UdEffect[] = [];
  let state: UdQueuePair['state'] = 'ready';
  let psn = config.startingPsn;
  let keyViolations = 0;
  const sends: UdWork[] = [];
  const receives: ReceiveWork[] = [];
  const complete = (
    side: Completion['side'],
    id: number,
    status: Status,
    length: number,
    immediate?: number,
  ): undefined =>
    void effects.push({
      kind: 'completion',
      completion: { side, id, status, length, ...(immediate === undefined ? {} : { immediate }) },
    });
  const drop = (why: Dropped, packet: IbPacket): undefined =>
    void effects.push({ kind: 'dropped', why, psn: packet.bth.psn });
  const flushSends = (): undefined => {
    for (const { id, local } of sends.splice(0)) complete('send', id, 'flushed', local.length);
  };
  const failSend = (work: UdWork, status: Status): undefined => {
    complete('send', work.id, status, work.local.length);
    state = 'send-queue-error';
    flushSends();
  };
  const fail = (): undefined => {
    state = 'failed';
    flushSends();
    for (const { id } of receives.splice(0)) complete('receive', id, 'flushed', 0);
  };

  const poll = (): undefined => {
    const work = state === 'ready' ? sends.shift() : undefined;
    if (work === undefined) return;
    const { key, address, length } = work.local;
    if (length > config.mtu) return failSend(work, 'local-length-error');
    if (length > 0 && memory.check(key, address, length, 'local-read') !== undefined) {
      return failSend(work, 'local-protection-error');
    }
    const own = (work.destination.queueKey & privileged) !== 0;
    const packet = datagramPacket(
      {
        sourceQp: config.queuePair,
        destinationQp: work.destination.queuePair,
        queueKey: own ? config.queueKey : work.destination.queueKey,
        partitionKey: config.partitionKey,
        psn,
        ...(work.immediate === undefined ? {} : { immediate: work.immediate }),
        ...(work.solicited === undefined ? {} : { solicited: work.solicited }),
        payload: length > 0 ? memory.read(key, address, length) : new Uint8Array(0),
      },
      config.mtu,
    );
    if (typeof packet === 'string') return failSend(work, packet);
    psn = psnAdd(psn, 1);
    effects.push({ kind: 'packet', packet });
    complete('send', work.id, 'success', length);
  };
  const receive = (packet: IbPacket): undefined => {
    if (state === 'failed') return drop('failed', packet);
    const why = datagramRefusal(packet, config);
    if (why === 'wrong-key') keyViolations++;
    if (why !== undefined) return drop(why, packet);
    const work = receives.shift();
    if (work === undefined) return drop('no-receive', packet);
    const { key, address, length } = work.local;
    const needed = grhRoom + packet.payload.length;
    const refused = memory.check(key, address, needed, 'local-write') !== undefined;
    if (needed > length || refused) {
      complete('receive', work.id, needed > length ? 'local-length-error' : 'local-protection-error', 0);
      return fail();
    }
    memory.write(key, address + BigInt(grhRoom), packet.payload);
    complete('receive', work.id, 'success', needed, packet.immediate);
  };

  return {
    get state() {
      return state;
    },
    get ready() {
      return state === 'ready' && sends.length > 0;
    },
    get keyViolations() {
      return keyViolations;
    },
    step(event) {
      effects = [];
      if (event.kind === 'packet') receive(event.packet);
      else if (event.kind === 'poll') poll();
      else if (event.kind === 'resume') state = state === 'send-queue-error' ? 'ready' : state;
      else if (event.kind === 'post') {
        if (state === 'ready') sends.push(event.work);
        else complete('send', event.work.id, 'flushed', event.work.local.length);
      } else if (state === 'failed') complete('receive', event.work.id, 'flushed', 0);
      else receives.push(event.work);
      return effects;
    },
  };
}
