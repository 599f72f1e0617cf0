/** 讲解。 */
export const learn = {
  'learn.topics': '可以演示的主题（用 --system ID 可以换一台机器）：',
  'learn.here': '可在这台机器上演示',
  'learn.not-here': '这台机器上没有',
  'learn.steps': '逐段过程与计数',
  'learn.head.stage': '阶段',
  'learn.head.rate': '上限',
  'learn.head.copies': '拷贝',
  'learn.head.memory': '主机内存',
  'learn.head.core': 'CPU 核',
  'learn.head.latency': '延迟',
  'learn.head.eight': '8 个在途',
  'learn.registered':
    '在此之前，为网卡注册（锁定）缓冲区 {count} 次，共用 {time}；再次使用同一缓冲区时命中注册缓存，只需 {again}。',
  'learn.packet': '一个满载报文（字节）：{parts}。净荷占 {share}%。',
  'learn.part.payload': '净荷',
  'learn.part.framing': '前导码、FCS 与帧间隔',
  'learn.run':
    '用 {bytes} 字节真实数据完整运行一次：拷贝引擎和 CPU 核拷贝了 {copied} 字节，经过主机内存 {host} 字节，经过 CPU 核 {cores} 字节，经过网卡 {nics} 字节；收到的数据已逐字节核对。',
  'learn.today.yes': '目前这条路可走：',
  'learn.today.no': '目前没有走这条路：',
  'learn.today.unknown': '目前是否走这条路未知：',
  'learn.no-machine':
    '这台机器不具备演示 {topic} 的条件，或输入里没有链路速率；不带输入直接运行“crowfly learn {topic}”，会在一台典型机器上演示',
  'learn.failed': '{topic} 的演示没有跑成',
  'learn.today': '{today}{rule}',
  'learn.nccl.ways': '这台机器上各类设备对走哪条路径',
  'learn.nccl.choices': 'all_reduce 在各种大小下用什么',
  'learn.nccl.channels': '最多 {count} 个通道',
} as const;
