import { Ints } from '../schedule/growable.ts';
import type { AlgorithmName, CollectiveName, ProtocolName } from './kinds.ts';
import { type Sink, Steps } from './steps.ts';

/** What is to be done, and how NCCL decided to do it. */
export interface Task {
  readonly collective: CollectiveName;
  readonly algorithm: AlgorithmName;
  readonly protocol: ProtocolName;
  /** Elements, as the argument `count` of nccl.h: of one rank's part where each rank has a part. */
  readonly count: number;
  /** Bytes of one element. */
  readonly elementBytes: number;
  readonly root: number;
  /** Channels that may be used; small amounts use fewer. */
  readonly channels: number;
  /** Bytes of a chunk: what a rank sends at once in one step. */
  readonly chunkBytes: number;
  /** Bytes of the Simple buffer between two GPUs (NCCL_BUFFSIZE); NCCL's default when left out. */
  readonly bufferBytes?: number;
  /** Steps that fit in a buffer (NCCL_STEPS); 8 when left out. */
  readonly steps?: number;
}

/**
 * A collective as the blocks of all GPUs carry it out. A *worker* is one group of threads that does its steps one after the
 * other: one or two a rank and channel. A *connection* is a buffer of `slots` messages between two workers, first in, first out.
 * A step is told in slices; each waits for a message on every connection it receives from and a free slot on every one it sends
 * to. Nothing else orders the work.
 *
 * Steps are told on demand (`tell`), since a ring of 10,000 ranks has 10⁸ of them and all workers of a `kind` do the same.
 */
export interface Program {
  readonly task: Task;
  readonly ranks: number;
  /** Ranks, then the switches that reduce and copy on their own (NVLS), which have no buffers. */
  readonly agents: number;
  /** Slices of a step, and the fewest elements of one. */
  readonly slices: number;
  readonly leastSlice: number;
  /** Elements of scratch memory a rank needs. */
  readonly scratch: number;
  readonly connections: Connections;
  readonly workers: Workers;
  /** Tells the steps of a worker, in order. */
  tell(worker: number, sink: Sink): void;
}

export interface Connections {
  readonly count: number;
  /** Agents at its ends, and workers. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly sender: Int32Array;
  readonly receiver: Int32Array;
  readonly channel: Int32Array;
  /** Slices that fit in the buffer. */
  readonly slots: Int32Array;
}

export interface Workers {
  readonly count: number;
  readonly agent: Int32Array;
  readonly channel: Int32Array;
  /** Workers of a kind do the same steps, but for the offsets and where the rest of an uneven division falls. */
  readonly kind: Int32Array;
  /** 1: it has threads for each of its connections, and serves them side by side. */
  readonly sideBySide: Uint8Array;
  /** Connections of worker w: `in[inStart[w] … inStart[w + 1] − 1]`, numbered from 0 in its steps; likewise `out`. */
  readonly inStart: Int32Array;
  readonly in: Int32Array;
  readonly outStart: Int32Array;
  readonly out: Int32Array;
}

/** Steps of several workers that differ in their place only, such as the ranks of one ring. */
export type Tell = (place: number, sink: Sink) => void;

/** Puts a program together: connections first, then the workers at their ends. */
export class ProgramBuilder {
  private readonly from = new Ints();
  private readonly to = new Ints();
  private readonly channel = new Ints();
  private readonly slots = new Ints();
  private readonly agent = new Ints();
  private readonly workerChannel = new Ints();
  private readonly kind = new Ints();
  private readonly group = new Ints();
  private readonly place = new Ints();
  private readonly inStart = new Ints();
  private readonly in = new Ints();
  private readonly outStart = new Ints();
  private readonly out = new Ints();
  private readonly tells: Tell[] = [];
  private readonly kinds = new Map<string, number>();
  private readonly sideBySide: boolean[] = [];

  connection(from: number, to: number, channel: number, slots: number): number {
    this.from.push(from);
    this.to.push(to);
    this.channel.push(channel);
    this.slots.push(slots);
    return this.from.length - 1;
  }

  /** A group of workers that `tell` speaks for; returns its number. */
  speaks(tell: Tell): number {
    return this.tells.push(tell) - 1;
  }

  /** Number of a kind; the same text has the same number. */
  kindOf(text: string, sideBySide = false): number {
    const known = this.kinds.get(text);
    if (known !== undefined) return known;
    this.kinds.set(text, this.kinds.size);
    return this.sideBySide.push(sideBySide) - 1;
  }

  worker(
    group: number,
    place: number,
    kind: number,
    agent: number,
    channel: number,
    ins: readonly number[],
    outs: readonly number[],
  ): void {
    this.group.push(group);
    this.place.push(place);
    this.kind.push(kind);
    this.agent.push(agent);
    this.workerChannel.push(channel);
    this.inStart.push(this.in.length);
    this.outStart.push(this.out.length);
    for (const c of ins) this.in.push(c);
    for (const c of outs) this.out.push(c);
  }

  done(
    about: Pick<Program, 'task' | 'ranks' | 'slices' | 'leastSlice'> & { agents?: number; scratch?: number },
  ): Program {
    const count = this.agent.length;
    const ends = (starts: Ints, end: number): Int32Array => {
      const out = new Int32Array(count + 1);
      out.set(starts.done());
      out[count] = end;
      return out;
    };
    const workers: Workers = {
      count,
      agent: this.agent.done(),
      channel: this.workerChannel.done(),
      kind: this.kind.done(),
      sideBySide: Uint8Array.from(this.kind.done(), (k) => (this.sideBySide[k] ? 1 : 0)),
      inStart: ends(this.inStart, this.in.length),
      in: this.in.done(),
      outStart: ends(this.outStart, this.out.length),
      out: this.out.done(),
    };
    const sender = new Int32Array(this.from.length).fill(-1);
    const receiver = new Int32Array(this.from.length).fill(-1);
    for (let w = 0; w < count; w++) {
      for (let k = workers.inStart[w]!; k < workers.inStart[w + 1]!; k++) receiver[workers.in[k]!] = w;
      for (let k = workers.outStart[w]!; k < workers.outStart[w + 1]!; k++) sender[workers.out[k]!] = w;
    }
    const { group, place, tells } = this;
    return {
      ...about,
      agents: about.agents ?? about.ranks,
      scratch: about.scratch ?? 0,
      connections: {
        count: this.from.length,
        from: this.from.done(),
        to: this.to.done(),
        sender,
        receiver,
        channel: this.channel.done(),
        slots: this.slots.done(),
      },
      workers,
      tell: (worker, sink) => tells[group.at(worker)]!(place.at(worker), sink),
    };
  }
}

export function stepsOf(program: Program, worker: number): Steps {
  const steps = new Steps();
  program.tell(worker, steps);
  return steps;
}

/** Elements of a slice of a step of `count` elements; the last ones may be smaller, or empty. */
export const sliceOf = (program: Pick<Program, 'slices' | 'leastSlice'>, count: number): number =>
  program.slices === 1 ? count : Math.max(Math.ceil(count / (16 * program.slices)) * 16, program.leastSlice);
