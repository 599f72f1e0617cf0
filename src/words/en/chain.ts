/** What a direct way needs, link by link. */
export const chain = {
  'chain.title.gpudirect-rdma': 'GPUDirect RDMA, link by link',
  'chain.title.p2p': 'P2P between GPUs, link by link',
  'chain.title.gpudirect-storage': 'GPUDirect Storage, link by link',
  'chain.link.gpu': 'GPU that offers its memory',
  'chain.link.driver': 'NVIDIA driver',
  'chain.link.memory': 'GPU memory registered (peermem or DMA-BUF)',
  'chain.link.nic': 'RDMA NIC with a link',
  'chain.link.verbs': 'verbs in the process',
  'chain.link.acs': 'switches pass peer traffic (ACS)',
  'chain.link.iommu': 'no translation on the way (IOMMU)',
  'chain.link.place': 'GPU and NIC near enough',
  'chain.link.library': 'NCCL takes it',
  'chain.link.nvidia-fs': 'nvidia-fs or P2PDMA',
  'chain.link.drives': 'drives and file system',
  'chain.yes': 'yes',
  'chain.no': 'no',
  'chain.unknown': 'unknown',
  'chain.no-input':
    'the chain is judged from what tools printed: name files or folders, or "-" for standard input; a machine of the catalogue tells nothing of it',
  'chain.run': 'run: {command}',
  'chain.way': "'{text}' is no way: one of {names}",
} as const;
