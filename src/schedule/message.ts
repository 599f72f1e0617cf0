import type { engine } from '../words/en/engine.ts';

/** What schedule and engine have to say (why a schedule is refused, what a trace left out): a message of `words/engine`. */
export interface EngineMessage {
  readonly code: keyof typeof engine;
  readonly args: Readonly<Record<string, string | number>>;
}
