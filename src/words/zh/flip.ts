/** 能改变判定的改动。 */
export const flip = {
  'flip.unset': '从环境中去掉 {name}',
  'flip.set': '设置 {name}={value}',
  'flip.peermem': '加载 nvidia_peermem（或用开源内核模块的 DMA-BUF）',
  'flip.peermem-gone': 'nvidia_peermem 不在了且没有 DMA-BUF（例如重启之后）',
  'flip.gpu-gdr': '换用支持 GPUDirect RDMA 的 GPU',
  'flip.gpu-gdr-gone': '换成不支持 GPUDirect RDMA 的 GPU',
  'flip.p2p-ok': '让驱动报告 P2P 可用（关闭 ACS 重定向和 IOMMU 转换，并使用支持它的卡）',
  'flip.p2p-bad': '驱动报告 P2P 不可用',
  'flip.nccl': '升级到 NCCL {version} 或更新',
  'flip.slot': '把 {nic} 移到 {place}，与 {gpu} 相邻',
} as const;
