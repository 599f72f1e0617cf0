import { atLeast, type Release } from '../release.ts';
import type { Variable } from './variable.ts';

/**
 * Defaults that a release changed, with the first release of each; undefined: from there on the program's configuration has it.
 * From the sources of all release tags since 2.3.5 (https://github.com/NVIDIA/nccl, NCCL_PARAM).
 */
const changed: Readonly<Record<string, readonly (readonly [since: string, value: number | undefined])[]>> = {
  NCCL_CGA_CLUSTER_SIZE: [
    ['2.15.1', 0],
    ['2.16.2', -2],
    ['2.17.1', undefined],
  ],
  NCCL_CUMEM_ENABLE: [
    ['2.18.1', 0],
    ['2.19.1', -2],
  ],
  NCCL_CUMEM_HOST_ENABLE: [
    ['2.23.4', 0],
    ['2.24.3', -1],
  ],
  NCCL_GIN_COUNTER_POOL_SIZE: [
    ['2.28.7', 65536],
    ['2.29.7', 524288],
  ],
  NCCL_GIN_NCONTEXTS: [
    ['2.28.7', 4],
    ['2.29.7', -1],
  ],
  NCCL_GIN_SIGNAL_POOL_SIZE: [
    ['2.28.7', 65536],
    ['2.29.7', 524288],
  ],
  NCCL_GRAPH_MIXING_SUPPORT: [
    ['2.13.4', 1],
    ['2.29.2', undefined],
  ],
  NCCL_GRAPH_REGISTER: [
    ['2.11.4', 0],
    ['2.19.1', 1],
  ],
  NCCL_IB_AR_THRESHOLD: [
    ['2.6.4', 8192],
    ['2.30.3', -2],
  ],
  NCCL_IB_FIFO_TC: [
    ['2.22.3', 0],
    ['2.24.3', -1],
  ],
  NCCL_IB_GID_INDEX: [
    ['2.3.5', 0],
    ['2.21.5', -1],
  ],
  NCCL_IB_PREPOST_RECEIVE_WORK_REQUESTS: [
    ['2.29.7', 0],
    ['2.30.3', -2],
  ],
  NCCL_IB_RECEIVER_SIDE_MATCHING_SCHEME: [
    ['2.29.7', 0],
    ['2.30.3', -2],
  ],
  NCCL_IB_SL: [
    ['2.3.5', 0],
    ['2.26.2', -1],
  ],
  NCCL_IB_SPLIT_DATA_ON_QPS: [
    ['2.18.1', 1],
    ['2.20.3', 0],
  ],
  NCCL_IB_TC: [
    ['2.3.5', 0],
    ['2.26.2', -1],
  ],
  NCCL_IB_TIMEOUT: [
    ['2.3.5', 14],
    ['2.14.3', 18],
    ['2.23.4', 20],
  ],
  NCCL_NCHANNELS_PER_NET_PEER: [
    ['2.12.7', 2],
    ['2.20.3', -1],
    ['2.28.3', undefined],
  ],
  NCCL_NET_DISABLE_INTRA: [
    ['2.12.7', -2],
    ['2.12.10', 0],
  ],
  NCCL_NET_FORCE_FLUSH: [
    ['2.15.1', 1],
    ['2.19.1', 0],
  ],
  NCCL_NET_GDR_C2C: [
    ['2.26.2', 0],
    ['2.27.3', 1],
  ],
  NCCL_NET_PLUGIN_REF_COUNT: [
    ['2.26.2', 1],
    ['2.28.3', 0],
  ],
  NCCL_NVLINK_UTIL_CENTRIC_SCHED_ENABLE: [
    ['2.27.3', 0],
    ['2.28.7', undefined],
  ],
  NCCL_NVLS_ENABLE: [
    ['2.17.1', 1],
    ['2.18.1', 2],
  ],
  NCCL_NVLS_NCHANNELS: [
    ['2.17.1', 16],
    ['2.25.1', -2],
    ['2.27.3', undefined],
  ],
  NCCL_PXN_C2C: [
    ['2.27.3', 0],
    ['2.28.3', 1],
  ],
  NCCL_WORK_FIFO_BYTES: [
    ['2.22.3', 1048576],
    ['2.26.5', -1],
    ['2.27.3', 1048576],
  ],
};

/** The number that a release takes where nobody sets a variable; undefined: it is none, or not one alone. */
export function defaultOf({ name, standard }: Variable, release: Release): number | undefined {
  if (standard !== undefined) return Number(standard);
  const steps = Object.hasOwn(changed, name) ? changed[name]! : [];
  return steps.findLast(([since]) => atLeast(release, since))?.[1];
}
