import type { Message } from '../words/message.ts';

/** A place in an input: the file as the user named it and the line, counted from 1 (0 = the whole file). */
export interface Where {
  readonly file: string;
  readonly line: number;
}

/** A value and the lines that say so. Empty `at` means assumed or taken from the catalogue; `by` then says which. */
export interface Fact<T> {
  readonly value: T;
  readonly at: readonly Where[];
  readonly by?: 'input' | 'catalogue' | 'assumed' | 'inferred';
}

export const fact = <T>(value: T, ...at: Where[]): Fact<T> => ({ value, at, by: 'input' });
export const assumed = <T>(value: T): Fact<T> => ({ value, at: [], by: 'assumed' });
export const inferred = <T>(value: T, ...at: Where[]): Fact<T> => ({ value, at, by: 'inferred' });

/** Yes, no, or not known; unknown always says what would settle it. */
export type Answer = 'yes' | 'no' | 'unknown';

export interface Verdict {
  readonly answer: Answer;
  /** The rule that decided, as a message (stable code, both languages). */
  readonly rule: Message;
  readonly evidence: readonly Where[];
  /** The command whose output would settle an `unknown`. */
  readonly settle?: string;
}

/** Two inputs that disagree about one thing. Shown, never resolved in silence. */
export interface Conflict {
  readonly about: Message;
  readonly claims: readonly { readonly value: string; readonly at: readonly Where[] }[];
  /** Index of the claim that was used, and why. */
  readonly used: number;
}
