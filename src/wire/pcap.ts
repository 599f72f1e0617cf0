import { fail, ok, type Result } from '../base/result.ts';
import { concat, copyOf, putU16, putU32, putU32le, u32, u32le } from './bytes.ts';
import { type Capture, type CapturedPacket, largestRecord } from './capture.ts';
import type { WireReason } from './outcome.ts';
import { readPcapng } from './pcapng.ts';

const fileHeader = 24;
const recordHeader = 16;

/** Reads pcap, either byte order, µs or ns, or pcapng; never throws, whatever the bytes. */
export function readCapture(bytes: Uint8Array): Result<Capture, WireReason> {
  if (bytes.length < 4) return fail('cut');
  const magic = u32(bytes, 0);
  if (magic === 0x0a0d0d0a) return readPcapng(bytes);
  const swapped = u32le(bytes, 0);
  for (const [value, littleEndian] of [
    [magic, false],
    [swapped, true],
  ] as const) {
    if (value === 0xa1b2c3d4) return readPcap(bytes, littleEndian, false);
    if (value === 0xa1b23c4d) return readPcap(bytes, littleEndian, true);
  }
  return fail('not-a-capture');
}

function readPcap(bytes: Uint8Array, littleEndian: boolean, nanoseconds: boolean): Result<Capture, WireReason> {
  if (bytes.length < fileHeader) return fail('cut');
  const read = littleEndian ? u32le : u32;
  // The upper bits of the link type say whether frames end in an FCS; none of the tools of the field sets them.
  const type = read(bytes, 20) & 0xffff;
  const packets: CapturedPacket[] = [];
  let stopped: WireReason | undefined;
  let at = fileHeader;
  while (at < bytes.length) {
    if (at + recordHeader > bytes.length) {
      stopped = 'cut';
      break;
    }
    const kept = read(bytes, at + 8);
    const fraction = read(bytes, at + 4);
    if (kept > largestRecord) {
      stopped = 'too-large';
      break;
    }
    const start = at + recordHeader;
    if (start + kept > bytes.length) {
      stopped = 'cut';
      break;
    }
    packets.push({
      seconds: read(bytes, at),
      nanoseconds: nanoseconds ? fraction : fraction * 1000,
      length: read(bytes, at + 12),
      linkType: type,
      bytes: copyOf(bytes, start, start + kept),
    });
    at = start + kept;
  }
  const capture = { format: 'pcap', linkType: type, littleEndian, nanoseconds, packets } as const;
  return ok({ ...capture, snapLength: read(bytes, 16), ...(stopped === undefined ? {} : { stopped }) });
}

export interface PcapOptions {
  readonly linkType: number;
  readonly littleEndian?: boolean;
  readonly nanoseconds?: boolean;
  readonly snapLength?: number;
}

/** A pcap file, version 2.4. */
export function writePcap(
  packets: readonly Pick<CapturedPacket, 'seconds' | 'nanoseconds' | 'bytes' | 'length'>[],
  options: PcapOptions,
): Uint8Array {
  const { littleEndian = true, nanoseconds = false, snapLength = largestRecord } = options;
  const put = littleEndian ? putU32le : putU32;
  const header = new Uint8Array(fileHeader);
  put(header, 0, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
  if (littleEndian) putU32le(header, 4, 0x00040002);
  else {
    putU16(header, 4, 2);
    putU16(header, 6, 4);
  }
  put(header, 16, snapLength);
  put(header, 20, options.linkType);
  const parts: Uint8Array[] = [header];
  for (const packet of packets) {
    const record = new Uint8Array(recordHeader);
    put(record, 0, packet.seconds);
    put(record, 4, nanoseconds ? packet.nanoseconds : Math.floor(packet.nanoseconds / 1000));
    put(record, 8, packet.bytes.length);
    put(record, 12, packet.length);
    parts.push(record, packet.bytes);
  }
  return concat(parts);
}
