/** Changes that flip a verdict. */
export const flip = {
  'flip.unset': 'remove {name} from the environment',
  'flip.set': 'set {name}={value}',
  'flip.peermem': 'load nvidia_peermem (or use DMA-BUF with the open kernel modules)',
  'flip.peermem-gone': 'nvidia_peermem gone and no DMA-BUF (after a reboot, say)',
  'flip.gpu-gdr': 'use a GPU that supports GPUDirect RDMA',
  'flip.gpu-gdr-gone': 'a GPU without GPUDirect RDMA',
  'flip.p2p-ok':
    'have the driver report P2P as working (ACS redirection and IOMMU translation off, a GPU that has P2P)',
  'flip.p2p-bad': 'a driver that reports P2P as not working',
  'flip.nccl': 'NCCL {version} or newer',
  'flip.slot': '{nic} moved to {place}, beside {gpu}',
} as const;
