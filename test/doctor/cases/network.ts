import type { Case } from '../case.ts';

const ibstat = (device: string, type: string, state: string, physical: string, rate: number, sm = 3): string[] => [
  `CA '${device}'`,
  `\tCA type: ${type}`,
  '\tNumber of ports: 1',
  '\tPort 1:',
  `\t\tState: ${state}`,
  `\t\tPhysical state: ${physical}`,
  `\t\tRate: ${rate}`,
  '\t\tBase lid: 7',
  `\t\tSM lid: ${sm}`,
  '\t\tLink layer: InfiniBand',
];

const devinfo = (mtu: number, gids: readonly string[] = []): string[] => [
  'hca_id:\tmlx5_4',
  '\ttransport:\t\t\tInfiniBand (0)',
  '\t\tport:\t1',
  '\t\t\tstate:\t\t\tPORT_ACTIVE (4)',
  '\t\t\tmax_mtu:\t\t4096 (5)',
  `\t\t\tactive_mtu:\t\t${mtu} (${mtu === 4096 ? 5 : 3})`,
  '\t\t\tlink_layer:\t\tEthernet',
  ...gids.map((g, i) => `\t\t\tGID[  ${i}]:\t\t${g}`),
];

const gids = [
  'fe80:0000:0000:0000:0000:00ff:fe00:0007, RoCE v1',
  'fe80::ff:fe00:7, RoCE v2',
  '0000:0000:0000:0000:0000:ffff:c000:0207, RoCE v1',
  '::ffff:192.0.2.7, RoCE v2',
];

const mlxlink = (state: string, physical: string, speed: string, more: readonly string[] = []): string[] => [
  '$ sudo mlxlink -d mlx5_4 -c',
  '',
  'Operational Info',
  '----------------',
  `State                              : ${state} `,
  `Physical state                     : ${physical} `,
  `Speed                              : ${speed} `,
  'Width                              : 4x ',
  '',
  'Supported Info',
  '--------------',
  'Enabled Link Speed                 : 0x00000071 (HDR,EDR,FDR,SDR) ',
  ...more,
];

const table = (collapse: boolean): string[] => [
  '# nThread 1 nGpus 1 minBytes 1048576 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0',
  '#  Rank  0 Group  0 Pid      7 on      birch device  0 [0x1b] NVIDIA A100-SXM4-80GB',
  '#  Rank  1 Group  0 Pid      8 on        ash device  0 [0x1b] NVIDIA A100-SXM4-80GB',
  '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong',
  '     1048576        262144     float     sum      -1    180.0    5.80    5.80      0    180.0    5.80    5.80      0',
  '     2097152        524288     float     sum      -1    210.0   10.00   10.00      0    210.0   10.00   10.00      0',
  ...[4, 8, 16].map((m) => {
    const bw = collapse ? ' 0.30' : '18.00';
    return `${String(m * 1048576).padStart(12)}       1048576     float     sum      -1   9000.0   ${bw}   ${bw}      0   9000.0   ${bw}   ${bw}      0`;
  }),
  '# Out of bounds values : 0 OK',
  '# Avg bus bandwidth    : 3.5 ',
];

const socket = (network: string, ...more: readonly string[]): string[] => [
  ...more,
  'birch:31:77 [0] NCCL INFO Using network Socket',
  `ash:31:31 [0] NCCL INFO ${network}`,
  'ash:31:77 [0] NCCL INFO Using network Socket',
];

/** Two ranks as NCCL starts them, and how it joins them. */
export const twoRanks = (hosts: readonly [string, string], nodes: number, via: string): string[] => [
  ...hosts.flatMap((host, rank) => [
    `${host}:3${rank}:77 [0] NCCL INFO ncclCommInitRank comm 0x5${rank} rank ${rank} nranks 2 cudaDev 0 nvmlDev ${rank} busId ${rank + 1}b000 commId 0xbeef - Init START`,
    `${host}:3${rank}:77 [0] NCCL INFO comm 0x5${rank} rank ${rank} nRanks 2 nNodes ${nodes} localRanks ${2 / nodes} localRank ${nodes === 1 ? rank : 0} MNNVL 0`,
  ]),
  `${hosts[0]}:30:77 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via ${via}`,
];

export const networkCases: readonly Case[] = [
  {
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth7',
        'birch:31:31 [0] bootstrap.cc:37 NCCL WARN Bootstrap : no socket interface found',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /WARN/,
  },
  {
    id: 'containers-apart',
    files: {
      'ucc.log': [
        '[1723337199.099229] [birch:1382 :0]     tl_shm_team.c:617  TL_SHM ERROR Child failed to attach to shmseg, errno: Invalid argument',
      ],
    },
    strength: 'loud',
    at: ['ucc.log:1'],
    without: /TL_SHM/,
  },
  {
    id: 'containers-apart',
    files: { 'nccl.log': twoRanks(['birch', 'ash'], 1, 'NET/IB/0/GDRDMA') },
    strength: 'loud',
    at: ['nccl.log:5'],
    without: /Channel/,
  },
  {
    id: 'containers-apart',
    files: { 'nccl.log': twoRanks(['birch', 'birch'], 1, 'NET/Socket/0') },
    strength: 'loud',
    at: ['nccl.log:5'],
    without: /Channel/,
  },
  {
    id: 'efa-peer-unreachable',
    files: {
      'nccl.log': [
        'birch:35:89 [5] NCCL INFO NET/OFI Selected Provider is efa',
        'birch:35:89 [5] ofi_process_cq:1039 NCCL WARN NET/OFI Request 0x7fbb944701b8 completed with error. RC: 20. Error: unknown error. Completed length: 0',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /RC: 20/,
  },
  {
    id: 'efa-peer-unreachable',
    files: {
      'fi.log': [
        'libfabric:35:1668017255::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 113, message: Unreachable remote (never received a response) My EFA addr: fi_addr_efa://[fe80::1]:0:1072483550',
      ],
    },
    strength: 'loud',
    at: ['fi.log:1'],
    without: /Unreachable/,
  },
  {
    id: 'nic-firmware-error',
    files: {
      'dmesg.txt': [
        '[  12.000000] mlx5_core 0000:1a:00.0: firmware version: 28.39.1002',
        '[ 912.100000] mlx5_core 0000:1a:00.0: print_health_info:425:(pid 912): Health issue observed, firmware internal error, severity(3) ERROR:',
        '[ 912.100001] mlx5_core 0000:1a:00.0: print_health_info:429:(pid 912): assert_var[0] 0x08040700',
      ],
    },
    strength: 'loud',
    at: ['dmesg.txt:2'],
    without: /Health issue/,
  },
  {
    id: 'nic-firmware-error',
    files: {
      'nccl.log': [
        'birch:31:77 [0] transport/net_ib.cu:80 NCCL WARN NET/IB : Got async event : local catastrophic error',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /catastrophic/,
  },
  {
    id: 'nic-port-down',
    files: {
      'ibstat.txt': [
        ...ibstat('mlx5_0', 'MT4129', 'Active', 'LinkUp', 400),
        ...ibstat('mlx5_4', 'MT4129', 'Down', 'Polling', 10),
      ],
    },
    strength: 'loud',
    at: ['ibstat.txt:15'],
    without: /Down|Polling/,
  },
  {
    id: 'nic-port-down',
    files: {
      'ibstat.txt': [
        ...ibstat('mlx5_0', 'MT4129', 'Active', 'LinkUp', 400),
        ...ibstat('mlx5_4', 'MT4125', 'Down', 'Disabled', 40).map((l) => l.replace('InfiniBand', 'Ethernet')),
      ],
    },
    strength: 'info',
    at: ['ibstat.txt:15'],
    without: /Down|Disabled/,
  },
  {
    id: 'nic-port-down',
    files: {
      'ibstat.txt': [
        ...ibstat('mlx5_0', 'MT4129', 'Active', 'LinkUp', 400),
        ...ibstat('mlx5_4', 'MT4125', 'Down', 'Disabled', 40).map((l) => l.replace('InfiniBand', 'Ethernet')),
      ],
      'env.txt': ['NCCL_IB_HCA=mlx5_0,mlx5_4'],
    },
    strength: 'loud',
    at: ['ibstat.txt:15'],
    without: /Down|Disabled/,
  },
  {
    id: 'nic-port-down',
    files: { 'link.txt': ['link mlx5_4/1 state DOWN physical_state DISABLED netdev ens4 '] },
    strength: 'loud',
    at: ['link.txt:1'],
    without: /DOWN/,
  },
  {
    id: 'nic-port-down',
    files: {
      'status.txt': [
        "Infiniband device 'mlx5_4' port 1 status:",
        '\tsm lid:\t\t 0x0',
        '\tstate:\t\t 1: DOWN',
        '\tphys state:\t 3: Disabled',
        '\trate:\t\t 10 Gb/sec (4X)',
        '\tlink_layer:\t InfiniBand',
      ],
    },
    strength: 'loud',
    at: ['status.txt:3'],
    without: /DOWN/,
  },
  {
    id: 'nic-port-down',
    files: { 'link.txt': mlxlink('Polling', 'Polling', 'N/A') },
    strength: 'loud',
    at: ['link.txt:5'],
    without: /Polling/,
  },
  {
    // A cable of the last generation holds the link back.
    id: 'nic-link-degraded',
    files: {
      'link.txt': mlxlink('Active', 'LinkUp', 'IB-EDR', [
        'Supported Cable Speed              : 0x0000003f (EDR,FDR,FDR10,QDR,DDR,SDR) ',
      ]),
    },
    strength: 'loud',
    at: ['link.txt:7', 'link.txt:13'],
    without: /IB-EDR/,
  },
  {
    id: 'nic-link-flapping',
    files: {
      'link.txt': mlxlink('Active', 'LinkUp', 'IB-HDR', [
        '',
        'Physical Counters and BER Info',
        '------------------------------',
        'Effective Physical BER             : 15E-255 ',
        'Link Down Counter                  : 63 ',
      ]),
    },
    strength: 'loud',
    at: ['link.txt:17'],
    without: /Link Down/,
  },
  {
    id: 'pcie-link-width-degraded',
    files: {
      'slot.txt': [
        '$ sudo mlxlink -d 41:00.0 --port_type PCIE',
        'PCIe Operational (Enabled) Info',
        '-------------------------------',
        'Depth, pcie index, node            : 0, 0, 0 ',
        'Link Speed Active (Enabled)        : 16G-Gen 4 (16G-Gen 4) ',
        'Link Width Active (Enabled)        : 8X (16X) ',
      ],
    },
    strength: 'loud',
    at: ['slot.txt:6'],
    without: /Width Active/,
  },
  {
    id: 'nic-no-subnet-manager',
    files: { 'ibstat.txt': ibstat('mlx5_4', 'MT4123', 'Initializing', 'LinkUp', 200, 0) },
    strength: 'loud',
    at: ['ibstat.txt:5'],
    without: /Initializing/,
  },
  {
    id: 'nic-missing',
    files: {
      'ibstat.txt': [
        ...ibstat('mlx5_0', 'MT4129', 'Active', 'LinkUp', 400),
        "ibpanic: [71] main: stat of IB device 'mlx5_4' failed: No such file or directory",
      ],
    },
    strength: 'loud',
    at: ['ibstat.txt:11'],
    without: /stat of/,
  },
  {
    id: 'nic-missing',
    files: { 'ibstat.txt': ["ibstat: stat of IB device 'mlx5_4' failed: Invalid argument"] },
    strength: 'loud',
    at: ['ibstat.txt:1'],
    without: /stat of/,
  },
  {
    id: 'nic-link-degraded',
    files: {
      'ibstat.txt': [
        ...ibstat('mlx5_0', 'MT4129', 'Active', 'LinkUp', 400),
        ...ibstat('mlx5_4', 'MT4129', 'Active', 'LinkUp', 200),
      ],
    },
    strength: 'loud',
    at: ['ibstat.txt:17'],
    without: /mlx5_0|Rate: 400/,
  },
  {
    id: 'nic-link-flapping',
    files: {
      'counters.txt': [
        '/sys/class/infiniband/mlx5_4/ports/1/counters/link_downed:255',
        '/sys/class/infiniband/mlx5_4/ports/1/counters/symbol_error:0',
      ],
    },
    strength: 'loud',
    at: ['counters.txt:1'],
    without: /link_downed/,
  },
  {
    id: 'nic-link-flapping',
    files: {
      'perfquery.txt': [
        '# Port counters: Lid 7 port 1 (CapMask: 0x5A00)',
        'SymbolErrorCounter:..............0',
        'LinkDownedCounter:...............255',
      ],
    },
    strength: 'loud',
    at: ['perfquery.txt:3'],
    without: /LinkDowned/,
  },
  {
    id: 'nic-link-flapping',
    files: {
      'nccl.log': ['birch:31:77 [0] transport/net_ib.cc:90 NCCL WARN NET/IB : mlx5_4:1 Got async event : port error'],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /port error/,
  },
  {
    id: 'nic-set-differs-between-nodes',
    files: {
      'node1.txt': ['mlx5_0 port 1 ==> ens0 (Up)', 'mlx5_3 port 1 ==> ens3 (Up)'],
      'node2.txt': ['mlx5_0 port 1 ==> ens0 (Up)', 'mlx5_4 port 1 ==> ens4 (Up)'],
    },
    strength: 'loud',
    at: ['node2.txt:2'],
    without: /file node1/,
  },
  {
    id: 'mtu-mismatch',
    files: { 'node1.txt': devinfo(4096), 'node2.txt': devinfo(1024) },
    strength: 'loud',
    at: ['node2.txt:6'],
    without: /active_mtu/,
    also: ['roce-mtu-small'],
  },
  {
    // The error says nothing of the MTU; what differs explains it.
    id: 'mtu-mismatch',
    files: {
      'a.txt': devinfo(4096, gids),
      'b.txt': devinfo(2048, gids),
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NET/IB : Using [0]mlx5_4:1/RoCE [RO]; OOB ens1:192.0.2.11<0>',
        'birch:31:77 [0] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, opcode 0, len 0, vendor err 129',
      ],
    },
    strength: 'loud',
    at: ['b.txt:6'],
    without: /active_mtu/,
  },
  {
    id: 'roce-gid-index-differs-between-nodes',
    files: {
      'node1.txt': devinfo(4096, gids),
      'node2.txt': devinfo(4096, [gids[0]!, gids[1]!, gids[3]!.replace('2.7', '2.8')]),
    },
    strength: 'loud',
    at: ['node2.txt:10'],
    without: /GID\[/,
  },
  {
    // Two tables in one paste.
    id: 'roce-gid-index-differs-between-nodes',
    files: {
      'issue.txt': [
        'one of them:',
        'mlx5_4\t1\t5\t0000:0000:0000:0000:0000:ffff:c000:0207\t192.0.2.7  \tv2\tnet1',
        'but the other',
        'DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV',
        '---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---',
        'mlx5_4\t1\t7\t0000:0000:0000:0000:0000:ffff:c000:0208\t192.0.2.8  \tv2\tnet1',
      ],
    },
    strength: 'loud',
    at: ['issue.txt:6'],
    without: /\t7\t/,
  },
  {
    // The second node has no routable row of RoCE v2 at all, and transfers time out: one cause, told once.
    id: 'roce-gid-index-differs-between-nodes',
    files: {
      'node1.txt': devinfo(4096, gids),
      'node2.txt': devinfo(4096, gids.slice(0, 3)),
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NET/IB : Using [0]mlx5_4:1/RoCE [RO]; OOB ens1:192.0.2.11<0>',
        'birch:31:77 [0] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, opcode 0, len 0, vendor err 129',
      ],
    },
    strength: 'loud',
    at: ['node2.txt:10', 'node1.txt:11'],
    without: /GID\[/,
  },
  {
    id: 'roce-gid-index-wrong',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NET/IB : Using [0]mlx5_4:1/RoCE [RO]; OOB ens1:192.0.2.11<0>',
        'birch:31:77 [0] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, opcode 0, len 0, vendor err 129',
      ],
      'gids.txt': [
        'mlx5_4\t1\t0\tfe80:0000:0000:0000:0000:00ff:fe00:0007 \t\tv1\tens4',
        'mlx5_4\t1\t3\t0000:0000:0000:0000:0000:ffff:c000:0207 192.0.2.7  \tv2\tens4',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2', 'gids.txt:2'],
    without: /error 12/,
  },
  {
    id: 'roce-gid-index-wrong',
    files: { 'env.txt': ['NCCL_IB_GID_INDEX=1'], 'info.txt': devinfo(4096, gids) },
    strength: 'loud',
    at: ['env.txt:1'],
    without: /GID_INDEX/,
  },
  {
    id: 'roce-mtu-small',
    files: { 'info.txt': devinfo(1024) },
    strength: 'info',
    at: ['info.txt:6'],
    without: /active_mtu/,
  },
  {
    id: 'roce-mtu-small',
    files: {
      'info.txt': [
        '$ ibv_devinfo | grep -E "mtu|link"',
        '\t\t\tactive_mtu:\t\t1024 (3)',
        '\t\t\tlink_layer:\t\tEthernet',
      ],
    },
    strength: 'info',
    at: ['info.txt:2'],
    without: /active_mtu/,
  },
  {
    id: 'roce-not-lossless',
    files: { 'tests.txt': table(true) },
    strength: 'loud',
    at: ['tests.txt:7'],
    without: / 0\.30 /,
  },
  {
    id: 'roce-not-lossless',
    files: {
      'tests.txt': table(true),
      'qos.txt': [
        'PFC configuration:',
        '\tpriority    0   1   2   3   4   5   6   7',
        '\tenabled     0   0   0   0   0   0   0   0   ',
      ],
      'stats.txt': ['NIC statistics:', '     rx_packets: 100', '     rx_discards_phy: 4711'],
    },
    strength: 'loud',
    at: ['tests.txt:7', 'qos.txt:3', 'stats.txt:3'],
    without: / 0\.30 /,
  },
  {
    id: 'roce-not-lossless',
    files: {
      'tests.txt': table(true),
      'dcb.txt': [
        '# dcb pfc show dev ens4',
        'pfc-cap 8 macsec-bypass off delay 0',
        'prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off',
      ],
    },
    strength: 'loud',
    at: ['tests.txt:7', 'dcb.txt:3'],
    without: / 0\.30 /,
  },
  {
    id: 'efa-plugin-no-provider',
    files: { 'out.txt': ['$ fi_info -p efa', 'fi_getinfo: -61 (No data available)'] },
    strength: 'loud',
    at: ['out.txt:2'],
    without: /fi_getinfo/,
  },
  {
    id: 'nics-left-out',
    files: {
      'topo.txt': [
        '\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity',
        'GPU0\t X \tNV6\tPXB\tSYS\t0-15\t0',
        'GPU1\tNV6\t X \tSYS\tPXB\t16-31\t1',
        'NIC0\tPXB\tSYS\t X \tSYS\t\t',
        'NIC1\tSYS\tPXB\tSYS\t X \t\t',
        '',
        'NIC Legend:',
        '',
        '  NIC0: mlx5_2',
        '  NIC1: mlx5_5',
      ],
      'nccl.log': [
        'larch:31:77 [0] NCCL INFO NCCL_IB_HCA set to mlx5_2',
        'larch:31:77 [0] NCCL INFO NET/IB : Using [0]mlx5_2:1/IB [RO]; OOB ens1:192.0.2.11<0>',
        'larch:32:78 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1', 'topo.txt:3'],
    without: /NCCL_IB_HCA/,
    also: ['gdr-disabled-peermem-missing'],
  },
  {
    id: 'slow-nic-in-nccl-set',
    files: {
      'nccl.log': [
        'birch:31:77 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_4:1/RoCE [RO]; OOB ens1:192.0.2.11<0>',
      ],
      'status.txt': [
        "Infiniband device 'mlx5_0' port 1 status:",
        '\tstate:\t\t 4: ACTIVE',
        '\trate:\t\t 400 Gb/sec (4X NDR)',
        '\tlink_layer:\t InfiniBand',
        "Infiniband device 'mlx5_4' port 1 status:",
        '\tstate:\t\t 4: ACTIVE',
        '\trate:\t\t 25 Gb/sec (1X EDR)',
        '\tlink_layer:\t Ethernet',
      ],
    },
    strength: 'loud',
    at: ['status.txt:7'],
    without: /NET\/IB/,
  },
  {
    id: 'rdma-drivers-not-loaded',
    files: { 'info.txt': ['Failed to get IB devices list: Function not implemented'] },
    strength: 'loud',
    at: ['info.txt:1'],
    without: /Failed/,
  },
  {
    id: 'rdma-device-not-in-container',
    files: {
      'bw.txt': [
        ' Did not detect devices ',
        ' If device exists, check if driver is up',
        ' Unable to find the Infiniband/RoCE device',
      ],
    },
    strength: 'loud',
    at: ['bw.txt:1'],
    without: /detect|Unable/,
  },
  {
    id: 'rdma-device-not-in-container',
    files: {
      'nccl.log': [
        'birch:31:31 [0] misc/ibvwrap.cc:212 NCCL WARN Call to ibv_open_device failed',
        'birch:31:31 [0] transport/net_ib.cc:148 NCCL WARN NET/IB : Unable to open device mlx5_4',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /open/,
  },
  {
    id: 'sockets-fallback-no-libibverbs',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Failed to open libibverbs.so[.1]',
        'birch:31:31 [0] NCCL INFO NET/Socket : Using [0]ens1:192.0.2.11<0>',
        'birch:31:31 [0] NCCL INFO Using network Socket',
      ],
      'ibstat.txt': ibstat('mlx5_4', 'MT4129', 'Active', 'LinkUp', 400),
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /libibverbs/,
  },
  {
    id: 'ipoib-used-instead-of-verbs',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NET/Socket : Using [0]ibs3:192.0.2.11<0>',
        'birch:31:31 [0] NCCL INFO Using network Socket',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /NET\/Socket/,
  },
  {
    // The address was taken out before it was pasted.
    id: 'ipoib-used-instead-of-verbs',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO NET/Socket : Using [0]ibp5s0:<0>',
        'birch:31:31 [0] NCCL INFO Using network Socket',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /NET\/Socket/,
  },
  {
    id: 'efa-device-not-exposed',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using eth0:192.0.2.11<0>',
        'libfabric:31:1762160400::core:core:fi_getinfo_():1392<warn> fi_getinfo: provider efa output empty list',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /empty list/,
  },
  {
    id: 'efa-plugin-no-provider',
    files: {
      'nccl.log': [
        'birch:31:31 [0] find_ofi_provider:543 NCCL WARN NET/OFI Could not find any optimal provider',
        'birch:31:31 [0] NCCL INFO Failed to open libibverbs.so[.1]',
        'birch:31:31 [0] NCCL INFO Using network Socket',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /optimal/,
  },
  {
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using docker0:172.17.0.1<0>',
        'birch:31:31 [0] NCCL INFO NET/Socket : Using [0]docker0:172.17.0.1<0>',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /docker0/,
  },
  {
    // A tunnel that the kernel makes by itself comes before the container's own address.
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:97:221 [0] NCCL INFO Bootstrap : Using [0]ip6tnl0:fe80::1c2d:ff:fe03:4%ip6tnl0<0> [1]veth0:2001:db8::4<0>',
        'birch:97:221 [0] NCCL INFO NET/Socket : Using [0]ip6tnl0:fe80::1c2d:ff:fe03:4%ip6tnl0<0> [1]veth0:2001:db8::4<0>',
        'ash:84:206 [0] include/socket.h:395 NCCL WARN Connect to fe80::1c2d:ff:fe03:4%ip6tnl0<44117> failed : Connection timed out',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /ip6tnl0/,
  },
  {
    // An address of the link, and the container's interface that it is tried over.
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using [0]eth0:192.0.2.4<0> [1]veth1c2d3e4:fe80::1c2d:ff:fe03:4%veth1c2d3e4<0>',
        'ash:31:77 [0] include/socket.h:403 NCCL WARN Connect to fe80::1c2d:ff:fe03:4%veth1c2d3e4<37581> failed : Network is unreachable',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:2'],
    without: /WARN/,
  },
  {
    // Two nodes with one address: each reaches itself.
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using eth0:172.18.0.2<0>',
        'ash:31:31 [0] NCCL INFO Bootstrap : Using eth0:172.18.0.2<0>',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /^ash/,
  },
  {
    // The network that a management chip has over USB, on one of two nodes.
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using usb0:169.254.3.1<0>',
        'ash:31:31 [0] NCCL INFO Bootstrap : Using bond0:198.51.100.4<0>',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /usb0/,
  },
  {
    // A container without the network of its host, and a node with it.
    id: 'wrong-interface',
    files: {
      'nccl.log': [
        'birch:31:31 [0] NCCL INFO Bootstrap : Using eth0:172.17.0.2<0>',
        'ash:31:31 [0] NCCL INFO Bootstrap : Using bond0:198.51.100.4<0>',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:1'],
    without: /172\.17/,
  },
  {
    id: 'sockets-fallback',
    files: {
      'nccl.log': socket(
        'NET/Socket : Using [0]ens1:192.0.2.12<0>',
        'birch:31:31 [0] NCCL INFO NET/Socket : Using [0]ens1:192.0.2.11<0>',
      ),
    },
    strength: 'info',
    at: ['nccl.log:2'],
    without: /Socket/,
  },
  {
    // The files of sysfs, through grep.
    id: 'nic-port-down',
    files: {
      'ports.txt': [
        '/sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE',
        '/sys/class/infiniband/mlx5_1/ports/1/state:1: DOWN',
        '/sys/class/infiniband/mlx5_0/ports/1/link_layer:InfiniBand',
        '/sys/class/infiniband/mlx5_1/ports/1/link_layer:InfiniBand',
      ],
    },
    strength: 'loud',
    at: ['ports.txt:2'],
    without: /DOWN/,
  },
  {
    id: 'nic-port-down',
    files: { 'cat.txt': ['$ cat /sys/class/infiniband/mlx5_2/ports/1/state', '1: DOWN'] },
    strength: 'loud',
    at: ['cat.txt:2'],
    without: /DOWN/,
  },
  {
    // A loop over devices, with the counter named in the command alone.
    id: 'nic-link-flapping',
    files: {
      'loop.txt': [
        '$ for d in /sys/class/infiniband/mlx5_*; do echo $d $(cat $d/ports/1/counters/link_downed); done',
        '/sys/class/infiniband/mlx5_0 1',
        '/sys/class/infiniband/mlx5_1 255',
      ],
    },
    strength: 'loud',
    at: ['loop.txt:3'],
    without: /255/,
  },
  {
    // sysfs shows the host's devices inside the container.
    id: 'rdma-device-not-in-container',
    files: {
      'pod.txt': [
        '# ls /sys/class/infiniband',
        'mlx5_0  mlx5_1',
        '# ls /dev/infiniband',
        "ls: cannot access '/dev/infiniband': No such file or directory",
      ],
    },
    strength: 'loud',
    at: ['pod.txt:4'],
    without: /cannot access|^mlx5/,
  },
  {
    id: 'nic-link-flapping',
    files: {
      'cat.txt': ['$ sudo cat /sys/class/infiniband/mlx5_6/ports/1/counters/link_downed', '77'],
    },
    strength: 'loud',
    at: ['cat.txt:2'],
    without: /77/,
  },
  {
    id: 'nic-port-down',
    files: {
      'rdma.json': [
        '[{"ifindex":0,"ifname":"mlx5_0","port":1,"lid":3,"state":"ACTIVE","physical_state":"LINK_UP"},{"ifindex":1,"ifname":"mlx5_1","port":1,"lid":65535,"state":"DOWN","physical_state":"POLLING"}]',
      ],
    },
    strength: 'loud',
    at: ['rdma.json:1'],
    without: /DOWN/,
  },
  {
    id: 'rdma-packets-lost',
    files: {
      'counters.txt': [
        '/sys/class/infiniband/mlx5_0/ports/1/hw_counters/local_ack_timeout_err:91316',
        '/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_buffer:0',
        '/sys/class/infiniband/mlx5_0/ports/1/hw_counters/packet_seq_err:929974',
      ],
    },
    strength: 'loud',
    at: ['counters.txt:3'],
    without: /err:/,
  },
  {
    // The OFI plugin before it was part of NCCL's log.
    id: 'efa-plugin-no-provider',
    files: {
      'run.log': ["WARN: Function: find_ofi_provider Line: 543: NET/OFI Couldn't find any optimal provider"],
    },
    strength: 'loud',
    at: ['run.log:1'],
    without: /optimal/,
  },
  {
    // Open MPI's own transport could lock no memory.
    id: 'memlock-limit',
    files: {
      'run.log': [
        'The OpenFabrics (openib) BTL failed to initialize while trying to',
        'allocate some locked memory.  This typically can indicate that the',
        'memlock limits are set too low.  For most HPC installations, the',
        'memlock limits should be set to "unlimited".',
        '  Local host:    birch',
        '  Memlock limit: 65536',
      ],
    },
    strength: 'loud',
    at: ['run.log:3', 'run.log:6'],
    without: /too low|limit: 6/,
  },
  {
    id: 'memlock-limit',
    files: {
      'run.log': [
        'libibverbs: Warning: RLIMIT_MEMLOCK is 32768 bytes.',
        '    This will severely limit memory registrations.',
      ],
    },
    strength: 'loud',
    at: ['run.log:1'],
    without: /RLIMIT/,
  },
  {
    // UCX looks up an address that no route leaves.
    id: 'roce-gid-index-wrong',
    files: {
      'ucx.log': [
        '[1745499308.1] [birch:760:0] ib_device.c:1332 UCX  ERROR   ibv_create_ah(dlid=49152 sl=0 port=1 src_path_bits=0 dgid=fe80::5aa2:e1ff:fefe:c130 flow_label=0xffffffff sgid_index=0 traffic_class=0) for UD mlx5 connect on mlx5_0 failed: No such device',
      ],
    },
    strength: 'loud',
    at: ['ucx.log:1'],
    without: /create_ah/,
  },
  {
    id: 'roce-gid-index-wrong',
    files: {
      'ib_write_bw.txt': [
        '                    RDMA_Write BW Test',
        ' Link type       : Ethernet',
        ' GID index       : 0',
        ' local address: LID 0000 QPN 0x0032 PSN 0x5f2841 RKey 0x002440 VAddr 0x007f2e5f64b000',
        ' GID: 254:128:00:00:00:00:00:00:14:163:178:255:254:12:34:86',
        ' remote address: LID 0000 QPN 0x003a PSN 0xc0fd7e RKey 0x002442 VAddr 0x007f443b2f8000',
        ' GID: 254:128:00:00:00:00:00:00:14:163:178:255:254:12:34:96',
        ' Completion with error at client',
        ' Failed status 12: wr_id 0 syndrom 0x81',
      ],
    },
    strength: 'loud',
    at: ['ib_write_bw.txt:5', 'ib_write_bw.txt:9'],
    without: /Failed status/,
  },
  {
    // One node of the job has RDMA, and the process on another sees none.
    id: 'rdma-device-not-in-container',
    files: {
      'nccl.log': [
        'birch:11:40 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:198.51.100.1<0>',
        'birch:11:40 [0] NCCL INFO Using network IB',
        'ash:11:40 [0] NCCL INFO NET/IB : No device found.',
        'ash:11:40 [0] NCCL INFO NET/Socket : Using [0]eth0:198.51.100.2<0>',
        'ash:11:40 [0] NCCL INFO Using network Socket',
      ],
    },
    strength: 'loud',
    at: ['nccl.log:3'],
    without: /No device/,
    also: ['sockets-fallback'],
  },
  {
    // Both ends of the cable could do more than they agreed on.
    id: 'nic-link-degraded',
    files: {
      'iblinkinfo.txt': [
        'CA: birch mlx5_0:',
        '      0x1070fd0300a0b0c0     12    1[  ] ==( 2X       53.125 Gbps Active/  LinkUp)==>       3   17[  ] "leaf1" ( Could be 4X)',
      ],
    },
    strength: 'loud',
    at: ['iblinkinfo.txt:2'],
    without: /Could be/,
  },
  {
    // A grep for the fields of two hosts, which drops the lines that name the port.
    id: 'mtu-mismatch',
    files: {
      'mtu.txt': [
        'root@birch:~# ibv_devinfo -d mlx5_0 | grep -E "hca_id|mtu|layer"',
        'hca_id:\tmlx5_0',
        '\t\t\tmax_mtu:\t\t4096 (5)',
        '\t\t\tactive_mtu:\t\t4096 (5)',
        '\t\t\tlink_layer:\t\tEthernet',
        'root@ash:~# ibv_devinfo -d mlx5_0 | grep -E "hca_id|mtu|layer"',
        'hca_id:\tmlx5_0',
        '\t\t\tmax_mtu:\t\t4096 (5)',
        '\t\t\tactive_mtu:\t\t1024 (3)',
        '\t\t\tlink_layer:\t\tEthernet',
      ],
    },
    strength: 'loud',
    at: ['mtu.txt:4', 'mtu.txt:9'],
    without: /active_mtu.*1024/,
    also: ['roce-mtu-small'],
  },
  {
    // sysfs shows the device of the host, and the library opens none.
    id: 'rdma-device-not-in-container',
    files: {
      'pod.txt': [
        'root@pod-0:/# ibv_devices',
        '    device          \t   node GUID',
        '    ------          \t----------------',
        'root@pod-0:/# ls /sys/class/infiniband',
        'mlx5_0',
      ],
    },
    strength: 'loud',
    at: ['pod.txt:2'],
    without: /node GUID/,
  },
];
