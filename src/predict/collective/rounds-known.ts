import type { CollectiveGround } from './ground.ts';
import type { Speeds } from './speeds.ts';
import { Rounds, type Stage } from './stages.ts';

const known = new WeakMap<CollectiveGround, { readonly speeds: Speeds; readonly rounds: Map<string, Rounds> }>();

/** Whole rounds are all alike: how they go is worked out once for a machine, its speeds and what `key` tells them by. */
export function roundsFor(g: CollectiveGround, s: Speeds, key: string, stages: () => readonly Stage[]): Rounds {
  let own = known.get(g);
  if (own?.speeds !== s) {
    own = { speeds: s, rounds: new Map() };
    known.set(g, own);
  }
  const rounds = own.rounds.get(key) ?? new Rounds(stages());
  own.rounds.set(key, rounds);
  return rounds;
}
