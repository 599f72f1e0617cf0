/** 没有具体机器的网络。 */
export const plain = {
  'plain.form': '{key}：“{value}” 应是带单位的数，例如 {form}',
  'plain.collective': '纯网络上不运行 {name}；可用的有 {known}',
  'plain.too-many': '{gpus} 个 GPU 之间的 alltoall 消息太多，无法逐条运行',
  'plain.title': '{collective}：{gpus} 个 GPU，{shape}，链路 {rate} Gb/s、{latency}，每条消息的软件开销 {send}',
  'plain.head.size': '大小',
  'plain.head.time': '耗时',
  'plain.head.algbw': 'algbw GB/s',
  'plain.head.busbw': 'busbw GB/s',
} as const;
