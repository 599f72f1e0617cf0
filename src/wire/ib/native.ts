import { concat, putU32le, u32le } from '../bytes.ts';
import { crc16 } from '../crc.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { type Grh, grhLayout, type Lrh, lrhLayout } from './headers.ts';
import { nativeIcrc } from './icrc.ts';
import { decodeIbPacket, encodeIbPacket, type IbPacket } from './packet.ts';

/** A packet as it travels on an InfiniBand link: LRH, perhaps GRH, transport, ICRC, VCRC (IBTA vol. 1, 5.2). */
export interface NativePacket {
  readonly lrh: Omit<Lrh, 'packetLength' | 'nextHeader'>;
  readonly grh?: Omit<Grh, 'payloadLength'>;
  readonly packet: IbPacket;
  /** Only when another ICRC or VCRC travels than the one that the bytes call for. */
  readonly icrc?: number;
  readonly vcrc?: number;
}

const withGrh = 3;
const withoutGrh = 2;
const bthFollows = 0x1b;
const icrcSize = 4;
const vcrcSize = 2;

export function decodeNative(b: Uint8Array, offset = 0): Decoding<NativePacket> {
  const local = lrhLayout.decode(b, offset);
  if (!local.ok) return local;
  const { packetLength, nextHeader, ...lrh } = local.value.value;
  if (nextHeader !== withGrh && nextHeader !== withoutGrh) return refused('unknown-link');
  const end = offset + packetLength * 4;
  if (end + vcrcSize > b.length) return refused('cut');
  let at = local.value.next;
  let grh: Grh | undefined;
  if (nextHeader === withGrh) {
    const global = grhLayout.decode(b, at);
    if (!global.ok) return global;
    grh = global.value.value;
    if (grh.version !== 6) return refused('bad-version');
    if (grh.nextHeader !== bthFollows) return refused('unknown-link');
    at = global.value.next;
    if (grh.payloadLength !== end - at) return refused('bad-length');
  }
  if (end - icrcSize < at) return refused('bad-length');
  const read = decodeIbPacket(b, at, end - icrcSize);
  if (!read.ok) return read;
  const icrc = u32le(b, end - icrcSize);
  const vcrc = b[end]! | (b[end + 1]! << 8);
  const lrhBytes = b.subarray(offset, offset + lrhLayout.size);
  const grhBytes = grh === undefined ? undefined : b.subarray(at - grhLayout.size, at);
  const icrcRight = nativeIcrc(lrhBytes, grhBytes, b.subarray(at, end - icrcSize)) === icrc;
  const value: NativePacket = {
    lrh,
    ...(grh === undefined ? {} : { grh: omitLength(grh) }),
    packet: read.value.value,
    ...(icrcRight ? {} : { icrc }),
    ...(crc16(b, offset, end) === vcrc ? {} : { vcrc }),
  };
  return decoded(value, end + vcrcSize);
}

function omitLength({ payloadLength: _, ...rest }: Grh): Omit<Grh, 'payloadLength'> {
  return rest;
}

export function encodeNative(value: NativePacket): Uint8Array {
  const transport = encodeIbPacket(value.packet);
  const grh =
    value.grh === undefined
      ? undefined
      : grhLayout.encode({ ...value.grh, payloadLength: transport.length + icrcSize });
  const words = (lrhLayout.size + (grh?.length ?? 0) + transport.length + icrcSize) / 4;
  const nextHeader = grh === undefined ? withoutGrh : withGrh;
  const lrh = lrhLayout.encode({ ...value.lrh, nextHeader, packetLength: words });
  const icrc = new Uint8Array(icrcSize);
  putU32le(icrc, 0, value.icrc ?? nativeIcrc(lrh, grh, transport));
  const body = concat([lrh, ...(grh === undefined ? [] : [grh]), transport, icrc]);
  const vcrc = value.vcrc ?? crc16(body);
  return concat([body, Uint8Array.of(vcrc & 0xff, vcrc >> 8)]);
}
