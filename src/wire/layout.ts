import { type Decoding, decoded, refused } from './outcome.ts';

/**
 * A fixed-size header as a table of named bit fields. One table gives the decoder, the encoder and the place of every
 * field, so that a test can ask which bytes a field may change. Bits count from the most significant bit of byte 0, as
 * the standards draw them.
 */
export interface NumberField {
  readonly kind: 'number';
  readonly bit: number;
  /** At most 48, so that every value is an exact double. */
  readonly bits: number;
}
export interface FlagField {
  readonly kind: 'flag';
  readonly bit: number;
  readonly bits: 1;
}
export interface BigField {
  readonly kind: 'big';
  readonly bit: number;
  readonly bits: 64;
}
export interface BytesField {
  readonly kind: 'bytes';
  readonly bit: number;
  readonly bits: number;
}
export type Field = NumberField | FlagField | BigField | BytesField;

export type Fields<T> = {
  readonly [K in keyof T]-?: T[K] extends number
    ? NumberField
    : T[K] extends boolean
      ? FlagField
      : T[K] extends bigint
        ? BigField
        : BytesField;
};

export interface Layout<T> {
  /** Bytes. */
  readonly size: number;
  readonly fields: Fields<T>;
  decode(bytes: Uint8Array, offset?: number): Decoding<T>;
  /** Writes into zeroed bytes. A value that does not fit its field is a fault of the caller and throws. */
  write(value: T, out: Uint8Array, offset: number): void;
  encode(value: T): Uint8Array;
}

/** A number of `bits` bits at `byte` and, within it, at `bit` (0 = most significant). */
export const num = (byte: number, bits: number, bit = 0): NumberField => ({
  kind: 'number',
  bit: byte * 8 + bit,
  bits,
});
export const flag = (byte: number, bit: number): FlagField => ({ kind: 'flag', bit: byte * 8 + bit, bits: 1 });
export const big = (byte: number): BigField => ({ kind: 'big', bit: byte * 8, bits: 64 });
export const raw = (byte: number, length: number): BytesField => ({ kind: 'bytes', bit: byte * 8, bits: length * 8 });

function readBits(b: Uint8Array, offset: number, bit: number, bits: number): number {
  let value = 0;
  let at = bit;
  let left = bits;
  while (left > 0) {
    const inByte = at & 7;
    const take = Math.min(8 - inByte, left);
    const part = (b[offset + (at >> 3)]! >> (8 - inByte - take)) & ((1 << take) - 1);
    value = value * (1 << take) + part;
    at += take;
    left -= take;
  }
  return value;
}

function writeBits(b: Uint8Array, offset: number, bit: number, bits: number, value: number): void {
  let rest = value;
  let end = bit + bits;
  let left = bits;
  while (left > 0) {
    const inByte = ((end - 1) & 7) + 1;
    const take = Math.min(inByte, left);
    const size = 1 << take;
    const at = offset + ((end - 1) >> 3);
    b[at] = b[at]! | ((rest % size) << (8 - inByte));
    rest = Math.floor(rest / size);
    end -= take;
    left -= take;
  }
}

function readField(field: Field, b: Uint8Array, offset: number): number | boolean | bigint | Uint8Array {
  const at = offset + (field.bit >> 3);
  if (field.kind === 'number') return readBits(b, offset, field.bit, field.bits);
  if (field.kind === 'flag') return readBits(b, offset, field.bit, 1) === 1;
  if (field.kind === 'bytes') return b.slice(at, at + (field.bits >> 3));
  return (BigInt(readBits(b, at, 0, 32)) << 32n) | BigInt(readBits(b, at, 32, 32));
}

function misfit(name: string): never {
  throw new RangeError(`field ${name}: value does not fit`);
}

function writeField(name: string, field: Field, value: unknown, b: Uint8Array, offset: number): void {
  const at = offset + (field.bit >> 3);
  if (field.kind === 'number') {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 2 ** field.bits) misfit(name);
    writeBits(b, offset, field.bit, field.bits, value);
  } else if (field.kind === 'flag') {
    if (value === true) writeBits(b, offset, field.bit, 1, 1);
  } else if (field.kind === 'bytes') {
    if (!(value instanceof Uint8Array) || value.length !== field.bits >> 3) misfit(name);
    b.set(value, at);
  } else {
    if (typeof value !== 'bigint' || value < 0n || value >> 64n !== 0n) misfit(name);
    writeBits(b, at, 0, 32, Number(value >> 32n));
    writeBits(b, at, 32, 32, Number(value & 0xffffffffn));
  }
}

export function layout<T extends object>(size: number, fields: Fields<T>): Layout<T> {
  const entries = Object.entries(fields) as [string, Field][];
  const write = (value: T, out: Uint8Array, offset: number): void => {
    const values = value as Record<string, unknown>;
    for (const [name, field] of entries) writeField(name, field, values[name], out, offset);
  };
  return {
    size,
    fields,
    decode(bytes, offset = 0) {
      if (offset < 0 || offset + size > bytes.length) return refused('cut');
      const value: Record<string, unknown> = {};
      for (const [name, field] of entries) value[name] = readField(field, bytes, offset);
      return decoded(value as T, offset + size);
    },
    write,
    encode(value) {
      const out = new Uint8Array(size);
      write(value, out, 0);
      return out;
    },
  };
}
