import type { engine } from '../words/en/engine.ts';

/** What schedule and engine have to say (why a schedule is refused, what a trace left out): a message of `words/engine`. */
export interface EngineMessage {
  readonly code: keyof typeof engine;
  readonly args: Readonly<Record<string, string | number | EngineMessage>>;
}

type What = { [C in keyof typeof engine]: C extends `engine.what.${infer W}` ? W : never }[keyof typeof engine];

const named = (what: What): EngineMessage => ({ code: `engine.what.${what}`, args: {} });

/** A number that is negative, infinite or none at all. `where` names the resource, engine or operation. */
export const notANumber = (where: string, what: What, value: number, least = 0): EngineMessage => ({
  code: 'engine.fault.number',
  args: { where, what: named(what), value: String(value), least },
});

export const notWhole = (where: string, what: What, value: number, least: number): EngineMessage => ({
  code: 'engine.fault.whole',
  args: { where, what: named(what), value: String(value), least },
});

export const unknown = (where: string, what: What, value: number): EngineMessage => ({
  code: 'engine.fault.unknown',
  args: { where, what: named(what), value },
});
