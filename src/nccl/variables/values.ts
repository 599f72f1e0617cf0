import { atLeast, channelLimit, type Release } from '../release.ts';
import type { Variable } from './variable.ts';

/** What a variable takes: whole numbers from `low` to `high`, `only` some of them, and `besides` with a meaning of their own. */
export interface Values {
  readonly low: number;
  /** Infinity: no bound is known. */
  readonly high: number;
  /** Multiples of this number alone, or powers of two. */
  readonly step?: number | 'double';
  readonly besides?: readonly number[];
  /** What NCCL does with another number; absent: not known. */
  readonly beyond?: (n: number, values: Values) => Taken | undefined;
}

/** The number that NCCL takes in place of the one that it read, or none: it goes on as if the variable were not set. */
export type Taken = number | 'unset';

const int = 2 ** 31 - 1;
const atLeastOne: Values = { low: 1, high: Number.POSITIVE_INFINITY };
const anyNumber: Values = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
const flagOr = (...besides: number[]): Values => ({ low: 0, high: 1, besides });
const automatic: Values = { low: 0, high: 2 };
/** Buffers and chunks are counted in 32 bits; of no bytes there is nothing to send. */
const chunk: Values = { low: 1, high: int };
/** A buffer has eight slots, and each at least the bytes that the threads pass on at once (src/enqueue.cc: calcCollChunking). */
const buffer = (grain: number): Values => ({ low: 8 * grain, high: int, besides: [-2] });

const nearest = (n: number, { low, high }: Values): Taken => Math.max(low, Math.min(high, n));
const notSet = (): Taken => 'unset';
/** What is no power of two is warned of and ignored, what is too large is cut (src/init.cc: devCommSetup). */
const doubled = (n: number, { high }: Values): Taken | undefined =>
  n > 0 && Number.isInteger(Math.log2(n)) ? high : n > 0 ? 'unset' : undefined;
/** Nothing positive leaves the default, too many are the most. */
const positive = (n: number, { high }: Values): Taken => (n <= 0 ? 'unset' : high);
/** Threads: too few are the least, too many or no multiple of a warp the most (src/graph/tuning.cc: getNthreads). */
const threads = (n: number, { low, high }: Values): Taken => (n <= 0 ? 'unset' : n % 32 === 0 && n < low ? low : high);

/** Channels and blocks, as many as the release has (src/graph/connect.cc, src/init.cc: envConfigOverride). */
const most: Values = { low: 1, high: 64, besides: [-2], beyond: nearest };
const least: Values = { ...most, low: 0 };
const blocks: Values = { low: 1, high: 64, beyond: positive };
const p2pChannels: Values = { low: 1, high: 64 };
const byChannels: ReadonlySet<Values> = new Set([most, least, blocks, p2pChannels]);

/**
 * What numbers may be, where it is more than a switch's 0 and 1 or less than any count: from NCCL's documentation of its environment
 * (https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html) and the checks in its source (src/graph/tuning.cc,
 * src/transport/net_socket.cc, src/init.cc); those of InfiniBand from its specification, volume 1, 11.2 (a timeout has 5 bits, a
 * service level 4, a traffic class 8, a retry count 3, an index of keys 16).
 */
const limits: Readonly<Record<string, Values>> = {
  NCCL_P2P_DISABLE: { low: 0, high: 1, beyond: notSet },
  NCCL_CROSS_NIC: automatic,
  NCCL_CTA_POLICY: automatic,
  NCCL_IGNORE_DISABLED_P2P: automatic,
  NCCL_IB_DATA_DIRECT: automatic,
  NCCL_IB_PCI_RELAXED_ORDERING: automatic,
  NCCL_MNNVL_ENABLE: automatic,
  NCCL_NVLS_ENABLE: automatic,
  NCCL_P2P_PXN_LEVEL: automatic,
  NCCL_PAT_ENABLE: automatic,
  NCCL_NET_SHARED_BUFFERS: flagOr(-2),
  NCCL_NET_GDR_READ: flagOr(-2),
  NCCL_P2P_READ_ENABLE: flagOr(-2),
  NCCL_IB_ADAPTIVE_ROUTING: flagOr(-2),
  NCCL_IB_PREPOST_RECEIVE_WORK_REQUESTS: flagOr(-2),
  NCCL_IB_RECEIVER_SIDE_MATCHING_SCHEME: flagOr(-2),
  NCCL_CUMEM_ENABLE: flagOr(-2),
  NCCL_CUMEM_HOST_ENABLE: flagOr(-1),
  NCCL_IB_TIMEOUT: { low: 0, high: 31 },
  NCCL_IB_RETRY_CNT: { low: 0, high: 7 },
  NCCL_IB_SL: { low: 0, high: 15, besides: [-1] },
  NCCL_IB_TC: { low: 0, high: 255, besides: [-1] },
  NCCL_IB_FIFO_TC: { low: 0, high: 255, besides: [-1] },
  NCCL_GIN_IB_TC: { low: 0, high: 255, besides: [-1] },
  NCCL_IB_PKEY: { low: 0, high: 65535 },
  NCCL_IB_ROCE_VERSION_NUM: { low: 1, high: 2 },
  NCCL_IB_GID_INDEX: { low: 0, high: 255, besides: [-1] },
  NCCL_IB_ROUTABLE_FLID_GID_INDEX: { low: 0, high: 255 },
  NCCL_IB_AR_THRESHOLD: { low: 0, high: Number.POSITIVE_INFINITY, besides: [-2] },
  NCCL_IB_QPS_PER_CONNECTION: atLeastOne,
  NCCL_IB_SUBNET_PREFIX_LEN: { low: 0, high: 128 },
  NCCL_NTHREADS: { low: 64, high: 512, step: 32, besides: [-2], beyond: threads },
  NCCL_LL128_NTHREADS: { low: 160, high: 640, step: 32, besides: [-2], beyond: threads },
  NCCL_MAX_CTAS: blocks,
  NCCL_MIN_CTAS: blocks,
  NCCL_MAX_NCHANNELS: most,
  NCCL_MAX_NRINGS: most,
  NCCL_MIN_NCHANNELS: least,
  NCCL_MIN_NRINGS: least,
  NCCL_MAX_P2P_NCHANNELS: p2pChannels,
  NCCL_MIN_P2P_NCHANNELS: p2pChannels,
  NCCL_NCHANNELS_PER_NET_PEER: { ...atLeastOne, besides: [-1, -2] },
  NCCL_NVLS_NCHANNELS: { ...atLeastOne, besides: [-2] },
  NCCL_BUFFSIZE: buffer(512),
  NCCL_LL_BUFFSIZE: buffer(2 * 16),
  NCCL_LL128_BUFFSIZE: buffer(2048),
  NCCL_NVLS_CHUNKSIZE: chunk,
  NCCL_NVLSTREE_MAX_CHUNKSIZE: { ...chunk, besides: [-2] },
  NCCL_P2P_NET_CHUNKSIZE: chunk,
  NCCL_P2P_NVL_CHUNKSIZE: chunk,
  NCCL_P2P_PCI_CHUNKSIZE: chunk,
  NCCL_P2P_PER_CHANNEL_NET_BW: atLeastOne,
  NCCL_CGA_CLUSTER_SIZE: { low: 0, high: 8, besides: [-2] },
  NCCL_SOCKET_NTHREADS: { low: 1, high: 16, besides: [-2], beyond: (n, { high }) => (n > high ? high : undefined) },
  NCCL_NSOCKS_PERTHREAD: { low: 1, high: 64, besides: [-2] },
  NCCL_SHM_LOCALITY: { low: 1, high: 2 },
  NCCL_SHM_MEMCPY_MODE: { low: 1, high: 3 },
  NCCL_L1_SHARED_MEMORY_CARVEOUT: { low: 0, high: 100 },
  NCCL_PROXY_DUMP_SIGNAL: { low: 1, high: 64, besides: [-1] },
  NCCL_RMA_PROXY_DUMP_SIGNAL: { low: 1, high: 64, besides: [-1] },
  NCCL_GIN_TYPE: { low: 2, high: 3, besides: [-1] },
  NCCL_GIN_NCONTEXTS: { ...atLeastOne, besides: [-1] },
  NCCL_GIN_PROXY_QUEUE_SIZE: { ...atLeastOne, step: 'double', besides: [-1] },
  NCCL_WORK_FIFO_DEPTH: { ...atLeastOne, step: 'double', beyond: doubled },
  NCCL_WORK_FIFO_BYTES: { low: 1, high: 2 ** 30, step: 'double', besides: [-1], beyond: doubled },
  NCCL_MNNVL_CLIQUE_ID: anyNumber,
  NCCL_MNNVL_UUID: anyNumber,
  NCCL_SOCKET_MAGIC: anyNumber,
  NCCL_GIN_GDAKI_NIC_HANDLER: anyNumber,
};

/** Releases from which -1 has a meaning of its own. */
const minusOneSince: Readonly<Record<string, string>> = {
  NCCL_IB_SL: '2.26.2',
  NCCL_IB_TC: '2.26.2',
  NCCL_IB_FIFO_TC: '2.24.3',
  NCCL_IB_GID_INDEX: '2.21.5',
  NCCL_CUMEM_HOST_ENABLE: '2.24.3',
};

/** What a release takes of a number: a switch is off or on, a count not below nothing, unless more is known. */
export function valuesOf({ name, kind, standard }: Variable, release: Release): Values | undefined {
  if (kind === 'text') return undefined;
  const own = Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (own === undefined) {
    const high = kind === 'flag' ? 1 : Number.POSITIVE_INFINITY;
    return { low: 0, high, ...(standard?.startsWith('-') ? { besides: [Number(standard)] } : {}) };
  }
  const from = Object.hasOwn(minusOneSince, name) ? minusOneSince[name] : undefined;
  if (from !== undefined && !atLeast(release, from)) return { low: own.low, high: own.high };
  return byChannels.has(own) ? { ...own, high: channelLimit(release) } : own;
}

const inStep = (n: number, step: Values['step']): boolean =>
  step === 'double' ? Number.isInteger(Math.log2(n)) : n % (step ?? 1) === 0;

export const within = ({ low, high, step, besides }: Values, n: number): boolean =>
  besides?.includes(n) === true || (n >= low && n <= high && inStep(n, step));

/** As a person writes it, without words: `64, 96 … 512`, `0–31`, `≥ 1, -2`. */
export function valuesText({ low, high, step, besides = [] }: Values): string {
  return [range(low, high, step), ...besides].join(', ');
}

function range(low: number, high: number, step: Values['step']): string {
  if (step === 'double') return high === Number.POSITIVE_INFINITY ? '1, 2, 4, 8 …' : `1, 2, 4, 8 … ${high}`;
  if (step !== undefined) return `${low}, ${low + step} … ${high}`;
  if (high === Number.POSITIVE_INFINITY) return `≥ ${low}`;
  return high - low < 4 ? Array.from({ length: high - low + 1 }, (_, i) => low + i).join(', ') : `${low}–${high}`;
}
