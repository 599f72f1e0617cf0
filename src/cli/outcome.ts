import type { Message } from '../words/message.ts';

/** Exit codes of the contract. */
export const exit = { fine: 0, findings: 1, noAnswer: 2, fault: 3 } as const;

/** An answer that could not be given: bad usage or input, with what to say. */
export class NoAnswer extends Error {
  constructor(
    readonly reason: Message,
    readonly details: readonly Message[] = [],
  ) {
    super(reason.code);
  }
}

/** What a verb hands back: text or JSON for standard output, prose for standard error, and how it ended. */
export interface Outcome {
  readonly text: string;
  readonly code: number;
  readonly aside?: readonly string[];
}
