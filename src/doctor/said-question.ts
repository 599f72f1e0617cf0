/** A failure that a program tells of, what would show its cause, and the findings that are the cause. */
export interface SaidQuestion {
  readonly topic: string;
  readonly settle: string;
  readonly cleared: RegExp;
  /** A topic of the same program that says what this one is about. */
  readonly unless?: string;
}
