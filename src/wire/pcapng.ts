import { fail, ok, type Result } from '../base/result.ts';
import { copyOf, u16, u32, u32le } from './bytes.ts';
import { type Capture, type CapturedPacket, largestRecord } from './capture.ts';
import type { WireReason } from './outcome.ts';

interface Interface {
  readonly linkType: number;
  /** Ticks a second. */
  readonly resolution: number;
  readonly snapLength: number;
}

interface Order {
  readonly u16: (b: Uint8Array, at: number) => number;
  readonly u32: (b: Uint8Array, at: number) => number;
}

const big: Order = { u16, u32 };
const little: Order = { u16: (b, at) => b[at]! | (b[at + 1]! << 8), u32: u32le };

const block = { section: 0x0a0d0d0a, interface: 1, simple: 3, enhanced: 6 } as const;
const mostInterfaces = 4096;

/** if_tsresol (option 9): a power of ten, or of two when the top bit is set; microseconds when absent. */
function resolution(b: Uint8Array, from: number, to: number, order: Order): number {
  let at = from;
  while (at + 4 <= to) {
    const code = order.u16(b, at);
    const length = order.u16(b, at + 2);
    if (code === 0 || at + 4 + length > to) break;
    if (code === 9 && length >= 1) {
      const value = b[at + 4]!;
      return value & 0x80 ? 2 ** (value & 0x7f) : 10 ** value;
    }
    at += 4 + ((length + 3) & ~3);
  }
  return 1e6;
}

function timed(high: number, low: number, ticks: number): { seconds: number; nanoseconds: number } {
  const count = (BigInt(high) << 32n) | BigInt(low);
  const rate = BigInt(Math.max(1, Math.min(ticks, 2 ** 62)));
  const seconds = count / rate;
  return { seconds: Number(seconds), nanoseconds: Number(((count - seconds * rate) * 1_000_000_000n) / rate) };
}

/** The section under way: its byte order and the interfaces that it declared. */
interface Section {
  readonly order: Order;
  readonly interfaces: Interface[];
}

type Time = Pick<CapturedPacket, 'seconds' | 'nanoseconds'>;

/** Body and end of one block, without its lengths. */
interface Span {
  readonly body: number;
  readonly end: number;
}

function packetOf(
  b: Uint8Array,
  from: Interface | undefined,
  time: Time,
  start: number,
  lengths: { readonly kept: number; readonly whole: number },
  end: number,
): CapturedPacket | WireReason {
  if (from === undefined) return 'bad-length';
  if (lengths.kept > largestRecord) return 'too-large';
  if (start + lengths.kept > end) return 'bad-length';
  const bytes = copyOf(b, start, start + lengths.kept);
  return { ...time, length: lengths.whole, linkType: from.linkType, bytes };
}

function readInterface(b: Uint8Array, { order, interfaces }: Section, { body, end }: Span): WireReason | undefined {
  if (end - body < 8 || interfaces.length >= mostInterfaces) return 'bad-length';
  interfaces.push({
    linkType: order.u16(b, body),
    resolution: resolution(b, body + 8, end, order),
    snapLength: order.u32(b, body + 4),
  });
  return undefined;
}

function readEnhanced(b: Uint8Array, { order, interfaces }: Section, { body, end }: Span): CapturedPacket | WireReason {
  if (end - body < 20) return 'bad-length';
  const from = interfaces[order.u32(b, body)];
  const time = timed(order.u32(b, body + 4), order.u32(b, body + 8), from?.resolution ?? 1e6);
  const lengths = { kept: order.u32(b, body + 12), whole: order.u32(b, body + 16) };
  return packetOf(b, from, time, body + 20, lengths, end);
}

/** A simple packet has no time and belongs to the first interface. */
function readSimple(b: Uint8Array, { order, interfaces }: Section, { body, end }: Span): CapturedPacket | WireReason {
  if (end - body < 4) return 'bad-length';
  const whole = order.u32(b, body);
  const kept = Math.min(whole, interfaces[0]?.snapLength || whole);
  return packetOf(b, interfaces[0], { seconds: 0, nanoseconds: 0 }, body + 4, { kept, whole }, end);
}

function beginSection(b: Uint8Array, at: number): Section | undefined {
  const order = u32(b, at + 8) === 0x1a2b3c4d ? big : u32le(b, at + 8) === 0x1a2b3c4d ? little : undefined;
  return order === undefined ? undefined : { order, interfaces: [] };
}

/** Reads the sections, interfaces and packets of a pcapng file; other blocks are passed over (IETF draft opsawg-pcapng). */
export function readPcapng(b: Uint8Array): Result<Capture, WireReason> {
  const packets: CapturedPacket[] = [];
  let section: Section | undefined;
  let first: Interface | undefined;
  let stopped: WireReason | undefined;
  let at = 0;
  while (at < b.length && stopped === undefined) {
    if (at + 12 > b.length) stopped = 'cut';
    else if (u32(b, at) === block.section) section = beginSection(b, at);
    if (stopped === undefined && section === undefined) stopped = 'not-a-capture';
    if (stopped !== undefined || section === undefined) break;
    const size = section.order.u32(b, at + 4);
    if (size < 12 || size % 4 !== 0) stopped = 'bad-length';
    else if (at + size > b.length) stopped = 'cut';
    if (stopped !== undefined) break;
    const span = { body: at + 8, end: at + size - 4 };
    const type = section.order.u32(b, at);
    if (type === block.interface) stopped = readInterface(b, section, span);
    else if (type === block.enhanced || type === block.simple) {
      const read = type === block.enhanced ? readEnhanced(b, section, span) : readSimple(b, section, span);
      if (typeof read === 'string') stopped = read;
      else packets.push(read);
    }
    first ??= section.interfaces[0];
    at += size;
  }
  if (section === undefined) return fail(stopped ?? 'not-a-capture');
  return ok({
    format: 'pcapng',
    linkType: first?.linkType ?? 0,
    littleEndian: section.order === little,
    nanoseconds: (first?.resolution ?? 1e6) > 1e6,
    snapLength: first?.snapLength ?? 0,
    packets,
    ...(stopped === undefined ? {} : { stopped }),
  });
}
