/** 走直路的好处。 */
export const gain = {
  'gain.title': '走直路在这里能带来什么',
  'gain.head.path': '通路',
  'gain.head.latency': '延迟',
  'gain.head.bandwidth': '每块 GB/s',
  'gain.head.cores': 'CPU 核',
  'gain.head.memory': '主机内存',
  'gain.work.gradient': '梯度同步：{gpus} 块 GPU 同时发送，每次 64 MiB，发往下一节点',
  'gain.work.checkpoint': '检查点，一块 GPU 以 8 个线程写 16 MiB',
  'gain.work.dataset': '数据集，16 个线程按 1 MiB 读取',
  'gain.work.inference': '推理，客户端发来 4 KiB 消息，每秒 10,000 条',
  'gain.work.video': '4K60 视频：每 16.7 ms 一帧（假设采集卡插在本 CPU 的槽位上）',
  'gain.word.bandwidth': '直路：速率是中转的 {factor} 倍。',
  'gain.word.latency': '直路：每次少 {saved}，周期为 {period}。',
  'gain.word.relief': '不会更快，但省出 {cores} 个 CPU 核和 {memory} GB/s 主机内存带宽。',
  'gain.word.nothing': '收益可以忽略：消息太小或太少，绕路只占用 {cores} 个 CPU 核和 {memory} GB/s 主机内存带宽。',
  'gain.word.nothing-full':
    '收益可以忽略：两条路的速率都受同一段链路限制，绕路只占用 {cores} 个 CPU 核和 {memory} GB/s 主机内存带宽。',
  'gain.memory-bound': '中转时瓶颈是主机内存：流量 {traffic} GB/s，占其能力的 {share}%。',
  'gain.beside': '同机的其他应用可以拿回 {share}% 的内存带宽和 {cores} 个 CPU 核。',
  'gain.not-today': '目前没有走直路：{rule}。',
  'gain.unknown-today': '目前是否走直路未知：{rule}。',
  'gain.none':
    '无从比较：没有哪种负载在这台机器上两条路都能走，或者输入里没有链路速率（NCCL 拓扑 XML 或 --system 可以提供）',
  'gain.control': '免去的只是数据搬运，不是控制：每次传输仍由 CPU 发起。',
  'gain.memory-unknown': '不知道 CPU 型号，因此没有计入主机内存的限制。',
  'gain.work.rare': '每秒一条 1 MiB 消息',
  'gain.word.slower':
    '走直路反而更慢，耗时是中转的 {factor} 倍：GPU 与网卡之间的点对点流量要穿过主机。换成更近的网卡才会改变。',
  'gain.word.slower-drives':
    '走直路反而更慢，耗时是中转的 {factor} 倍：这些盘没有接在该 GPU 自己的交换芯片下。把盘换到离 GPU 更近的位置即可改变。',
} as const;
