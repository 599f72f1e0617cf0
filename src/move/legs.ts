import type { DataPathModel, MoveStage } from './model.ts';

/**
 * Stages through which the bytes stream without a stop: a NIC that reads, the wire, the NIC that writes. They are busy at the
 * same time and move at the rate of the slowest. Between two legs the bytes rest in a buffer, chunk by chunk.
 */
export interface Leg {
  readonly stages: readonly MoveStage[];
  /** Bytes per second. */
  readonly rate: number;
  /** Seconds after a chunk before the leg takes the next: handing over the buffer, starting the next copy. The next leg does not wait for it. */
  readonly gap: number;
  /** Seconds for the head of a chunk to pass the stages that are not the slowest. */
  readonly fill: number;
}

/** How much a device takes in before it passes on: a page, as NICs and switches buffer it. */
const headBytes = 4096;

/**
 * The legs of a path for one operation of so many bytes. Stages that do not overlap are legs of their own; for a worker, who asks
 * for the whole of an operation before the next step, each copy is one, while what devices stream by DMA still flows as one.
 */
export function legsOf(model: DataPathModel, bytes: number): Leg[] {
  const { serial = false, workers = false } = model.timing;
  const groups: MoveStage[][] = [];
  let open = false;
  for (const stage of model.stages) {
    const alone = serial || stage.chunk !== undefined || (workers && stage.copy);
    if (alone || !open) groups.push([stage]);
    else groups.at(-1)!.push(stage);
    open = !alone;
  }
  const head = Math.min(bytes, headBytes);
  return groups.map((stages) => {
    const rate = Math.min(...stages.map((s) => s.rate));
    const heads = stages.reduce((sum, s) => sum + head / s.rate, 0);
    return { stages, rate, gap: Math.max(...stages.map((s) => s.chunk?.gap ?? s.gap ?? 0)), fill: heads - head / rate };
  });
}

/** How an operation is cut up on its way: `count` chunks, all of `size` bytes but the last. */
export interface Chunks {
  readonly count: number;
  readonly size: number;
  readonly last: number;
}

export function chunksOf(model: DataPathModel, bytes: number): Chunks {
  const chunk = Math.max(0, ...model.stages.map((s) => s.chunk?.bytes ?? 0));
  if (chunk === 0 || bytes <= chunk || model.timing.serial) return { count: 1, size: bytes, last: bytes };
  const count = Math.ceil(bytes / chunk);
  return { count, size: chunk, last: bytes - (count - 1) * chunk };
}
