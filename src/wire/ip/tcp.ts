import { concat, copyOf, putU16, putU32 } from '../bytes.ts';
import { flag, type Layout, layout, num } from '../layout.ts';
import { type Decoding, decoded, refused } from '../outcome.ts';
import { addWords, foldSum, type Pseudo, pseudoSum } from './checksum.ts';

/** A TCP option (RFC 9293 3.1): kind and what lies behind the length byte. End of options (0) keeps what follows it. */
export interface TcpOption {
  readonly kind: number;
  readonly data: Uint8Array;
}

/** A TCP header; the data offset follows from the options. */
export interface Tcp {
  readonly source: number;
  readonly destination: number;
  readonly sequence: number;
  readonly acknowledgment: number;
  readonly reserved: number;
  readonly cwr: boolean;
  readonly ece: boolean;
  readonly urg: boolean;
  readonly ack: boolean;
  readonly psh: boolean;
  readonly rst: boolean;
  readonly syn: boolean;
  readonly fin: boolean;
  readonly window: number;
  readonly urgentPointer: number;
  /** In order, no-operations included; together a multiple of 4 bytes, at most 40. */
  readonly options: readonly TcpOption[];
  /** Only when another checksum travels than the one that the bytes call for. */
  readonly checksum?: number;
}

interface Fixed extends Omit<Tcp, 'options' | 'checksum'> {
  readonly words: number;
  readonly checksum: number;
}

export const tcpLayout: Layout<Fixed> = layout<Fixed>(20, {
  source: num(0, 16),
  destination: num(2, 16),
  sequence: num(4, 32),
  acknowledgment: num(8, 32),
  words: num(12, 4),
  reserved: num(12, 4, 4),
  cwr: flag(13, 0),
  ece: flag(13, 1),
  urg: flag(13, 2),
  ack: flag(13, 3),
  psh: flag(13, 4),
  rst: flag(13, 5),
  syn: flag(13, 6),
  fin: flag(13, 7),
  window: num(14, 16),
  checksum: num(16, 16),
  urgentPointer: num(18, 16),
});

const optionKind = { end: 0, none: 1, mss: 2, windowScale: 3, sackPermitted: 4, timestamps: 8 } as const;

export const noOperation: TcpOption = { kind: optionKind.none, data: new Uint8Array(0) };
export const sackPermitted: TcpOption = { kind: optionKind.sackPermitted, data: new Uint8Array(0) };
export const maximumSegment = (bytes: number): TcpOption => ({
  kind: optionKind.mss,
  data: Uint8Array.of(bytes >> 8, bytes & 0xff),
});
export const windowScale = (shift: number): TcpOption => ({ kind: optionKind.windowScale, data: Uint8Array.of(shift) });
export function timestamps(value: number, echo: number): TcpOption {
  const data = new Uint8Array(8);
  putU32(data, 0, value);
  putU32(data, 4, echo);
  return { kind: optionKind.timestamps, data };
}

function decodeOptions(b: Uint8Array, from: number, to: number): readonly TcpOption[] | undefined {
  const options: TcpOption[] = [];
  let at = from;
  while (at < to) {
    const kind = b[at]!;
    if (kind === optionKind.end) {
      options.push({ kind, data: copyOf(b, at + 1, to) });
      return options;
    }
    if (kind === optionKind.none) {
      options.push(noOperation);
      at += 1;
      continue;
    }
    const length = at + 1 < to ? b[at + 1]! : 0;
    if (length < 2 || at + length > to) return undefined;
    options.push({ kind, data: copyOf(b, at + 2, at + length) });
    at += length;
  }
  return options;
}

function encodeOptions(options: readonly TcpOption[]): Uint8Array {
  return concat(
    options.flatMap(({ kind, data }) =>
      kind === optionKind.none || kind === optionKind.end
        ? [Uint8Array.of(kind), data]
        : [Uint8Array.of(kind, data.length + 2), data],
    ),
  );
}

function tcpChecksum(header: Uint8Array, payload: Uint8Array, pseudo: Pseudo): number {
  return foldSum(addWords(addWords(pseudoSum(pseudo, header.length + payload.length), header), payload));
}

export function decodeTcp(b: Uint8Array, offset: number, end: number, pseudo: Pseudo): Decoding<Tcp> {
  const read = tcpLayout.decode(b.subarray(0, end), offset);
  if (!read.ok) return read;
  const { words, checksum, ...rest } = read.value.value;
  const start = offset + words * 4;
  if (words < 5) return refused('bad-length');
  if (start > end) return refused('cut');
  const options = decodeOptions(b, read.value.next, start);
  if (options === undefined) return refused('bad-option');
  const header = { ...rest, options };
  const bare = concat([tcpLayout.encode({ ...read.value.value, checksum: 0 }), b.subarray(read.value.next, start)]);
  const right = tcpChecksum(bare, b.subarray(start, end), pseudo) === checksum;
  return decoded(right ? header : { ...header, checksum }, start);
}

export function encodeTcp(value: Tcp, payload: Uint8Array, pseudo: Pseudo): Uint8Array {
  const options = encodeOptions(value.options);
  const words = (tcpLayout.size + options.length) / 4;
  const header = concat([tcpLayout.encode({ ...value, words, checksum: 0 }), options]);
  putU16(header, 16, value.checksum ?? tcpChecksum(header, payload, pseudo));
  return header;
}
