import type { Result } from '../../base/result.ts';
import type { PlainNetwork } from '../../read/plain-network.ts';
import { ScheduleBuilder } from '../../schedule/builder.ts';
import type { EngineMessage } from '../../schedule/message.ts';
import type { Schedule } from '../../schedule/schedule.ts';

/** Collectives that a plain network is asked for. */
export const plainCollectives = ['all_reduce', 'all_gather', 'reduce_scatter', 'alltoall'] as const;
export type PlainCollective = (typeof plainCollectives)[number];

/** The links from one GPU to another, in order. */
type Way = (from: number, to: number) => readonly number[];

/**
 * A collective as the textbook has it: a ring in whose every step each GPU sends a part of the vector to the next, when the
 * part of the step before has come; an alltoall sends to each of the others in turn. Sizes are those of nccl-tests.
 */
export function plainSchedule(
  network: PlainNetwork,
  collective: PlainCollective,
  bytes: number,
): Result<Schedule, EngineMessage> {
  const { gpus, latency, send } = network;
  const b = new ScheduleBuilder();
  const way = waysOf(network, b);
  const part = bytes / gpus;
  if (collective === 'alltoall') {
    const label = b.labelled('send');
    for (let i = 0; i < gpus; i++) {
      for (let step = 1; step < gpus; step++) {
        const links = way(i, (i + step) % gpus);
        const before = b.next - 1;
        b.begin(label, part, 1, send, latency * links.length);
        for (const l of links) b.cross(l);
        // One message after the other: a GPU's software sends them.
        if (step > 1) b.wait(before, 0);
      }
    }
    return b.build();
  }
  const steps = collective === 'all_reduce' ? 2 * (gpus - 1) : gpus - 1;
  const label = b.labelled('step');
  const first = b.next;
  for (let i = 0; i < gpus; i++) {
    const links = way(i, (i + 1) % gpus);
    b.begin(label, part, steps, send, latency * links.length);
    for (const l of links) b.cross(l);
    b.wait(first + ((i + gpus - 1) % gpus), 1);
  }
  return b.build();
}

function waysOf({ gpus, shape, rate }: PlainNetwork, b: ScheduleBuilder): Way {
  const links = (name: (i: number) => string): number[] =>
    Array.from({ length: gpus }, (_, i) => b.resource('link', name(i), rate));
  if (shape === 'switch') {
    const up = links((i) => `gpu${i} out`);
    const down = links((i) => `gpu${i} in`);
    return (from, to) => [up[from]!, down[to]!];
  }
  if (shape === 'ring') {
    const next = links((i) => `gpu${i} to gpu${(i + 1) % gpus}`);
    return (from, to) => Array.from({ length: (to - from + gpus) % gpus }, (_, k) => next[(from + k) % gpus]!);
  }
  const made = new Map<number, number>();
  return (from, to) => {
    const key = from * gpus + to;
    let link = made.get(key);
    if (link === undefined) {
      link = b.resource('link', `gpu${from} to gpu${to}`, rate);
      made.set(key, link);
    }
    return [link];
  };
}
