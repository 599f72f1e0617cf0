/** NCCL 的通道与选择。 */
export const graph = {
  'graph.title': 'NCCL {version}：{ranks} 个 rank，{nodes} 个节点，{channels} 个通道',
  'graph.title.nearest': 'NCCL {version}（与 {asked} 最接近）：{ranks} 个 rank，{nodes} 个节点，{channels} 个通道',
  'graph.split': 'NCCL 按 {count} 个节点计：同一主机上只能经网络互通的 GPU 视为不同节点',
  'graph.kind.ring': '环',
  'graph.kind.tree': '树',
  'graph.kind.nvls': 'NVLS',
  'graph.found': '{kind}（{pattern}）：{count} × {intra} GB/s，节点内 {typeIntra}',
  'graph.found.inter':
    '{kind}（{pattern}）：{count} × {intra} GB/s，节点内 {typeIntra}；到网络 {inter} GB/s，{typeInter}',
  'graph.none': '{kind}：未找到',
  'graph.slow': '▲ 没有可行的通道，NCCL 退回到一条按编号顺序的慢速通道',
  'graph.same': '通道 {list}',
  'graph.choice': '各集合操作按数据总量选用的算法',
  'graph.choice.size': '起始大小',
  'graph.choice.way': '算法/协议',
  'graph.choice.channels': '通道数',
  'graph.choice.time': '预测耗时',
  'graph.too-many': '{ranks} 个 rank 超出可列出的上限 {most}；请减小 --nodes',
  'graph.env.prefix': '{name}={text}：只有第一个列表可以不写集合操作的名称，NCCL 无法启动',
  'graph.env.collective': '{name}={text}：没有名为 {token} 的集合操作，NCCL 无法启动',
  'graph.env.token': '{name}={text}：{token} 无法识别，NCCL 无法启动',
  'graph.env.nothing':
    '{collective}：NCCL_ALGO 与 NCCL_PROTO 未留下任何可用组合，NCCL 会以“no algorithm/protocol available”报错退出',
} as const;
