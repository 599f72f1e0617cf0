/**
 * A number or a yes/no with where it comes from. `source` is a URL, or a document with its page; `unit` says what is
 * counted, and in which direction where that matters. Units are those of the source, so that a reader can compare.
 */
export interface Sourced<T extends number | boolean = number> {
  readonly value: T;
  readonly unit: string;
  readonly source: string;
}

export const sourced = (value: number, unit: string, source: string): Sourced => ({ value, unit, source });
export const yes = (source: string): Sourced<boolean> => ({ value: true, unit: 'yes/no', source });
export const no = (source: string): Sourced<boolean> => ({ value: false, unit: 'yes/no', source });
