import type { Where } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';

/** Something that the inputs leave open and that decides whether data takes the direct way. */
export interface OpenQuestion {
  readonly about: Message;
  readonly evidence: readonly Where[];
  readonly settle: string;
  /** Something failed, beyond what is merely not known. */
  readonly failed?: true;
}

/** A failure that a program tells of, what would show its cause, and the findings that are the cause. */
export interface SaidQuestion {
  readonly topic: string;
  readonly settle: string;
  readonly cleared: RegExp;
  /** A topic of the same program that says what this one is about. */
  readonly unless?: string;
  /** Of a topic that many things are told by: the ones that this question is about. */
  readonly only?: RegExp;
}
