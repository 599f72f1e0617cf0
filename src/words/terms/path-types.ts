import type { Term } from '../terms.ts';

/** Letters of `nvidia-smi topo -m` and path types of NCCL. Source: the tools' own legends and src/graph/topo.h of NCCL. */
export const pathTerms: readonly Term[] = [
  {
    names: ['PIX'],
    en: 'Two devices under one PCIe switch: data turns round in the switch and never reaches the CPU. nvidia-smi and NCCL use the word alike.\nThe best place for a GPU and the NIC that serves it: GPUDirect RDMA and peer-to-peer run here at the rate of the slower of the two links.',
    'zh-CN':
      '两个设备在同一个 PCIe 交换芯片下面：数据在交换芯片里掉头，不经过 CPU。nvidia-smi 与 NCCL 的用法相同。\nGPU 和为它服务的网卡最好是这种位置：GPUDirect RDMA 和 P2P 都能跑到两条链路中较慢那条的速率。',
  },
  {
    names: ['PXB'],
    en: 'Several PCIe switches lie between two devices, but no CPU host bridge. As good as PIX for most purposes; the link between the switches is shared.\nNCCL uses peer-to-peer and GPUDirect RDMA up to PXB by default.',
    'zh-CN':
      '两个设备之间隔着几级 PCIe 交换芯片，但不经过 CPU 的主桥。多数情况下与 PIX 一样好，只是交换芯片之间的链路是共用的。\nNCCL 默认在 PXB 以内使用 P2P 和 GPUDirect RDMA。',
  },
  {
    names: ['PHB'],
    en: "The way passes a PCIe host bridge, that is, the CPU's root complex. Peer traffic through a root complex is often slow and on some CPUs does not work, so NCCL goes through host memory instead unless a level says otherwise.\nnvidia-smi says PHB for one host bridge and NODE for two in the same NUMA node; NCCL calls both PHB.",
    'zh-CN':
      '路径要经过 PCIe 主桥，也就是 CPU 的根复合体。经根复合体的点对点流量往往很慢，有的 CPU 上根本不通，所以除非用级别变量放宽，NCCL 改走主机内存。\nnvidia-smi 用 PHB 表示同一个主桥，用 NODE 表示同一 NUMA 节点内的两个主桥；NCCL 都叫 PHB。',
  },
  {
    names: ['NODE'],
    en: "nvidia-smi's word for two devices on different host bridges of one NUMA node. NCCL has no such type: it says PHB.",
    'zh-CN': 'nvidia-smi 用它表示两个设备在同一 NUMA 节点的不同主桥上。NCCL 没有这个类型，统一叫 PHB。',
  },
  {
    names: ['SYS', 'SOC'],
    en: 'The way crosses the link between CPU sockets (UPI, QPI, xGMI). The longest way within a node; the socket link is shared with everything else the host does. Older nvidia-smi prints SOC.\nA GPU whose every NIC is SYS has no NIC of its own: moving a card is worth more than any setting.',
    'zh-CN':
      '路径跨过 CPU 插槽之间的互联（UPI、QPI、xGMI）。这是节点内最远的路，而且与主机上其他一切流量共用。旧版 nvidia-smi 写作 SOC。\n如果一块 GPU 到所有网卡都是 SYS，它就没有自己的网卡：换插槽比改任何设置都有用。',
  },
  {
    names: ['NV#', 'NVL', 'NVLink'],
    en: 'NVLink between two GPUs. In NV18 the number counts the links bonded together; through NVSwitch it is the number each GPU has. NCCL calls the path NVL.\nNVLink ends at the node (or the NVLink domain): what leaves it depends on NICs and PCIe, not on NVLink.',
    'zh-CN':
      '两块 GPU 之间有 NVLink。NV18 里的数字是绑在一起的链路数；经 NVSwitch 时是每块 GPU 拥有的链路数。NCCL 把这种路径叫 NVL。\nNVLink 只到节点（或 NVLink 域）为止：出了这个范围，快慢取决于网卡和 PCIe，而不是 NVLink。',
  },
  {
    names: ['NVB'],
    en: 'Two NVLink hops through a GPU in between, where two GPUs have no link of their own, as in the cube mesh of eight V100s. Since NCCL 2.8; NCCL_NVB_DISABLE=1 switches it off.',
    'zh-CN':
      '两块 GPU 之间没有直连 NVLink，借道中间一块 GPU 走两跳，例如八块 V100 的立方网。NCCL 2.8 起支持，NCCL_NVB_DISABLE=1 可关闭。',
  },
  {
    names: ['C2C', 'NVLink-C2C'],
    en: 'The chip-to-chip link between a GPU and the CPU on the same module (Grace Hopper, Grace Blackwell): far wider than PCIe and cache-coherent. Host memory is then a near neighbour.',
    'zh-CN':
      'GPU 与同一模块上的 CPU 之间的片间互联（Grace Hopper、Grace Blackwell）：比 PCIe 宽得多，而且缓存一致。这时主机内存就在身边。',
  },
  {
    names: ['P2C'],
    en: 'A GPU on C2C and a NIC on PCIe of the same CPU: the NIC reaches GPU memory through the CPU and the C2C link. NCCL 2.27 gave it a type of its own; from 2.29 GPUDirect RDMA goes up to P2C by default.',
    'zh-CN':
      'GPU 用 C2C、网卡用 PCIe 连在同一个 CPU 上：网卡经 CPU 和 C2C 到达显存。NCCL 2.27 起它是单独的类型，2.29 起 GPUDirect RDMA 默认用到 P2C。',
  },
  {
    names: ['PXN'],
    en: 'PCI × NVLink: a GPU sends over NVLink into the memory of a neighbour whose NIC is nearer (or on the right rail), and that NIC sends from there. It saves the way through the CPU and lets messages of several GPUs share one connection. Since NCCL 2.12; NCCL_PXN_DISABLE=1 switches it off.',
    'zh-CN':
      'PCI × NVLink：GPU 先经 NVLink 把数据写进邻居的显存，由那块离网卡更近（或在同一轨道上）的 GPU 的网卡发出。这样不必绕 CPU，几块 GPU 的消息还能合用一条连接。NCCL 2.12 起支持，NCCL_PXN_DISABLE=1 可关闭。',
  },
  {
    names: ['LOC'],
    en: 'The device itself.',
    'zh-CN': '设备自身。',
  },
  {
    names: ['NET'],
    en: 'Only the network joins the two: other nodes, or GPUs of one node that NCCL keeps apart because their NICs are faster than the way between them.',
    'zh-CN': '两者之间只有网络：在不同节点，或虽在同一节点，但网卡比两者之间的通路更快，NCCL 便把它们分开。',
  },
  {
    names: ['distance', 'distance 7 > 4', 'Disabled for GPU'],
    en: 'In an NCCL log, "GPU Direct RDMA Disabled … (distance 7 > 4)" compares path types by their numbers in that release: the way between GPU and NIC against the level up to which direct access is used. 4 is PXB up to 2.25 and PIX from 2.26; 7 is SYS from 2.12 to 2.25, PHB in 2.26, P2C in 2.27.3 and PXN from 2.27.5. From 2.30 the line is gone: look for /GDRDMA on the channel lines.',
    'zh-CN':
      'NCCL 日志里的 “GPU Direct RDMA Disabled … (distance 7 > 4)” 用该版本的编号比较路径类型：左边是 GPU 到网卡的路径，右边是允许直连的上限。4 在 2.25 及以前是 PXB，2.26 起是 PIX；7 在 2.12 到 2.25 是 SYS，2.26 是 PHB，2.27.3 是 P2C，2.27.5 起是 PXN。2.30 起不再打印这一行，请看通道行上有没有 /GDRDMA。',
  },
];
