import { messageFormat } from '../kit/messages.ts';

/** `cufile.log` of GPUDirect Storage, also where its lines stand in the output of a program. */
export const cufileLog = messageFormat({
  id: 'cufile-log',
  from: 'cufile',
  hints: [
    'peermem',
    'Inc-bar',
    'p2pdma',
    'PCIP2PDMA',
    'MAP ioctl',
    'NVMe Driver',
    'udev',
    'lock device',
    'dm-',
    'compat',
    'driver',
    'ot supported',
    'isabled',
    'udev_device',
    'file-system type',
    'volume attributes',
    'P2P',
    'for RDMA',
    'RDMA ready',
    'latform',
    'page table',
    'cuInit',
    'bar1 memory',
    'iommu=',
    'ACS enabled',
    'RDMA registration',
    'mount table',
    'inode flags',
    'ODIRECT',
    'direct IO not set',
    'cuFileBufRegister',
    'file checks',
    'configuration load',
    'could not start GDS',
    'open failed',
    'supported GPU',
    'file type',
    'onfig',
    'flags:',
  ],
  example: ' 11-10-2023 09:00:00:24 [pid=77 tid=77] ERROR  cufio-fs:199 NVMe Driver not registered with nvidia-fs!!!',
  prefix: /^\s*\d{1,2}-\d{1,2}-\d{4} \d{1,2}:\d{1,2}:\d{1,2}:\d{1,6} \[pid=\s*\d{1,9} tid=\s*\d{1,9}\s*\]/,
  topics: [
    { topic: 'peermem-not-loaded', pattern: /nvidia_peermem(?:\.ko)? is not loaded/ },
    { topic: 'map-refused', pattern: /nvidia-fs MAP ioctl failed\s*:\s*ioctl_return:\s*(-?\d{1,4})/ },
    { topic: 'gds-gpu', pattern: /not supported on (?:gpu index|current GPU)|does not have any supported GPU/ },
    { topic: 'p2pdma-off', pattern: /Config doesn't support PCIP2PDMA/i },
    { topic: 'bar-exhausted', pattern: /Inc-bar-usage failed/ },
    { topic: 'p2pdma-unsupported', pattern: /pci_p2pdma not supported|p2pdma.{0,60}errornum: 801/ },
    { topic: 'nvme-not-registered', pattern: /NVMe (?:RDMA d|D)river not registered with nvidia-fs/ },
    { topic: 'udev-missing', pattern: /udev property not found: (\w+)/ },
    {
      topic: 'block-device',
      pattern:
        /(?:[Uu]nsupported block device|[Bb]lock device.{0,60}(?:not|un)\s?supported|\bdm-\d{1,4}\b.{0,80}(?:[Uu]nsupported|not supported)|(?:[Uu]nsupported|not supported).{0,80}\bdm-\d{1,4}\b).*?((?:\/dev\/)?(?:dm-\d{1,4}|mapper\/\S{1,60})?)\s*$/,
    },
    {
      topic: 'compat-mode',
      pattern:
        /running in compatible mode|using cuFile posix read\/write with compat mode enabled|forcing cufile into compatible mode|cuFile using posix I\/O due to no bar1/,
    },
    {
      topic: 'driver-missing',
      pattern:
        /nvidia[-_]fs(?:\.ko)?(?: driver)?(?: is)? not (?:loaded|found)(?!, operating on (?:compatible and )?P2P)|check version: driver not loaded|failed to open \/proc\/driver\/nvidia-fs\/\w{1,20} error: No such file|NVFS driver (?:init|not)|cuFile driver init.{0,20}fail/,
    },
    {
      topic: 'gds-off',
      pattern: /Storage disabled by config on current file|cuFile support has been disabled for (.{2,80})/,
    },
    {
      topic: 'gds-version',
      pattern: /(?:nvidia[-_]fs|cufile) driver version mismatch|cannot verify nvidia_fs driver version/,
    },
    // A device number of 0:N is a file system without a device of its own.
    {
      topic: 'file-unsupported',
      pattern:
        /GPUDirect Storage not supported on current file|does not support file-system type|journal mode for device not supported|journal options not found|mount options not specified for device|RAID (?:level|member) not supported by cuFile|(?:SCSI|NVMesh|Scaleflux CSD) driver not registered with nvidia-fs|unsupported inode flags|udev_device for block device dev_no: 0:|HandleRegister error, unsupported file type/,
    },
    { topic: 'cuda-not-ready', pattern: /cuInit Failed, error CUDA_ERROR_SYSTEM_NOT_READY/ },
    { topic: 'gds-cuda', pattern: /cuInit Failed, error CUDA_ERROR_(\w{3,40})/ },
    { topic: 'iommu-gds', pattern: /GDS is not guaranteed to work .{0,60}iommu=/ },
    { topic: 'gds-acs', pattern: /Found ACS enabled for switch\s*:?\s*(\S{0,20})/ },
    {
      topic: 'bad-address',
      pattern: /RDMA registration failed pd:.{0,80}\blength:(\d{1,15}).{0,60}errno:\s*(?:Bad address|14\b)/,
    },
    { topic: 'gds-direct', pattern: /opened with unsupported flags|direct IO not set|ODIRECT fd create failed/ },
    { topic: 'gds-config', pattern: /configuration load error|failed to load (?:user )?config|invalid json config/ },
    { topic: 'gds-library', pattern: /unable to load library, could not start GDS/ },
    { topic: 'gds-node', pattern: /\bopen failed\. (?:error|Invalid device count)|driver or file access error/ },
    {
      topic: 'gds-buffer',
      pattern:
        /cuFileBufRegister error(?:, object allocation failed| registering buffer object for RDMA)|cufile buf registration error|needs RDMA support and buffer not RDMA ready/,
    },
    { topic: 'gds-platform', pattern: /platform is not supported by cufile|Platform verification failed/ },
    { topic: 'p2pdma-mode', pattern: /operating on (?:compatible and )?P2P mode|cuFile using \(?NVME P2PDMA/ },
    { topic: 'gds-file', pattern: /HandleRegister error, file checks failed|error getting volume attributes/ },
  ],
});
