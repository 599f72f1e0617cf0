/** What a tar archive holds, member by member; data arrives in the chunks it came in. */
export interface TarHandler {
  /** A regular file begins; undefined skips it. */
  file(name: string, size: number): { push(chunk: Uint8Array): void; end(complete: boolean): void } | undefined;
  /** A link (and where it leads), a device, or another member that holds no text. */
  skipped(name: string, why: 'link' | 'special', target: string): void;
  /** A header that is none: nothing after it can be trusted. */
  corrupt(): void;
}

export interface TarReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

const block = 512;
/** Bytes of a long name or a pax header; real ones are a few hundred. */
const metaLimit = 65_536;

const ascii = (bytes: Uint8Array, from: number, length: number): string => {
  let end = from;
  while (end < from + length && bytes[end] !== 0) end++;
  return new TextDecoder('utf-8').decode(bytes.subarray(from, end));
};

/** Octal text, or GNU's base 256 when the first bit is set; NaN when it is neither. */
const numberField = (bytes: Uint8Array, from: number, length: number): number => {
  if (bytes[from]! & 0x80) {
    let value = bytes[from]! & 0x7f;
    for (let i = 1; i < length; i++) value = value * 256 + bytes[from + i]!;
    return value;
  }
  const text = ascii(bytes, from, length).trim();
  return text === '' ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
};

/** Is this 512-byte block a tar header? The checksum is the sum of its bytes with its own field as blanks (POSIX ustar). */
export function isTarHeader(header: Uint8Array): boolean {
  if (header.length < block) return false;
  let sum = 0;
  for (let i = 0; i < block; i++) sum += i >= 148 && i < 156 ? 32 : header[i]!;
  return header[0] !== 0 && numberField(header, 148, 8) === sum;
}

/** `12 path=some/name` records of a pax header, by key. */
function paxRecords(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  let from = 0;
  while (from < bytes.length) {
    const blank = bytes.indexOf(32, from);
    if (blank < 0) break;
    const length = Number(new TextDecoder().decode(bytes.subarray(from, blank)));
    if (!(length > blank - from && from + length <= bytes.length)) break;
    const record = new TextDecoder().decode(bytes.subarray(blank + 1, from + length - 1));
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    from += length;
  }
  return records;
}

/** A streaming reader for ustar, pax and GNU tar. Holds one header at most. */
export function tarReader(handler: TarHandler): TarReader {
  const header = new Uint8Array(block);
  let filled = 0;
  let left = 0;
  let padding = 0;
  let dead = false;
  let current: ReturnType<TarHandler['file']>;
  let meta: { kind: 'name' | 'link' | 'pax'; bytes: Uint8Array; filled: number } | undefined;
  let longName: string | undefined;
  let longLink: string | undefined;
  let longSize: number | undefined;

  const finish = (): void => {
    if (meta) {
      const bytes = meta.bytes.subarray(0, meta.filled);
      if (meta.kind === 'name') longName = ascii(bytes, 0, bytes.length);
      else if (meta.kind === 'link') longLink = ascii(bytes, 0, bytes.length);
      else {
        const records = paxRecords(bytes);
        longName = records.get('path') ?? longName;
        longLink = records.get('linkpath') ?? longLink;
        const size = Number(records.get('size') ?? Number.NaN);
        if (Number.isSafeInteger(size) && size >= 0) longSize = size;
      }
      meta = undefined;
    }
    current?.end(true);
    current = undefined;
  };

  const begin = (): void => {
    if (header.every((byte) => byte === 0)) return;
    const size = longSize ?? numberField(header, 124, 12);
    if (!isTarHeader(header) || !Number.isSafeInteger(size) || size < 0) {
      dead = true;
      handler.corrupt();
      return;
    }
    const type = String.fromCharCode(header[156] || 48);
    left = size;
    padding = (block - (size % block)) % block;
    if (type === 'L' || type === 'K' || type === 'x') {
      meta = {
        kind: type === 'L' ? 'name' : type === 'K' ? 'link' : 'pax',
        bytes: new Uint8Array(Math.min(size, metaLimit)),
        filled: 0,
      };
    } else if (type === 'g') {
      // Defaults for all members change nothing that is read.
    } else {
      const ustar = ascii(header, 257, 5) === 'ustar' ? ascii(header, 345, 155) : '';
      const short = ascii(header, 0, 100);
      const name = longName ?? (ustar === '' ? short : `${ustar}/${short}`);
      const target = longLink ?? ascii(header, 157, 100);
      longName = undefined;
      longLink = undefined;
      longSize = undefined;
      if (type === '0' || type === '7') current = handler.file(name, size);
      else if (type === '1' || type === '2') handler.skipped(name, 'link', target);
      else if (type !== '5') handler.skipped(name, 'special', '');
    }
    if (left === 0) finish();
  };

  return {
    push(chunk) {
      let from = 0;
      while (from < chunk.length && !dead) {
        if (left > 0) {
          const part = chunk.subarray(from, Math.min(chunk.length, from + left));
          if (meta) {
            const room = part.subarray(0, meta.bytes.length - meta.filled);
            meta.bytes.set(room, meta.filled);
            meta.filled += room.length;
          } else current?.push(part);
          left -= part.length;
          from += part.length;
          if (left === 0) finish();
        } else if (padding > 0) {
          const skip = Math.min(padding, chunk.length - from);
          padding -= skip;
          from += skip;
        } else {
          const part = chunk.subarray(from, Math.min(chunk.length, from + block - filled));
          header.set(part, filled);
          filled += part.length;
          from += part.length;
          if (filled === block) {
            filled = 0;
            begin();
          }
        }
      }
    },
    end() {
      current?.end(false);
      current = undefined;
    },
  };
}
