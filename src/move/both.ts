import type { SharedLink } from './links.ts';
import type { DataPathModel } from './model.ts';

/**
 * The same data paths with what both directions at once may carry: a wire that both cross the same way, such as the uplink of
 * a switch below which both ends hang, is there only once.
 */
export const withBothWays = (
  models: readonly DataPathModel[],
  back: readonly DataPathModel[],
): readonly DataPathModel[] =>
  models.map((m) => {
    const other = back.find((b) => b.path === m.path);
    const limit = other && sharedLimit(m, other);
    return limit === undefined ? m : { ...m, bothLimit: limit };
  });

/** Bytes per second of both together, when each moves as much as the other. */
function sharedLimit(there: DataPathModel, back: DataPathModel): number | undefined {
  const ours = loads(there);
  let least: number | undefined;
  for (const [key, { link, factor }] of loads(back)) {
    const mine = ours.get(key);
    if (mine) least = Math.min(least ?? Number.POSITIVE_INFINITY, (2 * link.rate) / (factor + mine.factor));
  }
  return least;
}

function loads(m: DataPathModel): ReadonlyMap<string, { readonly link: SharedLink; readonly factor: number }> {
  const found = new Map<string, { link: SharedLink; factor: number }>();
  for (const link of m.stages.flatMap((s) => s.links)) {
    const factor = (found.get(link.key)?.factor ?? 0) + link.factor;
    found.set(link.key, { link, factor });
  }
  return found;
}
