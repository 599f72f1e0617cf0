import { fail, ok, type Result } from '../base/result.ts';
import { decodeNative, encodeNative } from '../wire/ib/native.ts';
import type { IbPacket } from '../wire/ib/packet.ts';
import { type RcConfig, rcDefaults } from '../wire/rc/config.ts';
import type { Timer } from '../wire/rc/events.ts';
import type { Memory as KeyedMemory } from '../wire/rc/memory.ts';
import { type QueuePair, rcQueuePair } from '../wire/rc/queue-pair.ts';
import { ucQueuePair } from '../wire/rc/unreliable.ts';
import type { ReceiveWork, Work } from '../wire/rc/work.ts';
import type { DeviceFault } from './memory.ts';
import type { NicDma } from './movers.ts';
import type { MemoryKey } from './registration.ts';

/** Where a registered region's bytes lie for a queue pair: at their place in its memory. */
export const addressOf = (mr: MemoryKey): bigint => BigInt(mr.region.offset);

/** What the NIC's DMA engine reaches, as a queue pair sees it: by key, within bounds, with the right asked for. */
export function keyedMemory({ registrar, moved }: NicDma): KeyedMemory {
  const offset = (mr: MemoryKey, address: bigint): number => Number(address - addressOf(mr));
  return {
    check(key, address, length, access) {
      const known = registrar.find(key);
      if (!known) return 'unknown-key';
      const at = offset(known, address);
      const right = access === 'local-read' ? undefined : access === 'remote-read' ? 'read' : 'write';
      const mr = registrar.resolve(key, at, length, right);
      if (!mr.ok) return mr.error === 'no-permission' ? 'not-permitted' : 'out-of-bounds';
      if (known.region.memory.faultOf(known.region, at, length)) return 'unreachable';
      return access === 'remote-atomic' && address % 8n !== 0n ? 'misaligned' : undefined;
    },
    read(key, address, length) {
      const mr = registrar.find(key)!;
      const bytes = mr.region.memory.read(mr.region, offset(mr, address), length);
      if (!bytes.ok) throw new RangeError(`memory key ${key} was not checked`);
      moved.bytes += length;
      moved.operations++;
      return bytes.value;
    },
    write(key, address, bytes) {
      const mr = registrar.find(key)!;
      const done = mr.region.memory.write(mr.region, offset(mr, address), bytes);
      if (!done.ok) throw new RangeError(`memory key ${key} was not checked`);
      moved.bytes += bytes.length;
      moved.operations++;
    },
    invalidate(key) {
      const mr = registrar.find(key);
      return mr && registrar.deregister(mr).ok ? undefined : 'unknown-key';
    },
  };
}

export interface QueuePairOptions {
  /** Reliable unless said otherwise; an unreliable one sends as well as it can and hears nothing back. */
  readonly service?: 'reliable' | 'unreliable';
  /** Path MTU in bytes. */
  readonly mtu?: number;
  readonly rnrRetry?: number;
  readonly retryCount?: number;
}

/** A connected queue pair of a NIC: its packets come from registered memory and go there, its ends into the completion queue. */
export class NicQueuePair {
  private pair: QueuePair;
  private readonly config: Omit<RcConfig, 'peer'>;
  private readonly make: typeof rcQueuePair;
  private readonly timers: Partial<Record<Timer, number>> = {};
  /** The completion queue ran over: nothing leaves or arrives any more. */
  private overrun = false;

  constructor(
    readonly nic: NicDma,
    readonly number: number,
    { service = 'reliable', ...options }: QueuePairOptions = {},
  ) {
    this.make = service === 'reliable' ? rcQueuePair : ucQueuePair;
    this.config = { ...rcDefaults, mtu: 4096, ...options, queuePair: number, startingPsn: number << 4 };
    this.pair = this.make(this.config, keyedMemory(nic));
  }

  /** What communication management brings about: each end learns the other's number and first PSN. */
  connect(peer: NicQueuePair): void {
    const { queuePair, startingPsn } = peer.config;
    this.pair = this.make({ ...this.config, peer: { queuePair, startingPsn } }, keyedMemory(this.nic));
  }

  post(work: Work): Result<undefined, DeviceFault> {
    if (this.nic.isLost) return fail('device-lost');
    this.step(0, { kind: 'post', work });
    return ok(undefined);
  }

  postReceive(work: ReceiveWork): Result<undefined, DeviceFault> {
    if (this.nic.isLost) return fail('device-lost');
    this.step(0, { kind: 'post-receive', work });
    return ok(undefined);
  }

  get dead(): boolean {
    return this.overrun || this.nic.isLost;
  }

  /** The next packet to leave, if there is one. */
  poll(now: number): IbPacket | undefined {
    return this.dead || !this.pair.ready ? undefined : this.step(now, { kind: 'poll' });
  }

  take(now: number, packet: IbPacket): void {
    if (!this.dead) this.step(now, { kind: 'packet', packet });
  }

  /** When the next of its clocks rings. */
  get rings(): number | undefined {
    const set = Object.values(this.timers).filter((t) => t !== undefined);
    return this.dead || set.length === 0 ? undefined : Math.min(...set);
  }

  ring(now: number): void {
    for (const timer of ['retry', 'rnr'] as const) {
      if ((this.timers[timer] ?? Number.POSITIVE_INFINITY) > now) continue;
      delete this.timers[timer];
      this.step(now, { kind: 'timer', timer });
    }
  }

  private step(now: number, event: Parameters<QueuePair['step']>[1]): IbPacket | undefined {
    let sent: IbPacket | undefined;
    for (const effect of this.pair.step(now, event)) {
      if (effect.kind === 'packet') sent = effect.packet;
      else if (effect.kind === 'timer') {
        if (effect.at === undefined) delete this.timers[effect.timer];
        else this.timers[effect.timer] = effect.at;
      } else if (effect.kind === 'completion') {
        const { id, length, status, side } = effect.completion;
        if (!this.nic.completions.add({ id, bytes: length, status, side }).ok) this.overrun = true;
      }
    }
    return sent;
  }
}

/** What a link does to the bytes of a packet: gives them back, changed ones, or nothing. */
export type Link = (packet: Uint8Array) => Uint8Array | undefined;
const sound: Link = (packet) => packet;

/**
 * Carries what two queue pairs have to say, as InfiniBand packets byte by byte, until both are silent. A packet whose checksum
 * is wrong is not taken, and comes again.
 * @returns seconds that passed waiting for clocks; the wire itself takes none here
 */
export function converse(a: NicQueuePair, b: NicQueuePair, link: Link = sound): number {
  let now = 0;
  for (;;) {
    const moved = carry(a, b, now, link) || carry(b, a, now, link);
    if (moved) continue;
    const next = Math.min(a.rings ?? Number.POSITIVE_INFINITY, b.rings ?? Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) return now;
    now = next;
    a.ring(now);
    b.ring(now);
  }
}

function carry(from: NicQueuePair, to: NicQueuePair, now: number, link: Link): boolean {
  const packet = from.poll(now);
  if (!packet) return false;
  const lrh = { virtualLane: 0, version: 0, serviceLevel: 0, reserved2: 0, reserved5: 0 };
  const bytes = link(encodeNative({ lrh: { ...lrh, destinationLid: to.number, sourceLid: from.number }, packet }));
  const read = bytes && decodeNative(bytes);
  // A right checksum is no field of its own: only a wrong one is kept.
  if (read?.ok && read.value.value.icrc === undefined && read.value.value.vcrc === undefined) {
    to.take(now, read.value.value.packet);
  }
  return true;
}
