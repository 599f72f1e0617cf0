import { sourced } from './sourced.ts';

/**
 * What is public of networks whose packets are not, or not fully. Not public, and so nowhere in crowfly: the headers of EFA's SRD and
 * of TCPXO, the frames of Slingshot's HPC Ethernet, what any of them costs a core for each message.
 */
export const cloudNetworks = {
  /** Line share that WRITEs of one EFA reached: 97.433 of 100 Gb/s, all headers in. */
  efaShare: sourced(0.974, 'payload per raw byte', 'https://le.qun.ch/en/blog/2024/12/31/libfabric-efa-15-lazy'),
  /** OSU latency of 8 B over the first EFA, host memory, MPI and libfabric included. */
  efaOneWay: sourced(15, 'µs one way', 'https://github.com/aws/aws-parallelcluster/issues/1143'),
  /** osu_bw of 8 B to 4 KiB over Cassini: 0.97 to 0.98 million messages a second, host memory. */
  slingshotMessages: sourced(
    9.75e5,
    'messages/s',
    'https://github.com/eth-cscs/cscs-docs/blob/main/docs/software/communication/mpich.md',
  ),
  /** Google's networks for TCPX and TCPXO: a payload of two pages and 52 bytes of IPv4 and TCP headers. */
  tcpxMtu: sourced(8244, 'bytes', 'https://cloud.google.com/compute/docs/gpus/gpudirect'),
} as const;
