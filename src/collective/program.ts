import { doubled, Ints } from '../schedule/growable.ts';
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
  /** Of the threads that a channel of a ring has, how many it has. */
  readonly threads: Float64Array;
  /** Connections of worker w: `in[inStart[w] … inStart[w + 1] − 1]`, numbered from 0 in its steps; likewise `out`. */
  readonly inStart: Int32Array;
  readonly in: Int32Array;
  readonly outStart: Int32Array;
  readonly out: Int32Array;
}

/** Steps of several workers that differ in their place only, such as the ranks of one ring. */
export type Tell = (place: number, sink: Sink) => void;

/** How workers of a kind work (see `Workers`). */
export interface Manner {
  readonly sideBySide?: boolean;
  readonly threads?: number;
}

/** Puts a program together: connections first, then the workers at their ends. */
export class ProgramBuilder {
  private connections = 0;
  private from = new Int32Array(64);
  private to = new Int32Array(64);
  private channel = new Int32Array(64);
  private slots = new Int32Array(64);
  private workers = 0;
  private agent = new Int32Array(64);
  private workerChannel = new Int32Array(64);
  private kind = new Int32Array(64);
  private group = new Int32Array(64);
  private place = new Int32Array(64);
  private inStart = new Int32Array(64);
  private outStart = new Int32Array(64);
  private readonly in = new Ints();
  private readonly out = new Ints();
  private readonly tells: Tell[] = [];
  private readonly kinds = new Map<string, number>();
  private readonly manners: Required<Manner>[] = [];

  connection(from: number, to: number, channel: number, slots: number): number {
    if (this.connections === this.from.length) this.growConnections();
    const c = this.connections++;
    this.from[c] = from;
    this.to[c] = to;
    this.channel[c] = channel;
    this.slots[c] = slots;
    return c;
  }

  /** A group of workers that `tell` speaks for; returns its number. */
  speaks(tell: Tell): number {
    return this.tells.push(tell) - 1;
  }

  /** Number of a kind; the same text has the same number. */
  kindOf(text: string, { sideBySide = false, threads = 1 }: Manner = {}): number {
    const known = this.kinds.get(text);
    if (known !== undefined) return known;
    this.kinds.set(text, this.kinds.size);
    return this.manners.push({ sideBySide, threads }) - 1;
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
    if (this.workers === this.agent.length) this.growWorkers();
    const w = this.workers++;
    this.group[w] = group;
    this.place[w] = place;
    this.kind[w] = kind;
    this.agent[w] = agent;
    this.workerChannel[w] = channel;
    this.inStart[w] = this.in.length;
    this.outStart[w] = this.out.length;
    for (let i = 0; i < ins.length; i++) this.in.push(ins[i]!);
    for (let i = 0; i < outs.length; i++) this.out.push(outs[i]!);
  }

  /** Columns grow together, with one look at the room left for each connection or worker: there are hundreds of thousands. */
  private growConnections(): void {
    this.from = doubled(this.from);
    this.to = doubled(this.to);
    this.channel = doubled(this.channel);
    this.slots = doubled(this.slots);
  }

  private growWorkers(): void {
    this.agent = doubled(this.agent);
    this.workerChannel = doubled(this.workerChannel);
    this.kind = doubled(this.kind);
    this.group = doubled(this.group);
    this.place = doubled(this.place);
    this.inStart = doubled(this.inStart);
    this.outStart = doubled(this.outStart);
  }

  done(
    about: Pick<Program, 'task' | 'ranks' | 'slices' | 'leastSlice'> & { agents?: number; scratch?: number },
  ): Program {
    const count = this.workers;
    const ends = (starts: Int32Array, end: number): Int32Array => {
      const out = new Int32Array(count + 1);
      out.set(starts.subarray(0, count));
      out[count] = end;
      return out;
    };
    const sideBySide = new Uint8Array(count);
    const threads = new Float64Array(count);
    for (let w = 0; w < count; w++) {
      const manner = this.manners[this.kind[w]!]!;
      if (manner.sideBySide) sideBySide[w] = 1;
      threads[w] = manner.threads;
    }
    const workers: Workers = {
      count,
      agent: this.agent.slice(0, count),
      channel: this.workerChannel.slice(0, count),
      kind: this.kind.slice(0, count),
      sideBySide,
      threads,
      inStart: ends(this.inStart, this.in.length),
      in: this.in.done(),
      outStart: ends(this.outStart, this.out.length),
      out: this.out.done(),
    };
    const sender = new Int32Array(this.connections).fill(-1);
    const receiver = new Int32Array(this.connections).fill(-1);
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
        count: this.connections,
        from: this.from.slice(0, this.connections),
        to: this.to.slice(0, this.connections),
        sender,
        receiver,
        channel: this.channel.slice(0, this.connections),
        slots: this.slots.slice(0, this.connections),
      },
      workers,
      tell: (worker, sink) => tells[group[worker]!]!(place[worker]!, sink),
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
