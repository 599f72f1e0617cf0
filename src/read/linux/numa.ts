import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** `grep . /sys/class/infiniband/…/device/numa_node` and the like: a device and its NUMA node, −1 when the kernel knows none. */
export interface NumaNodes {
  readonly kind: 'numa-nodes';
  readonly file: string;
  readonly nodes: readonly { readonly device: string; readonly node: number; readonly at: Where }[];
}

export const numaNodes = lineFormat<NumaNodes['nodes'][number]>({
  id: 'numa-node',
  example: '/sys/class/infiniband/mlx5_0/device/numa_node:0',
  hints: ['numa_node'],
  entry: (line, at) => {
    const found = /([\w.:-]{1,64})(?:\/device)?\/numa_node\s*[:=]?\s*(-?\d{1,4})\s*$/.exec(line);
    return found ? { device: own(found[1]!), node: Number(found[2]), at } : undefined;
  },
  build: (nodes, { file }) => ({ kind: 'numa-nodes', file, nodes }),
});
