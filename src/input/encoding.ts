import { type Message, say } from '../words/message.ts';

/** How the bytes of an input are to be read; `binary` is not read at all. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'binary';

export interface Detected {
  readonly encoding: Encoding;
  /** Bytes of the byte order mark. */
  readonly skip: number;
  /** For binary data: what it is. */
  readonly look?: Message;
}

/** First bytes of files that people attach and that hold no text. */
const magics: readonly { readonly bytes: readonly number[]; readonly kind: string; readonly compressed: boolean }[] = [
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], kind: 'zstd', compressed: true },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], kind: 'xz', compressed: true },
  { bytes: [0x42, 0x5a, 0x68], kind: 'bzip2', compressed: true },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], kind: '7z', compressed: true },
  { bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], kind: 'rar', compressed: true },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], kind: 'ELF', compressed: false },
  { bytes: [0x89, 0x50, 0x4e, 0x47], kind: 'PNG', compressed: false },
  { bytes: [0xff, 0xd8, 0xff], kind: 'JPEG', compressed: false },
  { bytes: [0x47, 0x49, 0x46, 0x38], kind: 'GIF', compressed: false },
  { bytes: [0x25, 0x50, 0x44, 0x46, 0x2d], kind: 'PDF', compressed: false },
];

/** Decides from the first bytes (a few KiB): byte order mark, then the pattern of NUL bytes, then how much is no text. */
export function detectEncoding(head: Uint8Array): Detected {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', skip: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', skip: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', skip: 2 };
  for (const { bytes, kind, compressed } of magics) {
    // `BZh` alone is also how a word may begin; the block size digit and the magic of the first block follow it.
    if (!bytes.every((byte, i) => head[i] === byte) || (kind === 'bzip2' && head[4] !== 0x31)) continue;
    const look = compressed ? say('input.looks.compressed', { kind }) : say('input.looks.binary', { kind });
    return { encoding: 'binary', skip: 0, look };
  }
  let even = 0;
  let odd = 0;
  let control = 0;
  let high = 0;
  for (let i = 0; i < head.length; i++) {
    const byte = head[i]!;
    if (byte === 0) {
      if (i % 2 === 0) even++;
      else odd++;
    } else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) control++;
    else if (byte >= 128) high++;
  }
  const pairs = head.length >> 1;
  if (pairs >= 2 && control <= pairs * 0.1) {
    if (odd >= pairs * 0.6 && even <= pairs * 0.05) return { encoding: 'utf-16le', skip: 0 };
    if (even >= pairs * 0.6 && odd <= pairs * 0.05) return { encoding: 'utf-16be', skip: 0 };
  }
  const strange = even + odd + control;
  // No text of any code page mixes control characters with high bytes as packed data does.
  const packed = strange > head.length * 0.04 && high > head.length * 0.25;
  if (head.length > 0 && (packed || strange > head.length * 0.3)) {
    return { encoding: 'binary', skip: 0, look: say('input.looks.binary', { kind: '?' }) };
  }
  return { encoding: 'utf-8', skip: 0 };
}
