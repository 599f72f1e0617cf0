import { type Communicator, domainsOn, type NodeGraphs, rowOf } from '../nccl/communicator.ts';
import { nodeTrees } from '../nccl/connect/connect.ts';
import type { Choice } from '../nccl/tuning/choice.ts';
import type { Collective } from '../nccl/tuning/model.ts';
import type { Ways } from './build.ts';
import type { CollectiveName } from './kinds.ts';
import { channelsOf, type P2pWays } from './p2p.ts';
import type { Task } from './program.ts';
import { bufferSlots } from './share.ts';
import { treeThreads } from './tree.ts';

/** NCCL's names of the collectives it tunes. */
export const tuned: Readonly<Partial<Record<CollectiveName, Collective>>> = {
  all_reduce: 'AllReduce',
  all_gather: 'AllGather',
  reduce_scatter: 'ReduceScatter',
  broadcast: 'Broadcast',
  reduce: 'Reduce',
};

/** GPUs that NCCL treats as one node. */
export interface Group {
  readonly host: number;
  readonly graphs: NodeGraphs;
  /** Ranks of the whole job, by GPU index. */
  readonly ranks: readonly number[];
}

/** Nodes as NCCL numbers them: by the first rank that belongs to each. */
export function groupsOf(c: Communicator): Group[] {
  const { perHost } = c;
  const groups: Group[] = [];
  for (let host = 0; host < c.hosts; host++) {
    for (const graphs of domainsOn(c, host)) {
      groups.push({ host, graphs, ranks: graphs.ranks.map((r) => host * perHost + r) });
    }
  }
  return groups.sort((a, b) => Math.min(...a.ranks) - Math.min(...b.ranks));
}

/** A part is worth an eighth of a chunk within a node and takes up to 32; between nodes it is half a chunk to a whole one. */
export function p2pWays(c: Communicator): P2pWays {
  const { least, perPeer } = c.p2p;
  const chunk = p2pChunk(c);
  const [leastPart, mostPart] = c.nodes > 1 ? [chunk / 2, chunk] : [chunk / 8, chunk * 32];
  const local = Math.max(...[...c.perDomain, ...c.rest].map((d) => d.ranks.length));
  return { least, most: perPeer, leastPart, mostPart, local };
}

export const p2pChunk = (c: Communicator): number =>
  Math.min(c.p2p.chunkBytes, c.launch.bufferBytes.Simple / bufferSlots);

/** The ways that a communicator's channels take. */
export function waysOf(c: Communicator): Ways {
  const { perHost } = c;
  const groups = groupsOf(c);
  const able = c.facts.nvls !== undefined && c.facts.nvls.nChannels > 0;
  const heads = c.facts.nvls?.nChannels ?? 0;
  return {
    ranks: c.ranks,
    rings: c.channels.map((x) => x.ring),
    trees: c.channels.map((x) => x.treeUp),
    treeThreads: {
      LL: treeThreads('LL', c.release),
      LL128: treeThreads('LL128', c.release),
      Simple: treeThreads('Simple', c.release),
    },
    ...(able
      ? {
          nvls: {
            nodes: groups.map(({ ranks }) => ranks),
            heads: groups.map(({ host, graphs }) =>
              Array.from({ length: heads }, (_, h) => host * perHost + rowOf(graphs, graphs.nvls!, h)[0]!),
            ),
            trees: nodeTrees(groups.length),
          },
        }
      : {}),
    p2p: p2pWays(c),
  };
}

/** A collective as NCCL chose to do it. */
export function taskOf(
  choice: Pick<Choice, 'algorithm' | 'protocol' | 'nChannels' | 'chunkBytes'>,
  collective: CollectiveName,
  count: number,
  elementBytes: number,
  root = 0,
  bufferBytes?: number,
): Task {
  const { algorithm, protocol, nChannels, chunkBytes } = choice;
  const task = { collective, algorithm, protocol, count, elementBytes, root, channels: nChannels, chunkBytes };
  return bufferBytes === undefined ? task : { ...task, bufferBytes };
}

/** A pattern of sends and receives as NCCL does it: by LL where each channel has little to send, else in chunks. */
export function directTaskOf(
  c: Communicator,
  collective: CollectiveName,
  count: number,
  elementBytes: number,
  root = 0,
): Task {
  const { channels, llBytes } = c.p2p;
  const bytes = count * elementBytes;
  const small = bytes <= channelsOf(bytes, channels, p2pWays(c)) * llBytes;
  return {
    collective,
    algorithm: 'Direct',
    protocol: small ? 'LL' : 'Simple',
    count,
    elementBytes,
    root,
    channels,
    chunkBytes: small ? llChunk : p2pChunk(c),
  };
}

/** Half of a slot of the LL buffer is data. */
const llChunk = 32768;
