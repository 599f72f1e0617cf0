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
    'not supported on',
  ],
  example: ' 11-10-2023 09:00:00:24 [pid=77 tid=77] ERROR  cufio-fs:199 NVMe Driver not registered with nvidia-fs!!!',
  prefix: /^\s*\d{1,2}-\d{1,2}-\d{4} \d{1,2}:\d{1,2}:\d{1,2}:\d{1,6} \[pid=\s*\d{1,9} tid=\s*\d{1,9}\s*\]/,
  topics: [
    { topic: 'peermem-not-loaded', pattern: /nvidia_peermem(?:\.ko)? is not loaded/ },
    { topic: 'map-refused', pattern: /nvidia-fs MAP ioctl failed\s*:\s*ioctl_return:\s*(-?\d{1,4})/ },
    { topic: 'p2pdma-off', pattern: /Config doesn't support PCIP2PDMA/i },
    { topic: 'bar-exhausted', pattern: /Inc-bar-usage failed/ },
    { topic: 'p2pdma-unsupported', pattern: /pci_p2pdma not supported|p2pdma.{0,60}errornum: 801/ },
    { topic: 'nvme-not-registered', pattern: /NVMe Driver not registered with nvidia-fs/ },
    { topic: 'udev-missing', pattern: /udev property not found: (\w+)/ },
    {
      topic: 'block-device',
      pattern:
        /(?:[Uu]nsupported block device|[Bb]lock device.{0,60}(?:not|un)\s?supported|\bdm-\d{1,4}\b.{0,80}(?:[Uu]nsupported|not supported)|(?:[Uu]nsupported|not supported).{0,80}\bdm-\d{1,4}\b).*?((?:\/dev\/)?(?:dm-\d{1,4}|mapper\/\S{1,60})?)\s*$/,
    },
    {
      topic: 'compat-mode',
      pattern: /running in compatible mode|using cuFile posix read\/write with compat mode enabled/,
    },
    {
      topic: 'driver-missing',
      pattern:
        /nvidia[-_]fs(?:\.ko)?(?: driver)?(?: is)? not (?:loaded|found)|failed to open \/proc\/driver\/nvidia-fs\/\w{1,20} error: No such file|NVFS driver (?:init|not)|cuFile driver init.{0,20}fail/,
    },
    { topic: 'file-unsupported', pattern: /GPUDirect Storage not supported on current file/ },
  ],
});
