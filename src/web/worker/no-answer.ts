import type { Message } from '../../words/message.ts';

/** A question that cannot be answered, and why; the page shows the sentence in the language asked for. */
export class NoAnswer extends Error {
  constructor(readonly reason: Message) {
    super(reason.code);
  }
}
