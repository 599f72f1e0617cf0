/** 判定规则与拒绝原因。 */
export const rule = {
  'rule.refused.no-gpu': 'NCCL 在这份拓扑里找不到任何 rank 的 GPU，直接退出',
  'rule.refused.gpu-hidden':
    '{gpu}（{bus}）挂在一个同时带有 <nic> 的 PCIe 设备下面：NCCL 把该设备当作网卡，不再往下看，{gpu} 的 NVLink 因此找不到所属 GPU，NCCL 报内部错误退出',
  'rule.refused.version': '拓扑文件版本为 {version}：NCCL 只接受版本 1',
} as const;
