import { type Nak, noCredits, type Syndrome, writeSyndrome } from '../ib/aeth.ts';
import { operation } from '../ib/opcode.ts';
import type { IbPacket } from '../ib/packet.ts';
import { applyAtomic } from './atomic.ts';
import type { RcConfig } from './config.ts';
import { creditCode } from './credits.ts';
import type { Emit } from './events.ts';
import { type Inbound, inbound } from './inbound.ts';
import type { Memory } from './memory.ts';
import { packetTo } from './packets.ts';
import { packetsOf, psnAdd, psnDistance } from './psn.ts';
import type { ReceiveWork } from './work.ts';

/** The receiving half of a reliable connection (IBTA vol. 1, 9.7.4, 9.7.5, 9.9). */
export interface Responder {
  postReceive(work: ReceiveWork): void;
  /** A request of the peer's. */
  receive(packet: IbPacket): void;
  /** The next answer, if there is one. */
  next(): IbPacket | undefined;
  readonly ready: boolean;
  flush(): void;
}

export interface ResponderPort {
  readonly config: RcConfig;
  readonly memory: Memory;
  readonly emit: Emit;
  /** Called when a request broke the rules: the connection ends once the NAK has left. */
  readonly fail: () => void;
}

interface ReadReply {
  readonly kind: 'read';
  readonly key: number;
  readonly address: bigint;
  readonly length: number;
  readonly first: number;
  readonly msn: number;
  sent: number;
}

type Reply =
  | { readonly kind: 'ack'; readonly psn: number; readonly msn: number; readonly syndrome: Syndrome }
  | { readonly kind: 'atomic'; readonly psn: number; readonly msn: number; readonly original: bigint }
  | ReadReply;

export function responder({ config, memory, emit, fail }: ResponderPort): Responder {
  let expected = config.peer?.startingPsn ?? 0;
  let msn = 0;
  /** One NAK for each PSN that is waited for (9.7.5): silent until it comes. */
  let nakSent = false;
  let replies: Reply[] = [];
  let atomics: Extract<Reply, { kind: 'atomic' }>[] = [];
  const messages: Inbound = inbound({ config, memory, emit });
  /** Room for so many messages beyond the MSN, one that is under way included. */
  const plainAck = (): Syndrome => ({
    kind: 'ack',
    credits: config.countsCredits ? creditCode(messages.posted) : noCredits,
  });
  const mostReplies = 4 * config.responderResources + 64;

  const reply = (made: Reply): undefined => {
    const last = replies.at(-1);
    const replaces = config.coalesce && last?.kind === 'ack' && last.syndrome.kind === 'ack';
    if (replaces && made.kind === 'ack') replies[replies.length - 1] = made;
    // Duplicate READs and atomic operations could fill any queue; the peer asks again for what is not answered.
    else if (replies.length < mostReplies) replies.push(made);
  };
  const acknowledge = (psn: number, syndrome: Syndrome = plainAck()): undefined =>
    reply({ kind: 'ack', psn, msn, syndrome });
  const refuse = (nak: Nak): undefined => {
    acknowledge(expected, { kind: 'nak', nak });
    fail();
  };
  const accept = (psns: number): undefined => {
    expected = psnAdd(expected, psns);
    nakSent = false;
  };

  const serveRead = (packet: IbPacket, duplicate: boolean): undefined => {
    const { key, address, length } = packet.reth ?? { key: 0, address: 0n, length: 0 };
    const fault = length > 0 ? memory.check(key, address, length, 'remote-read') : undefined;
    // A duplicate must not do more than the first did; one that no longer may is passed over.
    if (fault !== undefined) {
      if (duplicate) return drop(packet, 'duplicate');
      return refuse(fault === 'unreachable' ? 'remote-operational-error' : 'remote-access-error');
    }
    const psns = packetsOf(length, config.mtu);
    if (!duplicate) {
      msn = psnAdd(msn, 1);
      accept(psns);
    }
    reply({ kind: 'read', key, address, length, first: packet.bth.psn, msn, sent: 0 });
  };
  const serveAtomic = (packet: IbPacket): undefined => {
    const { key, address } = packet.atomicEth ?? { key: 0, address: 0n };
    const fault = memory.check(key, address, 8, 'remote-atomic');
    if (fault !== undefined) return refuse(fault === 'misaligned' ? 'invalid-request' : 'remote-access-error');
    const original = applyAtomic(memory, packet);
    msn = psnAdd(msn, 1);
    const made = { kind: 'atomic', psn: packet.bth.psn, msn, original } as const;
    atomics = [...atomics, made].slice(-config.responderResources);
    accept(1);
    reply(made);
  };
  const serve = (packet: IbPacket): undefined => {
    const { opcode, ackRequest, psn } = packet.bth;
    const asks = opcode === operation.readRequest || opcode === operation.compareSwap || opcode === operation.fetchAdd;
    if (asks) {
      const pending = replies.filter((r) => r.kind !== 'ack').length;
      if (messages.open || pending >= config.responderResources) return refuse('invalid-request');
      return opcode === operation.readRequest ? serveRead(packet, false) : serveAtomic(packet);
    }
    const outcome = messages.take(packet);
    if (outcome === 'not-ready') {
      nakSent = true;
      return acknowledge(psn, { kind: 'receiver-not-ready', timer: config.rnrTimer });
    }
    if (outcome !== 'more' && outcome !== 'complete') return refuse(outcome);
    if (outcome === 'complete') msn = psnAdd(msn, 1);
    accept(1);
    if (ackRequest) acknowledge(psn);
  };
  const drop = (packet: IbPacket, why: 'duplicate' | 'out-of-sequence'): undefined =>
    emit({ kind: 'dropped', why, psn: packet.bth.psn });

  /** A request that was served before is answered again without being done again (9.7.5). */
  const repeat = (packet: IbPacket): undefined => {
    const { opcode, psn, ackRequest } = packet.bth;
    if (opcode === operation.readRequest) return serveRead(packet, true);
    if (opcode === operation.compareSwap || opcode === operation.fetchAdd) {
      const kept = atomics.find((a) => a.psn === psn);
      return kept === undefined ? drop(packet, 'duplicate') : reply(kept);
    }
    drop(packet, 'duplicate');
    if (ackRequest) acknowledge(psnAdd(expected, -1));
  };

  const readPacket = (r: ReadReply): IbPacket | undefined => {
    const n = packetsOf(r.length, config.mtu);
    const k = r.sent;
    const from = k * config.mtu;
    const size = Math.min(config.mtu, r.length - from);
    const place = r.address + BigInt(from);
    if (size > 0 && memory.check(r.key, place, size, 'remote-read') !== undefined) return undefined;
    const payload = size > 0 ? memory.read(r.key, place, size) : new Uint8Array(0);
    r.sent++;
    const first = k === 0;
    const last = k === n - 1;
    const opcode = first
      ? last
        ? operation.readResponseOnly
        : operation.readResponseFirst
      : last
        ? operation.readResponseLast
        : operation.readResponseMiddle;
    const aeth = { syndrome: writeSyndrome(plainAck()), msn: r.msn };
    return packetTo(config, { opcode, psn: psnAdd(r.first, k), payload }, first || last ? { aeth } : {});
  };

  return {
    postReceive: (work) => messages.post(work),
    receive(packet) {
      const ahead = psnDistance(expected, packet.bth.psn);
      if (ahead === 0) return serve(packet);
      if (ahead < 0) return repeat(packet);
      drop(packet, 'out-of-sequence');
      if (nakSent) return;
      nakSent = true;
      acknowledge(expected, { kind: 'nak', nak: 'sequence-error' });
    },
    next() {
      const [head] = replies;
      if (head === undefined) return undefined;
      if (head.kind === 'read') {
        const packet = readPacket(head);
        if (head.sent >= packetsOf(head.length, config.mtu) || packet === undefined) replies.shift();
        if (packet !== undefined) return packet;
        // The memory went away while it was being read.
        replies = [];
        const aeth = { syndrome: writeSyndrome({ kind: 'nak', nak: 'remote-operational-error' }), msn: head.msn };
        fail();
        const psn = psnAdd(head.first, head.sent);
        return packetTo(config, { opcode: operation.acknowledge, psn }, { aeth });
      }
      replies.shift();
      if (head.kind === 'atomic') {
        const aeth = { syndrome: writeSyndrome(plainAck()), msn: head.msn };
        const extra = { aeth, original: head.original };
        return packetTo(config, { opcode: operation.atomicAcknowledge, psn: head.psn }, extra);
      }
      const aeth = { syndrome: writeSyndrome(head.syndrome), msn: head.msn };
      return packetTo(config, { opcode: operation.acknowledge, psn: head.psn }, { aeth });
    },
    get ready() {
      return replies.length > 0;
    },
    flush: () => messages.flush(),
  };
}
