/**
 * A copy of a string that keeps nothing else alive. V8 represents a long substring as a view into its parent, so a name of
 * twenty letters could hold a whole block of a log in memory; substrings under 13 characters are copied anyway.
 */
export function own(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}

/** A map that stops growing at a limit and counts what it did not take. */
export class Bounded<T> {
  readonly map = new Map<string, T>();
  dropped = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.map.get(key);
  }

  /** What is kept under the key, made when it is new; undefined when there is no room. */
  take(key: string, make: () => T): T | undefined {
    const known = this.map.get(key);
    if (known !== undefined) return known;
    if (this.map.size >= this.#limit) {
      this.dropped++;
      return undefined;
    }
    const made = make();
    this.map.set(own(key), made);
    return made;
  }

  values(): T[] {
    return [...this.map.values()];
  }
}
