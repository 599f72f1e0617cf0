import { concat, copyOf } from '../bytes.ts';
import { big, flag, type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/**
 * A DDP segment (RFC 5041 section 4). Tagged ones name the place they go to; untagged ones a queue, a message of it
 * and an offset. The bytes reserved for the layer above are RDMAP's: see rdmap.ts.
 */
export interface DdpTagged {
  readonly kind: 'tagged';
  readonly last: boolean;
  readonly reserved: number;
  readonly version: number;
  /** RDMAP's control byte. */
  readonly control: number;
  readonly steeringTag: number;
  readonly offset: bigint;
  readonly payload: Uint8Array;
}

export interface DdpUntagged {
  readonly kind: 'untagged';
  readonly last: boolean;
  readonly reserved: number;
  readonly version: number;
  readonly control: number;
  /** The steering tag that a Send with Invalidate withdraws; else zero. */
  readonly invalidate: number;
  readonly queue: number;
  readonly message: number;
  readonly offset: number;
  readonly payload: Uint8Array;
}

export type DdpSegment = DdpTagged | DdpUntagged;

type TaggedHeader = Omit<DdpTagged, 'kind' | 'payload'> & { readonly tagged: boolean };
type UntaggedHeader = Omit<DdpUntagged, 'kind' | 'payload'> & { readonly tagged: boolean };

const shared = {
  tagged: flag(0, 0),
  last: flag(0, 1),
  reserved: num(0, 4, 2),
  version: num(0, 2, 6),
  control: num(1, 8),
} as const;

export const ddpTaggedLayout: Layout<TaggedHeader> = layout<TaggedHeader>(14, {
  ...shared,
  steeringTag: num(2, 32),
  offset: big(6),
});

export const ddpUntaggedLayout: Layout<UntaggedHeader> = layout<UntaggedHeader>(18, {
  ...shared,
  invalidate: num(2, 32),
  queue: num(6, 32),
  message: num(10, 32),
  offset: num(14, 32),
});

export const ddpVersion = 1;

/** A segment takes all bytes up to `end`. */
export function decodeDdp(b: Uint8Array, offset = 0, end = b.length): Decoding<DdpSegment> {
  if (offset >= end) return refused('cut');
  const view = b.subarray(0, end);
  if (((b[offset] ?? 0) & 3) !== ddpVersion) return refused('bad-version');
  if ((b[offset] ?? 0) & 0x80) {
    const read = ddpTaggedLayout.decode(view, offset);
    if (!read.ok) return read;
    const { tagged: _, ...header } = read.value.value;
    return decoded({ kind: 'tagged', ...header, payload: copyOf(b, read.value.next, end) }, end);
  }
  const read = ddpUntaggedLayout.decode(view, offset);
  if (!read.ok) return read;
  const { tagged: _, ...header } = read.value.value;
  return decoded({ kind: 'untagged', ...header, payload: copyOf(b, read.value.next, end) }, end);
}

export function encodeDdp(value: DdpSegment): Uint8Array {
  const header =
    value.kind === 'tagged'
      ? ddpTaggedLayout.encode({ ...value, tagged: true })
      : ddpUntaggedLayout.encode({ ...value, tagged: false });
  return concat([header, value.payload]);
}
