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

/** What comes with a network besides its wires: NCCL's variables, and how long its plugin says that a hop takes. */
export interface NetworkHabits {
  readonly variables: Readonly<Record<string, string>>;
  readonly latencyUs?: number;
  readonly source: string;
}

const google = 'https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx';
const tcpxo =
  'https://github.com/GoogleCloudPlatform/container-engine-accelerators/blob/master/gpudirect-tcpxo/README.md';
const plugin = 'https://github.com/aws/aws-ofi-nccl';
const both = { NCCL_CROSS_NIC: '0', NCCL_NET_GDR_LEVEL: 'PIX', NCCL_PROTO: 'Simple', NCCL_BUFFSIZE: '8388608' };

/**
 * The variables of NCCL that Google's guides have a job set, and those that Amazon's plugin sets by itself: only what decides which
 * algorithm, protocol and chunk NCCL takes. LL and LL128 are for EFAs that keep 128 bytes in order, those beside Hopper and later
 * (pull requests 280 and 516 of the plugin); since the end of 2025 TCPXO may use LL128 as well.
 */
export function networkHabits(transport: string | undefined, sm: number): NetworkHabits | undefined {
  switch (transport) {
    case 'efa':
      return {
        variables:
          sm < 90 ? { NCCL_PROTO: 'Simple' } : { NCCL_NVLS_CHUNKSIZE: '524288', NCCL_NVLSTREE_MAX_CHUNKSIZE: '524288' },
        latencyUs: 75,
        source: plugin,
      };
    case 'tcpx':
      return { variables: { ...both, NCCL_ALGO: 'Ring', NCCL_P2P_PXN_LEVEL: '0' }, source: google };
    case 'tcpxo':
      return {
        variables: { ...both, NCCL_ALGO: 'Ring,Tree', NCCL_MIN_NCHANNELS: '4', NCCL_NVLS_ENABLE: '0' },
        source: tcpxo,
      };
    default:
      return undefined;
  }
}
