import { random } from '../../src/base/random.ts';
import { decodeIbPacket, encodeIbPacket, type IbPacket } from '../../src/wire/ib/packet.ts';
import type { RcConfig } from '../../src/wire/rc/config.ts';
import { rcDefaults } from '../../src/wire/rc/config.ts';
import type { RcEffect, RcEvent, Timer } from '../../src/wire/rc/events.ts';
import type { QueuePair } from '../../src/wire/rc/queue-pair.ts';
import { rcQueuePair } from '../../src/wire/rc/queue-pair.ts';
import { type Region, regions } from '../../src/wire/rc/regions.ts';
import type { Completion } from '../../src/wire/rc/work.ts';

/** What a network does to packets, each as a probability. */
export interface Impairment {
  readonly loss: number;
  readonly duplicate: number;
  readonly reorder: number;
}

export const perfect: Impairment = { loss: 0, duplicate: 0, reorder: 0 };

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly side: 0 | 1;
  readonly event: RcEvent;
}

export interface Side {
  readonly pair: QueuePair;
  readonly completions: Completion[];
  readonly retries: Extract<RcEffect, { kind: 'retry' }>[];
  /** Every packet that this side sent, whether it arrived or not. */
  readonly sent: IbPacket[];
}

const across = 2e-6;
const pace = 1e-7;

export const all = ['local-read', 'local-write', 'remote-read', 'remote-write', 'remote-atomic'] as const;

export function configs(over: Partial<RcConfig> = {}, overB: Partial<RcConfig> = over): [RcConfig, RcConfig] {
  const a = { ...rcDefaults, queuePair: 0x11, startingPsn: 0xfffff0, ...over };
  const b = { ...rcDefaults, queuePair: 0x12, startingPsn: 100, ...overB };
  return [
    { peer: { queuePair: b.queuePair, startingPsn: b.startingPsn }, ...a },
    { peer: { queuePair: a.queuePair, startingPsn: a.startingPsn }, ...b },
  ];
}

/** Two queue pairs joined by a network that loses, repeats and reorders; all of it decided by the seed. */
export function network(
  pair: readonly [RcConfig, RcConfig],
  memories: readonly [readonly Region[], readonly Region[]],
  impairment: Impairment = perfect,
  seed = 1,
  make: (config: RcConfig, memory: ReturnType<typeof regions>) => QueuePair = rcQueuePair,
): {
  readonly sides: readonly [Side, Side];
  post(side: 0 | 1, event: RcEvent): void;
  /** Runs until nothing is left to happen; gives the time. */
  run(most?: number): number;
} {
  const dice = random(seed);
  const sideOf = (i: 0 | 1): Side => ({
    pair: make(pair[i], regions(memories[i])),
    completions: [],
    retries: [],
    sent: [],
  });
  const sides = [sideOf(0), sideOf(1)] as const;
  const timers: Record<Timer, number | undefined>[] = [
    { retry: undefined, rnr: undefined },
    { retry: undefined, rnr: undefined },
  ];
  let pending: Pending[] = [];
  let order = 0;
  let now = 0;
  const schedule = (at: number, side: 0 | 1, event: RcEvent): void => {
    pending.push({ at, order: order++, side, event });
  };
  const deliver = (side: 0 | 1, packet: IbPacket): void => {
    sides[side].sent.push(packet);
    if (dice.next() < impairment.loss) return;
    const bytes = encodeIbPacket(packet);
    const copies = dice.next() < impairment.duplicate ? 2 : 1;
    for (let i = 0; i < copies; i++) {
      const late = dice.next() < impairment.reorder ? dice.next() * 40 * pace : 0;
      const read = decodeIbPacket(bytes, 0, bytes.length);
      if (!read.ok) throw new Error(read.error);
      schedule(now + across + late, side === 0 ? 1 : 0, { kind: 'packet', packet: read.value.value });
    }
  };
  const polling = [false, false];
  const step = (side: 0 | 1, event: RcEvent): void => {
    const { pair: qp, completions, retries } = sides[side];
    for (const effect of qp.step(now, event)) {
      if (effect.kind === 'packet') deliver(side, effect.packet);
      else if (effect.kind === 'completion') completions.push(effect.completion);
      else if (effect.kind === 'retry') retries.push(effect);
      else if (effect.kind === 'timer') {
        timers[side]![effect.timer] = effect.at;
        if (effect.at !== undefined) schedule(effect.at, side, { kind: 'timer', timer: effect.timer });
      }
    }
    if (qp.ready && !polling[side]) {
      polling[side] = true;
      schedule(now + pace, side, { kind: 'poll' });
    }
  };
  return {
    sides,
    post: step,
    run(most = 200_000) {
      for (let n = 0; pending.length > 0; n++) {
        if (n > most) throw new Error('the network never falls silent');
        let first = 0;
        for (let i = 1; i < pending.length; i++) {
          const a = pending[i]!;
          const b = pending[first]!;
          if (a.at < b.at || (a.at === b.at && a.order < b.order)) first = i;
        }
        const next = pending[first]!;
        pending[first] = pending[pending.length - 1]!;
        pending.pop();
        const { event, side } = next;
        // A timer that was set anew or stopped meanwhile does not ring.
        if (event.kind === 'timer' && timers[side]![event.timer] !== next.at) continue;
        now = next.at;
        if (event.kind === 'poll') polling[side] = false;
        step(side, event);
      }
      pending = [];
      return now;
    },
  };
}
