import type { FindingId } from './ids.ts';

/** Findings that are left out when a more exact one says the same. */
export const yields: Partial<Readonly<Record<FindingId, readonly FindingId[]>>> = {
  'gdr-disabled-peermem-missing': ['gdr-asymmetric-between-nodes'],
};

/** Symptom → what may cause it, most likely first. A symptom hangs under the first cause that was found. */
export const causes: Partial<Readonly<Record<FindingId, readonly FindingId[]>>> = {
  'sockets-fallback': [
    'efa-device-not-exposed',
    'efa-plugin-no-provider',
    'rdma-drivers-not-loaded',
    'rdma-device-not-in-container',
    'sockets-fallback-no-libibverbs',
    'wrong-interface',
    'containers-apart',
  ],
  'ipoib-used-instead-of-verbs': [
    'sockets-fallback-no-libibverbs',
    'rdma-drivers-not-loaded',
    'rdma-device-not-in-container',
  ],
  'efa-plugin-no-provider': ['efa-device-not-exposed'],
  'gds-compat-mode': [
    'gds-driver-not-loaded',
    'gds-nvme-driver-not-patched',
    'gds-udev-missing-in-container',
    'gds-nvme-unsupported',
    'gds-gpu-memory-refused',
    'gds-unsupported-block-device',
    'gds-versions-differ',
    'gds-disabled-by-config',
  ],
  'gds-nvme-unsupported': ['gds-driver-not-loaded', 'gds-nvme-driver-not-patched'],
  'gds-p2pdma-unsupported': ['gds-nvme-unsupported'],
  'gds-file-register-failed': [
    'gds-disabled-by-config',
    'gds-versions-differ',
    'gds-unsupported-block-device',
    'gds-nvme-driver-not-patched',
    'gds-nvme-unsupported',
    'gds-driver-not-loaded',
  ],
  'p2p-bandwidth-abnormal': ['acs-enabled', 'iommu-on'],
  'p2p-data-wrong': ['acs-enabled', 'iommu-on'],
  'gdr-disabled-peermem-missing': ['peermem-symbol-mismatch-ofed'],
  'gdr-disabled-peermem-loaded': ['peermem-symbol-mismatch-ofed'],
  'gdr-asymmetric-between-nodes': ['peermem-symbol-mismatch-ofed'],
  'gdr-disabled-nccl-too-old-for-peermem': ['gdr-disabled-peermem-loaded'],
  'nvls-multicast-fabric-fault': [
    'nvswitch-error-in-fm-log',
    'gpu-xid-nvlink',
    'nvlink-down',
    'gpu-fabric-not-joined',
    'fabric-manager-not-running',
  ],
  'nvswitch-error-in-fm-log': ['gpu-xid-nvlink'],
  'roce-gid-index-wrong': ['roce-gid-index-differs-between-nodes'],
  'roce-mtu-small': ['mtu-mismatch'],
};
