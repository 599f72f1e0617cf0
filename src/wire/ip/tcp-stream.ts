import { concat } from '../bytes.ts';
import type { WireReason } from '../outcome.ts';

/**
 * One direction of a TCP connection put together again: segments may arrive late, twice or overlapping. What was seen
 * first of an overlap stays. `held` bytes wait behind a gap, bounded so that a hostile capture cannot grow it.
 */
export interface TcpStream {
  /** Takes a segment's payload at its sequence number; a reason says that it was dropped. */
  push(sequence: number, payload: Uint8Array): WireReason | undefined;
  /** All bytes in order from the first one on. */
  bytes(): Uint8Array;
  /** Sequence number of the byte that comes next. */
  readonly next: number;
  /** Bytes received behind a gap. */
  readonly held: number;
}

/** Signed distance of 32-bit sequence numbers (RFC 9293 3.4). */
export const sequenceDistance = (from: number, to: number): number => (to - from) | 0;

const mostHeld = 16 * 1024 * 1024;

interface Piece {
  sequence: number;
  payload: Uint8Array;
}

/** `first` is the sequence number of the first payload byte: the SYN's plus one. */
export function tcpStream(first: number): TcpStream {
  const parts: Uint8Array[] = [];
  let waiting: Piece[] = [];
  let next = first >>> 0;
  let held = 0;
  const take = (piece: Piece): void => {
    const old = sequenceDistance(piece.sequence, next);
    if (old >= piece.payload.length) return;
    const fresh = piece.payload.subarray(old);
    parts.push(fresh);
    next = (next + fresh.length) >>> 0;
  };
  const drain = (): void => {
    for (;;) {
      // The earliest piece that touches what is there; few pieces wait, so a scan is enough.
      let best = -1;
      for (let i = 0; i < waiting.length; i++) {
        if (sequenceDistance(next, waiting[i]!.sequence) > 0) continue;
        if (best < 0 || sequenceDistance(waiting[best]!.sequence, waiting[i]!.sequence) < 0) best = i;
      }
      if (best < 0) return;
      const [piece] = waiting.splice(best, 1);
      held -= piece!.payload.length;
      take(piece!);
    }
  };
  return {
    get next() {
      return next;
    },
    get held() {
      return held;
    },
    push(sequence, payload) {
      if (payload.length === 0) return undefined;
      const ahead = sequenceDistance(next, sequence);
      if (ahead <= 0) take({ sequence, payload });
      else {
        if (held + payload.length > mostHeld || waiting.length >= 4096) return 'too-large';
        // Only a segment that is there already whole is dropped: a longer one at the same place has more to say.
        if (waiting.some((p) => p.sequence === sequence && p.payload.length >= payload.length)) return undefined;
        waiting.push({ sequence, payload });
        held += payload.length;
      }
      drain();
      if (waiting.length === 0) waiting = [];
      return undefined;
    },
    bytes: () => concat(parts),
  };
}
