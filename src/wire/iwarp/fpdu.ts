import { concat, copyOf, putU16, putU32le, u16, u32le } from '../bytes.ts';
import { crc32c } from '../crc.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';

/**
 * A framed protocol data unit of MPA (RFC 5044 section 4): length, one DDP segment, padding to 4 bytes, CRC-32C. With
 * markers, every 512 bytes of the stream 4 bytes point back to the beginning of the unit they fall into.
 */
export interface Fpdu {
  readonly ulpdu: Uint8Array;
  /** 0 to 3 bytes. */
  readonly pad: Uint8Array;
  /** Only when another value travels than the CRC that the bytes call for; without CRCs the field means nothing. */
  readonly crc?: number;
  /** The reserved halves of its markers, where one is not zero. */
  readonly markerReserved?: readonly number[];
}

export interface Framing {
  readonly markers: boolean;
  readonly crc: boolean;
}

export const markerSpacing = 512;
export const markerSize = 4;
const lengthSize = 2;
const crcSize = 4;

const markerAt = (position: number): boolean => position % markerSpacing === 0;
export const fpduPad = (ulpduLength: number): number => -(lengthSize + ulpduLength) & 3;

/** Bytes of a unit that begins at `position` of the stream, its markers counted. */
export function fpduSize(ulpduLength: number, markers: boolean, position: number): number {
  const content = lengthSize + ulpduLength + fpduPad(ulpduLength) + crcSize;
  if (!markers) return content;
  let size = 0;
  for (let left = content; left > 0; ) {
    const at = position + size;
    if (markerAt(at)) size += markerSize;
    const step = Math.min(left, markerSpacing - ((position + size) % markerSpacing));
    size += step;
    left -= step;
  }
  return size;
}

/** The unit's bytes without markers, and what the markers said. */
interface Plain {
  readonly bytes: Uint8Array;
  readonly reserved: readonly number[];
  readonly sound: boolean;
}

function withoutMarkers(b: Uint8Array, offset: number, size: number, position: number): Plain {
  const parts: Uint8Array[] = [];
  const reserved: number[] = [];
  let sound = true;
  for (let at = 0; at < size; ) {
    if (markerAt(position + at)) {
      reserved.push(u16(b, offset + at));
      // A marker before the length counts zero: the unit begins with it (RFC 5044 section 4.3).
      if (u16(b, offset + at + 2) !== at) sound = false;
      at += markerSize;
      continue;
    }
    const step = Math.min(size - at, markerSpacing - ((position + at) % markerSpacing));
    parts.push(b.subarray(offset + at, offset + at + step));
    at += step;
  }
  return { bytes: concat(parts), reserved, sound };
}

/** Reads the unit at `offset`; `position` counts stream bytes from the first unit's beginning (markers hang on it). */
export function decodeFpdu(b: Uint8Array, offset: number, position: number, framing: Framing): Decoding<Fpdu> {
  const lengthAt = offset + (framing.markers && markerAt(position) ? markerSize : 0);
  if (lengthAt + lengthSize > b.length) return refused('cut');
  const length = u16(b, lengthAt);
  const size = fpduSize(length, framing.markers, position);
  if (offset + size > b.length) return refused('cut');
  const plain = framing.markers
    ? withoutMarkers(b, offset, size, position)
    : { bytes: b.subarray(offset, offset + size), reserved: [], sound: true };
  if (!plain.sound) return refused('bad-marker');
  const crcAt = plain.bytes.length - crcSize;
  const crc = u32le(plain.bytes, crcAt);
  const value: Fpdu = {
    ulpdu: copyOf(plain.bytes, lengthSize, lengthSize + length),
    pad: copyOf(plain.bytes, lengthSize + length, crcAt),
    ...(plain.reserved.some((r) => r !== 0) ? { markerReserved: plain.reserved } : {}),
  };
  // The CRC covers markers too, up to the CRC field, which is the unit's end.
  const right = framing.crc ? crc32c(b, offset, offset + size - crcSize) : 0;
  return decoded(crc === right ? value : { ...value, crc }, offset + size);
}

export function encodeFpdu(value: Fpdu, position: number, framing: Framing): Uint8Array {
  const length = new Uint8Array(lengthSize);
  putU16(length, 0, value.ulpdu.length);
  const content = concat([length, value.ulpdu, value.pad, new Uint8Array(crcSize)]);
  const out = framing.markers ? withMarkers(content, position, value.markerReserved ?? []) : content;
  const crcAt = out.length - crcSize;
  putU32le(out, crcAt, value.crc ?? (framing.crc ? crc32c(out, 0, crcAt) : 0));
  return out;
}

function withMarkers(content: Uint8Array, position: number, reserved: readonly number[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  let markers = 0;
  for (let at = 0; at < content.length; ) {
    if (markerAt(position + size)) {
      const marker = new Uint8Array(markerSize);
      putU16(marker, 0, reserved[markers++] ?? 0);
      putU16(marker, 2, size);
      parts.push(marker);
      size += markerSize;
    }
    const step = Math.min(content.length - at, markerSpacing - ((position + size) % markerSpacing));
    parts.push(content.subarray(at, at + step));
    at += step;
    size += step;
  }
  return concat(parts);
}

export const fpduOf = (ulpdu: Uint8Array): Fpdu => ({
  ulpdu,
  pad: new Uint8Array(fpduPad(ulpdu.length)),
});
