/** Small helpers over byte arrays; every number on a wire here is big-endian unless its name says otherwise. */
export const noBytes: Uint8Array = new Uint8Array(0);

export function u16(b: Uint8Array, at: number): number {
  return (b[at]! << 8) | b[at + 1]!;
}

export function u24(b: Uint8Array, at: number): number {
  return (b[at]! << 16) | (b[at + 1]! << 8) | b[at + 2]!;
}

export function u32(b: Uint8Array, at: number): number {
  return b[at]! * 0x1000000 + u24(b, at + 1);
}

export function u32le(b: Uint8Array, at: number): number {
  return b[at + 3]! * 0x1000000 + ((b[at + 2]! << 16) | (b[at + 1]! << 8) | b[at]!);
}

export function putU16(b: Uint8Array, at: number, value: number): void {
  b[at] = value >>> 8;
  b[at + 1] = value;
}

export function putU32(b: Uint8Array, at: number, value: number): void {
  b[at] = value >>> 24;
  b[at + 1] = value >>> 16;
  b[at + 2] = value >>> 8;
  b[at + 3] = value;
}

export function putU32le(b: Uint8Array, at: number, value: number): void {
  b[at] = value;
  b[at + 1] = value >>> 8;
  b[at + 2] = value >>> 16;
  b[at + 3] = value >>> 24;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function hex(b: Uint8Array): string {
  let text = '';
  for (const byte of b) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** Bytes from hexadecimal text; anything that is no hexadecimal digit separates. */
export function fromHex(text: string): Uint8Array {
  const digits = text.replace(/[^0-9a-f]/gi, '');
  const out = new Uint8Array(digits.length >> 1);
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return out;
}

/** A copy that owns its memory, so that a decoded packet does not keep a whole capture alive. */
export function copyOf(b: Uint8Array, from: number, to: number): Uint8Array {
  return b.slice(from, to);
}
