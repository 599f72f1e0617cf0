import type { Case } from '../case.ts';

export const hostCases: readonly Case[] = [
  {
    id: 'iommu-on',
    files: { 'cmdline.txt': ['BOOT_IMAGE=/vmlinuz-6.8.0-45 root=/dev/nvme0n1p2 ro intel_iommu=on console=tty0'] },
    strength: 'loud',
    at: ['cmdline.txt:1'],
    without: /intel_iommu/,
  },
  {
    id: 'iommu-on',
    files: {
      'dmesg.txt': [
        '[    0.812000] iommu: Default domain type: Translated',
        '[    0.912000] pci 0000:17:00.0: Adding to iommu group 12',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /Translated/,
  },
  {
    id: 'iommu-on',
    files: {
      'nccl.log': [
        'birch:31:31 [0] /build/src/init.cc:179 NCCL WARN Missing "iommu=pt" from kernel command line which can lead to system instablity or hang!',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /Missing/,
  },
  {
    id: 'kernel-module-symbol-mismatch',
    files: { 'dmesg.txt': ['[   77.100001] gdrdrv: disagrees about version of symbol nvidia_p2p_put_pages'] },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /disagrees/,
  },
  {
    id: 'gdrdrv-device-node-missing',
    files: {
      'lsmod.txt': ['gdrdrv                 28672  0', 'nvidia              56717312  2 gdrdrv'],
      'ls.txt': ["ls: cannot access '/dev/gdrdrv': No such file or directory"],
    },
    strength: 'loud',
    at: ['ls.txt:1'],
    without: /cannot access/,
  },
  {
    id: 'gdrdrv-wrong-driver-flavour',
    files: {
      'dmesg.txt': ['[   77.100001] gdrdrv:gdrdrv_init:loading gdrdrv version 2.5 built for proprietary NVIDIA driver'],
      'version.txt': ['NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06'],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /gdrdrv_init/,
  },
  {
    id: 'gdrdrv-wrong-driver-flavour',
    files: {
      'modinfo.txt': [
        'filename:       /lib/modules/5.14.0/extra/gdrdrv.ko.xz',
        'version:        2.5',
        'depends:        nv-p2p-dummy',
      ],
    },
    strength: 'loud',
    at: ['modinfo.txt:3'],
    without: /dummy/,
  },
  {
    id: 'memlock-limit',
    files: {
      'ucx.log': [
        '[1762160400.100000] [birch:1111 :0]  ib_iface.c:1042 UCX  ERROR ibv_create_cq(cqe=4096) failed: Cannot allocate memory',
      ],
      'ulimit.txt': ['max locked memory           (kbytes, -l) 64'],
    },
    strength: 'loud',
    at: ['ucx.log:1', 'ulimit.txt:1'],
    without: /Cannot allocate|locked memory/,
  },
  {
    id: 'memlock-limit',
    files: {
      'nccl.log': [
        'birch:31:77 [0] misc/ibvwrap.cc:278 NCCL WARN Call to ibv_reg_mr_iova2 failed with error Cannot allocate memory',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /Cannot allocate/,
  },
  {
    id: 'shm-too-small',
    files: {
      'nccl.log': [
        'birch:31:77 [1] misc/shmutils.cc:87 NCCL WARN Error: failed to extend /dev/shm/nccl-XyZ to 7340388 bytes, error: No space left on device (28)',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /failed to extend/,
  },
  {
    id: 'shm-too-small',
    files: {
      'df.txt': ['Filesystem      Size  Used Avail Use% Mounted on', 'tmpfs            64M   12K   64M   1% /dev/shm'],
    },
    strength: 'loud',
    at: ['df.txt:2'],
    without: /64M/,
  },
  {
    id: 'nccl-segfault',
    files: {
      'dmesg.txt': [
        '[99.000001] python3[77]: segfault at 10 ip 00007f7c sp 00007f7d error 4 in libnccl.so.2.21.5[7f7c000+6000]',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /segfault/,
  },
  {
    id: 'numa-nps-setting',
    files: {
      'lscpu.txt': [
        'Architecture:            x86_64',
        'Model name:              AMD EPYC 7763 64-Core Processor',
        'Socket(s):               2',
        'NUMA node(s):            2',
      ],
      'perftest.txt': [
        '                    RDMA_Write BW Test',
        ' #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]',
        ' 65536      5000             91.20              91.10              0.17',
      ],
    },
    strength: 'info',
    at: ['lscpu.txt:4'],
    without: /EPYC/,
  },
  {
    id: 'process-on-one-core',
    files: {
      'run.txt': [
        'birch$ mpirun --allow-run-as-root -np 16 --bind-to core -x NCCL_DEBUG ./all_reduce_perf -b 8 -e 1G -f 2',
      ],
    },
    strength: 'info',
    at: ['run.txt:1'],
    without: /mpirun/,
  },
  {
    id: 'process-not-numa-pinned',
    files: {
      'topo.txt': ['\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity', 'GPU0\t X \tSYS\t0-15\t0', 'GPU1\tSYS\t X \t16-31\t1'],
      'bw.txt': [
        'birch$ numactl --cpunodebind=1 --membind=1 ./bandwidthTest',
        '[CUDA Bandwidth Test] - Starting...',
        ' Host to Device Bandwidth, 1 Device(s)',
        ' PINNED Memory Transfers',
        '   Transfer Size (Bytes)\tBandwidth(GB/s)',
        '   32000000\t\t\t7.5',
      ],
    },
    strength: 'loud',
    at: ['bw.txt:1'],
    without: /numactl/,
  },
  {
    id: 'workaround-env-left',
    files: { 'env.txt': ['export NCCL_DEBUG=INFO', 'export NCCL_P2P_DISABLE=1'] },
    strength: 'loud',
    at: ['env.txt:2'],
    without: /P2P/,
  },
  {
    id: 'workaround-env-left',
    files: { 'run.txt': ['docker run --gpus all -e NCCL_NVLS_ENABLE=0 -e NCCL_DEBUG=WARN image:1 train'] },
    strength: 'loud',
    at: ['run.txt:1'],
    without: /NVLS/,
  },
  {
    // A container's list in Kubernetes.
    id: 'workaround-env-left',
    files: {
      'pod.yaml': [
        '      env:',
        '        - name: NCCL_P2P_DISABLE',
        '          value: "1"',
        '        - name: NCCL_DEBUG',
        '          value: WARN',
      ],
    },
    strength: 'loud',
    at: ['pod.yaml:3'],
    without: /NCCL_P2P/,
  },
  {
    id: 'workaround-env-left',
    files: { 'spec.json': ['"env": [{"name": "NCCL_NVLS_ENABLE", "value": "0"}]'] },
    strength: 'loud',
    at: ['spec.json:1'],
    without: /NVLS/,
  },
  {
    // All GPUs are on one node, and the program is bound to the other.
    id: 'process-not-numa-pinned',
    files: {
      'run.txt': ['$ numactl --cpunodebind=0 --membind=0 ./bandwidthTest --memory=pinned'],
      'topo.txt': ['\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity', 'GPU0\t X \tNV2\t32-63\t1', 'GPU1\tNV2\t X \t32-63\t1'],
    },
    strength: 'loud',
    at: ['run.txt:1'],
    without: /numactl/,
  },
  {
    id: 'shm-too-small',
    files: {
      'train.log': [
        'RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error. Perhaps its workers are out of shared memory.',
      ],
    },
    strength: 'loud',
    at: ['train.log:1'],
    without: /shared memory/,
  },
  {
    // A terminal in another language.
    id: 'gdrdrv-device-node-missing',
    files: {
      'lsmod.txt': ['gdrdrv                 28672  0'],
      'ls.txt': ["ls: 无法访问 '/dev/gdrdrv': 没有那个文件或目录"],
    },
    strength: 'loud',
    at: ['ls.txt:1'],
    without: /ls:/,
  },
  {
    // A terminal in another language.
    id: 'gdrdrv-device-node-missing',
    files: {
      'lsmod.txt': ['gdrdrv                 28672  0'],
      'ls.txt': ["ls: Zugriff auf '/dev/gdrdrv' nicht möglich: Datei oder Verzeichnis nicht gefunden"],
    },
    strength: 'loud',
    at: ['ls.txt:1'],
    without: /ls:/,
  },
  {
    // A terminal in another language.
    id: 'gdrdrv-device-node-missing',
    files: {
      'lsmod.txt': ['gdrdrv                 28672  0'],
      'ls.txt': ["ls: impossible d'accéder à '/dev/gdrdrv': Aucun fichier ou dossier de ce nom"],
    },
    strength: 'loud',
    at: ['ls.txt:1'],
    without: /ls:/,
  },
  {
    // A terminal in another language.
    id: 'gdrdrv-device-node-missing',
    files: {
      'lsmod.txt': ['gdrdrv                 28672  0'],
      'ls.txt': ["ls: '/dev/gdrdrv' にアクセスできません: そのようなファイルやディレクトリはありません"],
    },
    strength: 'loud',
    at: ['ls.txt:1'],
    without: /ls:/,
  },
  {
    // The end of gdscheck -p alone.
    id: 'iommu-on',
    files: { 'end.txt': [' ==============', ' PLATFORM INFO:', ' ==============', ' IOMMU: enabled'] },
    strength: 'loud',
    at: ['end.txt:4'],
    without: /IOMMU/,
  },
  {
    // Set by the program itself, and in what a launcher prints of it.
    id: 'workaround-env-left',
    files: {
      'train.py': ['import os', 'os.environ["NCCL_P2P_DISABLE"] = "1"'],
      'ray.log': ["runtime_env env_vars: {'NCCL_DEBUG': 'INFO', 'NCCL_P2P_DISABLE': '1'}"],
    },
    strength: 'loud',
    at: ['train.py:2', 'ray.log:1'],
    without: /P2P_DISABLE/,
  },
];
