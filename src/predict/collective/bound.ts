import type { CollectiveGround } from './ground.ts';
import { busFactor, type TestName } from './predict.ts';

/**
 * No schedule is faster: the bytes that must leave every node, and every GPU, at the peak of its wires; µs. `switched`:
 * switches may add and copy, which halves what a GPU sends in an AllReduce.
 */
export function wireBound(g: CollectiveGround, name: TestName, bytes: number, switched: boolean): number {
  const { nodes, ranks } = g;
  const leaves = leaving(name, nodes, ranks, g.perNode);
  const line = leaves > 0 && g.netTotal > 0 ? (bytes * leaves) / (1000 * g.netTotal) : 0;
  if (nodes > 1 || ranks === 1 || g.nvlink === 0 || name === 'sendrecv') return line;
  return Math.max(line, (bytes * busFactor(name, ranks)) / (1000 * g.nvlink * (switched ? 2 : 1)));
}

/** Of the vector's bytes, how many must leave (or enter) a node. */
function leaving(name: TestName, nodes: number, ranks: number, perNode: number): number {
  if (nodes === 1) return 0;
  switch (name) {
    case 'all_reduce':
      return (2 * (nodes - 1)) / nodes;
    case 'all_gather':
    case 'reduce_scatter':
      return (nodes - 1) / nodes;
    case 'alltoall':
      return (perNode * (ranks - perNode)) / ranks;
    case 'gather':
    case 'scatter':
      return (ranks - perNode) / ranks;
    default:
      return 1;
  }
}
