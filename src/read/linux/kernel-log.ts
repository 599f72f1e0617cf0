import { messageFormat } from '../kit/messages.ts';

/** The kernel log: dmesg with any kind of time, /dev/kmsg records, journalctl -k, syslog. */
export const kernelLog = messageFormat({
  id: 'kernel-log',
  from: 'kernel',
  hints: [
    'symbol',
    'Xid',
    'fallen off',
    'segfault',
    'nv_get_p2p',
    'DMAR',
    'domain type',
    'iommu group',
    'AMD-Vi',
    'gdrdrv',
    'nvidia_p2p_get_pages',
    'available PCIe',
    'Hypervisor',
    'WC error:',
    '00000030:',
    'vendor syndrome',
    'Health issue observed',
    'limits exceeded',
    'no resources',
    'health compromised',
    'Fatal error',
    'Internal error detected',
    'firmware internal error',
    'page table version',
    'API mismatch',
    'InitAdapter',
    'RxDetLink',
    'AER:',
    'Port module event',
  ],
  example: '[   12.345678] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.',
  prefix:
    /^(?:\[\s*\d{1,9}\.\d{6}\](?! \[)|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}\]|<\d{1,3}>\[|\d{1,3},\d{1,12},\d{1,16},[-a-z=,]{1,20};|(?:kern|daemon|user|syslog)\s*:\w{3,7}\s*:|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \S{1,60} kernel:|\d{4}-\d\d-\d\dT\S{8,30} \S{1,60} kernel:)/,
  leave: /ommand line:|NVIDIA UNIX/,
  topics: [
    {
      topic: 'symbol',
      pattern: /([\w-]{2,40}): (disagrees about version of symbol|no symbol version for|Unknown symbol) (\w{2,80})/,
    },
    { topic: 'xid', pattern: /NVRM: Xid \(PCI:([0-9a-fA-F:.]{4,16})\): (\d{1,4})\b/ },
    { topic: 'gpu-gone', pattern: /NVRM: (?:GPU ([0-9a-fA-F:.]{7,16}): GPU has )?fallen off the bus/ },
    { topic: 'driver-mismatch', pattern: /NVRM: API mismatch: the client has/ },
    { topic: 'adapter-init', pattern: /NVRM: .{0,60}RmInitAdapter failed/ },
    { topic: 'sxid', pattern: /SXid \(PCI:([0-9a-fA-F:.]{4,16})\): (\d{4,6})/ },
    { topic: 'nccl-segfault', pattern: /segfault at .{1,200} in (libnccl\.so[\w.]*)/ },
    { topic: 'peermem-context', pattern: /nv_get_p2p_free_callback.{0,20}ERROR detected invalid context/ },
    { topic: 'iommu-on', pattern: /DMAR: IOMMU enabled/ },
    { topic: 'iommu-off', pattern: /DMAR: IOMMU disabled|AMD-Vi: AMD IOMMU disabled/ },
    { topic: 'iommu-translated', pattern: /Default domain type: Translated/ },
    { topic: 'iommu-passthrough', pattern: /Default domain type: Passthrough/ },
    {
      topic: 'iommu-at-work',
      pattern:
        /Adding to iommu group|AMD-Vi: (?:Found IOMMU|Interrupt remapping enabled|Extended features)|DMAR: Intel\(R\) Virtualization Technology for Directed I\/O/,
    },
    {
      topic: 'iommu-fault',
      pattern: /DMAR: \[(?:DMA|INTR)[^\]]*\] Request device|AMD-Vi: Event logged \[IO_PAGE_FAULT/,
    },
    {
      topic: 'gdr-pin',
      pattern:
        /gdrdrv:\w{1,40}:nvidia_p2p_get_pages\(.{0,200}\) failed \[ret = -\d{1,3}\]|nvidia-fs:\w{1,40}:\d{1,5} Error ret -22 invoking nvidia_p2p_get_pages/,
    },
    { topic: 'page-table', pattern: /\b(nvidia-fs|gdrdrv):.{0,60}[Ii]ncompatible page table version/ },
    // The GPU could not learn which of its NVLinks have a partner.
    { topic: 'nvlink-detect', pattern: /NVRM: knvlink\w{0,60}RxDetLink\w{0,40}:.{0,80}failed/ },
    { topic: 'gdrdrv-flavour', pattern: /gdrdrv.{0,60}built for (\w+) NVIDIA driver/ },
    {
      topic: 'pcie-limited',
      pattern:
        /([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d): [\d.]+ Gb\/s available PCIe bandwidth, limited by .{3,20} PCIe x(\d{1,2}) link at \S{1,20} \(capable of [\d.]+ Gb\/s with .{3,20} PCIe x(\d{1,2}) link\)/,
    },
    // Transfers of the kernel's own queues; older kernels print the entry alone, the newest line of it holds the syndrome.
    { topic: 'wc-status', pattern: /\(pid \d{1,10}\): WC error: (\d{1,3}), [Mm]essage: / },
    {
      topic: 'wc-syndrome',
      pattern:
        /\b00000030: (?:[0-9a-f]{2} ){7}([0-9a-f]{2}) (?:[0-9a-f]{2} ){7}[de][0-9a-f]\s*$|\(pid \d{1,10}\): syndrome 0x([0-9a-f]{1,2}), vendor syndrome /,
    },
    // The card's firmware stopped, or does not answer; what it merely warns of has a number above 3.
    {
      topic: 'nic-firmware',
      pattern:
        /mlx[45]_core ([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d)\b.{0,120}(?:Health issue observed, [\w ]{1,60}, severity\([0-3]\)|synd 0x[0-9a-f]{1,2}: (?:firmware internal error|irisc not responding)|device's health compromised|Fatal error \d{1,3} detected|Internal error detected)/,
    },
    // Any program's queues and doorbells: what the card has of them is given away.
    {
      topic: 'nic-resources',
      pattern:
        /\(pid \d{1,10}\): (\w{3,40})\(0x\w{1,6}\) op_mod\(0x\w{1,6}\) failed, status (?:limits exceeded|no resources)/,
    },
    // What was corrected was sent again, and cost nothing else.
    {
      topic: 'pcie-error',
      pattern:
        /(?:AER: (?:Multiple )?Uncorrect(?:ed|able) \((?:Non-)?Fatal\) error|severity=Uncorrect(?:ed|able) \((?:Non-)?Fatal\))/,
    },
    { topic: 'nic-module', pattern: /Port module event\[error\]: module \d{1,3}, Cable error, (\w[\w ()/]{2,80})/ },
    { topic: 'hypervisor', pattern: /Hypervisor detected: (\w+)/ },
  ],
});
