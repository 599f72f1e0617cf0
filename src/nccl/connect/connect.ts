import { pattern } from '../search/graph.ts';

/** The ways of one node's channels, by rank of the whole job. */
export interface NodeChannels {
  readonly rings: readonly (readonly number[])[];
  readonly trees: readonly (readonly number[])[];
  readonly treePattern: number;
  /** NCCL_CROSS_NIC's outcome for rings. */
  readonly crossNic: number;
}

export interface Channel {
  /** Ranks from rank 0 on. */
  readonly ring: readonly number[];
  /** Parent of every rank; -1 for the root. */
  readonly treeUp: readonly number[];
}

/**
 * Joins the channels of all nodes (src/graph/connect.cc): rings end to end, chains under a double binary tree, whose
 * second tree serves the second half of the channels.
 */
export function connectNodes(nodes: readonly NodeChannels[], channels: number, swapsOdd: boolean): Channel[] {
  const ranks = nodes.reduce((sum, n) => sum + n.rings[0]!.length, 0);
  const out: Channel[] = [];
  for (let half = 0; half < 2; half++) {
    for (let c = 0; c < channels; c++) {
      const ring = nodes.flatMap((node, i) => {
        const swap = swapsOdd && node.crossNic === 2 && i % 2 === 1 && channels % 2 === 0;
        return node.rings[swap ? c ^ 1 : c]!;
      });
      const start = ring.indexOf(0);
      out.push({ ring: [...ring.slice(start), ...ring.slice(0, start)], treeUp: treeUp(nodes, c, half, ranks) });
    }
  }
  return out;
}

/** The parent of every node in the first and the second of the two trees over nodes; -1 for a root. */
export function nodeTrees(count: number): readonly [readonly number[], readonly number[]] {
  const tree = (of: (count: number, node: number) => Parent | undefined): number[] =>
    Array.from({ length: count }, (_, i) => of(count, i)?.node ?? -1);
  return [tree(parentOf), tree(secondParent)];
}

function treeUp(nodes: readonly NodeChannels[], c: number, half: number, ranks: number): number[] {
  const up: number[] = new Array(ranks).fill(-1);
  nodes.forEach((node, i) => {
    const chain = node.trees[c]!;
    for (let k = 1; k < chain.length; k++) up[chain[k]!] = chain[k - 1]!;
    const parent = half === 0 ? parentOf(nodes.length, i) : secondParent(nodes.length, i);
    if (!parent) return;
    const above = nodes[parent.node]!;
    const other = above.trees[c]!;
    const place = parent.second
      ? above.treePattern === pattern.SPLIT_TREE
        ? 1
        : 0
      : above.treePattern === pattern.TREE
        ? 0
        : 1;
    up[chain[0]!] = other[Math.min(place, other.length - 1)]!;
  });
  return up;
}

interface Parent {
  readonly node: number;
  /** Whether it hangs there as the second child. */
  readonly second: boolean;
}

/** A binary tree over numbers: the lowest set bit is the level. */
function parentOf(count: number, node: number): Parent | undefined {
  if (node === 0) return undefined;
  const bit = node & -node;
  let up = (node ^ bit) | (bit << 1);
  if (up >= count) up = node ^ bit;
  return { node: up, second: node >= up };
}

/** The tree in which the leaves of the first are inside: mirrored for an even count, else shifted by one. */
function secondParent(count: number, node: number): Parent | undefined {
  const turn = (n: number): number => (count % 2 === 1 ? (n + count - 1) % count : count - 1 - n);
  const back = (n: number): number => (count % 2 === 1 ? (n + 1) % count : count - 1 - n);
  const p = parentOf(count, turn(node));
  return p && { node: back(p.node), second: p.second };
}
