import { EventQueue } from '../base/event-queue.ts';
import type { FlowPaths } from './paths.ts';

/**
 * Max-min fair rates of all flows from nothing, by progressive filling: the yardstick for `Flows`, which only re-solves what
 * changed. Takes time proportional to all paths together, whatever changed.
 *
 * @param isActive whether a flow takes part; all do when it is left out
 * @returns the rate of each flow: 0 for those that take no part, Infinity for those that cross nothing
 */
export function fill(
  capacity: Float64Array,
  paths: FlowPaths,
  isActive: (flow: number) => boolean = () => true,
): Float64Array {
  const { start, resource, factor } = paths;
  const flows = start.length - 1;
  const resources = capacity.length;
  const rate = new Float64Array(flows);
  const open = new Uint8Array(flows);
  const growing = new Float64Array(resources);
  const growers = new Int32Array(resources);
  const left = capacity.slice();
  const first = new Int32Array(resources + 1);
  for (let f = 0; f < flows; f++) {
    if (!isActive(f)) continue;
    open[f] = 1;
    rate[f] = Number.POSITIVE_INFINITY;
    for (let k = start[f]!; k < start[f + 1]!; k++) {
      const r = resource[k]!;
      growing[r]! += factor[k]!;
      growers[r]!++;
      first[r + 1]!++;
    }
  }
  for (let r = 0; r < resources; r++) first[r + 1]! += first[r]!;
  const crossing = new Int32Array(first[resources]!);
  const at = first.slice();
  for (let f = 0; f < flows; f++) {
    if (open[f] === 1) for (let k = start[f]!; k < start[f + 1]!; k++) crossing[at[resource[k]!]!++] = f;
  }
  const queue = new EventQueue(resources);
  for (let r = 0; r < resources; r++) if (growers[r]! > 0) queue.push(left[r]! / growing[r]!, r);
  while (queue.pop()) {
    const r = queue.item;
    if (growers[r] === 0) continue;
    // Flows stopped elsewhere leave more to the rest, so a level only rises: look again, and come back later if it did.
    const level = Math.max(0, left[r]! / growing[r]!);
    if (level > queue.time * (1 + 1e-14)) {
      queue.push(level, r);
      continue;
    }
    for (let i = first[r]!; i < first[r + 1]!; i++) {
      const f = crossing[i]!;
      if (open[f] === 0) continue;
      open[f] = 0;
      rate[f] = level;
      for (let k = start[f]!; k < start[f + 1]!; k++) {
        const other = resource[k]!;
        left[other]! -= factor[k]! * level;
        growing[other]! -= factor[k]!;
        growers[other]!--;
      }
    }
  }
  return rate;
}
