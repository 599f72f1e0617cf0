import type { Bytes } from '../base/units.ts';
import type { ScheduleBuilder, WaitSpec } from './builder.ts';
import { Wait } from './schedule.ts';

/** One leg of a staged transfer: a DMA, a copy by a core, a wire. */
export interface Stage {
  readonly label: string;
  /** Resources crossed, each with its units per payload byte. */
  readonly path: readonly (readonly [resource: number, factor: number])[];
  readonly holds?: readonly number[];
  /** Seconds per chunk before its bytes flow, and from sent to delivered. */
  readonly before?: number;
  readonly after?: number;
  readonly copies?: number;
  /** Chunks that fit between this stage and the next; as many as the window when left out. */
  readonly buffers?: number;
}

export interface Pipeline {
  readonly bytes: Bytes;
  readonly chunk: Bytes;
  /** Chunks on their way at once, from the first stage to the last; all when left out. */
  readonly window?: number;
  readonly stages: readonly Stage[];
  /** What the first chunk waits for. */
  readonly waits?: readonly WaitSpec[];
}

/**
 * A transfer cut into chunks that follow each other through the stages: GPU → host → NIC → wire → host → GPU. One operation a
 * stage, whatever the number of chunks; an empty transfer still passes once, since its latency is real.
 *
 * @returns the operations, in the order of the stages; the last one's end is the transfer's
 */
export function pipeline(builder: ScheduleBuilder, { bytes, chunk, window, stages, waits }: Pipeline): number[] {
  const repeat = Math.max(1, Math.ceil(bytes / chunk));
  const amount = repeat === 1 ? bytes : chunk;
  const first = builder.next;
  return stages.map((stage, s) => {
    const on: WaitSpec[] = s === 0 ? [...(waits ?? [])] : [{ on: first + s - 1 }];
    if (s === 0 && window !== undefined) on.push({ on: first + stages.length - 1, lag: window });
    // The next stage has read a chunk when it has sent it; then its buffer can be filled again.
    if (stage.buffers !== undefined && s + 1 < stages.length) {
      on.push({ on: first + s + 1, lag: stage.buffers, kind: Wait.Sent });
    }
    return builder.operation({
      ...stage,
      amount,
      repeat,
      last: bytes - (repeat - 1) * amount,
      waits: on,
    });
  });
}
