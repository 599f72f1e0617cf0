import type { WarningKind } from './types.ts';

interface Kind {
  readonly kind: WarningKind;
  readonly pattern: RegExp;
  /** Group 1 of this, when it matches, is the number that decides what the warning means. */
  readonly code?: RegExp;
}

/** The fault families of the logs sheet §11, first match wins. Texts vary by release; the patterns take the part that stays. */
const kinds: readonly Kind[] = [
  // Said at the level of a warning, of a wish that cannot be met: NCCL takes something near and goes on.
  {
    kind: 'goes-on',
    pattern:
      /is being ignored|which can lead to variability|than the maximum allowed, setting|, defaulting to |Ignoring SHM locality|Unsetting POLICY|as fallback$|Duplicate registration|non-fatal async event: (?:.{0,20}reregist|SM change|port active)/,
  },
  { kind: 'open-files', pattern: /Too many open files/ },
  { kind: 'nvls-bind', pattern: /NVLink SHARP|NVLS\) Multicast/, code: /CUDA error (\d{1,15})/ },
  {
    kind: 'ib-completion',
    pattern: /Got completion (?:from peer|with error)/,
    code: /(?:error |status=(?:\w+\()?)(\d{1,15})/,
  },
  {
    kind: 'ib-async-event',
    pattern:
      /Got (?:non-fatal )?async (?:event|error|fatal)|async fatal event|GID table changed|Detected \d{1,4} failed devices|encountered a fatal error \(detected/,
  },
  { kind: 'ib-modify-qp', pattern: /ibv_modify_qp/, code: /failed with (\d{1,15})/ },
  {
    kind: 'ib-register-memory',
    pattern: /ibv_reg_(?:mr|dmabuf)|mlx5dv_reg_dmabuf|Peermem is not supported/,
    code: /failed with (\d{1,15})/,
  },
  { kind: 'ib-open-device', pattern: /ibv_open_device|Unable to (?:open device|query (?:device|port))/ },
  { kind: 'ib-verbs-missing', pattern: /(?:open|load) libibverbs/ },
  // Other calls of the same library; what it fails to give back follows from something else.
  {
    kind: 'ib-verbs',
    pattern: /(?:ibv_(?:query|create|alloc|post|poll|set|get)_\w{2,20}|mlx5dv_create_qp)\b.{0,4} (?:failed|returned)/,
  },
  {
    kind: 'no-interface',
    pattern:
      /no socket interface found|No IP interface found|No interface found(?! in)|No usable listening interface|no device found (?:matching|after excluding)|getifaddrs failed|bind failed: Cannot assign/i,
  },
  { kind: 'name-lookup', pattern: /getting address info/ },
  { kind: 'subnet', pattern: /No interface found in the same subnet/ },
  { kind: 'connection-closed', pattern: /Connection closed by remote peer|recvBytes|Connection reset by peer/ },
  {
    kind: 'connect-failed',
    pattern:
      /Connect to \S+ failed|Call to connect failed|connect returned|exceeded error retry|socketPollConnect|connect\(\) failed/i,
  },
  { kind: 'wrong-magic', pattern: /wrong (?:magic|type|socket type)|magic mismatch/ },
  { kind: 'truncated', pattern: /[Mm]essage truncated|posted incorrect receive info/ },
  {
    kind: 'version-mismatch',
    pattern:
      /Mismatched NCCL version|NCCL library is (?:too old|not backwards)|too old version of NCCL|NCCL version mismatch/,
  },
  { kind: 'nvml', pattern: /\bnvml\w{3,40}\([^)]{0,80}\) failed|libnvidia-ml/ },
  { kind: 'gdrcopy', pattern: /\bgdr_\w{3,20}\(.{0,120}\) failed|gdr_\w{3,20} not available|libgdrapi/ },
  { kind: 'duplicate-gpu', pattern: /Duplicate GPU detected|Multiple [Rr]anks (?:detected|are) using the same GPU/ },
  { kind: 'p2p-disabled-nvlink', pattern: /P2P is disabled between NVLINK/ },
  { kind: 'mnnvl', pattern: /MNNVL/ },
  { kind: 'cumem-host', pattern: /cuMem host allocations/ },
  {
    kind: 'shared-memory',
    pattern: /shared memory segment|failed to extend|posix_fallocate|shm_open|\/dev\/shm/,
    code: /\((\d{1,3})\)\s*$/,
  },
  { kind: 'iommu-passthrough', pattern: /Missing "?iommu=pt/ },
  { kind: 'ofi', pattern: /NET\/OFI|nccl_net_ofi|libfabric/ },
  { kind: 'mixed-links', pattern: /incompatible (?:devices|with the local)/ },
  { kind: 'network-plugin', pattern: /initialize any NET plugin|[Nn]etwork \S.{0,40} not found/ },
  { kind: 'no-transport', pattern: /[Nn]o transport (?:found )?for / },
  // Processes of a host hand each other their memory through sockets of the file system or of the namespace.
  { kind: 'handle-socket', pattern: /\bUDS: |BlockingUDS|ncclProxyClient(?:GetFd|QueryFd)/ },
  { kind: 'rail', pattern: /mismatched physical devices|different number of devices/ },
  { kind: 'mixed-nics', pattern: /mixed local (?:Coll)?Net device counts/ },
  { kind: 'hang', pattern: /program may be hanging/ },
  { kind: 'no-algorithm', pattern: /[Nn]o algorithm\/protocol available/ },
  { kind: 'collnet', pattern: /CollNet/ },
  {
    kind: 'topology',
    pattern:
      /Could not find (?:real path|any local path|a path for pattern|net id|NET with|rev link|intermediate GPU)|could not find (?:CPU|DEV for|PCI SW)|Could not open XML|XML (?:Parse|Mismatch|Topology|Graph|Import|parser)|too many (?:XML|Topo) |Attribute \S{1,40} of node|node not found in XML|No path computed|does not contain rank|does not loop back/,
  },
  {
    kind: 'bad-parameter',
    pattern:
      /Unrecognized (?:element|prefix) token|^Invalid \S+ \S+ \(must be|must be a multiple of|Invalid NCCL_\w|valid <IPv4|valid \[IPv6\]|when NCCL_COMM_ID is set|NCCL_NVLS_ENABLE has been set|NCCL_\w{3,40}=\S{1,20} is out of range|force merge NICs|Only matched \d{1,4} devices/,
  },
  {
    kind: 'ranks',
    pattern:
      /Bootstrap Root ?:|Invalid (?:rank|device|device count) (?:requested|\d)|improper usage of ncclCommInit|rank \d{1,9} exceeds ndev/,
  },
  // What the calling program hands over is no buffer, no communicator, no rank.
  {
    kind: 'usage',
    pattern:
      /is not a valid pointer|mismatchs? with NCCL device|: invalid (?:root|type|reduction)|without a matching|corrupted comm|already been destroyed|(?:operation|operator) (?:\S{1,12} )?(?:unknown|is garbage)|previous operation returned|not initialized via NCCL_/,
  },
  { kind: 'proxy', pattern: /\[(?:Proxy|Service) ?(?:[Ss]ervice|thread|Progress)|Proxy Call to rank|polling for opId/ },
  {
    kind: 'cuda-failure',
    pattern:
      /[Cc][Uu][Dd][Aa] (?:failure|error)|ncclUnhandledCudaError|Failed to CUDA |find CUDA library|PFN functions not found/,
    code: /(?:Cuda failure|CUDA error) (\d{1,15})/,
  },
];

export function kindOf(text: string): { readonly kind: WarningKind; readonly code?: number } {
  for (const { kind, pattern, code } of kinds) {
    if (!pattern.test(text)) continue;
    const number = code?.exec(text)?.[1];
    return { kind, ...(number === undefined ? {} : { code: Number(number) }) };
  }
  return { kind: 'other' };
}

/** INFO lines that say what a warning says: a WARN inside a section where warnings are suppressed, or a newer release's choice. */
export const infoWarning =
  /Could not open XML|Got (?:completion|(?:non-fatal )?async)|GID table changed|Cuda failure|cuMem host allocations|MNNVL .* is available but|NVLink SHARP|Could not find a path for pattern|mismatched physical devices|magic mismatch|Missing "?iommu=pt|Connection closed by remote peer|Connect to \S+ failed|connect returned .{3,60}, retrying|exceeded error retry|failed with (?:error|\d)/;
