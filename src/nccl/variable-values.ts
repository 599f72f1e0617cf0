/** What a variable takes: whole numbers from `low` to `high`, in steps of `step`, and `besides` with a meaning of their own. */
export interface Values {
  readonly low: number;
  readonly high: number;
  readonly step?: number;
  readonly besides?: readonly number[];
}

const channels: Values = { low: 1, high: 64, besides: [-2] };
const automatic: Values = { low: 0, high: 2 };
const flagOrOwn: Values = { low: 0, high: 1, besides: [-2] };

/**
 * Limits of numbers: from NCCL's documentation of its environment
 * (https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html) and the checks in its source (src/graph/tuning.cc,
 * src/transport/net_socket.cc); those of InfiniBand from its specification, volume 1, 11.2 (a timeout has 5 bits, a service level 4,
 * a traffic class 8, a retry count 3).
 */
const limits: Readonly<Record<string, Values>> = {
  NCCL_P2P_DISABLE: { low: 0, high: 1 },
  NCCL_CROSS_NIC: automatic,
  NCCL_IGNORE_DISABLED_P2P: automatic,
  NCCL_IB_DATA_DIRECT: automatic,
  NCCL_IB_PCI_RELAXED_ORDERING: automatic,
  NCCL_MNNVL_ENABLE: automatic,
  NCCL_NVLS_ENABLE: automatic,
  NCCL_P2P_PXN_LEVEL: automatic,
  NCCL_PAT_ENABLE: automatic,
  NCCL_NET_SHARED_BUFFERS: flagOrOwn,
  NCCL_P2P_READ_ENABLE: flagOrOwn,
  NCCL_IB_ADAPTIVE_ROUTING: flagOrOwn,
  NCCL_CUMEM_ENABLE: flagOrOwn,
  NCCL_IB_TIMEOUT: { low: 0, high: 31 },
  NCCL_IB_RETRY_CNT: { low: 0, high: 7 },
  NCCL_IB_SL: { low: 0, high: 15, besides: [-1] },
  NCCL_IB_TC: { low: 0, high: 255, besides: [-1] },
  NCCL_IB_ROCE_VERSION_NUM: { low: 1, high: 2 },
  NCCL_IB_GID_INDEX: { low: 0, high: 255, besides: [-1] },
  NCCL_NTHREADS: { low: 64, high: 512, step: 32, besides: [-2] },
  NCCL_LL128_NTHREADS: { low: 32, high: 640, step: 32, besides: [-2] },
  NCCL_MAX_CTAS: channels,
  NCCL_MIN_CTAS: channels,
  NCCL_MAX_NCHANNELS: channels,
  NCCL_MIN_NCHANNELS: channels,
  NCCL_MAX_P2P_NCHANNELS: channels,
  NCCL_MIN_P2P_NCHANNELS: channels,
  NCCL_CGA_CLUSTER_SIZE: { low: 0, high: 8, besides: [-2] },
  NCCL_SOCKET_NTHREADS: { low: 1, high: 16, besides: [-2] },
  NCCL_SHM_LOCALITY: { low: 1, high: 2 },
  NCCL_SHM_MEMCPY_MODE: { low: 1, high: 3 },
};

/** The limits of a variable; undefined where none is known. */
export const valuesOf = (name: string): Values | undefined => (Object.hasOwn(limits, name) ? limits[name] : undefined);

export const within = ({ low, high, step, besides }: Values, n: number): boolean =>
  besides?.includes(n) === true || (n >= low && n <= high && n % (step ?? 1) === 0);

/** As a person writes it: `64–512 in steps of 32` without words: `64, 96 … 512`. */
export function valuesText({ low, high, step }: Values): string {
  if (step !== undefined) return `${low}, ${low + step} … ${high}`;
  return high - low < 4 ? Array.from({ length: high - low + 1 }, (_, i) => low + i).join(', ') : `${low}–${high}`;
}

/**
 * Words that a variable takes and nothing else (src/debug.cc, src/misc/socket.cc, src/init.cc); `exact` where their case counts, too.
 */
const words: Readonly<Record<string, { readonly names: readonly string[]; readonly exact?: true }>> = {
  NCCL_DEBUG: { names: ['VERSION', 'WARN', 'INFO', 'ABORT', 'TRACE', 'NONE'] },
  NCCL_LAUNCH_MODE: { names: ['GROUP', 'PARALLEL'] },
  NCCL_SOCKET_FAMILY: { names: ['AF_INET', 'AF_INET6'], exact: true },
};

/** The words of which a value is none; undefined where it is one, or where any would do. */
export function wordsMissed(name: string, value: string): readonly string[] | undefined {
  const known = Object.hasOwn(words, name) ? words[name] : undefined;
  if (!known) return undefined;
  const same = (word: string): boolean => (known.exact ? word === value : word === value.toUpperCase());
  return known.names.some(same) ? undefined : known.names;
}

/** Variables that name a file which must be there when NCCL starts. */
export const fileVariables: ReadonlySet<string> = new Set(['NCCL_TOPO_FILE', 'NCCL_GRAPH_FILE', 'NCCL_CONF_FILE']);
