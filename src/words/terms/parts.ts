import type { Term } from '../terms.ts';

/** Words that stand in logs and data sheets beside those of the ways themselves. */
export const partTerms: readonly Term[] = [
  {
    names: ['PCIe', 'PCI Express'],
    en: 'The links between CPU, GPUs, NICs and drives, each device on a link of its own. ×16 of generation 3, 4 and 5 carry 15.8, 31.5 and 63.0 GB/s each way before headers, some 80 to 90 % of it as payload. Switches join several links; data between two devices below one switch need not reach the CPU.',
    'zh-CN':
      'CPU、GPU、网卡和盘之间的链路，每个设备独占一条。第 3、4、5 代的 ×16 单向分别是 15.8、31.5、63.0 GB/s（不扣报文头），其中约 80% 到 90% 是净荷。交换芯片把多条链路接在一起；同一交换芯片下的两个设备之间，数据不必到达 CPU。',
  },
  {
    names: ['UPI', 'QPI', 'xGMI', 'Infinity Fabric'],
    en: 'The link between the CPU sockets of a host: QPI and its successor UPI of Intel, xGMI (Infinity Fabric) of AMD. Every way that nvidia-smi calls SYS passes it, and everything else that the host does between its sockets as well.',
    'zh-CN':
      '主机内 CPU 插槽之间的互连：Intel 的 QPI 及后来的 UPI，AMD 的 xGMI（Infinity Fabric）。nvidia-smi 标为 SYS 的路径都要经过它，主机跨插槽的其他流量也走这里。',
  },
  {
    names: ['copy engine', 'CE'],
    en: 'A unit of a GPU that moves data between memories without the threads of a kernel, over PCIe or NVLink; cudaMemcpy uses it. One pass of it over the data counts as a copy.',
    'zh-CN':
      'GPU 里专门搬数据的单元，经 PCIe 或 NVLink 在内存之间拷贝，不占用计算线程；cudaMemcpy 用的就是它。它把数据搬一遍就计一次拷贝。',
  },
  {
    names: ['bounce buffer', 'posix-bounce', 'compatible mode', 'compat mode'],
    en: 'The ordinary way from a drive to GPU memory: read() brings the data into a buffer in host memory, a copy engine takes it on to the GPU. One copy, and every byte is written to host memory and read from it again. cuFile falls back to it, in its compatible mode, where a piece of GPUDirect Storage is missing; gdscheck -p tells.',
    'zh-CN':
      '从盘到显存的普通通路：read() 先把数据读进主机内存里的缓冲区，再由拷贝引擎搬到 GPU。拷贝一次，每个字节在主机内存里写一遍、读一遍。GPUDirect Storage 缺少条件时，cuFile 以兼容模式退回这条路；用 gdscheck -p 查看。',
  },
  {
    names: ['cuFile', 'nvidia-fs'],
    en: 'cuFile is the library through which programs use GPUDirect Storage, nvidia-fs the kernel module that gives drives the addresses of GPU memory. Without the module, or where file system or drive do not take part, cuFile reads through a bounce buffer.',
    'zh-CN':
      'cuFile 是程序使用 GPUDirect Storage 的库，nvidia-fs 是把显存地址交给盘的内核模块。没有这个模块，或文件系统、盘不支持时，cuFile 经主机内存缓冲区读写。',
  },
  {
    names: ['ingest'],
    en: 'A request of a client on the network goes into GPU memory at once: the NIC of the server writes it there by GPUDirect RDMA. No copy, and host memory sees nothing of it. The answer goes back the same way.',
    'zh-CN':
      '网络上客户端发来的请求直接进入显存：服务器的网卡以 GPUDirect RDMA 写入。没有拷贝，数据也不经过主机内存。应答原路返回。',
  },
  {
    names: ['ingest-staged'],
    en: 'A request of a client on the network goes into host memory first: the NIC of the server writes it into a registered buffer, and a copy engine takes it on to the GPU. One copy; every byte is written to host memory and read from it again.',
    'zh-CN':
      '网络上客户端发来的请求先进入主机内存：服务器的网卡把它写进已注册的缓冲区，再由拷贝引擎搬到 GPU。拷贝一次，每个字节在主机内存里写一遍、读一遍。',
  },
  {
    names: ['GDRCopy', 'gdrdrv'],
    en: 'A library and its kernel module (gdrdrv) that map GPU memory into a process, so that a CPU core reads and writes a few bytes of it faster than a copy engine starts. NCCL uses it for flags when NCCL_GDRCOPY_ENABLE=1. GPUDirect RDMA does not need it.',
    'zh-CN':
      '把显存映射进进程的库及其内核模块（gdrdrv）：CPU 核读写几个字节时，比启动拷贝引擎更快。设置 NCCL_GDRCOPY_ENABLE=1 时 NCCL 用它读写标志。GPUDirect RDMA 不需要它。',
  },
  {
    names: ['HCA', 'verbs'],
    en: 'A host channel adapter is an RDMA NIC; mlx5_0 is the name of one. Verbs are the calls by which programs use it: register memory, post a transfer, wait for its completion. NCCL_IB_HCA lists those that NCCL may take.',
    'zh-CN':
      'HCA（主机通道适配器）就是 RDMA 网卡，mlx5_0 是它的名字。verbs 是程序使用它的接口：注册内存、提交传输、等待完成。NCCL_IB_HCA 列出 NCCL 可以用哪些。',
  },
  {
    names: ['GID', 'GID index'],
    en: 'The address of an RDMA port. A RoCE port has several, for each of its IP addresses one of RoCE v1 and one of v2; both ends must use entries that reach each other. show_gids lists them, NCCL_IB_GID_INDEX chooses one, and from 2.21 NCCL finds one itself.',
    'zh-CN':
      'RDMA 端口的地址。RoCE 端口有多个：每个 IP 地址各有一个 RoCE v1 和一个 v2 的；两端选用的必须互通。show_gids 列出它们，NCCL_IB_GID_INDEX 指定用哪一个；NCCL 从 2.21 起会自己选。',
  },
  {
    names: ['PFC', 'ECN'],
    en: 'What keeps an Ethernet from dropping RoCE packets: with priority flow control a switch that runs full halts the sender of one class of traffic, with explicit congestion notification it marks packets early and NICs slow down. Both must be set alike on NICs and switches.',
    'zh-CN':
      '让以太网不丢 RoCE 报文的机制：PFC（优先级流控）在交换机缓冲将满时让某一类流量的发送方暂停；ECN（显式拥塞通知）提前给报文打标记，让网卡降速。网卡和交换机上的设置必须一致。',
  },
  {
    names: ['MTU'],
    en: 'The most bytes of one packet. InfiniBand and RoCE payload is 256 to 4096 bytes a packet; for 4096 an Ethernet interface needs an MTU of 4200 or more, and the same on both ends and every switch between.',
    'zh-CN':
      '一个报文的最大字节数。InfiniBand 和 RoCE 每个报文的净荷是 256 到 4096 字节；要用 4096，以太网接口的 MTU 至少要 4200，并且两端和沿途交换机都要如此。',
  },
  {
    names: ['SHARP', 'CollNet'],
    en: 'Reductions inside InfiniBand switches: every node sends its part once and gets the sum back. NCCL calls it CollNet and needs a plugin for it and NCCL_COLLNET_ENABLE=1. Reductions inside NVSwitch are NVLS.',
    'zh-CN':
      '在 InfiniBand 交换机里做规约：每个节点只发一遍，收回总和。NCCL 称之为 CollNet，需要插件并设置 NCCL_COLLNET_ENABLE=1。NVSwitch 里的规约是 NVLS。',
  },
  {
    names: ['MNNVL', 'IMEX', 'NVLink domain'],
    en: 'Multi-node NVLink: NVSwitches join the GPUs of several hosts (GB200 NVL72) to one NVLink domain. Memory is shared across hosts through the service nvidia-imex, which must run on all of them with one list of nodes; NCCL counts such a domain as one node.',
    'zh-CN':
      '多节点 NVLink：NVSwitch 把多台主机的 GPU（如 GB200 NVL72）连成一个 NVLink 域。跨主机共享显存靠 nvidia-imex 服务，它必须在每台主机上运行，节点列表一致；NCCL 把这样的域算作一个节点。',
  },
  {
    names: ['out-of-place', 'in-place'],
    en: 'The two halves of a row of nccl-tests: out of place the result goes into another buffer than the input, in place into the same one. Times differ little; crowfly predicts the first.',
    'zh-CN':
      'nccl-tests 每行的两半：out-of-place 的结果写入另一个缓冲区，in-place 写回输入缓冲区。两者耗时相差不大；crowfly 预测的是前者。',
  },
];
