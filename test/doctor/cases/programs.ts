import type { Case } from '../case.ts';

/** What programs other than NCCL and the tools of the host say when the direct way is closed to them. */
export const programCases: readonly Case[] = [
  {
    id: 'gdr-disabled-peermem-missing',
    files: {
      'ucx.log': [
        '[1762160400.1] [birch:91:0]  ib_md.c:349  UCX  ERROR ibv_reg_mr(address=0x7f2a00000000, length=8192, access=0xf) failed: Bad address',
        '[1762160400.1] [birch:91:0]  ucp_mm.c:164  UCX  ERROR failed to register address 0x7f2a00000000 mem_type bit 0x2 length 8192 on md[5]=mlx5_0: Input/output error',
      ],
    },
    strength: 'loud',
    at: ['ucx.log:1'],
    without: /ERROR/,
  },
  {
    // A transfer engine that names its GPU memory before it registers it.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'engine.log': [
        'I1103 09:00:01.000001 91 bench.cpp:377] VRAM is used',
        'E1103 09:00:02.000001 91 rdma_context.cpp:203] Failed to register memory 0x7f2a00000000: Bad address [14]',
      ],
    },
    strength: 'loud',
    at: ['engine.log:2'],
    without: /Bad address/,
  },
  {
    // The module was never built for the kernel that runs.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'peermem.log': [
        'modprobe: FATAL: Module nvidia-peermem not found in directory /lib/modules/6.8.0-45-generic',
        'failed to load nvidia-peermem module',
      ],
    },
    strength: 'loud',
    at: ['peermem.log:1'],
    without: /FATAL/,
  },
  {
    id: 'gdr-unsupported-geforce',
    files: {
      'sanity.log': [
        'GPU id:0; name: NVIDIA GeForce RTX 3090; Bus id: 0000:01:00',
        'Assertion "(gdr_pin_buffer(g, d_ptr, size, 0, 0, &mh)) == (0)" failed at sanity.cpp:188',
      ],
      'smi.txt': ['GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
    },
    strength: 'loud',
    at: ['sanity.log:2'],
    without: /Assertion/,
  },
  {
    id: 'memlock-limit',
    files: {
      'engine.log': [
        'E1103 09:00:02.000001 91 rdma_context.cpp:203] Failed to register memory 0x7f2a00000000: Cannot allocate memory [12]',
      ],
    },
    strength: 'loud',
    at: ['engine.log:1'],
    without: /Cannot allocate/,
  },
  {
    id: 'roce-gid-index-wrong',
    files: {
      'engine.log': [
        'I1103 09:00:01.000001 91 rdma_context.cpp:125] RDMA device: mlx5_0, LID: 0, GID: (GID_Index 1) fe:80:00:00:00:00:00:00:06:40:05:ff:fe:a1:b2:c3',
        'E1103 09:00:09.000001 91 rdma_endpoint.cpp:385] [Handshake] Failed to modify QP to RTR, check mtu, gid, peer lid, peer qp num: Connection timed out [110]',
      ],
    },
    strength: 'loud',
    at: ['engine.log:1', 'engine.log:2'],
    without: /Handshake/,
  },
  {
    // The address belongs to an interface of another network namespace, or no route leads from it.
    id: 'roce-gid-index-wrong',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO NCCL_IB_GID_INDEX set by environment to 3.',
        'birch:31:77 [0] misc/ibvwrap.cc:187 NCCL WARN Call to ibv_modify_qp failed with error Network is unreachable',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /unreachable/,
  },
  {
    id: 'imex-fabric-handle-import',
    files: {
      'nccl.log': [
        "birch:31:77 [1] include/alloc.h:228 NCCL WARN Cuda failure 800 'operation not permitted'",
        'birch:31:77 [1] mnnvl.cc:67 NCCL WARN MNNVL (cliqueSize 8) is available but not working on this system. Check the IMEX channel configuration (/dev/nvidia-caps-imex-channels). Set NCCL_MNNVL_ENABLE=0 to ignore this issue.',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /MNNVL/,
  },
  {
    id: 'imex-fabric-handle-import',
    files: {
      'run.log': [
        'nvbandwidth Version: v0.8',
        'Process 0 (birch): device 0: NVIDIA H200 (00000000:8f:00)',
        'Running multinode_device_to_device_memcpy_read_ce.',
        '[CUDA_ERROR_NOT_PERMITTED] operation not permitted in expression cuMemCreate(&handle, size, &prop, 0 ) on birch, rank = 0 in Allocation()',
      ],
    },
    strength: 'loud',
    at: ['run.log:4'],
    without: /NOT_PERMITTED/,
  },
  {
    id: 'p2p-data-wrong',
    files: {
      'simple.txt': [
        'Checking GPU(s) for support of peer to peer memory access...',
        '> Peer access from NVIDIA RTX A5000 (GPU0) -> NVIDIA RTX A5000 (GPU1) : Yes',
        '> Peer access from NVIDIA RTX A5000 (GPU1) -> NVIDIA RTX A5000 (GPU0) : Yes',
        'Enabling peer access between GPU0 and GPU1...',
        'cudaMemcpyPeer / cudaMemcpy between GPU0 and GPU1: 11.20GB/s',
        'Copy data back to host from GPU0 and verify results...',
        'Verification error @ element 1: val = 0.000000, ref = 4.000000',
        'Test failed!',
      ],
    },
    strength: 'loud',
    at: ['simple.txt:7'],
    without: /Verification/,
  },
  {
    id: 'p2p-broken-geforce',
    files: {
      'simple.txt': [
        '> Peer access from NVIDIA GeForce RTX 4090 (GPU0) -> NVIDIA GeForce RTX 4090 (GPU1) : Yes',
        '> Peer access from NVIDIA GeForce RTX 4090 (GPU1) -> NVIDIA GeForce RTX 4090 (GPU0) : Yes',
        'Verification error @ element 1: val = nan, ref = 4.000000',
      ],
    },
    strength: 'loud',
    at: ['simple.txt:3'],
    without: /Verification/,
  },
  {
    id: 'gpu-fabric-not-joined',
    files: {
      'smi.txt': [
        'GPU 00000000:1B:00.0',
        '    Product Name                          : NVIDIA GB200',
        '    Fabric',
        '        State                             : Completed',
        '        Status                            : Insufficient Resources',
        '        CliqueId                          : 0',
      ],
    },
    strength: 'loud',
    at: ['smi.txt:5'],
    without: /Insufficient/,
  },
  {
    id: 'fabric-manager-not-running',
    files: {
      'fm.log': [
        "nv-fabricmanager[3228]: fabric manager NVIDIA GPU driver interface version 570.124.06 don't match with driver version 570.133.20. Please update with matching NVIDIA driver package.",
      ],
    },
    strength: 'loud',
    at: ['fm.log:1'],
    without: /match/,
  },
  {
    id: 'fabric-manager-not-needed',
    files: {
      'fm.txt': ['Job for nvidia-fabricmanager.service failed because the control process exited with error code.'],
      'smi.txt': ['GPU 0: NVIDIA GeForce RTX 3060 (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
    },
    strength: 'info',
    at: ['fm.txt:1'],
    without: /Job for/,
  },
  {
    id: 'efa-device-not-exposed',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO NET/OFI Initializing aws-ofi-nccl 1.12.1-aws',
        'birch:31:77 [0] NCCL INFO NET/OFI Selected Provider is tcp (found 1 nics)',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /Provider/,
  },
  {
    id: 'gds-driver-not-loaded',
    files: {
      'cufile.log': [
        ' 28-10-2024 17:38:08:134 [pid=81 tid=81] WARN  0:168 failed to open /proc/driver/nvidia-fs/devcount error: No such file or directory',
        ' 28-10-2024 17:38:08:136 [pid=81 tid=81] NOTICE  cufio-drv:720 running in compatible mode',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /devcount/,
    also: ['gds-compat-mode'],
  },
  {
    // As releases before 2.3 print it: no NCCL before the level, a line for each interface.
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] INFO NET : Using interface lo:127.0.0.1<0>',
        'birch:31:31 [0] INFO NET : Using interface eth0:192.0.2.11<0>',
        'ash:31:31 [0] INFO NET : Using interface lo:127.0.0.1<0>',
        'ash:31:31 [0] include/socket.h:361 WARN Call to connect timeout : Connection refused',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /lo:/,
  },
  {
    id: 'rdma-drivers-not-loaded',
    files: {
      'ibstatus.txt': ["Fatal error:  device '*': sys files not found (/sys/class/infiniband/*/ports)"],
      'lspci.txt': ['3e:00.0 Infiniband controller: Mellanox Technologies MT28908 Family [ConnectX-6]'],
    },
    strength: 'loud',
    at: ['ibstatus.txt:1'],
    without: /Fatal/,
  },
  {
    id: 'gdr-disabled-peermem-missing',
    files: {
      'ucx.log': [
        '[1716918990.461294] [birch:91:0]           ib_md.c:1128 UCX  DEBUG mlx5_0: cuda GPUDirect RDMA is disabled',
        '[1716918990.470000] [birch:91:0]    cuda_copy_md.c:111  UCX  DEBUG dmabuf is not supported on cuda device 0',
      ],
    },
    strength: 'loud',
    at: ['ucx.log:1'],
    without: /disabled/,
  },
  {
    id: 'wrong-interface',
    files: {
      'serve.log': [
        '[rank8]:[W ProcessGroupGloo.cpp:721] Warning: Unable to resolve hostname to a (local) address. Using the loopback address as fallback. (function operator())',
        '[rank8]:[E ProcessGroupGloo.cpp:144] Gloo connectFullMesh failed with [../gloo/transport/tcp/pair.cc:144] no error',
      ],
    },
    strength: 'loud',
    at: ['serve.log:1'],
    without: /connectFullMesh/,
  },
  {
    id: 'gpu-xid-nvlink',
    files: {
      'dmesg.txt': [
        '[ 77.100001] NVRM: Xid (PCI:0000:1b:00): 144, SAW_MVB Fatal XC0 i0 Link 0 (0x00000001 0x00000008)',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /Xid/,
  },
  {
    id: 'roce-gid-index-differs-between-nodes',
    files: {
      'perftest.txt': [
        '                    RDMA_Write BW Test',
        ' Link type       : Ethernet',
        ' GID index       : 0',
        ' local address: LID 0000 QPN 0x01f5 PSN 0x5f2841 RKey 0x002440 VAddr 0x007f2e5f64b000',
        ' GID: 254:128:00:00:00:00:00:00:30:203:126:255:254:163:254:16',
        ' remote address: LID 0000 QPN 0x0205 PSN 0xc0fd7e RKey 0x002442 VAddr 0x007f443b2f8000',
        ' GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:00:13:04',
        ' Completion with error at client',
        ' Failed status 12: wr_id 0 syndrom 0x81',
      ],
    },
    strength: 'loud',
    at: ['perftest.txt:5', 'perftest.txt:7'],
    without: /Failed status/,
  },
  {
    // AMD: nvidia_peermem is no cure here.
    id: 'gdr-disabled-peermem-missing',
    files: {
      'rccl.log': [
        'RCCL version : 2.22.3-HEAD:0123456',
        "birch:31:77 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'bnxt_re0'",
      ],
    },
    strength: 'loud',
    at: ['rccl.log:2'],
    without: /HCA/,
  },
  {
    id: 'sockets-fallback-no-libibverbs',
    files: {
      'run.log': [
        'libibverbs: Warning: no userspace device-specific driver found for /sys/class/infiniband_verbs/uverbs0',
      ],
    },
    strength: 'loud',
    at: ['run.log:1'],
    without: /libibverbs/,
  },
  {
    // The RDMA device is seen from the pod, and the network device that its addresses belong to is not.
    id: 'rdma-device-not-in-container',
    files: {
      'gids.txt': [
        'DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4\t\tVER\tDEV',
        '---\t----\t-----\t---\t\t\t\t\t------------\t---\t---',
        'n_gids_found=0',
      ],
      'lspci.txt': ['5e:00.0 Ethernet controller: Mellanox Technologies MT27710 Family [ConnectX-4 Lx]'],
    },
    strength: 'loud',
    at: ['gids.txt:3'],
    without: /n_gids/,
  },
  {
    // The image has the provider of its distribution, the host the driver of the maker.
    id: 'sockets-fallback-no-libibverbs',
    files: {
      'pod.log': [
        'libibverbs: Warning: Driver bnxt_re does not support the kernel ABI of 6 (supports 1 to 1) for device /sys/class/infiniband/bnxt_re0',
        ' Did not detect devices ',
        ' Unable to find the Infiniband/RoCE device',
      ],
    },
    strength: 'loud',
    at: ['pod.log:1'],
    without: /ABI/,
  },
  {
    // One GPU for each task of Slurm, and no fabric between them.
    id: 'p2p-mapping-refused',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NCCL version 2.28.9+cuda12.4',
        'birch:31:31 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] via P2P/CUMEM',
        "birch:31:77 [0] transport/p2p.cc:275 NCCL WARN Cuda failure 101 'invalid device ordinal'",
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /101/,
  },
  {
    id: 'bar1-too-small',
    files: {
      'p2p.txt': [
        '[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]',
        'Device: 0, NVIDIA GeForce RTX 4090, pciBusID: 1, pciDeviceID: 0, pciDomainID:0',
        'Device: 1, NVIDIA GeForce RTX 4090, pciBusID: 2, pciDeviceID: 0, pciDomainID:0',
        'Device=0 CAN Access Peer Device=1',
        'Device=1 CAN Access Peer Device=0',
        "Cuda failure p2pBandwidthLatencyTest.cu:189: 'mapping of buffer object failed'",
      ],
    },
    strength: 'loud',
    at: ['p2p.txt:6'],
    without: /mapping/,
  },
  {
    id: 'gdr-disabled-peermem-missing',
    files: {
      'engine.log': [
        'E1103 09:00:02.000001 91 rdma_context.cpp:1343] DMA BUF supported required for GPU RDMA without nvidia-peermem',
      ],
      'lsmod.txt': ['Module                  Size  Used by', 'nvidia              62504960  40 nvidia_uvm'],
    },
    strength: 'loud',
    at: ['engine.log:1'],
    without: /DMA BUF/,
  },
  {
    // Kubernetes' plugin wants a file that no loaded module makes.
    id: 'rdma-device-not-in-container',
    files: {
      'plugin.log': [
        '2025/07/26 20:29:31 DiscoverHostDevices(): device found: 0000:16:00.0\t02\tMellanox Technolo...\tMT2892 Family [ConnectX-6 Dx]',
        '2025/07/26 20:29:31 error creating new device: "missing RDMA device spec for device 0000:16:00.0, RDMA device \\"rdma_cm\\" not found"',
        '2025/07/26 20:29:31 exposing "0" devices',
      ],
    },
    strength: 'loud',
    at: ['plugin.log:2'],
    without: /missing|exposing/,
  },
  {
    // UCX sends from row 0 of the table, whose address no route leaves.
    id: 'roce-gid-index-wrong',
    files: {
      'ucx.log': [
        '[birch:241:0:241] ib_mlx5_log.c:143  Transport retry count exceeded on mlx5_0:1/RoCE (synd 0x15 vend 0x81 hw_synd 0/0)',
        '[birch:241:0:241] ib_mlx5_log.c:143  DCI QP 0x1510 wqe[0]: SEND s-e [rqpn 0x223a4 rmac 0c:42:a1:7d:00:01 sgix 0 dgid fe80::e42:a1ff:fe7d:1 tc 0]',
      ],
    },
    strength: 'loud',
    at: ['ucx.log:1', 'ucx.log:2'],
    without: /Transport/,
  },
  {
    // A pod that sees the RDMA device and none of its addresses.
    id: 'rdma-device-not-in-container',
    files: {
      'bw.log': [
        '                    RDMA_Write BW Test',
        ' Dual-port       : OFF\t\tDevice         : mlx5_0',
        ' Link type       : Ethernet',
        ' GID index       : 0',
        ' local address: LID 0000 QPN 0x01a2 PSN 0x1be0a3 RKey 0x00d80f VAddr 0x007f1c5d2e6000',
        ' GID: 00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00',
      ],
    },
    strength: 'loud',
    at: ['bw.log:6'],
    without: /GID:/,
  },
  {
    id: 'p2p-disabled-geforce',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO P2P is disabled between connected GPUs 0 and 1. You can repress this message with NCCL_IGNORE_DISABLED_P2P=1.',
      ],
      'smi.txt': ['GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-11111111-2222-3333-4444-555555555555)'],
    },
    strength: 'info',
    at: ['nccl.log:1'],
    without: /P2P/,
  },
  {
    // nvidia-fs pins by the door that such boards keep shut.
    id: 'gdr-unsupported-geforce',
    files: {
      'dmesg.txt': [
        'GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-11111111-2222-3333-4444-555555555555)',
        '[ 5000.123456] nvidia-fs:nvfs_pin_gpu_pages:1292 Error ret -22 invoking nvidia_p2p_get_pages',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:2'],
    without: /Error ret/,
  },
];
