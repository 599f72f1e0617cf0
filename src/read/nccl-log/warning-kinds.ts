import type { WarningKind } from './types.ts';

interface Kind {
  readonly kind: WarningKind;
  readonly pattern: RegExp;
  /** Group 1 of this, when it matches, is the number that decides what the warning means. */
  readonly code?: RegExp;
}

/** The fault families of the logs sheet §11, first match wins. Texts vary by release; the patterns take the part that stays. */
const kinds: readonly Kind[] = [
  { kind: 'nvls-bind', pattern: /NVLink SHARP|NVLS\) Multicast/, code: /CUDA error (\d{1,15})/ },
  {
    kind: 'ib-completion',
    pattern: /Got completion (?:from peer|with error)/,
    code: /(?:error |status=(?:\w+\()?)(\d{1,15})/,
  },
  {
    kind: 'ib-async-event',
    pattern: /Got (?:non-fatal )?async (?:event|error|fatal)|async fatal event|GID table changed/,
  },
  { kind: 'ib-modify-qp', pattern: /ibv_modify_qp/, code: /failed with (\d{1,15})/ },
  { kind: 'ib-register-memory', pattern: /ibv_reg_(?:mr|dmabuf)/, code: /failed with (\d{1,15})/ },
  { kind: 'ib-open-device', pattern: /ibv_open_device|Unable to (?:open device|query (?:device|port))/ },
  { kind: 'ib-verbs-missing', pattern: /(?:open|load) libibverbs/ },
  { kind: 'no-interface', pattern: /no socket interface found|No IP interface found|No interface found(?! in)/i },
  { kind: 'subnet', pattern: /No interface found in the same subnet/ },
  { kind: 'connection-closed', pattern: /Connection closed by remote peer|recvBytes|Connection reset by peer/ },
  {
    kind: 'connect-failed',
    pattern:
      /Connect to \S+ failed|Call to connect failed|connect returned|exceeded error retry|socketPollConnect|connect\(\) failed/i,
  },
  { kind: 'wrong-magic', pattern: /wrong magic|magic mismatch/ },
  { kind: 'truncated', pattern: /Message truncated/ },
  { kind: 'version-mismatch', pattern: /Mismatched NCCL version/ },
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
  { kind: 'rail', pattern: /mismatched physical devices/ },
  { kind: 'mixed-nics', pattern: /mixed local Net device counts/ },
  { kind: 'hang', pattern: /program may be hanging/ },
  { kind: 'no-algorithm', pattern: /[Nn]o algorithm\/protocol available/ },
  { kind: 'collnet', pattern: /CollNet/ },
  {
    kind: 'topology',
    pattern:
      /Could not find real path|could not find CPU close|Could not find any local path|Could not find a path for pattern/,
  },
  { kind: 'bad-parameter', pattern: /Unrecognized element token|^Invalid \S+ \S+ \(must be|must be a multiple of/ },
  { kind: 'proxy', pattern: /\[Proxy Service/ },
  {
    kind: 'cuda-failure',
    pattern: /Cuda failure|CUDA error|ncclUnhandledCudaError/,
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
  /Got (?:completion|(?:non-fatal )?async)|GID table changed|Cuda failure|cuMem host allocations|MNNVL .* is available but|NVLink SHARP|Could not find a path for pattern|mismatched physical devices|magic mismatch|Missing "?iommu=pt|Connection closed by remote peer|Connect to \S+ failed|connect returned .{3,60}, retrying|exceeded error retry|failed with (?:error|\d)/;
