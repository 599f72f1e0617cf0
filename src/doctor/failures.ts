import type { Where } from '../fact/fact.ts';
import type { Warning, WarningKind } from '../read/nccl-log/types.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';

/** Something that a log complains of and that no finding explains. */
export interface Failure {
  readonly kind: WarningKind;
  readonly text: string;
  readonly at: Where;
  /** What would tell its cause. */
  readonly settle: string;
}

const again = 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH';
const network = 'ibstat; show_gids; sudo lspci -vvv | grep -i acsctl';

const devices = 'fi_info -p efa; ls -l /dev/infiniband; grep . /sys/class/infiniband/*/device/p2p';

/** What to run next where the plugin of libfabric complains: of memory of the host (1) or of a GPU (2), of a peer, or of its start. */
const ofPlugin: readonly (readonly [pattern: RegExp, settle: string])[] = [
  [/register memory.*type = (?:1|NCCL_PTR_HOST)\b/, 'ulimit -l; free -g; fi_info --version'],
  [
    /register memory/,
    'grep . /sys/class/infiniband/*/device/p2p; cat /proc/driver/nvidia/version; uname -r; fi_info --version',
  ],
  [/remote rails/, 'fi_info -p efa | grep domain, on each node'],
  [
    /remote address|completed with error|[Uu]nresponsive/,
    'fi_pingpong -p efa $PEER; aws ec2 describe-security-group-rules --filters Name=group-id,Values=$GROUP',
  ],
  [/open CQ|initialization failed/, `${devices}; ulimit -l`],
];

/** What to run next, by what failed; first what fails by itself, then what merely follows when a peer is gone. */
const next: Partial<Readonly<Record<WarningKind, string>>> = {
  'ib-completion': network,
  'ib-register-memory':
    "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; cat /proc/driver/nvidia/version; ulimit -l; uname -r",
  'ib-modify-qp': 'ibstat; show_gids; ip -br addr; ip route',
  'ib-open-device': 'ls -l /dev/infiniband; ibv_devices',
  'ib-async-event': 'ibstat; sudo dmesg | grep -i mlx5',
  'cuda-failure': "nvidia-smi topo -p2p r; nvidia-smi -L; sudo dmesg | grep -iE 'xid|nvrm'",
  'p2p-disabled-nvlink': 'nvidia-smi nvlink -s; nvidia-smi topo -m',
  'shared-memory': 'df -h /dev/shm',
  'no-interface': 'ip -br addr; env | grep NCCL_',
  subnet: 'ip -br addr; ip route',
  'version-mismatch': 'ldconfig -p | grep nccl; pip list | grep -i nccl',
  'duplicate-gpu': 'nvidia-smi -L; env | grep CUDA_VISIBLE_DEVICES',
  topology: 'nvidia-smi topo -m; NCCL_TOPO_DUMP_FILE=topo.xml',
  'bad-parameter': 'env | grep NCCL_; cat /etc/nccl.conf',
  'wrong-magic': again,
  truncated: again,
  rail: again,
  ofi: devices,
  mnnvl: 'ls -l /dev/nvidia-caps-imex-channels; systemctl status nvidia-imex; nvidia-smi -q | grep -A5 Fabric',
  'no-algorithm': 'env | grep NCCL_; cat /etc/nccl.conf',
  'connect-failed': 'ip -br addr; ip route; sudo iptables -L -n',
  other: again,
  proxy: again,
  hang: again,
  'connection-closed': again,
};
const order = Object.keys(next) as readonly WarningKind[];
/** These follow when something else failed, here or on another rank. */
const echoes = new Set<WarningKind>(['other', 'proxy', 'hang', 'connection-closed', 'connect-failed']);
/** Failures told of one input. */
const most = 3;

/** Warnings of a log that no finding has among its evidence: one of each kind, causes before their echoes. */
export function unexplained(facts: Facts, findings: readonly Finding[]): Failure[] {
  const shown = new Set(findings.flatMap((f) => f.evidence.map((e) => `${e.file} ${e.line}`)));
  const explained = (w: Warning): boolean => shown.has(`${w.at.file} ${w.at.line}`);
  // A finding shows five lines at most: what it says of one warning it says of all of the kind.
  const done = new Set(facts.warnings.filter(explained).map((w) => w.kind));
  const loudest = new Map<WarningKind, Warning>();
  for (const w of facts.warnings) {
    // A warning that NCCL keeps to itself is tried again another way; a transfer that failed is not.
    if (w.level === 'INFO' && w.kind !== 'ib-completion' && !gaveUp(w)) continue;
    if (next[w.kind] !== undefined && !done.has(w.kind) && !loudest.has(w.kind)) loudest.set(w.kind, w);
  }
  const told = order.flatMap((kind) => {
    const w = loudest.get(kind);
    return w ? [{ kind, text: w.text.slice(0, 160), at: w.at, settle: settleOf(kind, w.text) }] : [];
  });
  const own = told.filter((f) => !echoes.has(f.kind));
  if (own.length > 0) return own.slice(0, most);
  // What a finding explains brings its echoes along.
  return done.size > 0 ? [] : [...told, ...silent(facts, findings)].slice(0, 1);
}

/** Of shared memory: a segment that may not be made, or that is not there for the rank that looks for it. */
const ofSegment: readonly (readonly [pattern: RegExp, settle: string])[] = [
  [/[Pp]ermission denied|not permitted/, 'ls -ld /dev/shm; ls -l /dev/shm | head; id'],
  [
    /attaching|No such file/,
    'ls -l /dev/shm | head; df /dev/shm; readlink /proc/self/ns/ipc; loginctl show-user | grep RemoveIPC',
  ],
];

const special: Partial<Readonly<Record<WarningKind, typeof ofSegment>>> = { ofi: ofPlugin, 'shared-memory': ofSegment };

const settleOf = (kind: WarningKind, text: string): string =>
  special[kind]?.find(([pattern]) => pattern.test(text))?.[1] ?? next[kind]!;

/** Tries that NCCL counts: many in vain are no hiccup of the start. */
function gaveUp(w: Warning): boolean {
  const tries = /retrying \((\d{1,4})\/(\d{1,4})\)/.exec(w.text);
  return tries !== null && Number(tries[1]) * 2 > Number(tries[2]);
}

/** The start of a communicator returned an error, and the line that says why is not here. */
function silent(facts: Facts, findings: readonly Finding[]): Failure[] {
  if (findings.some((f) => f.severity === 'error')) return [];
  const returns = facts.logs.flatMap((l) => l.returns);
  const start = returns.find((r) => /^(?:init|group|bootstrap)\.cc:\d{1,6} -> [1-6]$/.test(r.text));
  if (!start) return [];
  const socket = returns.find((r) => /\bsocket\.(?:cc|h):\d{1,6} -> [1-6]$/.test(r.text));
  const told = socket ?? start;
  const kind = socket ? 'connect-failed' : 'other';
  return [{ kind, text: told.text, at: told.at, settle: socket ? next['connect-failed']! : again }];
}
