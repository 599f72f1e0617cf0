import type { Case } from '../case.ts';

const check = (nvme: string, ...more: readonly string[]): string[] => [
  ' GDS release version: 1.13.1.3',
  ' nvidia_fs version:  2.25 libcufile version: 2.12',
  ' Platform: x86_64',
  ' ============',
  ' ENVIRONMENT:',
  ' ============',
  ' =====================',
  ' DRIVER CONFIGURATION:',
  ' =====================',
  ` NVMe               : ${nvme}`,
  ' NVMeOF             : Unsupported',
  ' WekaFS             : Unsupported',
  ' Userspace RDMA     : Unsupported',
  ' =====================',
  ' CUFILE CONFIGURATION:',
  ' =====================',
  ...more,
];

export const gdsCases: readonly Case[] = [
  {
    id: 'gds-compat-mode',
    files: {
      'app.log': [
        'starting',
        ' 03-11-2025 09:00:00:100 [pid=9 tid=9] WARN   cufio:1060 using cuFile posix read/write with compat mode enabled',
      ],
    },
    strength: 'loud',
    at: ['app.log:2'],
    without: /compat mode/,
  },
  {
    id: 'gds-compat-mode',
    files: { 'out.txt': ['[Info] running in compatible mode'] },
    strength: 'loud',
    at: ['out.txt:1'],
    without: /compatible/,
  },
  {
    id: 'gds-compat-mode',
    files: { 'gdscheck.txt': check('Unsupported', ' properties.use_compat_mode : true') },
    strength: 'loud',
    at: ['gdscheck.txt:17'],
    without: /use_compat_mode/,
    also: ['gds-nvme-unsupported'],
  },
  {
    id: 'gds-driver-not-loaded',
    files: {
      'lsmod.txt': ['Module                  Size  Used by', 'nvidia              56717312  2 nvidia_uvm'],
      'gdscheck.txt': check('Unsupported', ' properties.use_compat_mode : false').filter(
        (l) => !l.includes('nvidia_fs'),
      ),
    },
    strength: 'loud',
    without: /file lsmod/,
    also: ['gds-nvme-unsupported'],
  },
  {
    id: 'gds-nvme-unsupported',
    files: { 'gdscheck.txt': check('Unsupported', ' properties.use_compat_mode : false') },
    strength: 'loud',
    at: ['gdscheck.txt:10'],
    without: /NVMe {2}/,
  },
  {
    // Marked in an issue's text.
    id: 'gds-nvme-unsupported',
    files: {
      'issue.md': [
        ' ============',
        ' DRIVER CONFIGURATION:',
        ' **NVMe               : Unsupported**',
        ' NVMeOF             : Unsupported',
      ],
    },
    strength: 'loud',
    at: ['issue.md:3'],
    without: /NVMe {2}/,
  },
  {
    id: 'gds-p2pdma-unsupported',
    files: {
      'gdscheck.txt': [...check('Unsupported'), ' properties.use_pci_p2pdma : true'].toSpliced(
        9,
        0,
        ' NVMe P2PDMA        : Unsupported',
      ),
    },
    strength: 'loud',
    at: ['gdscheck.txt:10'],
    without: /P2PDMA/,
    also: ['gds-nvme-unsupported'],
  },
  {
    id: 'gds-p2pdma-unsupported',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:200 [pid=5 tid=5] DEBUG  cufio-drv:796 gpu attribute pci_p2pdma not supported errornum: 801 error:  CUDA_ERROR_NOT_SUPPORTED',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /p2pdma/,
  },
  {
    id: 'gds-file-register-failed',
    files: {
      'gdsio.txt': ['file register error: GPUDirect Storage not supported on current file filename:/scratch/x.0'],
    },
    strength: 'loud',
    at: ['gdsio.txt:1'],
    without: /not supported/,
  },
  {
    id: 'gds-nvme-driver-not-patched',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:7 [pid=5 tid=5] ERROR  cufio-fs:199 NVMe Driver not registered with nvidia-fs!!!',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /NVMe Driver/,
  },
  {
    // Old lines say the driver was missing; the last shows that it is there and lacks NVMe.
    id: 'gds-nvme-driver-not-patched',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:7 [pid=5 tid=5] ERROR  cufio-drv:716 nvidia-fs.ko driver not loaded',
        ' 04-11-2025 09:00:00:7 [pid=6 tid=6] ERROR  cufio-fs:199 NVMe Driver not registered with nvidia-fs!!!',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:2'],
    without: /NVMe Driver/,
  },
  {
    id: 'gds-driver-not-loaded',
    files: {
      'cufile.log': [' 03-11-2025 09:00:00:7 [pid=5 tid=5] ERROR  cufio-drv:716 nvidia-fs.ko driver not loaded'],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /not loaded/,
  },
  {
    id: 'gds-udev-missing-in-container',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:7 [pid=5 tid=5] INFO  cufio-drv:1 opened',
        ' 03-11-2025 09:00:00:8 [pid=5 tid=5] ERROR  cufio-fs:739 udev property not found: ID_FS_USAGE nvme1n1',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:2'],
    without: /udev/,
  },
  {
    id: 'gds-unsupported-block-device',
    files: {
      'cufile.log': [' 03-11-2025 09:00:00:8 [pid=5 tid=5] ERROR  cufio-fs:408 Unsupported block device: dm-0'],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /dm-0/,
  },
  {
    id: 'gds-unsupported-block-device',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:8 [pid=5 tid=5] NOTICE  cufio-fs:411 dm-3 not supported for GDS, device mapper volume',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /dm-3/,
  },
  {
    id: 'bar1-too-small',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:01:316 [pid=7 tid=9] ERROR  0:1072 Inc-bar-usage failed: size 524288000 remaining bytes 100',
      ],
      'q.txt': [
        'GPU 00000000:17:00.0',
        '    Product Name                          : NVIDIA A10',
        '    BAR1 Memory Usage',
        '        Total                             : 256 MiB',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1', 'q.txt:4'],
    without: /Inc-bar/,
  },
  {
    id: 'gds-gpu-memory-refused',
    files: {
      'cufile.log': [
        ' 29-12-2025 13:30:14:51 [pid=77 tid=78] ERROR  0:522 nvidia-fs MAP ioctl failed : ioctl_return: -22 ioctl_ret: -1',
        ' 29-12-2025 13:30:14:51 [pid=77 tid=78] ERROR  0:555 map failed',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /MAP ioctl/,
  },
  {
    id: 'gds-versions-differ',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:100 [pid=9 tid=9] ERROR  cufio-drv:291 nvidia_fs driver version mismatch. api supported driver major version: 2',
        ' 03-11-2025 09:00:00:101 [pid=9 tid=9] ERROR  cufio:583 cuFile initialization failed',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /mismatch/,
  },
  {
    id: 'gds-disabled-by-config',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:100 [pid=9 tid=9] ERROR  cufio-fs:612 cuFile support has been disabled for filesystem: ext4',
        ' 03-11-2025 09:00:00:101 [pid=9 tid=9] ERROR  cufio:339 cuFileHandleRegister error: GPUDirect Storage disabled by config on current file',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /disabled/,
  },
  {
    id: 'gds-file-register-failed',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:100 [pid=9 tid=9] ERROR  cufio-fs:644 cuFile does not support file-system type: btrfs',
        ' 03-11-2025 09:00:00:101 [pid=9 tid=9] ERROR  cufio:297 cuFileHandleRegister error, file checks failed',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /file-system type/,
  },
  {
    id: 'gds-gpu-memory-refused',
    files: {
      'cufile.log': [
        ' 03-11-2025 09:00:00:100 [pid=9 tid=9] ERROR  cufio_core:1640 cuFileBufRegister error, GPUDirect Storage not supported on gpu index: 0',
      ],
    },
    strength: 'loud',
    at: ['cufile.log:1'],
    without: /gpu index/,
  },
  {
    // The driver was updated below a module that DKMS did not build again.
    id: 'kernel-module-symbol-mismatch',
    files: {
      'dmesg.txt': ['[ 1934.037509] nvidia-fs:nvfs_pin_gpu_pages:1383 Incompatible page table version 0x00020000'],
    },
    strength: 'loud',
    at: ['dmesg.txt:1'],
    without: /page table/,
  },
];
