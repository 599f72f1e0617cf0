import type { Case } from '../case.ts';

const links = (gpu: number, name: string, states: readonly string[]): string[] => [
  `GPU ${gpu}: ${name} (UUID: GPU-11111111-2222-3333-4444-55555555555${gpu})`,
  ...states.map((s, i) => `\t Link ${i}: ${s}`),
];
const up = (n: number): string[] => Array.from({ length: n }, () => '26.562 GB/s');

const p2p = (name: string, off: string, on: string, can = 'CAN'): string[] => [
  '[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]',
  `Device: 0, ${name}, pciBusID: 1b, pciDeviceID: 0, pciDomainID:0`,
  `Device: 1, ${name}, pciBusID: 43, pciDeviceID: 0, pciDomainID:0`,
  `Device=0 ${can} Access Peer Device=1`,
  `Device=1 ${can} Access Peer Device=0`,
  '',
  'Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)',
  '   D\\D     0      1 ',
  `     0 650.00  ${off} `,
  `     1  ${off} 650.00 `,
  'Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)',
  '   D\\D     0      1 ',
  `     0 651.00  ${on} `,
  `     1  ${on} 651.00 `,
];

export const gpuCases: readonly Case[] = [
  {
    id: 'nvlink-down',
    files: {
      'dcgmi.txt': [
        '|  NvLink Link Status  |',
        'GPUs:',
        '    gpuId 0:',
        '        U U U U U U',
        '    gpuId 1:',
        '        U U U D U U',
      ],
    },
    strength: 'loud',
    at: ['dcgmi.txt:6'],
    without: /D/,
  },
  {
    id: 'nvlink-down',
    files: {
      'nvlink.txt': [
        ...links(0, 'NVIDIA H100 80GB HBM3', up(18)),
        ...links(1, 'NVIDIA H100 80GB HBM3', [...up(17), '<inactive>']),
      ],
    },
    strength: 'loud',
    at: ['nvlink.txt:38'],
    without: /inactive/,
  },
  {
    id: 'nvlink-down',
    files: {
      'nvlink.txt': [
        ...links(0, 'NVIDIA A100-SXM4-80GB', up(12)),
        ...links(1, 'NVIDIA A100-SXM4-80GB', []),
        'NVML: Unable to retrieve NVLink information as all links are inActive',
      ],
    },
    strength: 'loud',
    at: ['nvlink.txt:15'],
    without: /inActive/,
  },
  {
    id: 'nvlink-down',
    files: {
      'topo.txt': [
        '\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity',
        'GPU0\t X \tNV12\tNV12\tNV10\t0-15',
        'GPU1\tNV12\t X \tNV12\tNV10\t0-15',
        'GPU2\tNV12\tNV12\t X \tNV10\t0-15',
        'GPU3\tNV10\tNV10\tNV10\t X \t0-15',
      ],
    },
    strength: 'loud',
    at: ['topo.txt:5'],
    without: /^GPU3/,
  },
  {
    id: 'fabric-manager-not-running',
    files: { 'py.log': ['RuntimeError: CUDA error: system not yet initialized'] },
    strength: 'loud',
    at: ['py.log:1'],
    without: /initialized/,
  },
  {
    id: 'fabric-manager-not-running',
    files: { 'serve.log': ['calling cuInit', 'cuInit err: 802'] },
    strength: 'loud',
    at: ['serve.log:2'],
    without: /802/,
  },
  {
    id: 'fabric-manager-not-running',
    files: {
      'q.txt': [
        'GPU 00000000:18:00.0',
        '    Fabric',
        '        State                             : In Progress',
        '        Status                            : N/A',
      ],
      'unit.txt': [
        '× nvidia-fabricmanager.service - NVIDIA fabric manager service',
        '     Loaded: loaded (/usr/lib/systemd/system/nvidia-fabricmanager.service; enabled)',
        '     Active: failed (Result: exit-code) since Mon',
      ],
    },
    strength: 'loud',
    at: ['q.txt:3', 'unit.txt:3'],
    without: /In Progress/,
  },
  {
    id: 'fabric-manager-restarted-without-gpu-reset',
    files: {
      'nccl.log': ["birch:31:77 [2] transport/nvls.cc:244 NCCL WARN Cuda failure 1 'invalid argument'"],
      'journal.txt': [
        'Nov 03 09:00:01 birch systemd[1]: Stopping NVIDIA fabric manager service...',
        'Nov 03 09:00:01 birch systemd[1]: Stopped NVIDIA fabric manager service.',
        'Nov 03 09:00:12 birch systemd[1]: Started NVIDIA fabric manager service.',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /file journal/,
  },
  {
    // The restart stands among the commands of the paste.
    id: 'fabric-manager-restarted-without-gpu-reset',
    files: {
      'nccl.log': ["birch:31:77 [2] transport/nvls.cc:244 NCCL WARN Cuda failure 1 'invalid argument'"],
      'shell.txt': ['root@birch:~# systemctl restart nvidia-fabricmanager'],
    },
    strength: 'loud',
    at: ['nccl.log:1', 'shell.txt:1'],
    without: /systemctl/,
  },
  {
    id: 'nvls-multicast-fabric-fault',
    files: {
      'nccl.log': [
        "birch:31:77 [2] transport/nvls.cc:254 NCCL WARN Cuda failure 401 'the operation cannot be performed in the present state'",
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /401/,
  },
  {
    id: 'nvls-multicast-fabric-fault',
    files: {
      'py.log': [
        'Last error:',
        "Failed to bind NVLink SHARP (NVLS) Multicast memory of size 2097152 : CUDA error 401 'the operation cannot be performed in the present state'.",
      ],
    },
    strength: 'loud',
    at: ['py.log:2'],
    without: /Failed to bind/,
  },
  {
    id: 'nvswitch-error-in-fm-log',
    files: {
      'fm.log': [
        '[Nov 03 2025 09:00:00] [INFO] [tid 7] multicast group 0 is allocated.',
        '[Nov 03 2025 09:00:02] [ERROR] [tid 7] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 61',
      ],
    },
    strength: 'loud',
    at: ['fm.log:2'],
    without: /ERROR/,
  },
  {
    id: 'gpu-xid-119-gsp-timeout',
    files: {
      'dmesg.txt': [
        '[77.000001] NVRM: Xid (PCI:0000:9b:00): 119, pid=7, name=python, Timeout after 6s of waiting for RPC response from GPU4 GSP!',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /119/,
  },
  {
    id: 'gpu-xid-79-off-the-bus',
    files: {
      'dmesg.txt': [
        "[77.000001] NVRM: Xid (PCI:0000:9b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /79/,
  },
  {
    id: 'gpu-xid-nvlink',
    files: {
      'dmesg.txt': [
        '[Mon Nov  3 09:00:00 2025] NVRM: Xid (PCI:0000:1b:00): 149, NETIR_LINK_DOWN Fatal XC0 i0 Link 11',
        '[Mon Nov  3 09:00:01 2025] NVRM: Xid (PCI:0000:43:00): 45, pid=7, name=python, Ch 00000009',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /149/,
  },
  {
    id: 'gpu-xid-nvlink',
    files: {
      'messages.txt': [
        'Nov  3 09:00:00 birch kernel: NVRM: Xid (PCI:0008:01:00): 145, RLW_REMAP Nonfatal XC0 i0 Link 03',
      ],
    },
    strength: 'loud',
    at: ['messages.txt:1'],
    without: /145/,
  },
  {
    // Only the victims were pasted, and they name what they fell to.
    id: 'gpu-xid-nvlink',
    files: {
      'dmesg.txt': [
        'kernel: NVRM: Xid (PCI:0000:dc:00): 45, pid=77, name=python3, Ch 00000001 caused by previous Xid 149',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /149/,
  },
  {
    id: 'imex-fabric-handle-import',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO MNNVL busId 0x1901000 fabric UUID 0.0 cliqueId 0x7ffe state 3 healthMask 0x0',
        "birch:31:77 [0] transport/p2p.cc:275 NCCL WARN Cuda failure 101 'invalid device ordinal'",
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /101/,
  },
  {
    id: 'p2p-bandwidth-abnormal',
    files: { 'p2p.txt': p2p('NVIDIA A100-PCIE-40GB', '11.20', ' 0.55') },
    strength: 'loud',
    at: ['p2p.txt:13'],
    without: /Unidirectional/,
  },
  {
    // A third slower, as across sockets: a remark.
    id: 'p2p-bandwidth-abnormal',
    files: { 'p2p.txt': p2p('NVIDIA A100-PCIE-40GB', '17.00', '12.00') },
    strength: 'info',
    at: ['p2p.txt:13'],
    without: /Unidirectional/,
  },
  {
    id: 'p2p-broken-geforce',
    files: { 'p2p.txt': p2p('NVIDIA GeForce RTX 4080', '20.10', ' 0.02') },
    strength: 'loud',
    at: ['p2p.txt:13'],
    without: /Unidirectional/,
  },
  {
    id: 'p2p-mapping-refused',
    files: {
      'nccl.log': [
        'NCCL version 2.7.8+cuda11.0',
        'birch:31:77 [0] NCCL INFO Channel 00 : 0[2d000] -> 1[2e000] via P2P/IPC',
        'birch:31:77 [0] transport/p2p.cc:238 NCCL WARN failed to open CUDA IPC handle : 217 peer access is not supported between these two devices',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /WARN/,
  },
  {
    // A program that opens the memory of a peer itself.
    id: 'p2p-mapping-refused',
    files: { 'app.log': ['RuntimeError: CUDA error: peer access is not supported between these two devices'] },
    strength: 'loud',
    at: ['app.log:1'],
    without: /peer access/,
  },
  {
    id: 'cumem-host-refused',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO NCCL version 2.27.3+cuda12.8',
        "[2025-09-09 23:51:24] birch:31:77 [0] transport/shm.cc:590 NCCL WARN Cuda failure 217 'peer access is not supported between these two devices'",
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /WARN/,
  },
  {
    id: 'cumem-host-refused',
    files: {
      'nccl.log': [
        'birch:31:77 [0] misc/shmutils.cc:93 NCCL WARN Call to open failed: No such file or directory',
        'birch:31:77 [0] misc/shmutils.cc:129 NCCL WARN Error while attaching to shared memory segment /dev/shm/nccl-K (size 0), error: No such file or directory (2)',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /attaching/,
  },
  {
    id: 'p2p-chipset-unsupported',
    files: {
      'p2p.txt': ['\tGPU0\tGPU1\tGPU2', 'GPU0\tX\tCNS\tCNS', 'GPU1\tCNS\tX\tCNS', 'GPU2\tCNS\tCNS\tX'],
    },
    strength: 'info',
    at: ['p2p.txt:2'],
    without: /CNS/,
  },
  {
    id: 'p2p-disabled-geforce',
    files: {
      'smi.txt': ['GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
      'p2p.txt': ['GPU0\tX\tCNS', 'GPU1\tCNS\tX'],
    },
    strength: 'info',
    at: ['p2p.txt:1'],
    without: /CNS/,
  },
  {
    id: 'p2p-disabled-geforce',
    files: { 'p2p.txt': p2p('NVIDIA GeForce RTX 2080 Ti', '5.90', '5.95', 'CANNOT') },
    strength: 'info',
    at: ['p2p.txt:4'],
    without: /CANNOT/,
  },
  {
    id: 'pcie-link-width-degraded',
    files: {
      'lspci.txt': [
        'a1:00.0 Infiniband controller: Mellanox Technologies MT2910 Family [ConnectX-7]',
        '\tCapabilities: [60] Express (v2) Endpoint, MSI 00',
        '\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported',
        '\t\tLnkSta:\tSpeed 32GT/s (ok), Width x8 (downgraded)',
      ],
    },
    strength: 'loud',
    at: ['lspci.txt:4'],
    without: /LnkSta/,
  },
  {
    id: 'pcie-link-width-degraded',
    files: {
      'q.txt': [
        'GPU 00000000:17:00.0',
        '    PCI',
        '        GPU Link Info',
        '            Link Width',
        '                Max                       : 16x',
        '                Current                   : 4x',
      ],
    },
    strength: 'loud',
    at: ['q.txt:6'],
    without: /Current/,
  },
  {
    id: 'pcie-link-width-degraded',
    files: {
      'dmesg.txt': [
        '[    7.000001] mlx5_core 0000:a1:00.0: 63.008 Gb/s available PCIe bandwidth, limited by 16.0 GT/s PCIe x4 link at 0000:a0:01.0 (capable of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /limited/,
  },
  {
    // Only copies are known: a guess at the slot, so a remark.
    id: 'pcie-link-width-degraded',
    files: { 'p2p.txt': p2p('NVIDIA GeForce RTX 4090', ' 6.30', ' 6.55') },
    strength: 'info',
    at: ['p2p.txt:13'],
    without: /Unidirectional/,
  },
  {
    id: 'pcie-link-width-degraded',
    files: {
      'query.csv': [
        'index, pci.bus_id, pcie.link.width.current, pcie.link.width.max',
        '0, 00000000:17:00.0, 16, 16',
        '1, 00000000:43:00.0, 4, 16',
      ],
    },
    strength: 'loud',
    at: ['query.csv:3'],
    without: /^1, /,
  },
  {
    id: 'pcie-link-speed-idle',
    files: {
      'lspci.txt': [
        '17:00.0 3D controller: NVIDIA Corporation AD102GL [L40S] (rev a1)',
        '\tCapabilities: [60] Express (v2) Endpoint, MSI 00',
        '\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM not supported',
        '\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x16 (ok)',
      ],
      'q.txt': ['GPU 00000000:17:00.0', '    Performance State                     : P8'],
    },
    strength: 'info',
    at: ['lspci.txt:4'],
    without: /LnkSta/,
  },
  {
    // What grep leaves of one device, which the command names.
    id: 'pcie-link-width-degraded',
    files: {
      'lnk.txt': [
        '$ sudo lspci -vvv -s 9b:00.0 | grep Lnk',
        '\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported',
        '\t\tLnkCtl:\tASPM Disabled; RCB 64 bytes, Disabled- CommClk+',
        '\t\tLnkSta:\tSpeed 32GT/s, Width x8 (downgraded)',
      ],
    },
    strength: 'loud',
    at: ['lnk.txt:4'],
    without: /LnkSta/,
  },
  {
    // More than sixteen lanes of Gen4 carry: nothing was copied.
    id: 'p2p-broken-geforce',
    files: { 'p2p.txt': p2p('NVIDIA GeForce RTX 4080', '48.50', '21.10') },
    strength: 'loud',
    at: ['p2p.txt:12'],
    without: /48\.50/,
  },
  {
    // A driver that finds no GPU where one should be has no Xid to tell.
    id: 'gpu-xid-79-off-the-bus',
    files: {
      'dmesg.txt': [
        '[ 1843.308145] NVRM: The NVIDIA GPU 0000:b3:00.0',
        '               NVRM: (PCI ID: 10de:26b5) installed in this system has',
        '               NVRM: fallen off the bus and is not responding to commands.',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:3'],
    without: /fallen/,
  },
  {
    id: 'fabric-manager-not-needed',
    files: {
      'journal.txt': [
        'Sep 18 03:19:01 birch nv-fabricmanager[4756]: request to query NVSwitch device information from NVSwitch driver failed with error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]',
        'Sep 18 03:19:01 birch systemd[1]: nvidia-fabricmanager.service: Control process exited, code=exited, status=1/FAILURE',
      ],
    },
    strength: 'info',
    at: ['journal.txt:1'],
    without: /NOTHING_TO_DO/,
  },
  {
    // Rows of NICs that were cut off take nothing from what the GPUs' rows say.
    id: 'nvlink-down',
    files: {
      'topo.txt': [
        '\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity',
        'GPU0\t X \tNV18\tNODE\tNV18\tPXB\t0-55\t0',
        'GPU1\tNV18\t X \tNODE\tNV18\tNODE\t0-55\t0',
        'GPU2\tNODE\tNODE\t X \tNODE\tNODE\t0-55\t0',
        'GPU3\tNV18\tNV18\tNODE\t X \tNODE\t0-55\t0',
      ],
    },
    strength: 'loud',
    at: ['topo.txt:4'],
    without: /^GPU2/,
  },
  {
    id: 'tests-not-joined',
    files: {
      'run.log': [
        '# nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0',
        '#',
        '# Using devices',
        '#  Rank  0 Group  0 Pid   3255 on      birch device  0 [0x02] NVIDIA A100-PCIE-40GB',
        '# nThread 1 nGpus 1 minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0',
        '#',
        '# Using devices',
        '#  Rank  0 Group  0 Pid   2832 on      birch device  0 [0x02] NVIDIA A100-PCIE-40GB',
      ],
    },
    strength: 'loud',
    at: ['run.log:4', 'run.log:8'],
    without: /Pid +2832/,
  },
  {
    id: 'driver-library-mismatch',
    files: {
      'smi.txt': ['$ nvidia-smi', 'Failed to initialize NVML: Driver/library version mismatch'],
      'dmesg.txt': ['[ 8100.123456] NVRM: API mismatch: the client has the version 570.86.15, but'],
    },
    strength: 'loud',
    at: ['smi.txt:2', 'dmesg.txt:1'],
    without: /mismatch/,
  },
  {
    // Two nodes of a domain that do not find each other.
    id: 'imex-fabric-handle-import',
    files: {
      'imex.txt': [
        '$ nvidia-imex-ctl -N',
        'Nodes:',
        'Node #0   - 198.51.100.1    - READY                - Version: 570.133.20',
        'Node #1   - 198.51.100.2    - UNAVAILABLE          - Version: 570.133.20',
        'Domain State: DEGRADED',
      ],
    },
    strength: 'loud',
    at: ['imex.txt:4', 'imex.txt:5'],
    without: /UNAVAILABLE|DEGRADED/,
  },
  {
    id: 'nvlink-down',
    files: {
      'nvidia-smi-q.txt': [
        'GPU 00000008:01:00.0',
        '    Product Name                          : NVIDIA GB200',
        '    Fabric',
        '        State                             : Completed',
        '        Status                            : Success',
        '        Health',
        '            Bandwidth                     : Degraded',
        '            Route Unhealthy               : False',
      ],
    },
    strength: 'loud',
    at: ['nvidia-smi-q.txt:7'],
    without: /Degraded/,
  },
];
