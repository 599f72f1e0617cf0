import type { CollectiveName } from './kinds.ts';
import type { ProgramBuilder, Task } from './program.ts';
import { chunkOf } from './ring.ts';
import { bufferSlots } from './share.ts';
import { NONE, Place, type Sink } from './steps.ts';

const { None, Input, Output } = Place;

/** One send with its receive: elements, and where they lie at both ends. */
interface Message {
  readonly from: number;
  readonly to: number;
  readonly sourceAt: number;
  readonly targetAt: number;
}

/** Whether rank `from` sends to rank `to`, and where. */
const messageOf: Partial<
  Record<CollectiveName, (task: Task, ranks: number, from: number, to: number) => Message | undefined>
> = {
  alltoall: ({ count }, _, from, to) => ({ from, to, sourceAt: to * count, targetAt: from * count }),
  sendrecv: (_, ranks, from, to) => (to === (from + 1) % ranks ? { from, to, sourceAt: 0, targetAt: 0 } : undefined),
  gather: ({ count, root }, _, from, to) =>
    to === root ? { from, to, sourceAt: 0, targetAt: from * count } : undefined,
  scatter: ({ count, root }, _, from, to) =>
    from === root ? { from, to, sourceAt: to * count, targetAt: 0 } : undefined,
};

/** Messages that one channel works on at once (NCCL_MAX_DEV_WORK_P2P_PER_BATCH). */
const atOnce = 8;

/** How many channels one message takes: `least`, and twice as many again while a part would exceed `partBytes`, up to `most`. */
export interface P2pWays {
  readonly least: number;
  readonly most: number;
  readonly partBytes: number;
}

/**
 * Sends and receives (src/enqueue.cc: addP2pToPlan): in round d each rank sends to the one d further on and receives from the
 * one d before it. Channels are taken in turn. In round 0 it copies its own part, with the threads of the same channels.
 */
export function buildDirect(b: ProgramBuilder, task: Task, ranks: number, ways: P2pWays): void {
  const pick = messageOf[task.collective]!;
  const parts = partsOf(task, ways);
  const lanes = new Map<string, { rank: number; channel: number; sends: boolean; work: Work[] }>();
  const join = (rank: number, channel: number, sends: boolean, round: number, work: Work): void => {
    // Each of the works done at once has its own threads; what comes after takes its turn there.
    const key = `${rank} ${channel} ${sends ? 1 : 0} ${Math.floor((round * parts.length) / task.channels) % atOnce}`;
    const lane = lanes.get(key);
    if (lane) lane.work.push(work);
    else lanes.set(key, { rank, channel, sends, work: [work] });
  };
  for (let round = 0; round < ranks && task.count > 0; round++) {
    for (let from = 0; from < ranks; from++) {
      const message = pick(task, ranks, from, (from + round) % ranks);
      if (!message) continue;
      parts.forEach(({ offset, count }, p) => {
        const channel = (round * parts.length + p) % task.channels;
        const connection = b.connection(from, message.to, channel, bufferSlots);
        join(from, channel, true, round, { connection, at: message.sourceAt + offset, count });
        join(message.to, channel, false, round, { connection, at: message.targetAt + offset, count });
      });
    }
  }
  for (const { rank, channel, sends, work } of lanes.values()) {
    const group = b.speaks((_, sink) => {
      for (let w = 0; w < work.length; w++) tellWork(task, work[w]!, w, sends, sink);
    });
    const kind = b.kindOf(`${sends ? 'send' : 'receive'} ${work.map((w) => w.count).join(' ')}`);
    const connections = work.map((w) => w.connection);
    b.worker(group, 0, kind, rank, channel, sends ? [] : connections, sends ? connections : []);
  }
}

interface Work {
  readonly connection: number;
  readonly at: number;
  readonly count: number;
}

function tellWork(task: Task, { at, count }: Work, port: number, sends: boolean, sink: Sink): void {
  const chunk = chunkOf(task);
  for (let done = 0; done < count; done += chunk) {
    const size = Math.min(chunk, count - done);
    sink.loop(size);
    if (sends) sink.step(NONE, port, Input, at + done, None, 0, size);
    else sink.step(port, NONE, None, 0, Output, at + done, size);
  }
}

/** Channels that a message of so many bytes takes: doubled while its parts are too large (calcP2pChannelCount). */
export function channelsOf(bytes: number, available: number, { least, most, partBytes }: P2pWays): number {
  let channels = Math.min(least, available);
  while (bytes > partBytes * channels && channels * 2 <= Math.min(most, available)) channels *= 2;
  return channels;
}

function partsOf(task: Task, ways: P2pWays): { offset: number; count: number }[] {
  const channels = channelsOf(task.count * task.elementBytes, task.channels, ways);
  // Parts of less than a line are not worth a channel.
  const each = Math.max(Math.ceil(task.count / channels), Math.ceil(128 / task.elementBytes));
  const parts: { offset: number; count: number }[] = [];
  for (let offset = 0; offset < task.count; offset += each) {
    parts.push({ offset, count: Math.min(each, task.count - offset) });
  }
  return parts;
}
