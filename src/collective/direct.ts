import type { CollectiveName } from './kinds.ts';
import { atOnce, channelOf, channelsOf, type P2pWays, peerIn, roundsOf } from './p2p.ts';
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

/**
 * Sends and receives (src/enqueue.cc: addP2pToPlan): round by round each rank sends to one other and receives from one, the way
 * round that a ring of ranks has. In the first it copies its own part, with the threads of the same channels.
 */
export function buildDirect(b: ProgramBuilder, task: Task, ranks: number, ways: P2pWays): void {
  const pick = messageOf[task.collective]!;
  const parts = partsOf(task, ways);
  const lanes = new Map<string, { rank: number; channel: number; sends: boolean; work: Work[] }>();
  const works = new Map<string, number>();
  const join = (rank: number, channel: number, sends: boolean, work: Work): void => {
    const side = `${rank} ${channel} ${sends ? 1 : 0}`;
    const nth = works.get(side) ?? 0;
    works.set(side, nth + 1);
    // Each of the works done at once has its own threads; what comes after takes its turn there.
    const key = `${side} ${nth % atOnce}`;
    const lane = lanes.get(key);
    if (lane) lane.work.push(work);
    else lanes.set(key, { rank, channel, sends, work: [work] });
  };
  const rounds = task.count > 0 ? roundsOf(ranks, ways.local) : 0;
  for (let round = 0; round < rounds; round++) {
    for (let from = 0; from < ranks; from++) {
      const to = peerIn(round, from, ranks, ways.local);
      const message = to === undefined ? undefined : pick(task, ranks, from, to);
      if (!message) continue;
      parts.forEach(({ offset, count }, p) => {
        const channel = channelOf(round, p, task.channels, ranks, ways.local);
        const connection = b.connection(from, message.to, channel, bufferSlots);
        join(from, channel, true, { connection, at: message.sourceAt + offset, count });
        join(message.to, channel, false, { connection, at: message.targetAt + offset, count });
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

function partsOf(task: Task, ways: P2pWays): { offset: number; count: number }[] {
  const each = Math.ceil(task.count / channelsOf(task.count * task.elementBytes, task.channels, ways));
  const parts: { offset: number; count: number }[] = [];
  for (let offset = 0; offset < task.count; offset += each) {
    parts.push({ offset, count: Math.min(each, task.count - offset) });
  }
  return parts;
}
