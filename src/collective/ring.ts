import type { CollectiveName } from './kinds.ts';
import type { ProgramBuilder, Task } from './program.ts';
import { type Share, slicing } from './share.ts';
import { NONE, Place, type Sink } from './steps.ts';

const { None, Input, Output } = Place;

/**
 * Rings (src/device/all_reduce.h, all_gather.h, reduce_scatter.h, broadcast.h, reduce.h): each rank of a channel receives from
 * the one before and sends to the one after. `rings[c]` lists the ranks of channel c.
 */
export function buildRing(
  b: ProgramBuilder,
  task: Task,
  ranks: number,
  rings: readonly (readonly number[])[],
  parts: readonly Share[],
): void {
  const { slots } = slicing(task);
  for (const part of parts) {
    const ring = rings[part.channel % rings.length]!;
    const first = connectRing(b, ring, ranks, part.channel, slots);
    const at = placesIn(ring, ranks);
    const group = b.speaks((place, sink) =>
      ringSteps[task.collective]?.({ task, ring, ranks, part, root: at }, place, sink),
    );
    const rooted = task.collective === 'broadcast' || task.collective === 'reduce';
    const alike = b.kindOf(`ring ${part.count}`);
    const kindAt = (i: number): number =>
      rooted ? b.kindOf(`ring ${part.count} ${fromRoot(ranks, i, at[task.root]!)}`) : alike;
    workRing(b, ring, ranks, part.channel, group, first, kindAt);
  }
}

/** Joins each rank to the next; returns the first rank's connection, which those of the others follow. */
function connectRing(
  b: ProgramBuilder,
  ring: readonly number[],
  ranks: number,
  channel: number,
  slots: number,
): number {
  const first = b.connection(ring[0]!, ring[1 % ranks]!, channel, slots);
  for (let i = 1; i < ranks; i++) b.connection(ring[i]!, ring[(i + 1) % ranks]!, channel, slots);
  return first;
}

function workRing(
  b: ProgramBuilder,
  ring: readonly number[],
  ranks: number,
  channel: number,
  group: number,
  first: number,
  kindAt: (place: number) => number,
): void {
  for (let i = 0; i < ranks; i++) {
    b.worker(group, i, kindAt(i), ring[i]!, channel, [first + ((i + ranks - 1) % ranks)], [first + i]);
  }
}

function placesIn(ring: readonly number[], ranks: number): Int32Array {
  const at = new Int32Array(ranks);
  for (let i = 0; i < ranks; i++) at[ring[i]!] = i;
  return at;
}

/** What tells the workers apart where there is a root: whether they are there or just before or after it. */
function fromRoot(ranks: number, place: number, root: number): string {
  const distance = (place - root + ranks) % ranks;
  return distance === 0 ? 'root' : distance === 1 ? 'first' : distance === ranks - 1 ? 'last' : 'middle';
}

interface Turn {
  readonly task: Task;
  readonly ring: readonly number[];
  readonly ranks: number;
  readonly part: Share;
  /** Place in the ring of each rank. */
  readonly root: Int32Array;
}

type RingSteps = (turn: Turn, place: number, sink: Sink) => void;

const allReduce: RingSteps = ({ task, ranks, part }, place, sink) => {
  const whole = chunkOf(task);
  let chunk = whole;
  for (let done = 0; done < part.count; done += ranks * whole) {
    const left = part.count - done;
    // The last turn is divided evenly again, in units of 16 bytes.
    if (left < ranks * chunk) chunk = evenly(left, ranks, task.elementBytes);
    const at = (k: number): number => part.offset + done + ((place + k) % ranks) * chunk;
    const size = (k: number): number => Math.max(0, Math.min(chunk, left - ((place + k) % ranks) * chunk));
    const mid = (k: number, source: Place, target: Place): void =>
      sink.step(0, 0, source, at(k), target, at(k), size(k));
    sink.loop(chunk, left / ranks < chunk ? left / ranks : undefined);
    sink.step(NONE, 0, Input, at(ranks - 1), None, 0, size(ranks - 1));
    for (let j = 2; j < ranks; j++) mid(ranks - j, Input, None);
    mid(0, Input, Output);
    for (let j = 1; j < ranks - 1; j++) mid(ranks - j, None, Output);
    sink.step(0, NONE, None, 0, Output, at(1), size(1));
  }
};

const allGather: RingSteps = ({ task, ring, ranks, part }, place, sink) => {
  const chunk = chunkOf(task);
  const owner = (k: number): number => ring[(place + k) % ranks]! * task.count;
  for (let done = 0; done < part.count; done += chunk) {
    const size = Math.min(chunk, part.count - done);
    const at = part.offset + done;
    sink.loop(size);
    sink.step(NONE, 0, Input, at, Output, owner(0) + at, size);
    for (let j = 1; j < ranks - 1; j++) sink.step(0, 0, None, 0, Output, owner(ranks - j) + at, size);
    sink.step(0, NONE, None, 0, Output, owner(1) + at, size);
  }
};

const reduceScatter: RingSteps = ({ task, ring, ranks, part }, place, sink) => {
  const chunk = chunkOf(task);
  const owner = (k: number): number => ring[(place + k) % ranks]! * task.count;
  for (let done = 0; done < part.count; done += chunk) {
    const size = Math.min(chunk, part.count - done);
    const at = part.offset + done;
    sink.loop(size);
    sink.step(NONE, 0, Input, owner(ranks - 1) + at, None, 0, size);
    for (let j = 2; j < ranks; j++) sink.step(0, 0, Input, owner(ranks - j) + at, None, 0, size);
    sink.step(0, NONE, Input, owner(0) + at, Output, at, size);
  }
};

/** From the root on to the rank before it. */
const broadcast: RingSteps = ({ task, ranks, part, root }, place, sink) => {
  const distance = (place - root[task.root]! + ranks) % ranks;
  inChunks(task, part, sink, (at, size) => {
    if (distance === 0) sink.step(NONE, 0, Input, at, Output, at, size);
    else sink.step(0, distance === ranks - 1 ? NONE : 0, None, 0, Output, at, size);
  });
};

/** From the rank after the root round to the root. */
const reduce: RingSteps = ({ task, ranks, part, root }, place, sink) => {
  const distance = (place - root[task.root]! + ranks) % ranks;
  inChunks(task, part, sink, (at, size) => {
    if (distance === 0) sink.step(0, NONE, Input, at, Output, at, size);
    else sink.step(distance === 1 ? NONE : 0, 0, Input, at, None, 0, size);
  });
};

const ringSteps: Partial<Record<CollectiveName, RingSteps>> = {
  all_reduce: allReduce,
  all_gather: allGather,
  reduce_scatter: reduceScatter,
  broadcast,
  reduce,
};

/** Elements of a whole chunk. */
export const chunkOf = (task: Task): number => Math.max(1, Math.floor(task.chunkBytes / task.elementBytes));

/** Elements of a chunk when `left` elements are divided over `ways` chunks, in units of `grain` bytes. */
export function evenly(left: number, ways: number, elementBytes: number, grain = 16): number {
  const unit = Math.max(1, Math.floor(grain / elementBytes));
  return Math.ceil(Math.ceil(left / ways) / unit) * unit;
}

export function inChunks(task: Task, part: Share, sink: Sink, each: (at: number, size: number) => void): void {
  const chunk = chunkOf(task);
  for (let done = 0; done < part.count; done += chunk) {
    sink.loop(Math.min(chunk, part.count - done));
    each(part.offset + done, Math.min(chunk, part.count - done));
  }
}

/** Rings of one rank and other trivial cases: the data is copied. */
export function buildCopy(b: ProgramBuilder, count: number): void {
  const group = b.speaks((_, sink) => {
    sink.loop(count);
    sink.step(NONE, NONE, Input, 0, Output, 0, count);
  });
  b.worker(group, 0, b.kindOf('copy'), 0, 0, [], []);
}
