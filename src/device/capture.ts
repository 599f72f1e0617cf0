import { fail, ok, type Result } from '../base/result.ts';
import type { DeviceFault, Region } from './memory.ts';
import type { MoverCount } from './movers.ts';

/**
 * A card that captures video: the signal does not wait. A frame goes into a free buffer of the card, or is lost; the card's own DMA
 * carries the oldest one to where it is told.
 */
export class CaptureCard {
  readonly moved: MoverCount = { bytes: 0, operations: 0 };
  dropped = 0;
  private readonly frames: Uint8Array[] = [];

  constructor(
    readonly name: string,
    readonly buffers = 2,
  ) {}

  /** @returns whether there was a buffer for it */
  capture(frame: Uint8Array): boolean {
    if (this.frames.length === this.buffers) {
      this.dropped++;
      return false;
    }
    this.frames.push(frame.slice());
    return true;
  }

  /** Carries the oldest frame away and frees its buffer. */
  deliver(to: Region, at: number): Result<undefined, DeviceFault> {
    const [frame] = this.frames;
    if (!frame) return fail('no-frame');
    const done = to.memory.write(to, at, frame);
    if (!done.ok) return done;
    this.frames.shift();
    this.moved.bytes += frame.length;
    this.moved.operations++;
    return ok(undefined);
  }
}
