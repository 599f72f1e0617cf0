import { fail, ok, type Result } from '../base/result.ts';

/** Why bytes are not what a codec reads. Words for people: `wire.reason.*`. */
export type WireReason =
  | 'cut'
  | 'bad-length'
  | 'bad-version'
  | 'bad-option'
  | 'bad-marker'
  | 'bad-key'
  | 'unknown-link'
  | 'unknown-opcode'
  | 'too-large'
  | 'not-a-capture';

/** A value read from bytes, and the offset of the first byte behind it. */
export interface Decoded<T> {
  readonly value: T;
  readonly next: number;
}

export type Decoding<T> = Result<Decoded<T>, WireReason>;

export const decoded = <T>(value: T, next: number): Decoding<T> => ok({ value, next });
export const refused = (reason: WireReason): Result<never, WireReason> => fail(reason);
