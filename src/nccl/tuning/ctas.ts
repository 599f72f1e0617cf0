import { atLeast, channelLimit, type Release } from '../release.ts';
import { parseInteger } from '../settings.ts';

/**
 * How many blocks a collective may have, of whatever algorithm (src/init.cc: envConfigOverride). What is not positive is ignored,
 * and a least beyond the most is taken for the most.
 */
export function ctaRange(
  env: ReadonlyMap<string, string>,
  release: Release,
): { readonly least: number; readonly most: number } {
  const limit = channelLimit(release);
  const told = (name: string): number | undefined => {
    const n = atLeast(release, '2.17.1') ? parseInteger(env.get(name)) : undefined;
    return n === undefined || n <= 0 ? undefined : Math.min(n, limit);
  };
  const most = told('NCCL_MAX_CTAS') ?? limit;
  return { least: Math.min(told('NCCL_MIN_CTAS') ?? 0, most), most };
}
