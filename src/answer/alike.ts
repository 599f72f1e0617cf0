import type { Document } from '../read/documents.ts';

/** Do two sets of inputs hold documents of one kind? */
export function isAlike(a: readonly Document[], b: readonly Document[]): boolean {
  const kinds = new Set(a.map((d) => d.kind));
  return b.some((d) => kinds.has(d.kind));
}
