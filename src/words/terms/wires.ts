import type { Term } from '../terms.ts';

/** Networks and what travels on them. */
export const wireTerms: readonly Term[] = [
  {
    names: ['RDMA'],
    en: 'Remote direct memory access: a NIC moves data between the memories of two hosts without their kernels or cores touching it. Three families carry it: InfiniBand, RoCE and iWARP.',
    'zh-CN':
      '远程直接内存访问：网卡在两台主机的内存之间搬数据，内核和 CPU 核都不碰它。承载它的有三类网络：InfiniBand、RoCE、iWARP。',
  },
  {
    names: ['InfiniBand', 'IB'],
    en: 'A network made for RDMA, lossless by credits, with its own switches and subnet manager. EDR 100, HDR 200, NDR 400, XDR 800 Gb/s a port.',
    'zh-CN':
      '为 RDMA 而生的网络，靠基于信用的流控做到无损，有自己的交换机和子网管理器。每端口 EDR 100、HDR 200、NDR 400、XDR 800 Gb/s。',
  },
  {
    names: ['RoCE', 'RoCE v2'],
    en: 'RDMA over Ethernet: InfiniBand transport packets in UDP (port 4791). Wants a network that does not drop (PFC, ECN), an MTU of 4200 or more for full efficiency, and a GID index that matches the routable address.',
    'zh-CN':
      '以太网上的 RDMA：把 InfiniBand 传输层报文装进 UDP（端口 4791）。需要不丢包的网络（PFC、ECN），MTU 4200 以上才有最高效率，GID 索引要对应可路由的地址。',
  },
  {
    names: ['iWARP'],
    en: 'RDMA over TCP (MPA, DDP, RDMAP). Runs on any IP network, losses included; fewer NICs offer it.',
    'zh-CN': 'TCP 上的 RDMA（MPA、DDP、RDMAP）。任何 IP 网络都能跑，丢包也不怕；支持的网卡较少。',
  },
  {
    names: ['IPoIB'],
    en: 'Ordinary IP over InfiniBand hardware. The interface is called ib0, but the kernel handles every packet: far slower than verbs on the same port. NET/Socket over ib0 in a log is IPoIB.',
    'zh-CN':
      '在 InfiniBand 硬件上跑普通 IP。接口叫 ib0，但每个包都由内核处理：比同一端口上的 verbs 慢得多。日志里 NET/Socket 用 ib0 就是 IPoIB。',
  },
  {
    names: ['TCP', 'socket'],
    en: "The kernel's network stack: data is copied between user and kernel memory at both ends and cores spend time on every byte. NCCL falls back to it when it finds no RDMA device.",
    'zh-CN':
      '内核网络栈：两端都要在用户内存和内核内存之间拷贝，每个字节都要占用 CPU 核的时间。NCCL 找不到 RDMA 设备时退到这里。',
  },
  {
    names: ['EFA'],
    en: "AWS's Elastic Fabric Adapter: RDMA-like, with its own reliable datagrams over many paths. NCCL reaches it through the aws-ofi-nccl plugin and libfabric.",
    'zh-CN':
      'AWS 的弹性网络适配器：类似 RDMA，用自己的多路径可靠数据报。NCCL 通过 aws-ofi-nccl 插件和 libfabric 使用它。',
  },
  {
    names: ['rail', 'rail-optimised'],
    en: 'NIC k of every node hangs on the same switch (rail k). Traffic between equal NICs stays one hop; between different ones it climbs, unless NVLink brings it to the right NIC first (PXN).',
    'zh-CN':
      '每个节点的第 k 块网卡接到同一台交换机（第 k 轨）。同号网卡之间只有一跳；不同号之间要上行，除非先经 NVLink 送到对的网卡（PXN）。',
  },
  {
    names: ['memory registration', 'MR', 'pinning'],
    en: "Before a NIC may touch memory, its pages are pinned and entered in the NIC's tables, which yields a key. It costs time per megabyte, so libraries cache it. For GPU memory it goes through peermem or DMA-BUF and uses BAR1.",
    'zh-CN':
      '网卡访问内存之前，页面要先固定并登记到网卡的表里，得到一个密钥。每兆字节都要花时间，所以库会缓存。对显存来说要经过 peermem 或 DMA-BUF，并占用 BAR1。',
  },
];
