import { operation, service, serviceOf } from '../ib/opcode.ts';
import type { IbPacket } from '../ib/packet.ts';
import type { RcConfig } from './config.ts';
import type { Dropped, RcEffect, RcEvent } from './events.ts';
import type { Memory } from './memory.ts';
import { packetsOf } from './psn.ts';
import { requester } from './requester.ts';
import { responder } from './responder.ts';
import type { Work } from './work.ts';

/**
 * One end of a reliable connection: a state machine that is told what happened and says what follows. It has no clock
 * and no network of its own; the seconds given to `step` are whatever its owner counts.
 */
export interface QueuePair {
  step(now: number, event: RcEvent): readonly RcEffect[];
  /** Whether `poll` would give a packet. */
  readonly ready: boolean;
  /** In `send-queue-error` nothing leaves, while receives go on: what an error of its own does to an unreliable one (10.3.1). */
  readonly state: 'unconnected' | 'ready' | 'send-queue-error' | 'failed';
}

/** A message of at most 2³¹ bytes, and of fewer packets than tell old from new PSNs (IBTA vol. 1, 9.7.2, 9.7.7). */
const longestMessage = 2 ** 31;
const mostPackets = 2 ** 23 - 1;

const answers = new Set<number>([
  operation.readResponseFirst,
  operation.readResponseMiddle,
  operation.readResponseLast,
  operation.readResponseOnly,
  operation.acknowledge,
  operation.atomicAcknowledge,
]);

export function rcQueuePair(config: RcConfig, memory: Memory): QueuePair {
  let effects: RcEffect[] = [];
  let state: QueuePair['state'] = config.peer === undefined ? 'unconnected' : 'ready';
  const emit = (effect: RcEffect): undefined => void effects.push(effect);
  const fail = (): undefined => {
    if (state === 'failed') return;
    state = 'failed';
    sending.flush();
    receiving.flush();
  };
  const sending = requester({ config, memory, emit, fail });
  const receiving = responder({ config, memory, emit, fail });

  const refusal = (packet: IbPacket): Dropped | undefined => {
    if (state === 'unconnected') return 'unconnected';
    if (packet.bth.destinationQp !== config.queuePair) return 'wrong-queue-pair';
    // The top bit tells full from limited members of a partition (10.9).
    if ((packet.bth.partitionKey ^ config.partitionKey) & 0x7fff) return 'wrong-partition';
    if (serviceOf(packet.bth.opcode) !== service.rc) return 'wrong-service';
    return state === 'failed' ? 'failed' : undefined;
  };
  const receive = (packet: IbPacket, now: number): undefined => {
    const why = refusal(packet);
    if (why !== undefined) return emit({ kind: 'dropped', why, psn: packet.bth.psn });
    if (answers.has(packet.bth.opcode)) sending.receive(packet, now);
    else receiving.receive(packet);
  };
  const post = (work: Work): undefined => {
    const { id, local } = work;
    const length = local.length;
    const tooLong = length > longestMessage || packetsOf(length, config.mtu) > mostPackets;
    const status =
      state === 'unconnected'
        ? 'unconnected'
        : state === 'failed'
          ? 'flushed'
          : tooLong
            ? 'local-length-error'
            : undefined;
    if (status === undefined) sending.post(work);
    else emit({ kind: 'completion', completion: { side: 'send', id, status, length } });
  };
  const poll = (now: number): undefined => {
    // Answers first: the peer's requests wait for them, ours do not. A last NAK leaves even when all has failed.
    const packet = receiving.next() ?? sending.next(now);
    if (packet !== undefined) emit({ kind: 'packet', packet });
  };

  return {
    get state() {
      return state;
    },
    get ready() {
      return state !== 'unconnected' && (receiving.ready || sending.ready);
    },
    step(now, event) {
      effects = [];
      if (event.kind === 'packet') receive(event.packet, now);
      else if (event.kind === 'post') post(event.work);
      else if (event.kind === 'post-receive') {
        if (state === 'failed') {
          const completion = { side: 'receive', id: event.work.id, status: 'flushed', length: 0 } as const;
          emit({ kind: 'completion', completion });
        } else receiving.postReceive(event.work);
      } else if (event.kind === 'poll') poll(now);
      else if (event.kind === 'resume') return effects;
      else if (event.timer === 'retry') sending.retryTimeout(now);
      else sending.rnrTimeout(now);
      return effects;
    },
  };
}
