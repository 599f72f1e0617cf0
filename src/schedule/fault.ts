import type { engine } from '../words/en/engine.ts';

/** Why a schedule was refused: a message of `words/engine`. */
export interface ScheduleFault {
  readonly code: keyof typeof engine;
  readonly args: Readonly<Record<string, string | number>>;
}
