/** The collectives of NCCL and the patterns nccl-tests adds to them, by the names nccl-tests uses. */
export const collectiveNames = [
  'all_reduce',
  'all_gather',
  'reduce_scatter',
  'broadcast',
  'reduce',
  'alltoall',
  'sendrecv',
  'gather',
  'scatter',
] as const;
export type CollectiveName = (typeof collectiveNames)[number];

/** What a collective does where data of several ranks meet. */
export const reductions = ['sum', 'prod', 'max', 'min'] as const;
export type Reduction = (typeof reductions)[number];

/** How data goes: NCCL's algorithms, and `Direct` for point-to-point sends and receives. */
export const algorithmNames = ['Tree', 'Ring', 'NVLS', 'NVLSTree', 'PAT', 'Direct'] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

export type ProtocolName = 'LL' | 'LL128' | 'Simple';

/** Collectives that are nothing but sends and receives. */
export const isPointToPoint = (c: CollectiveName): boolean =>
  c === 'alltoall' || c === 'sendrecv' || c === 'gather' || c === 'scatter';

export interface BufferSizes {
  /** Elements of each rank's buffers; a rank that has no use for one is given it all the same. */
  readonly input: number;
  readonly output: number;
}

/** Elements of the buffers, `count` being the argument of the same name in nccl.h (of one rank's part where there are parts). */
export function bufferSizes(collective: CollectiveName, count: number, ranks: number): BufferSizes {
  const all = count * ranks;
  switch (collective) {
    case 'all_gather':
    case 'gather':
      return { input: count, output: all };
    case 'reduce_scatter':
    case 'scatter':
      return { input: all, output: count };
    case 'alltoall':
      return { input: all, output: all };
    default:
      return { input: count, output: count };
  }
}

/** Elements of the whole vector, the larger of what a rank sends and receives: what `size` counts in nccl-tests. */
export function vectorCount(collective: CollectiveName, count: number, ranks: number): number {
  const { input, output } = bufferSizes(collective, count, ranks);
  return Math.max(input, output);
}
