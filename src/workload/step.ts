import type { TrainModel } from './model.ts';

/** How parameters are held: a copy on every GPU, or shards that are gathered when needed. */
export type Strategy = 'ddp' | 'fsdp';

export interface StepAsk {
  readonly model: TrainModel;
  readonly strategy: Strategy;
  /** Bytes of gradients that are reduced at once. */
  readonly bucket: number;
  /** Bytes of one parameter, and of its gradient. */
  readonly width: number;
  /** FLOP/s that a GPU keeps up. */
  readonly rate: number;
}

/** µs of a collective of so many bytes over all GPUs of the job. */
export interface Reduces {
  readonly allReduce: (bytes: number) => number;
  readonly allGather: (bytes: number) => number;
  readonly reduceScatter: (bytes: number) => number;
}

export interface StepTime {
  /** All in µs. */
  readonly compute: number;
  readonly communication: number;
  /** What of the communication nothing hides. */
  readonly exposed: number;
  readonly step: number;
}

/** One step on two streams: kernels in order on one, collectives in order on the other. */
export function stepTime(ask: StepAsk, reduces: Reduces): StepTime {
  return ask.strategy === 'ddp' ? copies(ask, reduces) : shards(ask, reduces);
}

const forwardOf = ({ model, rate }: StepAsk): number => (model.flops * model.samples * 1e6) / rate;

/** Gradients are ready from the last layer to the first; each full bucket is reduced while earlier layers compute. */
function copies(ask: StepAsk, { allReduce }: Reduces): StepTime {
  const forward = forwardOf(ask);
  const backward = 2 * forward;
  const bytes = ask.model.parameters * ask.width;
  const buckets = Math.max(1, Math.ceil(bytes / ask.bucket));
  const each = allReduce(bytes / buckets);
  let free = 0;
  // A bucket is full when its share of the layers is through.
  for (let i = 1; i <= buckets; i++) free = Math.max(free, forward + (backward * i) / buckets) + each;
  const compute = forward + backward;
  return finished(compute, buckets * each, Math.max(free, compute));
}

/** A layer's shards are gathered while the one before computes, forward and again backward; its gradients are scattered. */
function shards(ask: StepAsk, { allGather, reduceScatter }: Reduces): StepTime {
  const { layers, parameters } = ask.model;
  const forward = forwardOf(ask) / layers;
  const gather = allGather((parameters / layers) * ask.width);
  const scatter = reduceScatter((parameters / layers) * ask.width);
  let free = 0;
  let done = 0;
  for (let i = 0; i < layers; i++) {
    free += gather;
    done = Math.max(done, free) + forward;
  }
  // Backward, the next layer's gather goes before this layer's scatter.
  free = Math.max(free, done - forward) + gather;
  let gathered = free;
  for (let i = 0; i < layers; i++) {
    done = Math.max(done, gathered) + 2 * forward;
    if (i + 1 < layers) free += gather;
    gathered = free;
    free = Math.max(free, done) + scatter;
  }
  return finished(3 * forward * layers, layers * (2 * gather + scatter), Math.max(done, free));
}

const finished = (compute: number, communication: number, step: number): StepTime => ({
  compute,
  communication,
  // Sums of the same parts in another order differ in their last digits.
  exposed: Math.max(0, step - compute),
  step: Math.max(step, compute),
});
