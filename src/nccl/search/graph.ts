/** How a channel runs through the GPUs of a node. The numbers are NCCL's, since ranks are compared by them. */
export const pattern = { BALANCED_TREE: 1, SPLIT_TREE: 2, TREE: 3, RING: 4, NVLS: 5, COLLNET_DIRECT: 6 } as const;
export type Pattern = (typeof pattern)[keyof typeof pattern];
export const patternName = (p: Pattern): string =>
  Object.keys(pattern).find((k) => pattern[k as keyof typeof pattern] === p)!;

/** What a search found, or is about to: plain numbers, copied often. */
export interface Graph {
  pattern: Pattern;
  nChannels: number;
  minChannels: number;
  maxChannels: number;
  /** GB/s per channel inside the node and to the network. */
  bwIntra: number;
  bwInter: number;
  latencyInter: number;
  typeIntra: number;
  typeInter: number;
  /** 0: back to the NET it came from; 1: any; 2: rings that swap their two NETs. */
  crossNic: number;
  sameChannels: number;
  nHops: number;
  /** GPU indices, a row of all GPUs for each channel. */
  intra: Int16Array;
  /** NET indices, where a channel comes in and goes out; -1: none. */
  inter: Int16Array;
}

export function emptyGraph(kind: Pattern, gpus: number, minChannels: number, maxChannels: number): Graph {
  return {
    pattern: kind,
    nChannels: 0,
    minChannels,
    maxChannels,
    bwIntra: 0,
    bwInter: 0,
    latencyInter: 0,
    typeIntra: 0,
    typeInter: 0,
    crossNic: 0,
    sameChannels: 1,
    nHops: 0,
    intra: new Int16Array(gpus * 64),
    inter: new Int16Array(2 * 64).fill(-1),
  };
}

export function copyGraph(from: Graph, to: Graph): void {
  const { intra, inter } = to;
  intra.set(from.intra);
  inter.set(from.inter);
  Object.assign(to, from, { intra, inter });
}

/** Is what was found to be kept instead of what was best (src/graph/search.cc: ncclTopoCompareGraphs)? */
export function isBetter(graph: Graph, best: Graph, gpus: number): boolean {
  if (graph.nChannels < graph.minChannels) return false;
  if (graph.pattern === pattern.NVLS) {
    if (graph.nChannels > best.nChannels && graph.nChannels <= gpus) return true;
    return Math.fround(graph.nChannels * graph.bwInter) > Math.fround(best.nChannels * best.bwInter);
  }
  const mine = Math.fround(graph.nChannels * graph.bwIntra);
  const theirs = Math.fround(best.nChannels * best.bwIntra);
  if (mine !== theirs) return mine > theirs;
  return graph.pattern === best.pattern && graph.crossNic === best.crossNic && graph.nHops < best.nHops;
}
