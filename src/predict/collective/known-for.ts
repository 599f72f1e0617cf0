import type { CollectiveGround } from './ground.ts';
import type { Speeds } from './speeds.ts';

const known = new WeakMap<CollectiveGround, { readonly speeds: Speeds; readonly made: Map<string, unknown> }>();

/**
 * Whole rounds are all alike: how they go is worked out once for a machine, its speeds and what `key` tells them by. Relieved limits come
 * as other grounds or speeds; of a ground's speeds only the last are kept.
 */
export function knownFor<T>(g: CollectiveGround, s: Speeds, key: string, make: () => T): T {
  let own = known.get(g);
  if (own?.speeds !== s) {
    own = { speeds: s, made: new Map() };
    known.set(g, own);
  }
  const found = own.made.get(key) as T | undefined;
  if (found !== undefined) return found;
  const value = make();
  own.made.set(key, value);
  return value;
}
