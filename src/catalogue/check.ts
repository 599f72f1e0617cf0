/** One number of the catalogue that breaks the rule "every number has a unit and a source". */
export interface CatalogueFault {
  /** Where in the catalogue: `gpus.h100-sxm5-80g.memory`. */
  readonly path: string;
  readonly fault: 'no unit' | 'no source' | 'bare number' | 'not finite' | 'too deep';
}

const url = /^https:\/\/[\w.-]+\.[a-z]{2,}(?:\/\S*)?$/;
const document = /\S.{8,}, (?:p\.|page|pages|table|section) ?\d/i;

/** Is this a source a reader can go to: a URL, or the name of a document with a page, table or section number? */
export const isSource = (text: unknown): boolean => typeof text === 'string' && (url.test(text) || document.test(text));

/**
 * Walks any part of the catalogue and lists what breaks the rule. A bare number is a fault as well, except under
 * `counted` keys: how many devices a described system has is part of its description, whose own source covers it.
 */
export function checkCatalogue(
  root: unknown,
  name: string,
  counted: ReadonlySet<string> = new Set(),
): CatalogueFault[] {
  const faults: CatalogueFault[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > 12) {
      faults.push({ path, fault: 'too deep' });
      return;
    }
    if (typeof value === 'number') {
      faults.push({ path, fault: 'bare number' });
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const record = value as Readonly<Record<string, unknown>>;
    if ('value' in record && typeof record['value'] !== 'object') {
      if (typeof record['value'] === 'number' && !Number.isFinite(record['value']))
        faults.push({ path, fault: 'not finite' });
      if (typeof record['unit'] !== 'string' || record['unit'].trim() === '') faults.push({ path, fault: 'no unit' });
      if (!isSource(record['source'])) faults.push({ path, fault: 'no source' });
      return;
    }
    for (const [key, child] of Object.entries(record)) {
      if (!counted.has(key)) visit(child, `${path}.${key}`, depth + 1);
    }
  };
  visit(root, name, 0);
  return faults;
}
