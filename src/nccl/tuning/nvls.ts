import { atLeast } from '../release.ts';
import { parseInteger } from '../settings.ts';
import { ctaRange } from './ctas.ts';
import type { TuningFacts } from './model.ts';

export interface NvlsPlan {
  readonly nvlsChannels: number;
  readonly nvlsChunk: number;
  readonly nvlsTreeChunk: number;
}

const KiB = 1024;

/** Channels and chunks of NVLS, as set in the environment or else as NCCL tunes them. */
export function nvlsPlan(
  facts: TuningFacts,
  netBw: number,
  near: boolean,
  env: ReadonlyMap<string, string> = new Map(),
): NvlsPlan {
  const { release } = facts;
  const plan = tunedPlan(facts, netBw, near);
  if (!facts.nvls) return plan;
  const set = (name: string, from: string, most = Number.POSITIVE_INFINITY): number | undefined => {
    const n = atLeast(release, from) ? parseInteger(env.get(name)) : undefined;
    return n === undefined || n <= 0 ? undefined : Math.min(n, most);
  };
  const channels = set('NCCL_NVLS_NCHANNELS', '2.18.1', 64);
  const chunk = set('NCCL_NVLS_CHUNKSIZE', '2.21.5');
  const tree = set('NCCL_NVLSTREE_MAX_CHUNKSIZE', '2.20.3');
  const { least, most } = ctaRange(env, release);
  return {
    nvlsChannels: Math.max(least, Math.min(most, channels ?? plan.nvlsChannels)),
    nvlsChunk: chunk ?? plan.nvlsChunk,
    // A chunk that is set is a tree's too, but for those that NCCL tuned by the network.
    nvlsTreeChunk: tree ?? (chunk === undefined || plan.tuned ? plan.nvlsTreeChunk : facts.nodes >= 4 ? 65536 : chunk),
  };
}

interface TunedPlan extends NvlsPlan {
  /** The tree's chunk is one of its own. */
  readonly tuned: boolean;
}

/** NCCL's own choice (src/transport/nvls.cc). `near`: every GPU reaches its NIC below the CPU. */
function tunedPlan(facts: TuningFacts, netBw: number, near: boolean): TunedPlan {
  const { release, nodes, ranks, minSm } = facts;
  const perNode = ranks / nodes;
  const plan = (channels: number, chunk = 128 * KiB, tree?: number): TunedPlan => ({
    tuned: tree !== undefined,
    nvlsChannels: channels,
    nvlsChunk: chunk,
    nvlsTreeChunk: tree ?? (nodes >= 4 ? Math.min(chunk, 64 * KiB) : chunk),
  });
  if (!facts.nvls) return plan(0, 0, 0);
  if (minSm < 100) return plan(16);
  if (!atLeast(release, '2.25.1')) return plan(16);
  if (!atLeast(release, '2.27.3')) return plan(32);
  if (nodes === 1) return plan(24);
  if (!atLeast(release, '2.30.3')) return plan(32);
  if (nodes === 2 && netBw >= 48) {
    if (perNode <= 4) return plan(32, 256 * KiB, 256 * KiB);
    if (perNode >= 16 || (perNode <= 8 && near && netBw < 96)) return plan(32, 128 * KiB, 64 * KiB);
    return plan(32, 128 * KiB, 128 * KiB);
  }
  if (nodes > 2 && netBw >= 96) {
    if (perNode <= 8) return plan(24, 256 * KiB, 256 * KiB);
    return plan(32, 128 * KiB, (perNode >= 32 ? 64 : 128) * KiB);
  }
  if (nodes > 2 && netBw >= 48) return plan(24, 128 * KiB, (near ? 64 : 128) * KiB);
  return plan(32);
}
