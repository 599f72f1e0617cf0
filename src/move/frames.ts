import { type DataPathModel, moveRow } from './model.ts';

/** Pictures that come whether somebody takes them or not: 4:2:2 with 10 bits is 2.5 bytes a pixel (SMPTE ST 2110-20, section 6.2). */
export interface VideoFormat {
  readonly name: string;
  readonly bytes: number;
  readonly perSecond: number;
}

const format = (name: string, width: number, height: number, perSecond: number): VideoFormat => ({
  name,
  bytes: width * height * 2.5,
  perSecond,
});

export const videoFormats: readonly VideoFormat[] = [
  format('1080p60', 1920, 1080, 60),
  format('4K60', 3840, 2160, 60),
  format('8K60', 7680, 4320, 60),
];

export interface FrameTiming {
  readonly format: VideoFormat;
  readonly periodUs: number;
  /** From the last pixel to the frame in GPU memory. */
  readonly latencyUs: number;
  /** The frame is there before the next one is complete. */
  readonly inTime: boolean;
  /** Frames of a second that find the card's buffers full. */
  readonly dropped: number;
}

/** A card has two buffers as a rule: one fills while the other is emptied. */
const buffers = 2;

/** Ten seconds of video on a path: when each frame is there, and which are lost. */
export function framesOn(model: DataPathModel, format: VideoFormat): FrameTiming {
  const row = moveRow(model, format.bytes, { depth: 1, threads: 1, both: false });
  const period = 1 / format.perSecond;
  const service = format.bytes / (row.bandwidthGBps * 1e9);
  const frames = 10 * format.perSecond;
  /** When each frame that the card still holds will have left it. */
  let held: number[] = [];
  let free = 0;
  let dropped = 0;
  for (let k = 0; k < frames; k++) {
    const now = k * period;
    held = held.filter((until) => until > now);
    // One buffer is filling up: what is complete must have left all others.
    if (held.length >= buffers) {
      dropped++;
      continue;
    }
    free = Math.max(free, now) + service;
    held.push(free);
  }
  return {
    format,
    periodUs: period * 1e6,
    latencyUs: row.latencyUs,
    inTime: row.latencyUs <= period * 1e6,
    dropped: Math.round(dropped / 10),
  };
}
