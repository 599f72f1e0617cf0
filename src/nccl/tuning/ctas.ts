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

/**
 * NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS, or the names they had before (src/graph/connect.cc: ncclMinNchannels,
 * ncclMaxNchannels): the least may be beyond the most, and no channel at all is one.
 */
export function channelRange(
  env: ReadonlyMap<string, string>,
  limit: number,
): { readonly least: number; readonly most: number } {
  const told = (name: string): number | undefined => {
    const n = parseInteger(env.get(name));
    return n === -2 ? undefined : n;
  };
  const least = told('NCCL_MIN_NCHANNELS') ?? told('NCCL_MIN_NRINGS') ?? 0;
  const most = told('NCCL_MAX_NCHANNELS') ?? told('NCCL_MAX_NRINGS') ?? limit;
  return { least: Math.max(0, Math.min(least, limit)), most: Math.max(1, Math.min(most, limit)) };
}
