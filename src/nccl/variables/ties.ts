import { atLeast, type Release } from '../release.ts';
import { parseInteger } from '../settings.ts';

/** A variable that does something only as another one lets it. */
interface Tie {
  readonly names: RegExp;
  /** The other one, and how a person would write what it must, or must not, be. */
  readonly other: string;
  readonly written: string;
  /** Is the other one so? Text that is no number counts as 0. */
  readonly so: (value: number) => boolean;
  /** Releases up to the one before this alone. */
  readonly before?: string;
}

const on = (n: number): boolean => n !== 0;
const off = (n: number): boolean => n === 0;
const given = (): boolean => true;

/** Parts of what is off unless another variable switches it on. */
const needs: readonly Tie[] = [
  ...['NCCL_GDRCOPY', 'NCCL_IB_RESILIENCY_PORT_FAILOVER', 'NCCL_IB_RESILIENCY_PORT_RECOVERY'].map((what): Tie => {
    const other = what === 'NCCL_GDRCOPY' ? 'NCCL_GDRCOPY_ENABLE' : what;
    return { names: new RegExp(`^(?!${other}$)${what}_`), other, written: `${other}=1`, so: on };
  }),
  // A communicator's configuration may switch it on since.
  {
    names: /^NCCL_COLLNET_NODE_THRESHOLD$/,
    other: 'NCCL_COLLNET_ENABLE',
    written: 'NCCL_COLLNET_ENABLE=1',
    so: on,
    before: '2.27.3',
  },
  {
    names: /^NCCL_IB_SUBNET_PREFIX_LEN$/,
    other: 'NCCL_IB_SUBNET_AWARE_ROUTING',
    written: 'NCCL_IB_SUBNET_AWARE_ROUTING=1',
    so: on,
  },
  {
    names: /^NCCL_IB_SPLIT_DATA_ON_QPS$/,
    other: 'NCCL_IB_QPS_PER_CONNECTION',
    written: 'NCCL_IB_QPS_PER_CONNECTION=2',
    so: (n) => n > 1,
  },
  { names: /^NCCL_OOB_NET_IFNAME$/, other: 'NCCL_OOB_NET_ENABLE', written: 'NCCL_OOB_NET_ENABLE=1', so: on },
  { names: /^NCCL_SHM_MEMCPY_MODE$/, other: 'NCCL_SHM_USE_CUDA_MEMCPY', written: 'NCCL_SHM_USE_CUDA_MEMCPY=1', so: on },
  { names: /^NCCL_GRAPH_DUMP_FILE_RANK$/, other: 'NCCL_GRAPH_DUMP_FILE', written: 'NCCL_GRAPH_DUMP_FILE', so: given },
  { names: /^NCCL_TOPO_DUMP_FILE_RANK$/, other: 'NCCL_TOPO_DUMP_FILE', written: 'NCCL_TOPO_DUMP_FILE', so: given },
];

/** What another variable decides in their place. */
const beaten: readonly Tie[] = [
  { names: /^NCCL_P2P_LEVEL$/, other: 'NCCL_P2P_DISABLE', written: 'NCCL_P2P_DISABLE=1', so: (n) => n === 1 },
  { names: /^NCCL_RAS_(?!ENABLE$)/, other: 'NCCL_RAS_ENABLE', written: 'NCCL_RAS_ENABLE=0', so: off },
  { names: /^NCCL_NVLS(?:TREE)?_(?!ENABLE$)/, other: 'NCCL_NVLS_ENABLE', written: 'NCCL_NVLS_ENABLE=0', so: off },
  { names: /^NCCL_SHM_(?!DISABLE$)/, other: 'NCCL_SHM_DISABLE', written: 'NCCL_SHM_DISABLE=1', so: (n) => n === 1 },
  { names: /^NCCL_IB_(?!DISABLE$)/, other: 'NCCL_IB_DISABLE', written: 'NCCL_IB_DISABLE=1', so: on },
  // They choose a GID where no index names one.
  {
    names: /^NCCL_IB_(?:ADDR_FAMILY|ADDR_RANGE|ROCE_VERSION_NUM)$/,
    other: 'NCCL_IB_GID_INDEX',
    written: 'NCCL_IB_GID_INDEX',
    so: (n) => n >= 0,
  },
  { names: /^NCCL_MAX_NRINGS$/, other: 'NCCL_MAX_NCHANNELS', written: 'NCCL_MAX_NCHANNELS', so: (n) => n !== -2 },
  { names: /^NCCL_MIN_NRINGS$/, other: 'NCCL_MIN_NCHANNELS', written: 'NCCL_MIN_NCHANNELS', so: (n) => n !== -2 },
];

/** Why a variable that is read does nothing beside the others that are set: `needs` one more, or is `beaten` by one. */
export function tieOf(
  name: string,
  env: ReadonlyMap<string, string>,
  release: Release,
): { readonly kind: 'needs' | 'beaten'; readonly other: string } | undefined {
  const holds = ({ names, before }: Tie): boolean =>
    names.test(name) && (before === undefined || !atLeast(release, before));
  const so = (t: Tie): boolean => {
    const value = parseInteger(env.get(t.other)?.trim());
    return value !== undefined && t.so(value);
  };
  const winner = beaten.find((t) => holds(t) && so(t));
  if (winner) return { kind: 'beaten', other: winner.written };
  const missing = needs.find((t) => holds(t) && !so(t));
  return missing ? { kind: 'needs', other: missing.written } : undefined;
}
