import { concat, copyOf } from '../bytes.ts';
import { flag, type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/**
 * The request and reply by which MPA begins (RFC 5044 section 7.1; depths of RDMA reads: RFC 6581 section 4). A side
 * sets `markers` when it wants to receive them; CRCs are used when either side sets `crc`.
 */
export interface MpaStartup {
  readonly kind: 'request' | 'reply';
  readonly markers: boolean;
  readonly crc: boolean;
  /** Only in a reply. */
  readonly rejected: boolean;
  /** The S bit: private data begins with the depths of RFC 6581. */
  readonly enhanced: boolean;
  readonly reserved: number;
  readonly revision: number;
  readonly depths?: MpaDepths;
  readonly privateData: Uint8Array;
}

/** How many RDMA reads each way, and which frame the initiator sends first in peer-to-peer mode. */
export interface MpaDepths {
  readonly peerToPeer: boolean;
  readonly zeroLengthSend: boolean;
  /** 14 bits; 0x3FFF leaves it open. */
  readonly inbound: number;
  readonly zeroLengthWrite: boolean;
  readonly zeroLengthRead: boolean;
  readonly outbound: number;
}

interface Flags {
  readonly markers: boolean;
  readonly crc: boolean;
  readonly rejected: boolean;
  readonly enhanced: boolean;
  readonly reserved: number;
  readonly revision: number;
  readonly privateLength: number;
}

export const mpaFlagsLayout: Layout<Flags> = layout<Flags>(4, {
  markers: flag(0, 0),
  crc: flag(0, 1),
  rejected: flag(0, 2),
  enhanced: flag(0, 3),
  reserved: num(0, 4, 4),
  revision: num(1, 8),
  privateLength: num(2, 16),
});

export const mpaDepthsLayout: Layout<MpaDepths> = layout<MpaDepths>(4, {
  peerToPeer: flag(0, 0),
  zeroLengthSend: flag(0, 1),
  inbound: num(0, 14, 2),
  zeroLengthWrite: flag(2, 0),
  zeroLengthRead: flag(2, 1),
  outbound: num(2, 14, 2),
});

const keySize = 16;
const keyOf = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const keys = { request: keyOf('MPA ID Req Frame'), reply: keyOf('MPA ID Rep Frame') } as const;
const mostPrivate = 512;

function kindOf(b: Uint8Array, offset: number): MpaStartup['kind'] | undefined {
  for (const kind of ['request', 'reply'] as const) {
    if (keys[kind].every((byte, i) => b[offset + i] === byte)) return kind;
  }
  return undefined;
}

export function decodeMpaStartup(b: Uint8Array, offset = 0): Decoding<MpaStartup> {
  if (offset + keySize + mpaFlagsLayout.size > b.length) return refused('cut');
  const kind = kindOf(b, offset);
  if (kind === undefined) return refused('bad-key');
  const read = mpaFlagsLayout.decode(b, offset + keySize);
  if (!read.ok) return read;
  const { privateLength, ...flags } = read.value.value;
  const at = read.value.next;
  const end = at + privateLength;
  if (privateLength > mostPrivate) return refused('too-large');
  if (end > b.length) return refused('cut');
  const depths = flags.enhanced && flags.revision >= 2 ? mpaDepthsLayout.decode(b.subarray(0, end), at) : undefined;
  if (depths === undefined) return decoded({ kind, ...flags, privateData: copyOf(b, at, end) }, end);
  if (!depths.ok) return refused('bad-length');
  const privateData = copyOf(b, depths.value.next, end);
  return decoded({ kind, ...flags, depths: depths.value.value, privateData }, end);
}

export function encodeMpaStartup(value: MpaStartup): Uint8Array {
  const depths = value.depths === undefined ? new Uint8Array(0) : mpaDepthsLayout.encode(value.depths);
  const flags = mpaFlagsLayout.encode({ ...value, privateLength: depths.length + value.privateData.length });
  return concat([keys[value.kind], flags, depths, value.privateData]);
}
