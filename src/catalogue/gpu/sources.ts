/** Documents several GPU families share. */
export const openModules = 'https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/README.md#compatible-gpus';
export const pciIds = 'https://pci-ids.ucw.cz/read/PC/10de';
export const capability = 'https://developer.nvidia.com/cuda-gpus';
/** "GPUDirect RDMA is available on both Tesla and Quadro GPUs": GeForce is not among them. */
export const rdmaDocs = 'https://docs.nvidia.com/cuda/gpudirect-rdma/';
/** "GPUDirect Peer to Peer is supported natively by the CUDA Driver". */
export const p2pDocs = 'https://developer.nvidia.com/gpudirect';
export const nvlinkPage = 'https://www.nvidia.com/en-us/data-center/nvlink/';
