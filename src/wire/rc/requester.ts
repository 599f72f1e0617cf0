import { ackTimeoutSeconds, readSyndrome, rnrSeconds } from '../ib/aeth.ts';
import { operation } from '../ib/opcode.ts';
import type { IbPacket } from '../ib/packet.ts';
import type { RcConfig } from './config.ts';
import { creditsOf } from './credits.ts';
import type { Emit, RetryCause } from './events.ts';
import type { Memory } from './memory.ts';
import { atomicRequest, dataPacket, readRequest } from './packets.ts';
import { packetsOf, psnAdd, psnDistance } from './psn.ts';
import type { Completion, Status, Work } from './work.ts';

/** A work request with the PSNs that it takes: one a packet, for a READ one a response (IBTA vol. 1, 9.7.3). */
interface Entry {
  readonly work: Work;
  readonly first: number;
  readonly packets: number;
  /** Which message of this end it is, from 1 on; 24 bits, as the peer's MSN. */
  readonly ssn: number;
  /** Responses of a READ or atomic operation that have come. */
  received: number;
  /** It has left before. */
  left: boolean;
}

/** The sending half of a reliable connection (IBTA vol. 1, 9.7.5, 9.7.6, 9.7.7). */
export interface Requester {
  post(work: Work): void;
  /** ACK, NAK, READ response or atomic acknowledgment. */
  receive(packet: IbPacket, now: number): void;
  retryTimeout(now: number): void;
  rnrTimeout(now: number): void;
  /** The next packet, if one may leave now. */
  next(now: number): IbPacket | undefined;
  readonly ready: boolean;
  /** Ends all that is posted. */
  flush(): void;
}

export interface RequesterPort {
  readonly config: RcConfig;
  readonly memory: Memory;
  readonly emit: Emit;
  /** Called once, when the queue pair can go on no more. */
  readonly fail: () => void;
}

const answered = (work: Work): boolean => work.kind !== 'send' && work.kind !== 'write';
/** Takes a receive of the peer's, and so a credit (9.7.7.2.1). */
const takesCredit = (work: Work): boolean =>
  work.kind === 'send' || (work.kind === 'write' && work.immediate !== undefined);
const endless = 7;

export function requester({ config, memory, emit, fail }: RequesterPort): Requester {
  const queue: Entry[] = [];
  /** Index in `queue` and PSN of what leaves next. */
  let at = 0;
  let cursor = config.startingPsn;
  /** The oldest PSN without an answer, the PSN after the last one ever sent, and the one that a new request gets. */
  let unacked = config.startingPsn;
  let sentEnd = config.startingPsn;
  let postEnd = config.startingPsn;
  let retriesLeft = config.retryCount;
  let rnrLeft = config.rnrRetry;
  let retryingFrom: number | undefined;
  let retryAt: number | undefined;
  let rnrAt: number | undefined;
  let stopped = false;
  let lastSsn = 0;
  /** The last message that the peer has room for; undefined when it does not count. */
  let limit: number | undefined = config.peerCountsCredits ? 0 : undefined;

  const setRetryTimer = (at: number | undefined): undefined => {
    const wanted = at === Number.POSITIVE_INFINITY ? undefined : at;
    if (wanted === retryAt) return;
    retryAt = wanted;
    emit({ kind: 'timer', timer: 'retry', at: wanted });
  };
  const restartTimer = (now: number): undefined => {
    const waits = psnDistance(unacked, sentEnd) > 0 && rnrAt === undefined;
    setRetryTimer(waits ? now + ackTimeoutSeconds(config.ackTimeout) : undefined);
  };
  const complete = (work: Work, status: Status): undefined => {
    const completion: Completion = { side: 'send', id: work.id, status, length: work.local.length };
    emit({ kind: 'completion', completion });
  };
  const flush = (): undefined => {
    stopped = true;
    setRetryTimer(undefined);
    if (rnrAt !== undefined) emit({ kind: 'timer', timer: 'rnr', at: undefined });
    rnrAt = undefined;
    for (const { work } of queue.splice(0)) complete(work, 'flushed');
    at = 0;
  };
  /** The request at `index` ends the connection; those before it are flushed too, for their answers will not come. */
  const failAt = (index: number, status: Status): undefined => {
    const [entry] = queue.splice(index, 1);
    if (entry !== undefined) complete(entry.work, status);
    fail();
  };
  const indexOf = (psn: number): number =>
    queue.findIndex((e) => psnDistance(e.first, psn) >= 0 && psnDistance(e.first, psn) < e.packets);
  const moveTo = (psn: number): undefined => {
    cursor = psn;
    const found = indexOf(psn);
    at = found < 0 ? queue.length : found;
  };

  const goBack = (psn: number, cause: RetryCause, now: number): undefined => {
    if (cause !== 'receiver-not-ready') {
      if (retriesLeft === 0) return failAt(Math.max(0, indexOf(psn)), 'retry-exceeded');
      retriesLeft--;
    }
    retryingFrom = psn;
    emit({ kind: 'retry', cause, psn });
    moveTo(psn);
    restartTimer(now);
  };
  const mayRestart = (psn: number): boolean =>
    retryingFrom === undefined || (config.nakDuringRetry !== 'ignore' && retryingFrom !== psn);

  const shift = (): undefined => {
    const entry = queue.shift();
    if (at > 0) at--;
    if (entry !== undefined) complete(entry.work, 'success');
  };
  const progressTo = (psn: number, now: number): undefined => {
    if (psnDistance(unacked, psn) <= 0) return;
    unacked = psn;
    retriesLeft = config.retryCount;
    rnrLeft = config.rnrRetry;
    // What was about to be sent again has been answered meanwhile.
    if (psnDistance(cursor, unacked) > 0) moveTo(unacked);
    restartTimer(now);
  };
  /** Everything up to and with `psn` has arrived; gives the PSN of an answer that must have been lost, if any. */
  const acknowledge = (psn: number, now: number): number | undefined => {
    for (let entry = queue[0]; entry !== undefined; entry = queue[0]) {
      if (answered(entry.work)) {
        const missing = psnAdd(entry.first, entry.received);
        progressTo(psnDistance(missing, psn) >= 0 ? missing : psnAdd(psn, 1), now);
        return psnDistance(missing, psn) >= 0 ? missing : undefined;
      }
      const end = psnAdd(entry.first, entry.packets);
      if (psnDistance(end, psn) < -1) break;
      shift();
    }
    progressTo(psnAdd(psn, 1), now);
    return undefined;
  };

  /** MSN and credits of an acknowledgment: the limit moves forward only, for acknowledgments may overtake (9.7.7.2.4). */
  const credited = (aeth: IbPacket['aeth']): undefined => {
    const syndrome = aeth && readSyndrome(aeth.syndrome);
    if (limit === undefined || aeth === undefined || syndrome?.kind !== 'ack') return;
    const more = creditsOf(syndrome.credits);
    if (more === undefined) limit = undefined;
    else if (psnDistance(limit, psnAdd(aeth.msn, more)) > 0) limit = psnAdd(aeth.msn, more);
  };
  const acked = (psn: number, now: number): undefined => {
    const missing = acknowledge(psn, now);
    if (missing === undefined) retryingFrom = undefined;
    else if (mayRestart(missing)) goBack(missing, 'missing-response', now);
  };
  const notReady = (psn: number, timer: number, now: number): undefined => {
    const from = acknowledge(psnAdd(psn, -1), now) ?? psn;
    if (rnrLeft === 0) return failAt(Math.max(0, indexOf(psn)), 'rnr-retry-exceeded');
    if (config.rnrRetry !== endless) rnrLeft--;
    rnrAt = now + rnrSeconds(timer);
    goBack(from, 'receiver-not-ready', now);
    emit({ kind: 'timer', timer: 'rnr', at: rnrAt });
  };
  const refusedAt = (psn: number, status: Status, now: number): undefined => {
    acknowledge(psnAdd(psn, -1), now);
    failAt(Math.max(0, indexOf(psn)), status);
  };

  const answer = (packet: IbPacket, now: number): undefined => {
    const { psn } = packet.bth;
    const syndrome = readSyndrome(packet.aeth?.syndrome ?? 0);
    if (syndrome.kind === 'ack') return acked(psn, now);
    if (syndrome.kind === 'receiver-not-ready')
      return rnrAt === undefined ? notReady(psn, syndrome.timer, now) : undefined;
    if (syndrome.kind === 'reserved') return emit({ kind: 'dropped', why: 'unexpected', psn });
    if (syndrome.nak === 'invalid-request') return refusedAt(psn, 'remote-invalid-request', now);
    if (syndrome.nak === 'remote-access-error') return refusedAt(psn, 'remote-access-error', now);
    if (syndrome.nak !== 'sequence-error') return refusedAt(psn, 'remote-operational-error', now);
    const missing = acknowledge(psnAdd(psn, -1), now);
    const from = missing ?? psn;
    if (mayRestart(from)) goBack(from, missing === undefined ? 'sequence-error' : 'missing-response', now);
  };

  const response = (packet: IbPacket, now: number): undefined => {
    const { psn } = packet.bth;
    const index = indexOf(psn);
    const target = queue[index];
    if (target === undefined || !answered(target.work)) return emit({ kind: 'dropped', why: 'unexpected', psn });
    // A response tells that everything before its request has arrived.
    const lost = index > 0 ? acknowledge(psnAdd(target.first, -1), now) : undefined;
    const expected = psnAdd(target.first, target.received);
    const missing = lost ?? (psnDistance(expected, psn) > 0 ? expected : undefined);
    if (missing !== undefined) {
      if (mayRestart(missing)) goBack(missing, 'missing-response', now);
      return;
    }
    if (psnDistance(expected, psn) < 0) return emit({ kind: 'dropped', why: 'duplicate', psn });
    const data = responseData(packet, target);
    if (data === undefined) return failAt(0, 'bad-response');
    const { key, address } = target.work.local;
    const place = address + BigInt(target.received * config.mtu);
    if (data.length > 0) {
      if (memory.check(key, place, data.length, 'local-write') !== undefined)
        return failAt(0, 'local-protection-error');
      memory.write(key, place, data);
    }
    target.received++;
    retryingFrom = undefined;
    if (target.received === target.packets) shift();
    progressTo(psnAdd(psn, 1), now);
  };
  /** The bytes that a response brings, if it is of the size that its place in the READ calls for. */
  const responseData = (packet: IbPacket, entry: Entry): Uint8Array | undefined => {
    const atomic = packet.bth.opcode === operation.atomicAcknowledge;
    if (atomic !== (entry.work.kind !== 'read')) return undefined;
    if (packet.original !== undefined) {
      // Hosts of the field are little-endian; on the wire the value is big-endian.
      const data = new Uint8Array(8);
      new DataView(data.buffer).setBigUint64(0, packet.original, true);
      return data.subarray(0, Math.min(8, entry.work.local.length));
    }
    const left = entry.work.local.length - entry.received * config.mtu;
    return packet.payload.length === Math.min(left, config.mtu) ? packet.payload : undefined;
  };

  const underWay = (): number => {
    let n = 0;
    for (let i = 0; i < at; i++) if (answered(queue[i]!.work)) n++;
    return n;
  };
  /** No room is known for it. Of the next such message one packet may ask, all others wait (9.7.7.2.5). */
  const beyondLimit = (entry: Entry): boolean =>
    limit !== undefined && takesCredit(entry.work) && psnDistance(limit, entry.ssn) > 0;
  const isNext = (entry: Entry): boolean => limit !== undefined && psnDistance(limit, entry.ssn) === 1;
  const mayLeave = (): Entry | undefined => {
    const entry = queue[at];
    if (stopped || entry === undefined || rnrAt !== undefined) return undefined;
    if (psnDistance(unacked, cursor) >= config.window) return undefined;
    const beginsNow = cursor === entry.first;
    if (entry.work.fence && beginsNow && underWay() > 0) return undefined;
    if (answered(entry.work) && underWay() >= config.initiatorDepth) return undefined;
    return beyondLimit(entry) && !(isNext(entry) && beginsNow) ? undefined : entry;
  };
  const build = (entry: Entry, psn: number): IbPacket | Status => {
    const { work } = entry;
    const k = psnDistance(entry.first, psn);
    if (work.kind === 'read') return readRequest(config, work, k, psn);
    if (work.kind === 'compare-swap' || work.kind === 'fetch-add') return atomicRequest(config, work, psn);
    const { key, address, length } = work.local;
    const from = k * config.mtu;
    const size = Math.min(config.mtu, length - from);
    const place = address + BigInt(from);
    if (size > 0 && memory.check(key, place, size, 'local-read') !== undefined) return 'local-protection-error';
    const payload = size > 0 ? memory.read(key, place, size) : new Uint8Array(0);
    const every = config.ackEvery ?? 0;
    const full = psnDistance(unacked, psn) + 1 >= config.window;
    const ackRequest = k === entry.packets - 1 || full || beyondLimit(entry) || (every > 0 && (k + 1) % every === 0);
    return dataPacket(config, work, { k, n: entry.packets, psn, ackRequest }, payload);
  };

  return {
    flush,
    get ready() {
      return mayLeave() !== undefined;
    },
    post(work) {
      const packets = answered(work) && work.kind !== 'read' ? 1 : packetsOf(work.local.length, config.mtu);
      lastSsn = psnAdd(lastSsn, 1);
      queue.push({ work, first: postEnd, packets, ssn: lastSsn, received: 0, left: false });
      postEnd = psnAdd(postEnd, packets);
    },
    receive(packet, now) {
      const { opcode, psn } = packet.bth;
      // Nothing may be answered that is answered already, or was never sent (9.7.5: ghost acknowledgments).
      const old = psnDistance(unacked, psn) < 0;
      const early = psnDistance(psn, sentEnd) <= 0;
      if (early || old) return emit({ kind: 'dropped', why: old ? 'duplicate' : 'unexpected', psn });
      credited(packet.aeth);
      if (opcode === operation.acknowledge) answer(packet, now);
      else response(packet, now);
    },
    retryTimeout(now) {
      if (stopped || retryAt === undefined || now < retryAt) return;
      retryAt = undefined;
      goBack(unacked, 'timeout', now);
    },
    rnrTimeout(now) {
      if (rnrAt === undefined || now < rnrAt) return;
      rnrAt = undefined;
      restartTimer(now);
    },
    next(now) {
      const entry = mayLeave();
      if (entry === undefined) return undefined;
      const built = build(entry, cursor);
      if (typeof built === 'string') {
        failAt(at, built);
        return undefined;
      }
      // What needs no receive counts as a message all the same: the limit makes room for it.
      if (limit !== undefined && !entry.left && !takesCredit(entry.work)) limit = psnAdd(limit, 1);
      entry.left = true;
      cursor = answered(entry.work) ? psnAdd(entry.first, entry.packets) : psnAdd(cursor, 1);
      if (psnDistance(sentEnd, cursor) > 0) sentEnd = cursor;
      if (cursor === psnAdd(entry.first, entry.packets)) at++;
      if (retryAt === undefined) restartTimer(now);
      return built;
    },
  };
}
