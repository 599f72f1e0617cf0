import { type Message, say } from '../words/message.ts';
import { plainBlanks, withoutEscapes } from './clean.ts';
import { detectEncoding, type Encoding } from './encoding.ts';

export interface LineHandler {
  line(text: string): void;
  /** A remark about how the bytes were read; line 0 is the whole input. */
  note(message: Message, line: number): void;
}

export interface TextSink {
  push(chunk: Uint8Array): void;
  /** Binary data: what still comes is not looked at. */
  done(): boolean;
  /** Gives the last line; what the input is, when it is no text. */
  end(): Message | undefined;
}

export interface TextLimits {
  /** Characters of a line; what goes beyond is dropped with a note. */
  readonly line: number;
  /** The same for a line that opens like JSON or XML: writers put whole documents on one line. */
  readonly structured: number;
}

export const textLimits: TextLimits = { line: 65_536, structured: 4_194_304 };

/** Bytes looked at before the encoding is decided. */
const headSize = 4096;
/** Notes of one kind that are worth giving; the rest is counted by nobody. */
const notesOfKind = 5;

/**
 * Bytes to lines: decodes, splits, removes what only a terminal needs. Holds one line at most. Blocks are cut at line ends
 * before they are decoded, so a byte that is no UTF-8 spoils one block, and no character is ever torn between two.
 */
export function textSink(handler: LineHandler, limits: TextLimits = textLimits): TextSink {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let encoding: Encoding = 'utf-8';
  let look: Message | undefined;
  let number = 0;
  let lengthNotes = 0;
  let saidLatin = false;
  let saidNul = false;
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let latin: TextDecoder | undefined;
  let wide: TextDecoder | undefined;
  let wideCarry = '';
  // The unfinished last line, in bytes; `carried` of them are in use.
  let carry = new Uint8Array(1024);
  let carried = 0;
  let skipping = false;

  const give = (text: string): void => {
    number++;
    handler.line(text);
  };

  const cutNote = (limit: number): void => {
    if (lengthNotes++ < notesOfKind) handler.note(say('input.longLine', { limit }), number + 1);
  };

  const limitOf = (text: string): number => (/^\s*[<{[]/.test(text.slice(0, 64)) ? limits.structured : limits.line);

  /** Gives the lines of a text that ends at a line end. The rare characters are looked for once a block, not once a line. */
  const giveBlock = (text: string, ascii: boolean): void => {
    const returns = text.includes('\r');
    const blanks = !ascii && /[\u00a0\u2002-\u200d\u202f\u3000\ufeff]/.test(text);
    const dirty = blanks || text.includes('\u001b') || text.includes('\0');
    let from = 0;
    while (from < text.length) {
      let to = text.indexOf('\n', from);
      if (to < 0) to = text.length;
      let line = text.slice(from, to);
      from = to + 1;
      if (returns && line.charCodeAt(line.length - 1) === 13) line = line.slice(0, -1);
      if (returns && line.includes('\r')) {
        // A progress bar, or line ends of old Macs.
        for (const part of line.split('\r')) if (part !== '') giveLine(part, dirty);
      } else giveLine(line, dirty);
    }
  };

  const giveLine = (whole: string, dirty: boolean): void => {
    let line = whole;
    if (line.length > limits.line) {
      const limit = limitOf(line);
      if (line.length > limit) {
        cutNote(limit);
        line = line.slice(0, limit);
      }
    }
    give(dirty ? cleaned(line) : line);
  };

  const cleaned = (line: string): string => {
    let text = line;
    if (text.includes('\0')) {
      if (!saidNul) handler.note(say('input.nul'), number + 1);
      saidNul = true;
      text = text.replaceAll('\0', '');
    }
    if (text.includes('\u001b')) text = withoutEscapes(text);
    return plainBlanks(text);
  };

  /** A line that is no UTF-8; every byte is a character then. */
  const decodeLatin = (bytes: Uint8Array): string => {
    if (!saidLatin) handler.note(say('input.latin1'), number + 1);
    saidLatin = true;
    latin ??= new TextDecoder('windows-1252');
    return latin.decode(bytes);
  };

  const decode = (bytes: Uint8Array): string | undefined => {
    try {
      return utf8.decode(bytes);
    } catch {
      return undefined;
    }
  };

  /** Decodes and gives whole lines; `end` completes the last of them. A block that is no UTF-8 is tried again line by line. */
  const giveBytes = (bytes: Uint8Array, end = ''): void => {
    const text = decode(bytes);
    // UTF-8 takes one byte a character only for ASCII, so equal lengths spare the search for other blanks.
    if (text !== undefined) {
      giveBlock(text + end, text.length === bytes.length);
      return;
    }
    let from = 0;
    while (from < bytes.length) {
      const found = bytes.indexOf(10, from);
      const to = found < 0 ? bytes.length : found + 1;
      const line = bytes.subarray(from, to);
      giveBlock((decode(line) ?? decodeLatin(line)) + (found < 0 ? end : ''), false);
      from = to;
    }
  };

  const keep = (bytes: Uint8Array): void => {
    if (carried + bytes.length > carry.length) {
      const grown = new Uint8Array(Math.max(carry.length * 2, carried + bytes.length));
      grown.set(carry.subarray(0, carried));
      carry = grown;
    }
    carry.set(bytes, carried);
    carried += bytes.length;
  };

  /** Ends the carried line when it is too long: at its last carriage return, or by cutting it. */
  const bound = (): void => {
    if (carried <= limits.line) return;
    const held = carry.subarray(0, carried);
    const bare = held.lastIndexOf(13);
    if (bare >= 0) {
      giveBytes(held.subarray(0, bare));
      carry.copyWithin(0, bare + 1, carried);
      carried -= bare + 1;
      return;
    }
    const limit = limitOf(String.fromCharCode(...held.subarray(0, 64)));
    if (carried <= limit) return;
    cutNote(limit);
    giveBytes(held.subarray(0, limit));
    carried = 0;
    skipping = true;
  };

  const pushNarrow = (chunk: Uint8Array): void => {
    let from = 0;
    if (carried > 0 || skipping) {
      const first = chunk.indexOf(10);
      if (first < 0) {
        if (!skipping) keep(chunk);
        bound();
        return;
      }
      if (!skipping) {
        keep(chunk.subarray(0, first));
        const line = carry.subarray(0, carried);
        carried = 0;
        // An empty line needs its line end to be one.
        giveBytes(line, '\n');
      }
      skipping = false;
      from = first + 1;
    }
    const last = chunk.lastIndexOf(10);
    if (last >= from) {
      giveBytes(chunk.subarray(from, last + 1));
      from = last + 1;
    }
    if (from < chunk.length) {
      keep(chunk.subarray(from));
      bound();
    }
  };

  const pushWide = (text: string): void => {
    wideCarry += text;
    const last = wideCarry.lastIndexOf('\n');
    if (last >= 0) {
      const block = wideCarry.slice(0, last + 1);
      wideCarry = wideCarry.slice(last + 1);
      if (skipping) giveBlock(block.slice(block.indexOf('\n') + 1), false);
      else giveBlock(block, false);
      skipping = false;
    }
    if (skipping) wideCarry = '';
    else if (wideCarry.length > limits.structured) {
      giveBlock(wideCarry, false);
      wideCarry = '';
      skipping = true;
    }
  };

  const pass = (chunk: Uint8Array): void => {
    if (encoding === 'utf-8') pushNarrow(chunk);
    else if (wide) pushWide(wide.decode(chunk, { stream: true }));
  };

  const decide = (): void => {
    const first = head!;
    head = undefined;
    const detected = detectEncoding(first.subarray(0, headSize));
    encoding = detected.encoding;
    look = detected.look;
    if (encoding === 'utf-16le' || encoding === 'utf-16be') {
      wide = new TextDecoder(encoding, { ignoreBOM: true });
      handler.note(say('input.utf16'), 0);
    }
    pass(first.subarray(detected.skip));
  };

  return {
    done: () => encoding === 'binary' && head === undefined,
    push(chunk) {
      if (head === undefined) return pass(chunk);
      const joined = new Uint8Array(head.length + chunk.length);
      joined.set(head);
      joined.set(chunk, head.length);
      head = joined;
      if (head.length >= headSize) decide();
    },
    end() {
      if (head) decide();
      if (wide) pushWide(wide.decode());
      if (wideCarry !== '' && !skipping) giveBlock(wideCarry, false);
      if (carried > 0 && !skipping) giveBytes(carry.subarray(0, carried));
      return look;
    },
  };
}
