import type { Case } from '../case.ts';

const disabled = (version: string, host = 'birch'): string[] => [
  `${host}:31:31 [0] NCCL INFO Bootstrap : Using ens1:192.0.2.11<0>`,
  `NCCL version ${version}`,
  `${host}:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_4'`,
  `${host}:31:77 [0] NCCL INFO NET/IB : Using [0]mlx5_4:1/IB [RO]; OOB ens1:192.0.2.11<0>`,
  `${host}:31:77 [0] NCCL INFO Using network IB`,
];
const title = 'Module                  Size  Used by';
const without = [title, 'nvidia              56717312  2 nvidia_uvm', 'mlx5_ib               466944  0'];
const withPeermem = [...without, 'nvidia_peermem         16384  0'];

const mrFailed = (gpu: string): string[] => [
  'initializing CUDA',
  'Picking device No. 0',
  `[pid = 7, dev = 0] device name = [${gpu}]`,
  'cuMemAlloc() of a 131072 bytes GPU buffer',
  "Couldn't allocate MR with error=14",
  ' failed to create mr',
];

export const gdrCases: readonly Case[] = [
  {
    id: 'gdr-disabled-peermem-missing',
    files: {
      'ucx.txt': [
        '# Memory domain: cuda_cpy',
        '#     Component: cuda_cpy',
        '#         memory types: host (reg), cuda (access,alloc,reg,detect)',
        '# Memory domain: mlx5_4',
        '#     Component: ib',
        '#         memory types: host (access,reg,cache)',
      ],
    },
    strength: 'loud',
    at: ['ucx.txt:6'],
    without: /memory types: host \(access/,
  },
  {
    id: 'gdr-disabled-peermem-missing',
    files: { 'nccl.log': disabled('2.22.3+cuda12.5'), 'lsmod.txt': without },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /Disabled/,
  },
  {
    // No list of modules: still the likeliest cause.
    id: 'gdr-disabled-peermem-missing',
    files: { 'nccl.log': disabled('2.27.7+cuda12.8') },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /Disabled/,
  },
  {
    // Channels without /GDRDMA and a list of modules without the module.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO Using network IB',
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/2',
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2',
      ],
      'lsmod.txt': without,
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /Channel/,
  },
  {
    // The tree shows one switch above both, and the path through it is planned as PHB.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO === System : maxBw 24.0 totalBw 24.0 ===',
        'birch:31:77 [0] NCCL INFO CPU/0 (1/2/3)',
        'birch:31:77 [0] NCCL INFO + PCI[24.0] - PCI/17000',
        'birch:31:77 [0] NCCL INFO               + PCI[24.0] - GPU/19000 (0)',
        'birch:31:77 [0] NCCL INFO               + PCI[24.0] - NIC/1a000',
        'birch:31:77 [0] NCCL INFO ==========================================',
        'birch:31:77 [0] NCCL INFO Channel 00 : 8[19000] -> 0[19000] [receive] via NET/IB/0',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:6'],
    without: /NIC/,
  },
  {
    id: 'gdr-disabled-peermem-missing',
    files: { 'bw.txt': mrFailed('NVIDIA L40S') },
    strength: 'loud',
    at: ['bw.txt:5'],
    without: /allocate MR/,
  },
  {
    id: 'gdr-disabled-peermem-loaded',
    files: { 'nccl.log': disabled('2.26.2+cuda12.8'), 'lsmod.txt': withPeermem },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /peermem/,
  },
  {
    id: 'gdr-disabled-nccl-too-old-for-peermem',
    files: {
      'nccl.log': disabled('2.20.5+cuda12.4'),
      'lsmod.txt': withPeermem,
      'peers.txt': ['$ ls /sys/kernel/mm/memory_peers', 'nvidia-peermem'],
    },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /^nvidia.peermem|NCCL version/,
  },
  {
    id: 'gdr-unsupported-geforce',
    files: { 'bw.txt': mrFailed('NVIDIA GeForce RTX 3090'), 'lsmod.txt': withPeermem },
    strength: 'loud',
    at: ['bw.txt:3'],
    without: /device name/,
    also: ['gdr-disabled-peermem-loaded'],
  },
  {
    id: 'gdr-unsupported-unified-memory',
    files: {
      'nccl.log': disabled('2.28.9+cuda13.0'),
      'smi.txt': ['GPU 0: NVIDIA GB10 (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
    },
    strength: 'info',
    at: ['smi.txt:1', 'nccl.log:3'],
    without: /GB10/,
    also: ['gdr-disabled-peermem-missing'],
  },
  {
    id: 'perftest-missing-dmabuf-flag',
    files: {
      'bw.txt': ['birch$ ib_read_bw -d mlx5_4 --use_cuda=1 -a', ...mrFailed('NVIDIA H200')],
      'version.txt': ['NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  575.57.08  Release Build'],
    },
    strength: 'loud',
    at: ['bw.txt:1'],
    without: /use_cuda/,
  },
  {
    id: 'gdr-disabled-by-default-grace',
    files: {
      'nccl.log': [
        'NCCL version 2.23.4+cuda12.6',
        'birch:31:77 [0] NCCL INFO Using network IB',
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/2',
      ],
      'smi.txt': ['GPU 0: NVIDIA GH200 120GB (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
    },
    strength: 'info',
    at: ['nccl.log:3'],
    without: /GH200/,
  },
  {
    id: 'gdr-asymmetric-between-nodes',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2/GDRDMA',
        'birch:31:77 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [send] via NET/IB/2/GDRDMA',
        'ash:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/2',
        'ash:31:77 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[0] [receive] via NET/IB/2',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3', 'nccl.log:1'],
    without: /GDRDMA/,
  },
  {
    // One node says why; the finding about the pair says it all.
    id: 'gdr-asymmetric-between-nodes',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2/GDRDMA',
        "ash:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_4'",
        'ash:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/2',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3', 'nccl.log:1'],
    without: /GDRDMA/,
  },
  {
    id: 'gdr-asymmetric-between-nodes',
    files: {
      'a.log': ['birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/2/GDRDMA'],
      'b.log': ['ash:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/2'],
    },
    strength: 'loud',
    at: ['b.log:1', 'a.log:1'],
    without: /GDRDMA/,
  },
  {
    id: 'gdr-disabled-in-topo',
    files: {
      'topo.xml': [
        '<system version="1">',
        '  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">',
        '    <pci busid="0000:17:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="0" sm="90" rank="0" gdr="0"/></pci>',
        '    <pci busid="0000:18:00.0" class="0x020000" link_speed="32.0 GT/s PCIe" link_width="16"><nic><net name="mlx5_4" dev="0" speed="200000" port="1" guid="0x7" gdr="0"/></nic></pci>',
        '  </cpu>',
        '</system>',
      ],
    },
    strength: 'loud',
    at: ['topo.xml:3'],
    without: /<gpu/,
  },
  {
    id: 'dmabuf-needs-open-kernel-module',
    files: {
      'app.log': ['warning: DMA-BUF is not supported by this driver'],
      'version.txt': ['NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024'],
    },
    strength: 'loud',
    at: ['app.log:1', 'version.txt:1'],
    without: /NVRM/,
  },
  {
    id: 'peermem-invalid-context',
    files: {
      'dmesg.txt': [
        '[ 1234.000001] nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further processing',
      ],
    },
    strength: 'info',
    at: ['dmesg.txt:1'],
    without: /invalid context/,
  },
  {
    id: 'peermem-symbol-mismatch-ofed',
    files: { 'dmesg.txt': ['[    9.000001] nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err 0)'] },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /Unknown symbol/,
  },
  {
    id: 'peermem-symbol-mismatch-ofed',
    files: { 'modprobe.txt': ["modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument"] },
    strength: 'loud',
    at: ['modprobe.txt:1'],
    without: /Invalid/,
  },
  {
    id: 'gpu-nic-cross-numa',
    files: {
      'nccl.log': [
        'NCCL version 2.19.3+cuda12.2',
        'birch:31:77 [0] NCCL INFO GPU Direct RDMA Disabled for GPU ca000 / HCA 1 (distance 7 > 4)',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /distance/,
  },
  {
    id: 'gpu-nic-cross-numa',
    files: {
      'topo.txt': [
        '\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity',
        'GPU0\t X \tSYS\tNODE\t0-15\t0',
        'GPU1\tSYS\t X \tSYS\t16-31\t1',
        'NIC0\tNODE\tSYS\t X \t\t',
      ],
      'bw.txt': ['                    RDMA_Write BW Test', ' Dual-port       : OFF\t\tDevice         : mlx5_4'],
    },
    strength: 'loud',
    at: ['topo.txt:3'],
    without: /^GPU1/,
  },
  {
    // Releases of perftest that print no number of the error; the board is told by a line of its own.
    id: 'gdr-unsupported-geforce',
    files: {
      'bw.txt': [
        '[pid = 99, dev = 1] device name = [NVIDIA GeForce RTX 2080 Ti]',
        'creating CUDA Ctx',
        "Couldn't allocate MR",
      ],
      'lsmod.txt': withPeermem,
    },
    strength: 'loud',
    at: ['bw.txt:3'],
    without: /device name/,
    also: ['gdr-disabled-peermem-loaded'],
  },
  {
    // The flavour of the modules by their licence.
    id: 'dmabuf-needs-open-kernel-module',
    files: {
      'check.txt': [
        '$ modinfo nvidia',
        'filename:       /lib/modules/6.5.0/updates/dkms/nvidia.ko',
        'version:        550.90.07',
        'license:        NVIDIA',
        '$ ./attributes',
        'CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED: 0',
      ],
    },
    strength: 'loud',
    at: ['check.txt:4', 'check.txt:6'],
    without: /license|ATTRIBUTE/,
  },
  {
    id: 'gdr-disabled-nccl-too-old-for-peermem',
    files: {
      'nccl.log': disabled('2.19.4+cuda12.3'),
      'lsmod.txt': withPeermem,
      'peers.txt': [
        '$ ls -la /sys/kernel/mm/memory_peers/',
        'total 0',
        'drwxr-xr-x 3 root root 0 Jun  3 10:00 .',
        'drwxr-xr-x 9 root root 0 Jun  3 10:00 ..',
        'drwxr-xr-x 2 root root 0 Jun  3 10:00 nvidia-peermem',
      ],
    },
    strength: 'loud',
    at: ['peers.txt:5'],
    without: / nvidia-peermem$|NCCL version/,
  },
  {
    // NVSHMEM looks itself, and says so for each of its transports.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'run.log': [
        '/src/nvshmem_src/src/modules/transport/ibrc/ibrc.cpp:nvshmemt_init:1851: neither nv_peer_mem, or nvidia_peermem detected. Skipping transport.',
      ],
    },
    strength: 'loud',
    at: ['run.log:1'],
    without: /neither/,
  },
  {
    id: 'dmabuf-registration-refused',
    files: {
      'nccl.log': [
        'NCCL version 2.13.4+cuda11.7',
        'birch:31:77 [0] misc/ibvwrap.cc:288 NCCL WARN Call to ibv_reg_dmabuf_mr failed with error Operation not supported',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /WARN/,
  },
  {
    id: 'dmabuf-registration-refused',
    files: {
      'perftest.txt': [
        'initializing CUDA',
        'Picking device No. 1',
        '[pid = 7, dev = 1] device name = [NVIDIA H100 80GB HBM3]',
        'using DMA-BUF for GPU buffer address at 0x7f2a4c000000 aligned at 0x7f2a4c000000 with aligned size 16777216',
        "Couldn't allocate MR with error=93",
      ],
    },
    strength: 'loud',
    at: ['perftest.txt:5'],
    without: /Couldn't/,
  },
  {
    id: 'perftest-option-order',
    files: {
      'perftest.txt': [
        '$ ib_write_bw -d mlx5_4 -a -F --use_cuda_dmabuf --use_cuda=1',
        'CUDA DMA-BUF cannot be used without CUDA',
        ' Parser function exited with Error',
      ],
    },
    strength: 'loud',
    at: ['perftest.txt:2'],
    without: /cannot be used/,
  },
  {
    id: 'gdrdrv-not-loaded',
    files: { 'sanity.txt': ['Running suite(s): Sanity', 'gdr_open error: Is gdrdrv driver installed and loaded?'] },
    strength: 'loud',
    at: ['sanity.txt:2'],
    without: /gdr_open/,
  },
  {
    // A module that was never built for the kernel that runs.
    id: 'gdrdrv-not-loaded',
    files: {
      'insmod.txt': [
        '$ ./insmod.sh',
        'insmod: ERROR: could not load module src/gdrdrv/gdrdrv.ko: No such file or directory',
        'INFO: driver major is',
      ],
    },
    strength: 'loud',
    at: ['insmod.txt:2'],
    without: /could not load/,
  },
  {
    id: 'gdrdrv-not-loaded',
    files: { 'rpm.txt': ['modprobe: FATAL: Module gdrdrv not found in directory /lib/modules/6.9/'] },
    strength: 'loud',
    at: ['rpm.txt:1'],
    without: /FATAL/,
  },
  {
    // The image itself looked for the module, and the channels bear it out.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'run.log': [
        'NOTE: Mellanox network driver detected, but NVIDIA peer memory driver not',
        '      detected.  Multi-node communication performance may be reduced.',
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0',
        'birch:31:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0',
      ],
    },
    strength: 'loud',
    at: ['run.log:1', 'run.log:3'],
    without: /network driver detected/,
  },
];
