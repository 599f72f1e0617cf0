import type { Answered, Ask, Inputs, Question, Questions, Reply } from '../protocol.ts';

/** The page's end of a worker: questions out, answers back, each under its number. */
class Line {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: Answered) => void>();
  #next = 1;

  constructor() {
    this.#worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = (event: MessageEvent<Reply>) => {
      const { number, answer } = event.data;
      this.#waiting.get(number)?.(answer);
      this.#waiting.delete(number);
    };
    this.#worker.onerror = (event) => {
      for (const done of this.#waiting.values()) done({ ok: false, why: event.message || 'the worker ended' });
      this.#waiting.clear();
    };
  }

  /** Asks; `T` is what the question's JSON is known to be (`answers.ts`). */
  async ask<T, Q extends Question = Question>(question: Q, what: Questions[Q]): Promise<Answer<T>> {
    const number = this.#next++;
    const ask: Ask<Q> = { number, question, with: what };
    const answered = await new Promise<Answered>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#worker.postMessage(ask);
    });
    return answered as Answer<T>;
  }
}

/** NCCL's search of an odd machine takes seconds; what takes long must not keep a click waiting. */
const long: readonly Question[] = ['predict', 'compare', 'topics', 'learn', 'trace'];

/** Two workers: one for what a click waits for, and one for what takes long, begun when first needed. */
export class Desk {
  readonly #quick = new Line();
  #slow: { readonly line: Line; inputs: Inputs | undefined } | undefined;
  #inputs: Inputs | undefined;

  async ask<T, Q extends Question = Question>(question: Q, what: Questions[Q]): Promise<Answer<T>> {
    if (question === 'open') this.#inputs = (what as Questions['open']).inputs;
    if (!long.includes(question)) return this.#quick.ask<T, Q>(question, what);
    const slow = this.#begun();
    if (this.#inputs !== undefined && slow.inputs !== this.#inputs) {
      slow.inputs = this.#inputs;
      void slow.line.ask('open', { inputs: this.#inputs });
    }
    return slow.line.ask<T, Q>(question, what);
  }

  /** Loads all code of both workers: afterwards nobody is asked for anything. */
  async settle(): Promise<void> {
    await Promise.all([this.#quick.ask('settle', {}), this.#begun().line.ask('settle', {})]);
  }

  #begun(): { readonly line: Line; inputs: Inputs | undefined } {
    this.#slow ??= { line: new Line(), inputs: undefined };
    return this.#slow;
  }
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };
