import { service, serviceOf } from '../ib/opcode.ts';
import type { IbPacket } from '../ib/packet.ts';
import type { RcConfig } from './config.ts';
import type { RcEffect, RcEvent } from './events.ts';
import { inbound } from './inbound.ts';
import type { Memory } from './memory.ts';
import { dataPacket } from './packets.ts';
import { packetsOf, psnAdd } from './psn.ts';
import type { QueuePair } from './queue-pair.ts';
import type { SendWork, Status, WriteWork } from './work.ts';

interface Posted {
  readonly work: SendWork | WriteWork;
  sent: number;
}

/**
 * One end of an unreliable connection (IBTA vol. 1, 9.8): SENDs and WRITEs without acknowledgments. A request is
 * done when its last packet has left; a message that lost a packet is passed over by the receiver, whole. What the
 * peer does wrong is dropped in silence. An error of its own stops the send queue, and receives go on (10.3.1,
 * SQE); a receive that goes wrong ends the queue pair (ERR).
 */
export function ucQueuePair(config: RcConfig, memory: Memory): QueuePair {
  let effects: RcEffect[] = [];
  const emit = (effect: RcEffect): undefined => void effects.push(effect);
  const messages = inbound({ config, memory, emit });
  const queue: Posted[] = [];
  let psn = config.startingPsn;
  let expected: number | undefined;
  const connected = config.peer !== undefined;
  let state: QueuePair['state'] = connected ? 'ready' : 'unconnected';

  const complete = ({ id, local }: Posted['work'], status: Status): undefined =>
    emit({ kind: 'completion', completion: { side: 'send', id, status, length: local.length } });
  const post = (event: Extract<RcEvent, { kind: 'post' }>): undefined => {
    const { work } = event;
    if (work.kind !== 'send' && work.kind !== 'write') {
      const { id, local } = work;
      const completion = { side: 'send', id, status: 'local-operation-error', length: local.length } as const;
      return emit({ kind: 'completion', completion });
    }
    if (state === 'ready') queue.push({ work, sent: 0 });
    else complete(work, connected ? 'flushed' : 'unconnected');
  };
  const flushSends = (): undefined => {
    for (const { work } of queue.splice(0)) complete(work, 'flushed');
  };
  const fail = (): undefined => {
    state = 'failed';
    flushSends();
    messages.flush();
  };
  const poll = (): undefined => {
    const [head] = queue;
    if (head === undefined || state !== 'ready') return;
    const { work, sent: k } = head;
    const n = packetsOf(work.local.length, config.mtu);
    const size = Math.min(config.mtu, work.local.length - k * config.mtu);
    const place = work.local.address + BigInt(k * config.mtu);
    if (size > 0 && memory.check(work.local.key, place, size, 'local-read') !== undefined) {
      queue.shift();
      complete(work, 'local-protection-error');
      state = 'send-queue-error';
      return flushSends();
    }
    const payload = size > 0 ? memory.read(work.local.key, place, size) : new Uint8Array(0);
    const part = { k, n, psn, ackRequest: false };
    emit({ kind: 'packet', packet: dataPacket(config, work, part, payload, service.uc) });
    psn = psnAdd(psn, 1);
    head.sent++;
    if (head.sent < n) return;
    queue.shift();
    complete(work, 'success');
  };
  const receive = (packet: IbPacket): undefined => {
    const at = packet.bth.psn;
    if (!connected) return emit({ kind: 'dropped', why: 'unconnected', psn: at });
    if (state === 'failed') return emit({ kind: 'dropped', why: 'failed', psn: at });
    if (packet.bth.destinationQp !== config.queuePair) {
      return emit({ kind: 'dropped', why: 'wrong-queue-pair', psn: at });
    }
    if (serviceOf(packet.bth.opcode) !== service.uc) return emit({ kind: 'dropped', why: 'wrong-service', psn: at });
    if (expected !== undefined && at !== expected) messages.abandon();
    expected = psnAdd(at, 1);
    const before = effects.length;
    const outcome = messages.take(packet);
    if (outcome === 'more' || outcome === 'complete') return;
    messages.abandon();
    emit({ kind: 'dropped', why: outcome === 'not-ready' ? 'no-receive' : 'out-of-sequence', psn: at });
    // A receive that could not take what came: an error of this end, not of the wire.
    if (effects.slice(before).some((e) => e.kind === 'completion')) fail();
  };
  return {
    get state() {
      return state;
    },
    get ready() {
      return state === 'ready' && queue.length > 0;
    },
    step(_now, event) {
      effects = [];
      if (event.kind === 'post') post(event);
      else if (event.kind === 'post-receive') {
        if (state !== 'failed') messages.post(event.work);
        else
          emit({
            kind: 'completion',
            completion: { side: 'receive', id: event.work.id, status: 'flushed', length: 0 },
          });
      } else if (event.kind === 'resume') state = state === 'send-queue-error' ? 'ready' : state;
      else if (event.kind === 'packet') receive(event.packet);
      else if (event.kind === 'poll') poll();
      return effects;
    },
  };
}
