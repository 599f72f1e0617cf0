import type { Reduction } from './kinds.ts';
import type { Task } from './program.ts';

/** Arrays that programs run on; results are rounded as the array rounds them. */
export type Numbers = Float64Array | Float32Array | Int32Array;

export const reducers: Readonly<Record<Reduction, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  prod: (a, b) => a * b,
  max: Math.max,
  min: Math.min,
};

/**
 * One element of a rank's output as the collective is defined in NCCL's user guide, whatever way it took; undefined where the
 * definition says nothing (output of ranks other than the root).
 */
export function expectedAt(
  task: Task,
  inputs: readonly Numbers[],
  reduction: Reduction,
  rank: number,
  index: number,
): number | undefined {
  const { count, root } = task;
  const all = (at: number): number => {
    const combine = reducers[reduction];
    let value = inputs[0]![at]!;
    for (let r = 1; r < inputs.length; r++) value = combine(value, inputs[r]![at]!);
    return value;
  };
  const part = Math.floor(index / Math.max(1, count));
  const within = index - part * count;
  switch (task.collective) {
    case 'all_reduce':
      return all(index);
    case 'reduce':
      return rank === root ? all(index) : undefined;
    case 'reduce_scatter':
      return all(rank * count + index);
    case 'broadcast':
      return inputs[root]![index]!;
    case 'all_gather':
      return inputs[part]![within]!;
    case 'gather':
      return rank === root ? inputs[part]![within]! : undefined;
    case 'scatter':
      return inputs[root]![rank * count + index]!;
    case 'alltoall':
      return inputs[part]![rank * count + within]!;
    case 'sendrecv':
      return inputs[(rank + inputs.length - 1) % inputs.length]![index]!;
  }
}
