import { fail, ok, type Result } from '../base/result.ts';
import { type Message, say } from '../words/message.ts';
import { buildDirect } from './direct.ts';
import { isPointToPoint, type ProtocolName } from './kinds.ts';
import { buildNvls, type NvlsWays } from './nvls.ts';
import type { P2pWays } from './p2p.ts';
import { buildPat } from './pat.ts';
import { type Program, ProgramBuilder, type Task } from './program.ts';
import { buildCopy, buildRing } from './ring.ts';
import { shares, slicing } from './share.ts';
import { buildTree, type TreeThreads } from './tree.ts';

/** The ways of a communicator's channels, by rank. Channel c takes entry c modulo the number of entries. */
export interface Ways {
  readonly ranks: number;
  /** The ranks of each ring, from any of them on. */
  readonly rings: readonly (readonly number[])[];
  /** The parent of each rank in each tree; −1 for the root. */
  readonly trees: readonly (readonly number[])[];
  readonly treeThreads: Readonly<Record<ProtocolName, TreeThreads>>;
  readonly nvls?: NvlsWays;
  readonly p2p: P2pWays;
}

/** The program of a collective, or why there is none. */
export function buildProgram(task: Task, ways: Ways): Result<Program, Message> {
  const { ranks } = ways;
  const refused = refusal(task, ways);
  if (refused) return fail(refused);
  const b = new ProgramBuilder();
  const { slices, leastSlice } = slicing(task);
  const about = { task, ranks, slices, leastSlice };
  if (ranks === 1) {
    if (task.count > 0) buildCopy(b, task.count);
    return ok(b.done(about));
  }
  switch (task.algorithm) {
    case 'Ring':
      buildRing(b, task, ranks, ways.rings, shares(task, ranks));
      return ok(b.done(about));
    case 'Tree':
      buildTree(b, task, ranks, ways.trees, ways.treeThreads[task.protocol], shares(task, ranks));
      return ok(b.done(about));
    case 'PAT':
      buildPat(b, task, ranks, shares(task, ranks));
      return ok(b.done({ ...about, scratch: task.collective === 'reduce_scatter' ? task.count * ranks : 0 }));
    case 'Direct':
      buildDirect(b, task, ranks, ways.p2p);
      return ok(b.done(about));
    default:
      buildNvls(b, task, ranks, ways.nvls!, shares(task, ranks));
      return ok(b.done({ ...about, agents: ranks + ways.nvls!.nodes.length }));
  }
}

function refusal(task: Task, { ranks, rings, trees, nvls }: Ways): Message | undefined {
  const { collective, algorithm, protocol, count, root, channels, elementBytes } = task;
  const whole = (x: number, least: number): boolean => Number.isSafeInteger(x) && x >= least;
  if (!whole(count, 0) || !whole(channels, 1) || !whole(elementBytes, 1) || !(task.chunkBytes >= 1)) {
    return say('collective.fault.task', { count, channels, elementBytes, chunkBytes: task.chunkBytes });
  }
  if (!(whole(root, 0) && root < ranks)) return say('collective.fault.root', { root, ranks });
  const gathers = collective === 'all_gather' || collective === 'reduce_scatter';
  const able = {
    Ring: !isPointToPoint(collective) && rings.length > 0,
    Tree: collective === 'all_reduce' && trees.length > 0,
    NVLS: (collective === 'all_reduce' || gathers) && nvls?.nodes.length === 1,
    NVLSTree: collective === 'all_reduce' && nvls !== undefined && nvls.nodes.length > 1,
    PAT: gathers,
    Direct: isPointToPoint(collective),
  }[algorithm];
  const speaks = algorithm === 'NVLS' || algorithm === 'NVLSTree' || algorithm === 'PAT' ? protocol === 'Simple' : true;
  // Every rank has a part of its own in these, so every rank has to be a head.
  const headless = algorithm === 'NVLS' && gathers && nvls !== undefined && nvls.heads[0]!.length < ranks;
  if (able && speaks && !headless && !(algorithm === 'Direct' && protocol === 'LL128')) return undefined;
  return say('collective.fault.way', { collective, algorithm, protocol });
}
