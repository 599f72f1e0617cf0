/** Findings about GPUs, PCIe, NVLink and the driver: title, what it does, how to mend it, how it is known. */
export const doctorGpu = {
  'doctor.title.acs-enabled': 'ACS 把卡与卡之间的 PCIe 流量重定向到根端口',
  'doctor.title.acs-redirect-off-path': '有桥开启了 ACS 重定向，但不在任何 GPU 或网卡的路径上',
  'doctor.title.acs-srcvalid-only': '只开启了 ACS 来源校验，不会重定向',
  'doctor.title.bar1-too-small': 'GPU 的 BAR1 窗口用尽',
  'doctor.title.dmabuf-needs-open-kernel-module': '以 DMA-BUF 导出显存需要开源版内核模块',
  'doctor.title.fabric-manager-not-running': '这台带 NVSwitch 的机器没有运行 fabric manager',
  'doctor.title.fabric-manager-restarted-without-gpu-reset': '重启过 fabric manager，却没有复位 GPU',
  'doctor.title.gdr-asymmetric-between-nodes': '一个节点用了 GPUDirect RDMA，另一个没有',
  'doctor.title.gdr-disabled-by-default-grace': '这个版本的 NCCL 在 Grace 上默认不用 GPUDirect RDMA',
  'doctor.title.gdr-disabled-in-topo': '拓扑文件写明所有 GPU 和网卡都不能用 GPUDirect RDMA',
  'doctor.title.gdr-disabled-nccl-too-old-for-peermem': 'NCCL 版本太旧，认不出已加载的 nvidia_peermem',
  'doctor.title.gdr-disabled-peermem-loaded': 'nvidia_peermem 已加载，但 NCCL 没有用上 GPUDirect RDMA',
  'doctor.title.gdr-disabled-peermem-missing': 'GPUDirect RDMA 未启用：没有组件向网卡注册显存',
  'doctor.title.gdr-unsupported-geforce': 'GeForce 显卡不支持 GPUDirect RDMA',
  'doctor.title.gdr-unsupported-unified-memory': '这款 GPU 没有独立显存，没有可启用的 GPUDirect',
  'doctor.title.gdrdrv-device-node-missing': 'gdrdrv 已加载，但没有 /dev/gdrdrv',
  'doctor.title.gdrdrv-wrong-driver-flavour': 'gdrdrv 是为另一种 NVIDIA 驱动编译的',
  'doctor.title.gpu-nic-cross-numa': 'GPU 与它的网卡在不同的 CPU 插槽上',
  'doctor.title.gpu-xid-119-gsp-timeout': 'Xid 119：GPU 的系统处理器停止响应',
  'doctor.title.gpu-xid-79-off-the-bus': 'Xid 79：GPU 从总线上掉线',
  'doctor.title.gpu-xid-nvlink': 'NVLink 的 Xid 错误',
  'doctor.title.imex-fabric-handle-import': '无法用 NVLink fabric 的句柄共享显存',
  'doctor.title.iommu-on': 'IOMMU 正在转换传输的地址',
  'doctor.title.kernel-module-symbol-mismatch': '内核模块是为另一个驱动编译的',
  'doctor.title.nccl-segfault': '程序在 libnccl 内部崩溃',
  'doctor.title.numa-nps-setting': '这颗 EPYC 每个插槽只设了一个 NUMA 节点',
  'doctor.title.nvlink-down': '某个 GPU 的 NVLink 断开了',
  'doctor.title.nvls-multicast-fabric-fault': 'NVLink 多播（NVLS）建立失败',
  'doctor.title.nvswitch-error-in-fm-log': '有 NVSwitch 报告了错误',
  'doctor.title.p2p-bandwidth-abnormal': 'GPU 之间的 P2P 比经主机内存拷贝还慢',
  'doctor.title.p2p-broken-geforce': '这些 GeForce 显卡声称支持 P2P，实际不能用',
  'doctor.title.p2p-disabled-geforce': '这些显卡没有经 PCIe 的 P2P',
  'doctor.title.pcie-link-speed-idle': 'GPU 空闲时 PCIe 链路低于标称速率',
  'doctor.title.pcie-link-width-degraded': 'PCIe 链路的通道数少于板卡所能',
  'doctor.title.peermem-invalid-context': 'nvidia_peermem 遇到了已结束进程的内存',
  'doctor.title.peermem-symbol-mismatch-ofed': 'nvidia_peermem 与正在运行的 RDMA 核心不匹配',
  'doctor.title.perftest-missing-dmabuf-flag': '没有让 perftest 使用 DMA-BUF',
  'doctor.title.process-on-one-core': '每个 rank 只绑定到一个 CPU 核',
  'doctor.title.process-not-numa-pinned': '进程被绑定到离 GPU 较远的插槽',
  'doctor.title.topo-file-bottleneck': '拓扑文件里的虚拟交换芯片写了一个不可能的慢链路',
  'doctor.title.topo-file-suspicious-link-speed': '拓扑文件中某个交换芯片的速率是空闲时记录的',
  'doctor.title.topo-xml-empty-link-speed': '拓扑中有些链路没有写速率',
  'doctor.title.vm-flat-topology-needs-topo-file': '虚拟机看不出哪些 GPU 与网卡同在一个交换芯片下',
  'doctor.title.workaround-env-left': '临时的规避设置还留着',
  'doctor.title.p2p-mapping-refused': '选择了 GPU 之间的 P2P，而 CUDA 拒绝',
  'doctor.title.cumem-host-refused': 'NCCL 无法经 cuMem 共享主机内存',
  'doctor.title.dmabuf-registration-refused': 'RDMA 驱动不接受以 DMA-BUF 形式给出的显存',
  'doctor.title.perftest-option-order': 'perftest 的 DMA-BUF 选项写在了 GPU 选项之前',
  'doctor.title.gdrdrv-not-loaded': 'GDRCopy 找不到驱动',
  'doctor.title.fabric-manager-not-needed': 'fabric manager 启动失败，是因为这里没有 NVSwitch',
  'doctor.title.tests-not-joined': '每个进程各自跑了一个测试',
  'doctor.effect.acs-enabled':
    'GPU 之间、GPU 与网卡之间的数据不在交换芯片内转发，而要绕到根端口：慢得多；若 IOMMU 同时开启，还可能丢数据或挂起。',
  'doctor.effect.acs-redirect-off-path': '没有影响：这些桥下面只有 NVSwitch 的管理口、BMC 或磁盘。',
  'doctor.effect.acs-srcvalid-only': '没有影响：只有 SrcValid+ 而没有 ReqRedir+、CmpltRedir+ 时，直接路径是通的。',
  'doctor.effect.bar1-too-small': '需要同时映射较多显存的传输会失败，或退回到经主机内存的方式。',
  'doctor.effect.dmabuf-needs-open-kernel-module':
    'cuMem 分配的缓冲区无法向网卡注册，而 cudaMalloc 的也许还能经 nvidia_peermem 注册。',
  'doctor.effect.fabric-manager-not-running': '所有 CUDA 程序都以错误 802 失败，而 nvidia-smi 看上去正常。',
  'doctor.effect.fabric-manager-restarted-without-gpu-reset': 'NVLink 多播（NVLS）再也建立不起来，作业一启动就失败。',
  'doctor.effect.gdr-asymmetric-between-nodes': '没有用上的节点要经主机内存拷贝，拖慢所有节点。',
  'doctor.effect.gdr-disabled-by-default-grace': '数据要经过 Grace 的内存；有人实测强制启用后快约 20%。',
  'doctor.effect.gdr-disabled-in-topo': '通往网络的每条路，NCCL 都经主机内存拷贝。',
  'doctor.effect.gdr-disabled-nccl-too-old-for-peermem': '模块已加载并注册，GPUDirect RDMA 仍然关闭。',
  'doctor.effect.gdr-disabled-peermem-loaded': '不同节点的 GPU 之间，数据要经过主机内存。',
  'doctor.effect.gdr-disabled-peermem-missing':
    '不同节点的 GPU 之间，数据要经主机内存拷贝，速度往往只有线速的三分之一。',
  'doctor.effect.gdr-unsupported-geforce': '显存无法向网卡注册，数据要经过主机内存。',
  'doctor.effect.gdr-unsupported-unified-memory':
    'NCCL 与 cuFile 经同一块内存里的缓冲区中转：多一次拷贝，带宽几乎不受影响；在这里是正常的。',
  'doctor.effect.gdrdrv-device-node-missing': '无法使用 GDRCopy，小块拷贝走较慢的路。',
  'doctor.effect.gdrdrv-wrong-driver-flavour': '它能加载，但锁定显存会失败或不起作用。',
  'doctor.effect.gpu-nic-cross-numa': '这样的距离默认不用 GPUDirect RDMA，每次传输还要跨越插槽之间的互连。',
  'doctor.effect.gpu-xid-119-gsp-timeout': 'GPU 挂起或掉线，上面的作业会失败。',
  'doctor.effect.gpu-xid-79-off-the-bus':
    '主机经 PCIe 已访问不到这块 GPU：上面的作业全部结束，经过它的环和树也随之停住。',
  'doctor.effect.gpu-xid-nvlink': '链路失效，使用它的作业会结束；其他 GPU 作为受害者会报 Xid 45。',
  'doctor.effect.imex-fabric-handle-import': 'NCCL 在连接 GPU 时以 Cuda failure 101 或 800 停止。',
  'doctor.effect.iommu-on': 'P2P 与 GPUDirect 传输变慢、失败或挂起。',
  'doctor.effect.kernel-module-symbol-mismatch': '模块无法加载，或加载后缺少部分功能。',
  'doctor.effect.nccl-segfault': '作业结束。这是软件的错误，不是链路的错误。',
  'doctor.effect.numa-nps-setting': 'GPU 与网卡的局部性有所损失，有些负载用 NPS4 更好。',
  'doctor.effect.nvlink-down': '这个 GPU 的流量比其他 GPU 慢，或者完全不走 NVLink。',
  'doctor.effect.nvls-multicast-fabric-fault': '作业启动时失败；若关闭 NVLS，则只能不用它运行。',
  'doctor.effect.nvswitch-error-in-fm-log': '经过该端口的链路可能变慢或断开。',
  'doctor.effect.p2p-bandwidth-abnormal': '经过这些 GPU 对的集合通信极慢或挂起。',
  'doctor.effect.p2p-broken-geforce': '使用它的程序会挂起或得到错误数据。',
  'doctor.effect.p2p-disabled-geforce': 'GPU 之间经主机内存交换数据；在这里是正常的。',
  'doctor.effect.pcie-link-speed-idle': '空闲时没有影响：有负载时链路会提速。',
  'doctor.effect.pcie-link-width-degraded': '通往这块卡的带宽只有应有的一半或四分之一。',
  'doctor.effect.peermem-invalid-context': '单独出现没有影响。',
  'doctor.effect.peermem-symbol-mismatch-ofed': '模块无法加载，因此 GPUDirect RDMA 关闭。',
  'doctor.effect.perftest-missing-dmabuf-flag': '它去找并未加载的 nvidia_peermem，因而无法注册显存。',
  'doctor.effect.process-on-one-core':
    'NCCL 驱动网络和共享内存的代理线程要与程序争用这一个核：带宽下降，数据经过这些线程时降得最多。',
  'doctor.effect.process-not-numa-pinned': '主机与 GPU 之间的拷贝要跨越插槽之间的互连，速度只有一半或三分之一。',
  'doctor.effect.topo-file-bottleneck': 'NCCL 会按 0.2 GB/s 来评价经过主机的路径。',
  'doctor.effect.topo-file-suspicious-link-speed':
    'NCCL 会低估经过主机的路径；只要 GPU 与网卡同在该芯片之下就没有害处。',
  'doctor.effect.topo-xml-empty-link-speed': 'NCCL 对它们采用默认速率。',
  'doctor.effect.vm-flat-topology-needs-topo-file':
    'NCCL 认为每块网卡离每个 GPU 一样远，配对不当；GPUDirect RDMA 可能一直不启用。',
  'doctor.effect.workaround-env-left': '故障修好之后，某条直接路径仍然被关着。',
  'doctor.effect.p2p-mapping-refused': '作业在这些 GPU 之间建立第一个连接时就结束。',
  'doctor.effect.cumem-host-refused': '作业在建立共享内存传输时结束；GPU 和链路没有问题。',
  'doctor.effect.dmabuf-registration-refused': 'GPU 愿意提供显存，但在网卡上注册失败。',
  'doctor.effect.perftest-option-order': '测试没有开始，什么也没有测到。',
  'doctor.effect.gdrdrv-not-loaded': 'UCX、NVSHMEM 和 MPI 改用更慢的方式拷贝小消息，或无法启动。',
  'doctor.effect.fabric-manager-not-needed': '没有影响：独立的 GPU，或用 NVLink 桥相连的 GPU，不需要它。',
  'doctor.effect.tests-not-joined': '得到的是单个 GPU 的数值，或几个互相干扰的测试的数值；它们之间什么也没有测到。',
  'doctor.fix.acs-enabled':
    '先清除 GPU 与网卡上方各桥的 ACS 控制位；要长期有效，请在 BIOS 中关闭 ACS，或在每次开机时执行此命令。',
  'doctor.fix.acs-redirect-off-path': '无需处理，保持原样即可。',
  'doctor.fix.acs-srcvalid-only': '无需处理。',
  'doctor.fix.bar1-too-small': '减小单次传输的大小，或在 BIOS 中开启 Above 4G Decoding 与 Resizable BAR。',
  'doctor.fix.dmabuf-needs-open-kernel-module': '改装 NVIDIA 开源版内核模块。',
  'doctor.fix.fabric-manager-not-running': '安装与驱动版本完全一致的 nvidia-fabricmanager，启用并启动它。',
  'doctor.fix.fabric-manager-restarted-without-gpu-reset': '停掉所有作业，停止 fabric manager，复位 GPU，再启动它。',
  'doctor.fix.gdr-asymmetric-between-nodes': '在通道不带 /GDRDMA 的节点上加载 nvidia_peermem（或改用 DMA-BUF）。',
  'doctor.fix.gdr-disabled-by-default-grace': '设置 NCCL_NET_GDR_LEVEL=SYS，或换用会自动启用的新版 NCCL。',
  'doctor.fix.gdr-disabled-in-topo':
    '让 GPUDirect RDMA 能被检测到：加载 nvidia_peermem，或用带 DMA-BUF 的开源版内核模块。在文件里写 gdr="1" 并不能让它生效。',
  'doctor.fix.gdr-disabled-nccl-too-old-for-peermem': '换用 NCCL 2.23.4 或更新的版本。',
  'doctor.fix.gdr-disabled-peermem-loaded':
    '针对正在运行的 ib_core 重新加载或重新编译 nvidia_peermem（先装 OFED 再装驱动），或用开源版内核模块的 DMA-BUF。',
  'doctor.fix.gdr-disabled-peermem-missing':
    '立即加载 nvidia_peermem 并设为开机加载，或使用支持 DMA-BUF 的驱动与内核。',
  'doctor.fix.gdr-unsupported-geforce': '请改用数据中心级或专业级 GPU。',
  'doctor.fix.gdr-unsupported-unified-memory':
    '无需修复：nvidia_peermem、DMA-BUF、GDRCopy 和 nvidia-fs 在这里都用不了。自己的程序可用 cudaHostAlloc 分配缓冲区，再用 ibv_reg_mr 注册。',
  'doctor.fix.gdrdrv-device-node-missing': '用模块的主设备号创建设备文件，或使用软件包自带、开机会创建它的服务。',
  'doctor.fix.gdrdrv-wrong-driver-flavour': '在本机针对已安装的驱动重新编译 gdrdrv。',
  'doctor.fix.gpu-nic-cross-numa':
    '把网卡移到 GPU 所在的插槽（最好是同一交换芯片）。NCCL_NET_GDR_LEVEL=SYS 可强制启用 GPUDirect RDMA，但未必有用。',
  'doctor.fix.gpu-xid-119-gsp-timeout': '腾空该节点，复位 GPU 或重启，并更新驱动及其固件。',
  'doctor.fix.gpu-xid-79-off-the-bus':
    '腾空该节点并断电重启；若再次出现，检查 PCIe 错误、温度和供电，重新插卡，必要时更换 GPU 或插槽。',
  'doctor.fix.gpu-xid-nvlink': '腾空该节点，复位 GPU，收集错误报告；反复出现就更换部件。',
  'doctor.fix.imex-fabric-handle-import':
    '让两个容器都能看到主机的全部 GPU，或设置 NCCL_MNNVL_ENABLE=0 或 NCCL_CUMEM_ENABLE=0。',
  'doctor.fix.iommu-on':
    '以 iommu=pt 启动（主机侧不做转换），或关闭 IOMMU。还要检查 ACS：IOMMU 启用时 Linux 会打开它。',
  'doctor.fix.kernel-module-symbol-mismatch': '针对已安装的 NVIDIA 驱动重新编译它。',
  'doctor.fix.nccl-segfault': '保留 core 文件并记下 NCCL 版本，换一个版本试试。',
  'doctor.fix.numa-nps-setting': '在 BIOS 中设为 NPS4，再把每个进程绑定到其 GPU 所在的节点。',
  'doctor.fix.nvlink-down': '复位 GPU 与 fabric 并运行现场诊断；若再次出现，请更换板卡。',
  'doctor.fix.nvls-multicast-fabric-fault':
    '查看 fabric manager 日志与 NVSwitch 错误（SXid），再复位 fabric。NCCL_NVLS_ENABLE=0 只是掩盖问题。',
  'doctor.fix.nvswitch-error-in-fm-log': '查询 SXid 编号，复位 fabric；若再次出现，请维修该托盘。',
  'doctor.fix.p2p-bandwidth-abnormal':
    '检查 ACS 与 IOMMU，它们会让 P2P 绕经根端口；在修好之前，NCCL_P2P_DISABLE=1 反而更快。',
  'doctor.fix.p2p-broken-geforce': '换用不再声称支持 P2P 的新驱动，或设置 NCCL_P2P_DISABLE=1。',
  'doctor.fix.p2p-disabled-geforce': '无需修复；有接口的显卡可以加装 NVLink 桥。',
  'doctor.fix.pcie-link-speed-idle': '在拷贝进行时再读一次。',
  'doctor.fix.pcie-link-width-degraded': '重新插拔板卡、清洁金手指，或换到通道数齐全的插槽。',
  'doctor.fix.peermem-invalid-context': '无需处理；若反复出现且作业失败，请更新驱动或改用 DMA-BUF。',
  'doctor.fix.peermem-symbol-mismatch-ofed':
    '针对正在运行的 OFED 头文件重新编译驱动模块，或用开源版内核模块的 DMA-BUF 而不用 nvidia_peermem。',
  'doctor.fix.perftest-missing-dmabuf-flag': '在 --use_cuda 之后加上 --use_cuda_dmabuf，或加载 nvidia_peermem。',
  'doctor.fix.process-on-one-core': '把 rank 绑定到一个 NUMA 节点的所有核，或不绑定（--bind-to none）。',
  'doctor.fix.process-not-numa-pinned': '把它绑定到 GPU 附近的 CPU 与内存。',
  'doctor.fix.topo-file-bottleneck':
    '把上行链路的真实速率写进文件，例如 16.0 GT/s、宽度 16，并让 GPUDirect RDMA 生效。',
  'doctor.fix.topo-file-suspicious-link-speed': '在有负载时重新记录，或写入真实速率。',
  'doctor.fix.topo-xml-empty-link-speed': '无需处理；若 NCCL 选得不好，再写入真实速率。',
  'doctor.fix.vm-flat-topology-needs-topo-file':
    '给 NCCL 一个描述真实交换芯片的拓扑文件（NCCL_TOPO_FILE），或让虚拟化平台暴露 NUMA 与交换芯片。',
  'doctor.fix.workaround-env-left': '修复故障后取消它，再测一次。',
  'doctor.fix.p2p-mapping-refused':
    '让每个进程都能看到本节点的全部 GPU（不要逐卡隔离），并换用更新的 NCCL；若显卡本身没有 P2P，设置 NCCL_P2P_DISABLE=1 改走共享内存，并关掉程序自带的 all-reduce（--disable-custom-all-reduce）。',
  'doctor.fix.cumem-host-refused':
    '设置 NCCL_CUMEM_HOST_ENABLE=0，照旧经 /dev/shm 共享主机内存，或换用更新的 NCCL 或驱动。',
  'doctor.fix.dmabuf-registration-refused':
    '使用 5.12 或更新的内核和较新的 rdma-core，或较新的 DOCA、MLNX OFED；在此之前改走 nvidia_peermem：设置 NCCL_DMABUF_ENABLE=0，perftest 不带 DMA-BUF 选项。',
  'doctor.fix.perftest-option-order': '先指定 GPU：--use_cuda=N，再写 --use_cuda_dmabuf。',
  'doctor.fix.gdrdrv-not-loaded': '为正在运行的驱动和内核安装 gdrdrv 并加载，容器要能看到 /dev/gdrdrv。',
  'doctor.fix.fabric-manager-not-needed': '停用该服务即可，无需修复。',
  'doctor.fix.tests-not-joined': '用 MPI=1（以及 MPI_HOME）编译 nccl-tests，并用同一个 MPI 的 mpirun 启动。',
  'doctor.known.acs-enabled':
    'lspci -vvv 在 GPU 或网卡上方的桥上显示 ACSCtl 含 ReqRedir+ 或 CmpltRedir+。只有 SrcValid+ 不会重定向。BIOS 显示关闭未必真的关闭；IOMMU 启用时 Linux 会打开这些位。',
  'doctor.known.acs-redirect-off-path': '已逐一核对每个重定向的桥下面挂着什么。',
  'doctor.known.acs-srcvalid-only': '有的指南让人搜索 SrcValid+，看上去吓人；真正把流量送到根端口的只有重定向位。',
  'doctor.known.bar1-too-small':
    'cuFile 日志出现 Inc-bar-usage failed（只有大块传输时才会出现），或 CUDA 以“mapping of buffer object failed”中断 P2P；nvidia-smi -q 给出 BAR1 总量。',
  'doctor.known.dmabuf-needs-open-kernel-module':
    '/proc/driver/nvidia/version 写的是 Kernel Module 而不是 Open Kernel Module，且程序报告不支持 DMA-BUF。',
  'doctor.known.fabric-manager-not-running':
    'CUDA 报 system not yet initialized，Fabric 状态一直是 In Progress，或该服务未运行、未安装。没有 NVSwitch 的机器上该服务启动失败是正常的。',
  'doctor.known.fabric-manager-restarted-without-gpu-reset':
    'nvls.cc 报 Cuda failure 1 invalid argument，系统日志显示该服务停止后又启动。服务本身看起来是健康的。',
  'doctor.known.gdr-asymmetric-between-nodes': '一台主机的通道带 /GDRDMA，对端的不带；这两种行在日志里相隔很远。',
  'doctor.known.gdr-disabled-by-default-grace': 'GPU 搭配 Grace，NCCL 版本早于这项改动，且网络通道不带 /GDRDMA。',
  'doctor.known.gdr-disabled-in-topo': '拓扑中每个 <gpu> 和 <net> 都是 gdr="0"。',
  'doctor.known.gdr-disabled-nccl-too-old-for-peermem':
    '2.22.3 及以前的版本在 /sys/kernel/mm/memory_peers 下找 nv_mem，而模块注册的名字是 nvidia-peermem。只有版本号能把它和缺模块区分开。',
  'doctor.known.gdr-disabled-peermem-loaded': '加载不等于注册：请看 /sys/kernel/mm/memory_peers 里有没有它。',
  'doctor.known.gdr-disabled-peermem-missing':
    'NCCL 打印 GPU Direct RDMA Disabled for HCA，或 NET/IB 通道不带 /GDRDMA，或 perftest 无法分配内存区。未写进 modules-load.d 的模块重启后就没了。缺了它，NCCL 还会把同一交换芯片下的网卡当作 PHB。',
  'doctor.known.gdr-unsupported-geforce': '即使 nvidia_peermem 能加载，驱动也拒绝 GeForce 的注册。',
  'doctor.known.gdr-unsupported-unified-memory':
    'NVIDIA 对 DGX Spark 就是这样说明的；在 Jetson 上，要让网卡访问的内存同样须由 cudaHostAlloc 分配。',
  'doctor.known.gdrdrv-device-node-missing': '只用 modprobe 不会创建设备文件。',
  'doctor.known.gdrdrv-wrong-driver-flavour':
    '模块依赖 nv-p2p-dummy，或内核日志写着 built for proprietary NVIDIA driver，而运行的是开源版。',
  'doctor.known.gpu-nic-cross-numa':
    'NCCL 打印 distance A > B，其中数字是该版本的路径类型；或者矩阵中某个 GPU 到所有网卡都是 SYS。只要有近的网卡，存储网卡远一些是正常的。',
  'doctor.known.gpu-xid-119-gsp-timeout':
    '内核日志出现 Xid 119 及等待 RPC 响应超时。其中点名的进程只是碰上的，不是原因。',
  'doctor.known.gpu-xid-79-off-the-bus': '内核日志出现 Xid 79；此后 nvidia-smi 会少列出一块 GPU，或一块也没有。',
  'doctor.known.gpu-xid-nvlink': '内核日志出现 Xid 74，或 144 至 150 之一。随后的 Xid 45 是后果。',
  'doctor.known.imex-fabric-handle-import':
    '在多节点 NVLink 硬件上，每个容器只看到一块 GPU 时，p2p.cc 报 101；或者进程没有 IMEX 通道，cuMemCreate 报不允许，NCCL 报 MNNVL 可用但不能工作。',
  'doctor.known.iommu-on':
    '有 intel_iommu=on 而没有 iommu=pt，内核日志有 IOMMU enabled 或域类型 Translated，或 RCCL 自己的警告。amd_iommu=on 不是真正的选项：AMD 的 IOMMU 默认就开。',
  'doctor.known.kernel-module-symbol-mismatch':
    '内核日志对 nvidia_p2p 符号报 disagrees about version of symbol 或 no symbol version。驱动升级了，模块没有跟上。',
  'doctor.known.nccl-segfault': '内核日志显示 libnccl.so 中发生段错误。',
  'doctor.known.numa-nps-setting': 'lscpu 给出的 NUMA 节点数等于插槽数。',
  'doctor.known.nvlink-down':
    'nvidia-smi nvlink -s 显示一个 GPU 有不活动的链路，而其他 GPU 全部正常。PCIe 板卡和 H100 NVL 有些链路本来就不用。',
  'doctor.known.nvls-multicast-fabric-fault':
    'NCCL 在 nvls.cc 中失败，或说无法绑定 NVLink SHARP 内存：问题在 fabric manager 或 NVSwitch。',
  'doctor.known.nvswitch-error-in-fm-log': 'fabric manager 日志里有一行 ERROR，淹没在大量 INFO 之中。',
  'doctor.known.p2p-bandwidth-abnormal': '启用 P2P 的矩阵中某格远低于禁用 P2P 时的同一格。CAN Access 只说明驱动允许。',
  'doctor.known.p2p-broken-geforce':
    'RTX 40 系列或更新的显卡显示 CAN Access Peer，带宽却很离谱：远低于经主机内存的拷贝，或高于插槽的上限。',
  'doctor.known.p2p-disabled-geforce': 'GeForce 上的 CANNOT Access Peer Device 是产品策略，不是故障。',
  'doctor.known.pcie-link-speed-idle': '宽度是满的，只是速率较低。这是省电造成的。',
  'doctor.known.pcie-link-width-degraded': 'LnkSta 的宽度小于 LnkCap。空闲时速率低是正常的，宽度变窄则不是。',
  'doctor.known.peermem-invalid-context': '这一行通常出现在某个进程死掉之后。',
  'doctor.known.peermem-symbol-mismatch-ofed':
    '出现 Unknown symbol ib_register_peer_memory_client，或 modprobe 报 Invalid argument。发行版自带的 RDMA 核心没有这个符号。',
  'doctor.known.perftest-missing-dmabuf-flag':
    '命令里有 --use_cuda 而没有 --use_cuda_dmabuf，且驱动用的是开源版内核模块。',
  'doctor.known.process-on-one-core':
    '命令中有 --bind-to core 或只给了一个 CPU；或者是 Open MPI 的 mpirun 且只有一两个 rank，此时默认每个 rank 绑定一个核。',
  'doctor.known.process-not-numa-pinned': 'numactl 给的节点或 taskset 给的 CPU 不在该 GPU 的 CPU Affinity 之中。',
  'doctor.known.topo-file-bottleneck': 'XML 中有 2.5 GT/s、宽度 1 的交换芯片，或日志中有 PCI[0.2]：照抄的示例值。',
  'doctor.known.topo-file-suspicious-link-speed': '上行链路为 5.0 或 2.5 GT/s、通道全满，而下面的卡更快。',
  'doctor.known.topo-xml-empty-link-speed': 'link_speed 为空：虚拟机没有链路寄存器。这不是链路降级。',
  'doctor.known.vm-flat-topology-needs-topo-file':
    'NVLink 完好而所有 GPU 与网卡之间都是 PHB，或 lspci 里有 QEMU 根端口，或网卡的 NUMA 节点为 -1。',
  'doctor.known.workaround-env-left': 'NCCL_P2P_DISABLE=1、NCCL_NVLS_ENABLE=0 之类的设置，往往比当初的原因留得更久。',
  'doctor.known.p2p-mapping-refused':
    'NCCL 依据 NVML 对整个节点的报告作决定；若 CUDA 够不到对方 GPU，或进程看不到它，打开其显存时就会报错误 217 或 IPC 句柄失败。',
  'doctor.known.cumem-host-refused':
    'NCCL 2.24 及更新版本在驱动支持时向驱动申请主机缓冲区；在没有 P2P 的 GPU 上，或在禁止内存策略的容器里，驱动会拒绝，错误出现在 shm.cc。',
  'doctor.known.dmabuf-registration-refused':
    '错误 95 或 93（不支持）来自 verbs 库或网卡的内核驱动：那里没有 ibv_reg_dmabuf_mr。GPU 一侧的开源内核模块只是另一半条件。',
  'doctor.known.perftest-option-order': 'perftest 按顺序解析选项，会提示没有 CUDA 就不能使用 DMA-BUF。',
  'doctor.known.gdrdrv-not-loaded': '模块没有加载、没有 /dev/gdrdrv，或容器看不到它时，gdr_open 就会失败。',
  'doctor.known.fabric-manager-not-needed': '它向驱动查询 NVSwitch，得到“无事可做”的回答，于是以错误退出。',
  'doctor.known.tests-not-joined': '知道全部进程的测试只列一次 rank 0 到 n−1；这里有好几个进程都是自己的 rank 0。',
  'doctor.title.p2p-chipset-unsupported': '在这个芯片组上，驱动不允许 GPU 之间 P2P',
  'doctor.title.p2p-data-wrong': 'GPU 之间经 PCIe 传输的数据到达后是错的',
  'doctor.effect.p2p-chipset-unsupported':
    'GPU 之间的数据经主机内存拷贝（SHM）。在虚拟机里，以及许多台式机、工作站主板的根端口之下，本来就是这样。',
  'doctor.effect.p2p-data-wrong': '作业会用错误的数据计算，或一直等待永远不会到达的标志而挂起。',
  'doctor.fix.p2p-chipset-unsupported':
    '虚拟机里须由虚拟化层把这些 GPU 声明为同一个 P2P 组（QEMU：x-nv-gpudirect-clique），并让它们彼此可达。物理机上可试较新的驱动，或把 GPU 插到同一个 PCIe 交换芯片下；主板两样都做不到时，就无可修复。',
  'doctor.fix.p2p-data-wrong':
    '修好之前先设置 NCCL_P2P_DISABLE=1。然后清除 GPU 上方各桥的 ACS 位，以 iommu=pt 启动或关闭 IOMMU，再测一次；为开放 P2P 而打过补丁的驱动还需要 Resizable BAR。',
  'doctor.known.p2p-chipset-unsupported':
    'nvidia-smi topo -p2p 中每一对都是 CNS（chipset not supported），NCCL 照此办理。GeForce 因产品策略也显示同样的内容。',
  'doctor.known.p2p-data-wrong': 'simpleP2P 打印 Verification error：对端可以打开，拷贝也完成了，但那里的数据不对。',
  'doctor.title.gpu-fabric-not-joined': 'GPU 没有加入 NVLink fabric',
  'doctor.effect.gpu-fabric-not-joined':
    'nvidia-smi 看上去正常，但到其他 GPU 的 NVLink 或 NVLink 多播不可用：作业启动时失败，或改走较慢的路径。',
  'doctor.fix.gpu-fabric-not-joined':
    '查看 fabric manager 的日志（NVL72 上看交换托盘的日志），复位该 GPU；若再次出现，请维修该节点。',
  'doctor.known.gpu-fabric-not-joined':
    'nvidia-smi -q 的 Fabric 一节中 State 为 Completed，而 Status 不是 Success：请求得到了答复，但被拒绝。',
  'doctor.title.driver-library-mismatch': 'NVIDIA 驱动的用户态库与内核模块版本不一致',
  'doctor.effect.driver-library-mismatch': 'NVML 无法启动，NCCL 和 CUDA 也可能因此失败。',
  'doctor.fix.driver-library-mismatch':
    '重启主机，或卸载后重新加载 nvidia 内核模块，使已安装的版本生效；在容器里，应由 NVIDIA Container Toolkit 提供主机的驱动库。',
  'doctor.known.driver-library-mismatch':
    '驱动库启动时会核对内核模块的版本，不一致就放弃。升级软件包只换了文件，已加载的模块要到重启后才会更换。',
} as const;
