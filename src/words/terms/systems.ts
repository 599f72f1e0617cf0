import type { Term } from '../terms.ts';

/** The GPUDirect family, NCCL's words, and what hosts need for them. */
export const systemTerms: readonly Term[] = [
  {
    names: ['NCCL'],
    en: 'The library that moves data among GPUs in training and inference. At start it reads the machine, PCIe switch by PCIe switch and NIC by NIC, and decides three things: over which way each pair of GPUs talks, in which rings and trees all of them stand, and which algorithm and protocol each size takes.\nMost of what goes wrong is decided in the first of these and seen only in the rate. It never fails because a way is not direct: it takes the next best one and says so in a line of its log.',
    'zh-CN':
      '训练和推理中在 GPU 之间搬运数据的库。启动时它逐个 PCIe 交换芯片、逐块网卡地读取机器拓扑，决定三件事：每一对 GPU 走哪条路径，所有 GPU 排成怎样的环和树，每种大小用哪种算法和协议。\n多数问题出在第一件事上，却只表现为速率低。直连不可用时它不会报错，而是改走次优路径，只在日志里留下一行。',
  },
  {
    names: ['GPUDirect RDMA', 'GDR', 'GDRDMA'],
    en: 'The NIC reads and writes GPU memory itself. Without it every message is copied to host memory first and fetched from there, and the same again at the other end.\nIt needs a GPU that supports it, a NIC whose driver can map GPU memory (nvidia_peermem or DMA-BUF), BAR1 space, and a short PCIe way between the two. The CPU still starts every transfer: it is relieved of moving data, not of control.',
    'zh-CN':
      '网卡直接读写显存。没有它，每条消息都要先拷到主机内存再由网卡取走，对端再来一遍。\n需要：GPU 支持、网卡驱动能映射显存（nvidia_peermem 或 DMA-BUF）、足够的 BAR1 空间、两者之间的 PCIe 路径够近。每次传输仍由 CPU 发起：省掉的是搬运，不是控制。',
  },
  {
    names: ['GPUDirect P2P', 'P2P'],
    en: 'One GPU reads or writes the memory of another, over NVLink or PCIe, without host memory in between. The driver must allow it (not on recent GeForce boards), and over PCIe neither ACS nor an IOMMU may redirect the traffic to the root complex.',
    'zh-CN':
      '一块 GPU 经 NVLink 或 PCIe 直接读写另一块的显存，不经主机内存。驱动必须允许（近几代 GeForce 不允许）；走 PCIe 时，ACS 和 IOMMU 不能把流量重定向到根复合体。',
  },
  {
    names: ['GPUDirect Storage', 'GDS'],
    en: 'A drive or storage NIC moves data to and from GPU memory by DMA, without a bounce buffer in host memory. Programs use it through cuFile. Where a piece is missing, cuFile falls back to ordinary reads ("compatible mode"): correct, only slower. gdscheck -p tells.',
    'zh-CN':
      '硬盘或存储网卡以 DMA 直接读写显存，不在主机内存里中转。程序通过 cuFile 使用。缺少条件时 cuFile 退回普通读写（兼容模式）：结果正确，只是更慢。用 gdscheck -p 查看。',
  },
  {
    names: ['P2PDMA', 'PCI P2PDMA', 'CONFIG_PCI_P2PDMA'],
    en: "The Linux kernel's own way from drive to GPU: the GPU driver gives GPU memory to the kernel as pages that a drive may address, and an ordinary O_DIRECT read by read() or io_uring lands in them; no nvidia-fs, no patched NVMe driver. cuFile takes it from CUDA 12.8 on (use_pci_p2pdma in cufile.json).\nIt needs a kernel from 6.2 with CONFIG_PCI_P2PDMA=y, an open NVIDIA driver from 565 with RMForceStaticBar1=1, nvme_core multipath=N, an x86 host, and a way that the kernel passes: below one switch without ACS redirect, or through host bridges on its list (AMD from Zen on, Intel Skylake-SP and Ice Lake-SP).",
    'zh-CN':
      'Linux 内核自带的从盘到 GPU 的通路：GPU 驱动把显存作为盘可以寻址的页交给内核，普通的 O_DIRECT 读（read() 或 io_uring）直接落入其中，不需要 nvidia-fs，也不需要打过补丁的 NVMe 驱动。cuFile 从 CUDA 12.8 起会使用它（cufile.json 里的 use_pci_p2pdma）。\n需要：6.2 及以上且 CONFIG_PCI_P2PDMA=y 的内核、565 及以上并设 RMForceStaticBar1=1 的开源 NVIDIA 驱动、nvme_core multipath=N、x86 主机，以及内核放行的路径：同一交换芯片下且无 ACS 重定向，或主桥在允许名单里（AMD Zen 起，Intel Skylake-SP 与 Ice Lake-SP）。',
  },
  {
    names: ['GPUDirect Video'],
    en: 'Capture and display cards exchange frames with GPU memory through shared pinned buffers, in step with the frame clock, so that no extra copy and no waiting on the CPU comes in between.',
    'zh-CN': '采集卡、输出卡与显存之间通过共享的锁页缓冲区按帧时钟交换画面，省去多余的拷贝和对 CPU 的等待。',
  },
  {
    names: ['host-staged'],
    en: "Through host memory: one GPU copies into a pinned buffer, the other copies out of it. Two copies in a node. Between nodes the NIC fetches from such a buffer and delivers into another: also two copies, four when the kernel's sockets carry the data.",
    'zh-CN':
      '经主机内存中转：一块 GPU 拷进锁页缓冲区，另一块再拷出来，节点内共两次拷贝。节点之间则由网卡从缓冲区取走、在对端放进另一个缓冲区，同样两次；如果走内核套接字，就是四次。',
  },
  {
    names: ['SHM'],
    en: "NCCL's transport through shared host memory, taken when two GPUs of a node cannot reach each other directly. Its buffers lie in /dev/shm.",
    'zh-CN': 'NCCL 经共享主机内存的传输方式，在同节点两块 GPU 不能直接互访时使用。缓冲区在 /dev/shm 里。',
  },
  {
    names: ['nvidia_peermem', 'peermem', 'nv_peer_mem', 'Disabled for HCA'],
    en: 'The kernel module that lets the RDMA stack register GPU memory. It must be loaded and registered with the running ib_core; after a reboot or driver update it is often missing. DMA-BUF with the open GPU kernel modules does the same without it.',
    'zh-CN':
      '让 RDMA 栈能注册显存的内核模块。它必须已加载，并且注册到正在运行的 ib_core；重启或升级驱动之后常常不见。开源 GPU 内核模块的 DMA-BUF 不需要它也能做到。',
  },
  {
    names: ['DMA-BUF', 'dmabuf'],
    en: "The kernel's own way for drivers to share a buffer. With it a NIC can register GPU memory without nvidia_peermem: kernel 5.12 or newer, the open GPU kernel modules, and an RDMA driver that supports it.",
    'zh-CN':
      '内核自带的驱动间共享缓冲区的机制。有了它，网卡不靠 nvidia_peermem 就能注册显存：要求内核 5.12 以上、开源 GPU 内核模块，以及支持它的 RDMA 驱动。',
  },
  {
    names: ['BAR1'],
    en: 'The window through which other PCIe devices see GPU memory. GPUDirect RDMA and Storage pin pages in it; when it is small (256 MiB on boards without resizable BAR), large registrations fail.',
    'zh-CN':
      '其他 PCIe 设备看到显存的窗口。GPUDirect RDMA 和 Storage 都要在里面固定页面；窗口太小时（没有 Resizable BAR 的卡只有 256 MiB），大块注册会失败。',
  },
  {
    names: ['ACS'],
    en: 'PCIe Access Control Services. With request or completion redirection on, a switch sends peer traffic up to the root complex instead of turning it round: direct transfers become slow or hang. Source validation alone (SrcValid+) redirects nothing.',
    'zh-CN':
      'PCIe 访问控制服务。打开请求或完成重定向后，交换芯片会把点对点流量送到根复合体，而不是就地转发：直接传输变慢甚至卡死。只有源校验（SrcValid+）并不会重定向。',
  },
  {
    names: ['IOMMU'],
    en: 'Translates the addresses that devices use. Needed for virtual machines; on bare metal translation adds cost, and an active IOMMU makes Linux switch ACS on. iommu=pt keeps it without translating.',
    'zh-CN':
      '转换设备所用的地址。虚拟机需要它；在裸机上转换有代价，而且 IOMMU 启用时 Linux 会打开 ACS。iommu=pt 保留它但不做转换。',
  },
  {
    names: ['NUMA'],
    en: 'Memory and PCIe slots belong to CPU sockets (or parts of them). A device reaches the memory of its own NUMA node directly, that of another only over the link between sockets.',
    'zh-CN':
      '内存和 PCIe 插槽分属不同的 CPU 插槽（或其一部分）。设备访问自己 NUMA 节点的内存是直达的，访问别的节点要经过插槽互联。',
  },
  {
    names: ['NVSwitch'],
    en: 'A crossbar for NVLink: every GPU reaches every other at its full NVLink rate, all pairs at once. From the third generation on it also adds numbers up on the way (NVLS).',
    'zh-CN':
      'NVLink 的交叉开关：每块 GPU 都能以自己的全部 NVLink 速率到达任何一块，各对同时进行也不打折。从第三代起还能在途中做规约（NVLS）。',
  },
  {
    names: ['NVLS', 'NVLink SHARP'],
    en: 'Reduction and multicast inside NVSwitch: an AllReduce sends each byte once instead of twice, so busbw can exceed what the links alone would give. Needs Hopper or newer, NVSwitch and a healthy Fabric Manager.',
    'zh-CN':
      '由 NVSwitch 完成规约和多播：AllReduce 每个字节只发一次而不是两次，所以 busbw 可以高于链路本身的速率。需要 Hopper 或更新、NVSwitch，以及正常的 Fabric Manager。',
  },
  {
    names: ['ring', 'tree', 'channel'],
    en: "NCCL's ways to spread a collective. A ring passes pieces from GPU to GPU and uses every link evenly; a tree needs fewer steps, so it wins for small messages and many nodes. A channel is one such ring or tree with its own GPU threads and buffers; several run side by side.",
    'zh-CN':
      'NCCL 展开集合通信的方式。环形把数据块逐个 GPU 传递，均匀用满每条链路；树形步数少，适合小消息和多节点。通道就是一个环或一棵树，有自己的 GPU 线程和缓冲区，多个通道并行。',
  },
  {
    names: ['LL', 'LL128', 'Simple'],
    en: "NCCL's protocols. LL sends a flag with every 8 bytes: lowest latency, half the bandwidth. LL128 sends a flag per 128 bytes and needs NVLink-like ordering. Simple synchronises per chunk: full bandwidth, more latency.",
    'zh-CN':
      'NCCL 的协议。LL 每 8 字节带一个标志：延迟最低，带宽减半。LL128 每 128 字节带一个标志，要求 NVLink 那样的写序。Simple 按块同步：带宽最满，延迟更高。',
  },
  {
    names: ['busbw', 'algbw', 'bus bandwidth', 'algorithm bandwidth'],
    en: 'algbw is bytes over time as the caller sees it. busbw multiplies it so that it can be held against a link: for AllReduce by 2(n−1)/n, for AllGather and ReduceScatter by (n−1)/n. Tree on two nodes and NVLS move fewer bytes than the formula assumes and may show more than the wire.',
    'zh-CN':
      'algbw 是调用者看到的字节数除以时间。busbw 再乘一个系数，便于与链路速率比较：AllReduce 乘 2(n−1)/n，AllGather 和 ReduceScatter 乘 (n−1)/n。两节点的 Tree 和 NVLS 搬的字节比公式假定的少，所以可能显得高于线速。',
  },
];
