import type { TrainModel } from './model.ts';
import { Streams } from './streams.ts';

/** How parameters are held: a copy on every GPU, or shards that are gathered when needed. */
export type Strategy = 'ddp' | 'fsdp';

export interface StepAsk {
  readonly model: TrainModel;
  readonly strategy: Strategy;
  /** Bytes of gradients that are reduced at once. */
  readonly bucket: number;
  /** Bytes of one parameter as it is gathered, and of one gradient as it is reduced. */
  readonly width: number;
  readonly gradientWidth: number;
  /** FLOP/s that a GPU keeps up. */
  readonly rate: number;
}

/** What the job is like on which a step runs. */
export interface StepOn {
  /** µs of a collective of so many bytes over all GPUs of the job. */
  readonly allReduce: (bytes: number) => number;
  readonly allGather: (bytes: number) => number;
  readonly reduceScatter: (bytes: number) => number;
  /** µs in which a GPU updates the parameters it holds. */
  readonly optimizer: number;
  /** Of a collective's time, what kernels beside it lose. */
  readonly taken: number;
  /** Kernels of the slowest GPU over those of the usual one. */
  readonly slowest: number;
}

/** All in µs. A step is the sum of all but `communication`. */
export interface StepTime {
  /** Forward and backward on the usual GPU, undisturbed. */
  readonly compute: number;
  readonly optimizer: number;
  /** What the slowest GPU takes longer: all others wait for it in a collective. */
  readonly waiting: number;
  /** What collectives take from kernels beside them. */
  readonly slowed: number;
  /** What of the communication nothing hides. */
  readonly exposed: number;
  readonly communication: number;
  readonly step: number;
}

/** One step of the slowest GPU, which all others follow. */
export function stepTime(ask: StepAsk, on: StepOn): StepTime {
  const streams = new Streams(on.taken);
  const compute = (3 * ask.model.flops * ask.model.samples * 1e6) / ask.rate;
  const forward = (compute / 3) * on.slowest;
  if (ask.strategy === 'ddp') copies(streams, ask, on, forward);
  else shards(streams, ask, on, forward);
  const waiting = compute * (on.slowest - 1);
  const { slowed, communication } = streams;
  const exposed = streams.waited + Math.max(0, streams.collectivesEnd - streams.kernelsEnd);
  const { optimizer } = on;
  const step = compute + waiting + slowed + exposed + optimizer;
  return { compute, optimizer, waiting, slowed, exposed, communication, step };
}

/** Gradients are ready from the last layer to the first; each full bucket is reduced while earlier layers compute. */
function copies(streams: Streams, ask: StepAsk, { allReduce }: StepOn, forward: number): void {
  const bytes = ask.model.parameters * ask.gradientWidth;
  const buckets = Math.max(1, Math.ceil(bytes / ask.bucket));
  const each = allReduce(bytes / buckets);
  streams.kernel(0, forward);
  // A bucket is full when its share of the layers is through.
  for (let i = 0; i < buckets; i++) streams.collective(streams.kernel(0, (2 * forward) / buckets), each);
}

/** A layer's shards are gathered while the one before computes, forward and again backward; its gradients are scattered. */
function shards(streams: Streams, ask: StepAsk, { allGather, reduceScatter }: StepOn, forward: number): void {
  const { layers } = ask.model;
  const perLayer = ask.model.parameters / layers;
  const gather = allGather(perLayer * ask.width);
  const scatter = reduceScatter(perLayer * ask.gradientWidth);
  let gathered = streams.collective(0, gather);
  for (let i = 0; i < 2 * layers; i++) {
    const start = Math.max(streams.kernelsEnd, gathered);
    const ready = gathered;
    if (i + 1 < 2 * layers) gathered = streams.collective(start, gather);
    const backward = i >= layers;
    const end = streams.kernel(ready, ((backward ? 2 : 1) * forward) / layers);
    if (backward) streams.collective(end, scatter);
  }
}
