import type { WarningKind } from '../read/nccl-log/types.ts';

export const again = 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH';
const variables = 'env | grep NCCL_; cat /etc/nccl.conf';
const network = 'ibstat; show_gids; sudo lspci -vvv | grep -i acsctl';

const topology = 'nvidia-smi topo -m; NCCL_TOPO_DUMP_FILE=topo.xml';

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
export const next: Partial<Readonly<Record<WarningKind, string>>> = {
  'ib-completion': network,
  'ib-register-memory':
    "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; cat /proc/driver/nvidia/version; ulimit -l; uname -r",
  'ib-modify-qp': 'ibstat; show_gids; ip -br addr; ip route',
  'ib-verbs': 'ibv_devinfo -v; show_gids; ulimit -l; sudo dmesg | grep -iE "mlx5|bnxt|irdma" | tail',
  nvml: "nvidia-smi; cat /proc/driver/nvidia/version; sudo dmesg | grep -iE 'xid|nvrm' | tail",
  'open-files': 'ulimit -n; cat /proc/$PID/limits | grep files; ls /proc/$PID/fd | wc -l',
  'mixed-links': 'ibv_devinfo | grep -E "hca_id|link_layer"; env | grep NCCL_IB_HCA, on each node',
  'mixed-nics': 'ibv_devices; nvidia-smi topo -m; env | grep NCCL_IB, on each node',
  'network-plugin': `env | grep -E 'NCCL_NET|LD_LIBRARY_PATH'; ldconfig -p | grep nccl-net; ${again}`,
  'no-transport': "env | grep -E 'NCCL_(P2P|SHM|NET|IB)_'; nvidia-smi topo -p2p r; df /dev/shm",
  'handle-socket':
    "ls -l /tmp/nccl-socket*; readlink /proc/self/ns/net /proc/self/ns/pid; env | grep -E 'TMPDIR|NCCL_CUMEM'",
  gdrcopy: 'ls -l /dev/gdrdrv; modinfo gdrdrv; ldconfig -p | grep gdrapi; cat /proc/driver/nvidia/version',
  'ib-open-device': 'ls -l /dev/infiniband; ibv_devices',
  'ib-async-event': 'ibstat; sudo dmesg | grep -i mlx5',
  'cuda-failure': "nvidia-smi topo -p2p r; nvidia-smi -L; sudo dmesg | grep -iE 'xid|nvrm'",
  'p2p-disabled-nvlink': 'nvidia-smi nvlink -s; nvidia-smi topo -m',
  'shared-memory': 'df -h /dev/shm',
  'no-interface': 'ip -br addr; env | grep NCCL_',
  subnet: 'ip -br addr; ip route',
  'name-lookup': 'getent hosts $(hostname); cat /etc/hosts; env | grep -E "NCCL_COMM_ID|MASTER_ADDR"',
  'version-mismatch': 'ldconfig -p | grep nccl; pip list | grep -i nccl',
  'duplicate-gpu': 'nvidia-smi -L; env | grep CUDA_VISIBLE_DEVICES',
  topology,
  'bad-parameter': variables,
  ranks: "env | grep -E 'RANK|WORLD_SIZE|MASTER_|CUDA_VISIBLE', in each process; nvidia-smi -L",
  usage: 'NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL NCCL_CHECK_POINTERS=1',
  'wrong-magic': again,
  truncated: again,
  rail: again,
  ofi: devices,
  mnnvl: 'ls -l /dev/nvidia-caps-imex-channels; systemctl status nvidia-imex; nvidia-smi -q | grep -A5 Fabric',
  'no-algorithm': variables,
  'connect-failed': 'ip -br addr; ip route; sudo iptables -L -n',
  other: again,
  proxy: again,
  hang: again,
  'connection-closed': again,
};
/** Of shared memory: a segment that may not be made, or that is not there for the rank that looks for it. */
const ofSegment: readonly (readonly [pattern: RegExp, settle: string])[] = [
  [/[Pp]ermission denied|not permitted/, 'ls -ld /dev/shm; ls -l /dev/shm | head; id'],
  [
    /attaching|No such file/,
    'ls -l /dev/shm | head; df /dev/shm; readlink /proc/self/ns/ipc; loginctl show-user | grep RemoveIPC',
  ],
];

/** Of CUDA, by what it answers: most answers tell of the GPU's own state and not of the way between two. */
const ofCuda: readonly (readonly [pattern: RegExp, settle: string])[] = [
  [/out of memory|Failed to CUDA /i, 'nvidia-smi; nvidia-smi --query-compute-apps=pid,used_memory --format=csv'],
  [
    /find CUDA library|PFN functions/,
    'ldconfig -p | grep -E "libcuda|libnvidia-ml"; env | grep LD_LIBRARY_PATH; nvidia-smi',
  ],
  [
    /driver version is insufficient|forward compatibility|driver \/ cuda driver combination|unsupported toolchain|stub library/,
    'nvidia-smi; cat /proc/driver/nvidia/version; ldconfig -p | grep libcuda',
  ],
  [/no kernel image/, 'nvidia-smi --query-gpu=name,compute_cap --format=csv; pip list | grep -i nccl'],
  [
    /invalid device ordinal|no CUDA-capable device|busy or unavailable/,
    "nvidia-smi -L; nvidia-smi -q | grep 'Compute Mode'; env | grep CUDA_VISIBLE_DEVICES",
  ],
  [
    /illegal memory access|unspecified launch failure|illegal instruction|misaligned address|device-side assert/,
    "CUDA_LAUNCH_BLOCKING=1; compute-sanitizer $PROGRAM; sudo dmesg | grep -iE 'xid|nvrm'",
  ],
];

/** Of the topology: a file that NCCL was given, or what it finds by itself. */
const ofTopology: readonly (readonly [pattern: RegExp, settle: string])[] = [
  [/XML|Attribute|dev \d+ not found/, `ls -l $NCCL_TOPO_FILE $NCCL_GRAPH_FILE; ${variables}; ${topology}`],
];

const special: Partial<Readonly<Record<WarningKind, typeof ofSegment>>> = {
  ofi: ofPlugin,
  'shared-memory': ofSegment,
  'cuda-failure': ofCuda,
  topology: ofTopology,
};

export const settleOf = (kind: WarningKind, text: string): string =>
  special[kind]?.find(([pattern]) => pattern.test(text))?.[1] ?? next[kind]!;
