import type { MessageCode } from '../words/message.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Ids of findings: those that have a title in the words. */
export type FindingId = { [C in MessageCode]: C extends `doctor.title.${infer I}` ? I : never }[MessageCode];

interface About {
  readonly severity: Severity;
  readonly docs: string;
}

const nccl = 'https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html';
const env = 'https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html';
const rdma = 'https://docs.nvidia.com/cuda/gpudirect-rdma/';
const gds = 'https://docs.nvidia.com/gpudirect-storage/troubleshooting-guide/';
const fabric = 'https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/';
const xid = 'https://docs.nvidia.com/deploy/xid-errors/';
const driver = 'https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/';
const gdrcopy = 'https://github.com/NVIDIA/gdrcopy';
const diags = 'https://github.com/linux-rdma/rdma-core';
const perftest = 'https://github.com/linux-rdma/perftest';
const ofi = 'https://github.com/aws/aws-ofi-nccl';
const samples = 'https://github.com/NVIDIA/cuda-samples';

const error = (docs: string): About => ({ severity: 'error', docs });
const warning = (docs: string): About => ({ severity: 'warning', docs });
const info = (docs: string): About => ({ severity: 'info', docs });

/** How loud each finding is, and where its subject is described by those who made it. */
export const about: Readonly<Record<FindingId, About>> = {
  'acs-enabled': error(nccl),
  'acs-redirect-off-path': info(nccl),
  'acs-srcvalid-only': info(nccl),
  'bar1-too-small': error(gds),
  'containers-apart': error(
    'https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html#sharing-data',
  ),
  'cumem-host-refused': error(env),
  'dmabuf-needs-open-kernel-module': error(rdma),
  'dmabuf-registration-refused': error(rdma),
  'driver-library-mismatch': error(driver),
  'efa-device-not-exposed': error(ofi),
  'efa-peer-unreachable': error('https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start-nccl.html'),
  'efa-plugin-no-provider': error(ofi),
  'fabric-manager-not-needed': info(fabric),
  'fabric-manager-not-running': error(fabric),
  'fabric-manager-restarted-without-gpu-reset': error(fabric),
  'gdr-asymmetric-between-nodes': error(rdma),
  'gdr-disabled-by-default-grace': info(env),
  'gdr-disabled-in-topo': error(env),
  'gdr-disabled-nccl-too-old-for-peermem': error(nccl),
  'gdr-disabled-peermem-loaded': error(rdma),
  'gdr-disabled-peermem-missing': error(rdma),
  'gdr-unsupported-geforce': error(rdma),
  'gdr-unsupported-unified-memory': info('https://docs.nvidia.com/dgx/dgx-spark-porting-guide/porting/cuda.html'),
  'gdrdrv-device-node-missing': error(gdrcopy),
  'gdrdrv-not-loaded': warning(gdrcopy),
  'gdrdrv-wrong-driver-flavour': error(gdrcopy),
  'gds-compat-mode': error(gds),
  'gds-disabled-by-config': warning(gds),
  'gds-driver-not-loaded': error(gds),
  'gds-file-register-failed': error(gds),
  'gds-gpu-memory-refused': error(gds),
  'gds-nvme-driver-not-patched': error(gds),
  'gds-nvme-unsupported': error(gds),
  'gds-p2pdma-unsupported': error(gds),
  'gds-udev-missing-in-container': error(gds),
  'gds-unsupported-block-device': error(gds),
  'gds-versions-differ': error(gds),
  'gpu-fabric-not-joined': error(fabric),
  'gpu-nic-cross-numa': error(env),
  'gpu-xid-119-gsp-timeout': error(xid),
  'gpu-xid-79-off-the-bus': error(xid),
  'gpu-xid-nvlink': error(xid),
  'imex-fabric-handle-import': error(env),
  'iommu-on': error(nccl),
  'ipoib-used-instead-of-verbs': error(nccl),
  'kernel-module-symbol-mismatch': error(gdrcopy),
  'memlock-limit': error(nccl),
  'mtu-mismatch': error(diags),
  'nccl-segfault': warning(nccl),
  'nic-firmware-error': error(diags),
  'nic-link-degraded': error(diags),
  'nic-link-flapping': warning(diags),
  'nic-missing': error(diags),
  'nic-no-subnet-manager': error(diags),
  'nic-port-down': error(diags),
  'nic-set-differs-between-nodes': error(env),
  'nics-left-out': warning(env),
  'numa-nps-setting': info(nccl),
  'nvlink-down': error(fabric),
  'nvls-multicast-fabric-fault': error(fabric),
  'nvswitch-error-in-fm-log': error(fabric),
  'p2p-bandwidth-abnormal': error(samples),
  'p2p-broken-geforce': error(nccl),
  'p2p-chipset-unsupported': info(nccl),
  'p2p-data-wrong': error(nccl),
  'p2p-disabled-geforce': info(samples),
  'p2p-mapping-refused': error(nccl),
  'pcie-link-speed-idle': info(nccl),
  'pcie-link-width-degraded': error(nccl),
  'peermem-invalid-context': info(rdma),
  'peermem-symbol-mismatch-ofed': error(rdma),
  'perftest-missing-dmabuf-flag': error(perftest),
  'perftest-option-order': error(perftest),
  'process-not-numa-pinned': error(nccl),
  'process-on-one-core': info('https://github.com/NVIDIA/nccl/issues/644'),
  'rdma-device-not-in-container': error(nccl),
  'rdma-drivers-not-loaded': error(diags),
  'rdma-packets-lost': warning(diags),
  'roce-gid-index-differs-between-nodes': error(env),
  'roce-gid-index-wrong': error(env),
  'roce-mtu-small': info(nccl),
  'roce-not-lossless': error(nccl),
  'shm-too-small': error(nccl),
  'slow-nic-in-nccl-set': warning(env),
  'sockets-fallback': info(nccl),
  'sockets-fallback-no-libibverbs': error(nccl),
  'tests-not-joined': error('https://github.com/NVIDIA/nccl-tests'),
  'topo-file-bottleneck': warning(env),
  'topo-file-suspicious-link-speed': info(env),
  'topo-xml-empty-link-speed': info(env),
  'vm-flat-topology-needs-topo-file': error(env),
  'workaround-env-left': warning(env),
  'wrong-interface': error(env),
};

/** In the order of the alphabet. */
export const findingIds = Object.keys(about) as readonly FindingId[];
