import type { Case } from '../case.ts';

const bridge = (address: string, from: string, acs: string): string[] => [
  `${address} PCI bridge: Advanced Micro Devices, Inc. [AMD] Starship/Matisse GPP Bridge (prog-if 00 [Normal decode])`,
  `\tBus: primary=00, secondary=${from}, subordinate=${from}, sec-latency=0`,
  '\tCapabilities: [58] Express (v2) Root Port (Slot+), MSI 00',
  `\t\tACSCtl:\t${acs} EgressCtrl- DirectTrans-`,
  '',
];
const on = 'SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+';
const validating = 'SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd-';
const gpu = (address: string): string => `${address} 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)`;

const flat = ['GPU0', 'GPU1', 'GPU2', 'GPU3'].map(
  (name, i) => `${name}\t${[0, 1, 2, 3].map((j) => (i === j ? ' X ' : 'NV18')).join('\t')}\tPHB\tPHB\t0-95\t0`,
);

const topo = (uplink: string, width: string): string[] => [
  '<system version="1">',
  '  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">',
  `    <pci busid="0000:10:00.0" class="0x060400" link_speed="${uplink}" link_width="${width}">`,
  '      <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/>',
  '      <pci busid="0000:12:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16"/>',
  '    </pci>',
  '  </cpu>',
  '</system>',
];

export const topologyCases: readonly Case[] = [
  {
    id: 'acs-enabled',
    files: { 'lspci.txt': [...bridge('00:01.1', '17', on), gpu('17:00.0')] },
    strength: 'loud',
    at: ['lspci.txt:4'],
    without: /ACSCtl/,
  },
  {
    id: 'acs-enabled',
    files: {
      'grep.txt': [
        `                ACSCtl: ${on} EgressCtrl- DirectTrans-`,
        `                ACSCtl: ${validating} EgressCtrl- DirectTrans-`,
      ],
    },
    strength: 'loud',
    at: ['grep.txt:1'],
    without: /ReqRedir\+/,
  },
  {
    // What a script that reads the registers prints.
    id: 'acs-enabled',
    files: {
      'setpci.txt': ['0000:00:07.1 (ecap 000d @2a0) @2a6 = 0000', '0000:40:01.1 (ecap 000d @2a0) @2a6 = 001d'],
    },
    strength: 'loud',
    at: ['setpci.txt:2'],
    without: /001d/,
  },
  {
    // The tree tells what hangs below; the verbose form was cut.
    id: 'acs-enabled',
    files: {
      'vvv.txt': [...bridge('40:01.1', '41', on).filter((l) => !l.includes('Bus:')), gpu('41:00.0')],
      'tv.txt': [
        '-[0000:40]-+-00.0  Advanced Micro Devices, Inc. [AMD] Starship/Matisse Root Complex',
        '            \\-01.1-[41]----00.0  NVIDIA Corporation GH100',
      ],
    },
    strength: 'loud',
    at: ['vvv.txt:3'],
    without: /ACSCtl/,
  },
  {
    id: 'acs-redirect-off-path',
    files: {
      'lspci.txt': [
        ...bridge('00:01.1', '17', validating),
        ...bridge('00:03.1', '18', on),
        ...bridge('00:05.1', '19', on),
        gpu('17:00.0'),
        '18:00.0 Non-Volatile memory controller: Samsung Electronics Co Ltd NVMe SSD Controller',
        '19:00.0 Bridge: NVIDIA Corporation GH100 [H100 NVSwitch] (rev a1)',
      ],
    },
    strength: 'info',
    at: ['lspci.txt:9'],
    without: /ReqRedir\+/,
  },
  {
    id: 'acs-srcvalid-only',
    files: { 'lspci.txt': [...bridge('00:01.1', '17', validating), gpu('17:00.0')] },
    strength: 'info',
    at: ['lspci.txt:4'],
    without: /SrcValid\+/,
  },
  {
    id: 'vm-flat-topology-needs-topo-file',
    files: {
      'topo.txt': [
        '\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity',
        ...flat,
        'NIC0\tPHB\tPHB\tPHB\tPHB\t X \tPHB\t\t',
        'NIC1\tPHB\tPHB\tPHB\tPHB\tPHB\t X \t\t',
      ],
    },
    strength: 'loud',
    at: ['topo.txt:2'],
    without: /^NIC|GPU0/,
  },
  {
    id: 'vm-flat-topology-needs-topo-file',
    files: {
      'nn.txt': [
        '00:02.0 PCI bridge [0604]: Red Hat, Inc. QEMU PCIe Root port [1b36:000c]',
        '06:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)',
        '07:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)',
        '08:00.0 Infiniband controller [0207]: Mellanox Technologies ConnectX Family mlx5Gen Virtual Function [15b3:101e]',
      ],
    },
    strength: 'loud',
    at: ['nn.txt:1'],
    without: /QEMU/,
  },
  {
    // One GPU: nothing to pair badly.
    id: 'vm-flat-topology-needs-topo-file',
    files: {
      'nn.txt': [
        '00:02.0 PCI bridge [0604]: Red Hat, Inc. QEMU PCIe Root port [1b36:000c]',
        '06:00.0 3D controller [0302]: NVIDIA Corporation GA102GL [A10] [10de:2236] (rev a1)',
      ],
    },
    strength: 'info',
    at: ['nn.txt:1'],
    without: /QEMU/,
  },
  {
    id: 'topo-file-bottleneck',
    files: { 'topo.xml': topo('2.5 GT/s PCIe', '1') },
    strength: 'loud',
    at: ['topo.xml:3'],
    without: /2\.5/,
  },
  {
    id: 'topo-file-bottleneck',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO === System : maxBw 48.0 totalBw 48.0 ===',
        'birch:31:77 [0] NCCL INFO CPU/0-0 (1/1/3)',
        'birch:31:77 [0] NCCL INFO + PCI[0.2] - PCI/0-10000 (0)',
        'birch:31:77 [0] NCCL INFO              + PCI[48.0] - GPU/0-11000 (0)',
        'birch:31:77 [0] NCCL INFO ==========================================',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /0\.2\]/,
  },
  {
    id: 'topo-file-suspicious-link-speed',
    files: { 'topo.xml': topo('5.0 GT/s PCIe', '16') },
    strength: 'info',
    at: ['topo.xml:3'],
    without: /5\.0 GT/,
  },
  {
    id: 'topo-xml-empty-link-speed',
    files: {
      'topo.xml': [
        '<system version="1"><cpu numaid="0">',
        '<pci busid="0001:00:00.0" class="0x030200" link_speed="" link_width="0"><gpu dev="0" sm="80" rank="0" gdr="1"/></pci>',
        '</cpu></system>',
      ],
    },
    strength: 'info',
    at: ['topo.xml:2'],
    without: /link_speed=""/,
  },
  {
    // A loop over bridges that prints the address and the register that setpci reads.
    id: 'acs-enabled',
    files: {
      'acs.txt': [
        '# for b in $(cat bridges); do echo -n "$b "; setpci -s $b ECAP_ACS+6.w; done',
        '20:01.1 0000',
        '60:01.1 001d',
      ],
    },
    strength: 'loud',
    at: ['acs.txt:3'],
    without: /001d/,
  },
];
