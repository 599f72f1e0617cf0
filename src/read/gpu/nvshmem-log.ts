import { messageFormat } from '../kit/messages.ts';

/** What NVSHMEM says when it starts, with or without NVSHMEM_DEBUG: its errors name the source file. */
export const nvshmemLog = messageFormat({
  id: 'nvshmem-log',
  from: 'nvshmem',
  hints: [
    'nvshmem',
    'NVSHMEM',
    'mlx5 device',
    'nvidia_peermem detected',
    'is not accessible',
    'connect EPS',
    'mlx5dv_devx',
    'ibv_modify_qp failed',
  ],
  example: '…/src/modules/transport/ibrc/ibrc.cpp:nvshmemt_init:1851: neither nv_peer_mem, or nvidia_peermem detected.',
  prefix: /nvshmem\S{0,80}\/\w{1,40}\.(?:cpp|cuh?|h):|\bNVSHMEM (?:INFO|WARN|ERROR) /,
  topics: [
    { topic: 'nvshmem-no-peermem', pattern: /neither nv_peer_mem,? (?:n?or) nvidia_peermem detected/ },
    { topic: 'nvshmem-peer', pattern: /\[GPU (\d{1,4})\] Peer GPU (\d{1,4}) is not accessible/ },
    { topic: 'nvshmem-other-nic', pattern: /device (\S{1,40}) is not enumerated as an mlx5 device/ },
    {
      topic: 'nvshmem-queue',
      pattern:
        /(?:cannot allocate|[Ee]rror in|Unable to create) (mlx5dv_devx\w{0,40}|ah\b)(?: for (\w{1,40}) with syndrome (\w{1,16}))?/,
    },
    // The numbers of no device, no network, no answer and no route.
    { topic: 'qp-unreachable', pattern: /non-zero status: (?:19|101|110|113) (?:\S+ )?ibv_modify_qp failed/ },
    {
      topic: 'nvshmem-transport',
      pattern: /init failed for transport: (\w{1,20})|connect EPS failed|setup connections failed/,
    },
  ],
});
