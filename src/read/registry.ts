import type { Format } from './format.ts';

export interface Registry {
  /** In the order of registration, which is the order in which an idle line is offered. */
  readonly formats: readonly Format[];
  /** Adds a format and returns what takes it out again. Throws when the id is taken. */
  add(format: Format): () => void;
}

/** A set of formats with unique ids. */
export function registry(initial: readonly Format[]): Registry {
  const formats: Format[] = [];
  const add = (format: Format): (() => void) => {
    if (formats.some(({ id }) => id === format.id)) throw new Error(`format id "${format.id}" is taken`);
    formats.push(format);
    return () => {
      const at = formats.indexOf(format);
      if (at >= 0) formats.splice(at, 1);
    };
  };
  for (const format of initial) add(format);
  return { formats, add };
}
