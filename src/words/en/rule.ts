/** Rules that decided something, and refusals. */
export const rule = {
  'rule.refused.no-gpu': 'NCCL finds no GPU of any rank in this topology and stops',
  'rule.refused.gpu-hidden':
    '{gpu} ({bus}) sits below a PCIe device that also carries a <nic>: NCCL takes that device for a NIC and never looks below it, so the NVLinks of {gpu} have no owner and NCCL stops with an internal error',
  'rule.refused.version': 'topology file version {version}: NCCL accepts only version 1',
  'rule.refused.one-way':
    'an NVLink is written from {from} to {to} and none back: NCCL finds no reverse path ("Failed to find reverse path") and stops',
  'rule.refused.same-bus': 'two GPUs have the bus id {bus}: NCCL cannot tell them apart; give each its own',
  'rule.p2p.within': 'path {type} is within the level up to which NCCL {version} uses P2P ({level})',
  'rule.p2p.beyond': 'path {type} is beyond the level up to which NCCL {version} uses P2P ({level}, its default)',
  'rule.p2p.beyond-user': 'path {type} is beyond NCCL_P2P_LEVEL={level}',
  'rule.p2p.within-user': 'path {type} is within NCCL_P2P_LEVEL={level}',
  'rule.p2p.amd':
    'path {type} is allowed: on an AMD host with at most two GPUs NCCL {version} raises the P2P level to SYS',
  'rule.p2p.disabled': 'NCCL_P2P_DISABLE=1 switches P2P off',
  'rule.p2p.driver': 'the driver reports P2P between these GPUs as not working',
  'rule.p2p.driver-fatal':
    'the driver reports P2P between NVLink-connected GPUs as not working: NCCL stops with an error unless NCCL_IGNORE_DISABLED_P2P=1',
  'rule.p2p.same': 'both ranks run on the same GPU',
  'rule.p2p.none': 'no way between the two in this topology',
  'rule.p2p.net-faster':
    'each of the two GPUs has a NIC at PXB or nearer with more bandwidth than the way between them ({bw} GB/s): NCCL sends over the network',
  'rule.p2p.driver-unknown': '{rule}; whether the driver allows P2P between these GPUs is not known',
  'rule.gdr.within': 'path {type} is within the level up to which NCCL {version} uses GPUDirect RDMA ({level})',
  'rule.gdr.beyond':
    'path {type} is beyond the level up to which NCCL {version} uses GPUDirect RDMA ({level}, its default){numbers}',
  'rule.gdr.within-user': 'path {type} is within NCCL_NET_GDR_LEVEL={level}',
  'rule.gdr.beyond-user': 'path {type} is beyond NCCL_NET_GDR_LEVEL={level}{numbers}',
  'rule.gdr.numbers': ', which it logs as "distance {distance} > {limit}"',
  'rule.gdr.no-numbers': '',
  'rule.gdr.nic-cannot':
    'the NIC side cannot do GPUDirect RDMA: no peermem module is registered and DMA-BUF is not available',
  'rule.gdr.seen-staged':
    'the log shows data going through host memory where GPU and NIC are near enough to go direct: one of them cannot do GPUDirect RDMA, most often because no peermem module is registered and DMA-BUF is not available',
  'rule.gdr.gpu-cannot': 'the GPU does not support GPUDirect RDMA',
  'rule.gdr.read-off': 'NCCL_NET_GDR_READ=0 switches it off on the send side',
  'rule.gdr.read-needs-nvlink':
    'NCCL {version} sends directly from this GPU only when it is alone or has an NVLink neighbour',
  'rule.gdr.not-known': 'whether {who} can do GPUDirect RDMA is not known',
  'rule.gdr.both': 'GPU and NIC',
  'rule.gdr.gpu': 'the GPU',
  'rule.gdr.nic': 'the NIC',
  'rule.path': 'path type {type}',
  'rule.net.sockets': 'NCCL uses sockets between the nodes: every byte passes the kernel',
  'rule.net.ipoib':
    'NCCL uses sockets over IPoIB between the nodes: InfiniBand hardware, but every byte passes the kernel',
  'rule.memcpy': 'a copy engine moves data between GPU and host memory',
  'rule.dma': 'the NIC reads and writes host memory by DMA',
  'rule.domain.open':
    'one NVLink domain joins the nodes: NCCL takes NVLink if the fabric manager and IMEX have made one clique of them, else the network',
  'rule.gds.told': 'the description says that GPUDirect Storage works here',
  'rule.gds.told-not': 'the description says that GPUDirect Storage does not work here',
  'rule.gds.not-known': 'whether GPUDirect Storage works here is not known',
  'rule.p2p.nvlinks-unknown': 'whether NVLinks join these GPUs is not known; without them: {rule}',
  'rule.register.yes':
    'the GPU exports its memory and the kernel takes it: an application can register it with the NIC',
  'rule.p2pdma.yes': 'the kernel lets drives and this GPU talk to each other by themselves',
  'rule.p2pdma.gpu':
    'the driver gives memory of {gpu} to the kernel on no list of NVIDIA (A100, A40, L4, L40S, H100, H200, B100, B200, B300)',
  'rule.p2pdma.gpu-unknown':
    'which GPU this is, and so whether its driver gives its memory to the kernel, is not known',
  'rule.p2pdma.arm': 'NVIDIA supports it on x86 hosts only',
  'rule.p2pdma.off':
    'kernel or driver are not set up for it: CONFIG_PCI_P2PDMA, kernel 6.2, open driver 565, RMForceStaticBar1=1, nvme_core multipath=N',
  'rule.p2pdma.kernel-unknown':
    'whether kernel and driver are set up for it is not known: grep CONFIG_PCI_P2PDMA /boot/config-$(uname -r); gdscheck -p (--assume p2pdma=on)',
  'rule.p2pdma.acs': 'ACS sends it through a host bridge that is not on the list of the kernel',
  'rule.p2pdma.acs-unknown':
    'whether ACS sends it through a host bridge, which may not be on the list of the kernel, is not known (--assume acs=off)',
  'rule.p2pdma.bridge':
    'it crosses a host bridge that is not on the list of the kernel: drive and GPU must hang on one switch',
  'rule.p2pdma.bridge-unknown':
    'it crosses a host bridge; whether that is on the list of the kernel is not known: the kernel log names it when it refuses',
} as const;
