import type { CollectiveGround } from './ground.ts';

/** µs that one process spends to launch a collective on each of its GPUs, one after another. */
const launchEach = 5.6;

/**
 * Within what like machines differ: large messages little; small ones up to twofold, since one process may launch on all GPUs
 * in turn, and drivers and CPUs differ.
 */
export function spreadOf(
  g: CollectiveGround,
  bytes: number,
  timeUs: number,
): { readonly low: number; readonly high: number } {
  const across = g.nodes > 1;
  if (bytes > 32 << 20) return { low: timeUs / 1.12, high: timeUs * (across ? 1.25 : 1.12) };
  const known = g.machine.launch === 'graph' || g.machine.launch === 'stream';
  const serial = known ? 0 : launchEach * g.perHost;
  if (bytes > 65536) return { low: timeUs / 1.4, high: Math.max(timeUs * (across ? 1.9 : 1.45), timeUs + serial) };
  return { low: timeUs / 1.3, high: Math.max(timeUs * (known ? 1.4 : 1.9), serial) };
}
