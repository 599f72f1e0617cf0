import { collective } from '../../catalogue/collective.ts';
import type { Machine } from '../../machine/machine.ts';

/** On how many GPUs one thread starts calls in turn, where that is told and is not what a replayed graph does at once. */
export const inTurn = ({ launch }: Machine): number | undefined =>
  launch?.mode === 'graph' ? 1 : launch?.gpusPerThread;

/** µs below which no call of a series ends, since a thread that starts it on several GPUs in turn needs so long for each call. */
export function launchFloor(machine: Machine): number {
  const gpus = inTurn(machine) ?? 1;
  return gpus > 1 ? gpus * collective.launchEach.value : 0;
}
