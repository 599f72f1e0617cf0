import type { Where } from '../../fact/fact.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';

/** NUMA nodes of devices as sysfs has them: a device and its node, −1 when the kernel knows none. */
export interface NumaNodes {
  readonly kind: 'numa-nodes';
  readonly file: string;
  readonly nodes: readonly { readonly device: string; readonly node: number; readonly at: Where }[];
}

const value = /([\w.:-]{1,64})(?:\/device)?\/numa_node\s*[:=]?\s*(-?\d{1,4})\s*$/;
const alone = /([\w.:-]{1,64})(?:\/device)?\/numa_node(?: <==)?\s*$/;

/** `grep . /sys/class/infiniband/…/device/numa_node`, or `cat` of one and the number below. */
export const numaNodes = blockFormat({
  id: 'numa-node',
  example: '/sys/class/infiniband/mlx5_0/device/numa_node:0',
  hints: ['numa_node'],
  starts: new RegExp(`(?:/[\\w./*-]{0,120}?)?(?:${value.source}|${alone.source})`),
  patience: 40,
  open: (context) => {
    const nodes: NumaNodes['nodes'][number][] = [];
    let pending: string | undefined;
    const add = (device: string, node: string, number: number): true => {
      if (nodes.length < 4000) nodes.push({ device: own(device), node: Number(node), at: context.at(number) });
      return true;
    };
    return {
      take(line, number) {
        const before = pending;
        pending = undefined;
        const bare = before === undefined ? null : /^\s*(-?\d{1,4})\s*$/.exec(line);
        if (bare) return add(before!, bare[1]!, number);
        const found = value.exec(line);
        if (found) return add(found[1]!, found[2]!, number);
        pending = alone.exec(line)?.[1];
        return pending !== undefined;
      },
      close: () => (nodes.length === 0 ? undefined : { kind: 'numa-nodes', file: context.file, nodes }),
    };
  },
});
