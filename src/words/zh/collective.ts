/** 集合操作为何无法生成程序，或程序为何有误。 */
export const collective = {
  'collective.fault.task':
    'count 为 {count}，{channels} 个通道，每个元素 {elementBytes} 字节，分块 {chunkBytes} 字节：均须为整数，后三项至少为 1',
  'collective.fault.root': '{ranks} 个 rank 中没有编号为 {root} 的根',
  'collective.fault.way': '{collective} 在此处不能采用 {algorithm}/{protocol}',
  'collective.fault.large': '程序超过 {most} 步，无法用真实数据执行',
  'collective.fault.stuck':
    '{all} 个工作线程组中有 {count} 个永远等待，其中第一个是 rank {rank} 在通道 {channel} 上的第 {step} 步',
  'collective.fault.left': '从 rank {from} 到 rank {to} 的一条消息始终无人接收',
  'collective.fault.size': '从 rank {from} 到 rank {to} 的消息有 {got} 个元素，接收方预期 {want} 个',
  'collective.fault.wrong': 'rank {rank} 的第 {element} 个元素：得到 {got}，应为 {want}',
} as const;
