import { collective } from '../../catalogue/collective.ts';
import type { CollectiveGround } from './ground.ts';
import { inTurn } from './in-turn.ts';

/** µs that starting a call on one more GPU takes at most. */
const launchMost = collective.launchEach.range[1];

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
  const { launch } = g.machine;
  const gpus = inTurn(g.machine);
  const known = gpus !== undefined || launch?.mode === 'stream';
  const serial = known && (gpus ?? 1) === 1 ? 0 : launchMost * (gpus ?? g.perHost);
  if (bytes > 65536) return { low: timeUs / 1.4, high: Math.max(timeUs * (across ? 1.9 : 1.45), timeUs + serial) };
  return { low: timeUs / 1.3, high: Math.max(timeUs * (known ? 1.4 : 1.9), serial) };
}
