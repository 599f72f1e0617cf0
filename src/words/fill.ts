/**
 * A sentence with its data. A placeholder without data stays visible as `{name}`, so that it is noticed.
 * `{count|node|nodes}` is the first word where `count` is one, else the second.
 */
export const fill = (template: string, dataOf: (name: string) => string | undefined): string =>
  template.replace(
    /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g,
    (whole, name: string, one?: string, many?: string): string => {
      const value = dataOf(name);
      if (value === undefined) return whole;
      if (one !== undefined && many !== undefined) return value === '1' ? one : many;
      return value;
    },
  );
