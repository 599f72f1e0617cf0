/** 诊断结论之外的话。 */
export const doctor = {
  'doctor.no-input': 'doctor 诊断的是各种工具的输出：请给出文件或目录，“-” 表示标准输入；对机型库里的机型无从诊断',
  'doctor.fix-then': '然后',
  'doctor.absent.module': '已加载模块列表中没有 {name}',
  'doctor.absent.node': '没有 {path}',
  'doctor.absent.links': '缺少其他 GPU 都有的 NVLink',
  'doctor.set': '设置了 {name}={value}',
  'doctor.unset': '取消 {name}，它关闭了直接路径',
  'doctor.counter-full': '计数器已到上限 255；请清零后看它是否还在增长',
  'doctor.open.gdr': '能否使用 GPUDirect RDMA：通道不带 /GDRDMA，而输入中看不出原因',
  'doctor.open.acs': 'ACS 是否重定向 GPU 之间的流量',
  'doctor.open.completion': '某次传输为何以错误结束',
  'doctor.open.completion.memory':
    '网卡为何访问不了本机内存（{name}，状态 {status}）：若是显存，多半是 GPU 与网卡之间的 ACS 或 IOMMU 所致，设 NCCL_NET_GDR_LEVEL=LOC 后就不再出错',
  'doctor.open.completion.remote':
    '对端网卡为何拒绝了一次传输（{name}，状态 {status}）：原因在对端主机上，要看它自己的日志和这些命令的输出',
  'doctor.open.completion.timeout':
    '对端为何没有应答（{name}，状态 {status}）：问题出在两端之间的链路、地址、防火墙或丢包，也可能是对端进程已经结束',
  'doctor.open.completion.not-ready':
    '对端为何没有备好缓冲区（{name}，状态 {status}）：对端进程被拖住或已结束，要看它自己的日志',
  'doctor.open.completion.flushed':
    '连接先前因何中断：这些传输只是被清空（状态 {status}），最初的错误在另一个 rank 的日志里',
  'doctor.open.wrong-results': 'nccl-tests 的结果中为何有错误的值',
  'doctor.open.failed': '为何出现这个错误：{text}',
  'doctor.fix-device-plugin':
    '只有当 /dev/infiniband 下的文件齐全时，该插件才会把网卡交给 pod：加载创建这些文件的内核模块，核对插件 selectors 中的网卡，然后重启插件。以太网端口没有 issm；仍要求 issm 的旧版插件需要升级。',
  'doctor.fix-provider-abi':
    '在镜像中安装与主机上网卡厂商驱动同版本的用户态 RDMA 库：发行版自带的提供者与该内核驱动的接口不兼容。',
  'doctor.fix-width-desktop':
    '台式机主板的插槽共用 CPU 的 PCIe 通道：插两块卡，或在共用通道的 M.2 插槽装了硬盘时，每个插槽只剩 8 条，具体见主板手册。若不是这种情况，请重新插拔板卡，并检查延长线。',
  'doctor.fix-peermem-amd':
    '先装 RDMA 软件栈，再装 ROCm 的 amdgpu 驱动（amdgpu-dkms），让它以 amdkfd 的名字向其 peer memory 注册；或改走 DMA-BUF，内核需带 P2PDMA 和 DMABUF_MOVE_NOTIFY。',
  'doctor.fix-imex-domain':
    '让不是 READY 的节点上的 nvidia-imex 正常运行：各节点的版本和 nodes_config.cfg 必须一致，节点之间不能有防火墙阻拦。',
  'doctor.imex-channel':
    '创建 IMEX 通道并交给容器（/dev/nvidia-caps-imex-channels/channel0）；跨节点时每个节点都要运行 nvidia-imex。没有多节点 NVLink 的板卡不支持这种句柄',
  'doctor.none': '没有发现问题。',
  'doctor.none-failed': '有操作失败，但从这些输入中看不出原因。',
  'doctor.table': '表格里的数值正常吗？crowfly compare {file}',
  'doctor.count': '错误 {errors}，警告 {warnings}，提示 {infos}',
  'doctor.severity.error': '错误',
  'doctor.severity.warning': '警告',
  'doctor.severity.info': '提示',
  'doctor.follows': '起因：{title}',
  'doctor.report.labelled': '{label}：{text}',
  'doctor.report.both': '{first}{second}',
  'doctor.report.ended': '{text}。',
  'doctor.devices': '设备',
  'doctor.effect': '影响',
  'doctor.evidence': '证据',
  'doctor.missing': '表现',
  'doctor.do': '处理',
  'doctor.unsure': '要确认，请运行',
  'doctor.open': '这些输入看不出的事',
  'doctor.run': '请运行：{command}',
  'doctor.docs': '文档',
  'doctor.report': 'crowfly 的诊断结论',
  'doctor.format': '诊断结果没有“{text}”这种形式，可用：md、html、sarif、junit、prometheus',
  'cli.declined.others': '{file}：没有任何一行属于以下格式：{formats}',
  'doctor.cost.rate': '在这台机器上：从 {from} 到 {to} 为 {slow} GB/s，而不是 {fast} GB/s，损失 {share}%。',
  'doctor.cost.all-reduce':
    '{nodes} 个节点共 {ranks} 块 GPU 做 1 GiB 的 AllReduce 需要 {sick} ms，本来只要 {well} ms，带宽损失 {share}%。',
  'doctor.cost.all-reduce-node':
    '本节点的 {ranks} 块 GPU 做 1 GiB 的 AllReduce 需要 {sick} ms，本来只要 {well} ms，带宽损失 {share}%。',
  'doctor.cost.latency':
    '在这台机器上：大块传输的带宽不变，但从 {from} 到 {to} 传 8 KiB 需 {slow} µs 而不是 {fast} µs，并经主机内存拷贝 {copies} 次。',
  'doctor.more-lines': '另见 {lines}',
  'doctor.way.gpudirect-rdma': 'GPU 与网卡之间的 GPUDirect RDMA',
  'doctor.way.p2p': 'GPU 之间直接传输（P2P）',
  'doctor.way.gpudirect-storage': 'GPUDirect Storage',
  'doctor.answer.yes': '是',
  'doctor.answer.no': '否',
  'doctor.answer.unknown': '未知',
  'cli.about.doctor': '哪里有问题、如何得知、有何影响、该敲什么命令',
  'cli.option.report': '可转交的形式：md、html、sarif、junit 或 prometheus',
  'doctor.explain.effect': '有何影响',
  'doctor.explain.known': '如何得知',
  'doctor.explain.fix': '如何处理',
} as const;
