import { collective } from '../../catalogue/collective.ts';
import type { Machine } from '../../machine/machine.ts';
import type { CollectiveGround } from './ground.ts';

const { value: launchEach, range: launchRange } = collective.launchEach;

/** On how many GPUs one thread starts calls in turn, where that is told and is not what a replayed graph does at once. */
const inTurn = ({ launch }: Machine): number | undefined => (launch?.mode === 'graph' ? 1 : launch?.gpusPerThread);

/** µs below which no call of a series ends, since a thread that starts it on several GPUs in turn needs so long for each call. */
export function launchFloor(machine: Machine): number {
  const gpus = inTurn(machine) ?? 1;
  return gpus > 1 ? gpus * launchEach : 0;
}

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
  const serial = known && (gpus ?? 1) === 1 ? 0 : launchRange[1] * (gpus ?? g.perHost);
  if (bytes > 65536) return { low: timeUs / 1.4, high: Math.max(timeUs * (across ? 1.9 : 1.45), timeUs + serial) };
  return { low: timeUs / 1.3, high: Math.max(timeUs * (known ? 1.4 : 1.9), serial) };
}
