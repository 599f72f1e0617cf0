import fc from 'fast-check';
import { random } from '../../src/base/random.ts';
import type { Ways } from '../../src/collective/build.ts';
import type { AlgorithmName, CollectiveName, ProtocolName } from '../../src/collective/kinds.ts';
import { collectiveNames, isPointToPoint, reductions } from '../../src/collective/kinds.ts';
import type { Task } from '../../src/collective/program.ts';
import { treeThreads } from '../../src/collective/tree.ts';
import { connectNodes, nodeTrees } from '../../src/nccl/connect/connect.ts';
import { newest as latest, releaseFor } from '../../src/nccl/release.ts';

const newest = releaseFor(latest)!;

/** Nodes of equal GPUs whose channels run through them in some order: rings, trees and heads as NCCL joins them. */
export function waysFor(nodes: number, perNode: number, channels: number, seed: number, pattern = 1): Ways {
  const rng = random(seed);
  const shuffled = (): number[] => {
    const left = Array.from({ length: perNode }, (_, i) => i);
    return Array.from({ length: perNode }, () => left.splice(rng.below(left.length), 1)[0]!);
  };
  const orders = Array.from({ length: channels }, shuffled);
  const list = Array.from({ length: nodes }, (_, d) => {
    const rows = orders.map((order) => order.map((g) => d * perNode + g));
    return { rings: rows, trees: rows, treePattern: pattern, crossNic: 0 };
  });
  const joined = connectNodes(list, channels, true);
  return {
    ranks: nodes * perNode,
    rings: joined.map((c) => c.ring),
    trees: joined.map((c) => c.treeUp),
    treeThreads: {
      LL: treeThreads('LL', newest),
      LL128: treeThreads('LL128', newest),
      Simple: treeThreads('Simple', newest),
    },
    nvls: {
      nodes: list.map((_, d) => Array.from({ length: perNode }, (_, g) => d * perNode + g)),
      heads: list.map((_, d) => Array.from({ length: perNode }, (_, g) => d * perNode + g)),
      trees: nodeTrees(nodes),
    },
    p2p: { least: 1 + (seed % 2), most: channels, leastPart: 64, mostPart: 1024, local: perNode },
  };
}

export const waysOfAlgorithm: Readonly<Record<AlgorithmName, readonly CollectiveName[]>> = {
  Ring: ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce'],
  Tree: ['all_reduce'],
  NVLS: ['all_reduce', 'all_gather', 'reduce_scatter'],
  NVLSTree: ['all_reduce'],
  PAT: ['all_gather', 'reduce_scatter'],
  Direct: collectiveNames.filter(isPointToPoint),
};

export interface Case {
  readonly ways: Ways;
  readonly task: Task;
  readonly reduction: (typeof reductions)[number];
  readonly seed: number;
}

/** Any collective by any way it can take, on 1 to 24 ranks in 1 to 6 nodes. */
export const cases = (): fc.Arbitrary<Case> =>
  fc
    .record({
      nodes: fc.integer({ min: 1, max: 6 }),
      perNode: fc.integer({ min: 1, max: 8 }),
      channels: fc.integer({ min: 1, max: 4 }),
      pattern: fc.constantFrom(1, 2, 3),
      algorithm: fc.constantFrom<AlgorithmName>('Tree', 'Ring', 'NVLS', 'NVLSTree', 'PAT', 'Direct'),
      protocol: fc.constantFrom<ProtocolName>('LL', 'LL128', 'Simple'),
      which: fc.nat(),
      root: fc.nat(),
      count: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 12_000 })),
      elementBytes: fc.constantFrom(1, 2, 4, 8),
      chunk: fc.constantFrom(16, 64, 512, 1024, 4096),
      reduction: fc.constantFrom(...reductions),
      seed: fc.nat(),
    })
    .map((x) => {
      const alone = x.algorithm === 'NVLS' || x.nodes * x.perNode > 24;
      const nodes = alone ? 1 : x.algorithm === 'NVLSTree' ? Math.max(2, x.nodes) : x.nodes;
      const perNode = x.algorithm === 'PAT' ? 1 : x.algorithm === 'NVLS' ? Math.max(2, x.perNode) : x.perNode;
      const ways = waysFor(nodes, perNode, x.channels, x.seed, x.pattern);
      const able = waysOfAlgorithm[x.algorithm];
      const fabric = x.algorithm === 'NVLS' || x.algorithm === 'NVLSTree' || x.algorithm === 'PAT';
      const protocol = fabric || (x.algorithm === 'Direct' && x.protocol === 'LL128') ? 'Simple' : x.protocol;
      const collective = able[x.which % able.length]!;
      // Not so many steps that a property takes minutes.
      const most = (x.chunk / x.elementBytes) * 200;
      return {
        ways: x.algorithm === 'NVLSTree' && nodes === 1 ? waysFor(2, perNode, x.channels, x.seed) : ways,
        task: {
          collective,
          algorithm: x.algorithm,
          protocol,
          count: Math.min(x.count, Math.floor(most)),
          elementBytes: x.elementBytes,
          root: x.root % ways.ranks,
          channels: x.channels,
          chunkBytes: x.chunk,
        },
        reduction: x.reduction,
        seed: x.seed,
      };
    });

/** The same ways without one rank; those after it move up. */
export function without(ways: Ways, gone: number): Ways {
  const renamed = (r: number): number => (r > gone ? r - 1 : r);
  return {
    ranks: ways.ranks - 1,
    rings: ways.rings.map((ring) => ring.filter((r) => r !== gone).map(renamed)),
    trees: ways.trees.map((up) => {
      // Who hung below it hangs above now; the first of them takes its place where it was the root.
      const heir = up[gone]! >= 0 ? up[gone]! : up.indexOf(gone);
      const moved = up.map((p, r) => (p !== gone ? p : r === heir ? -1 : heir));
      return moved.filter((_, r) => r !== gone).map((p) => (p < 0 ? -1 : renamed(p)));
    }),
    treeThreads: ways.treeThreads,
    p2p: ways.p2p,
  };
}
