import type { Rule } from './rule.ts';
import { acs } from './rules/acs.ts';
import { bar1 } from './rules/bar1.ts';
import { containersApart } from './rules/containers-apart.ts';
import { crossNuma } from './rules/cross-numa.ts';
import { dmabuf, dmabufRefused } from './rules/dmabuf.ts';
import { driverMismatch } from './rules/driver-mismatch.ts';
import { efaDevice, efaPeer, efaProvider } from './rules/efa.ts';
import { workaroundLeft } from './rules/environment.ts';
import { fabricManager, fabricStatus, nvls, nvswitch } from './rules/fabric-manager.ts';
import { gdrAsymmetric } from './rules/gdr-asymmetric.ts';
import { gdrGrace } from './rules/gdr-grace.ts';
import { gdrTopo } from './rules/gdr-topo.ts';
import { gdrdrv } from './rules/gdrdrv.ts';
import { gdsCompat, gdsDriver, gdsMessages, gdsNvme } from './rules/gds.ts';
import { geforceGdr } from './rules/geforce-gdr.ts';
import { hcaList } from './rules/hca-list.ts';
import { imex } from './rules/imex.ts';
import { wrongInterface } from './rules/interface.ts';
import { iommu } from './rules/iommu.ts';
import { ncclSegfault, peermemContext } from './rules/kernel-remarks.ts';
import { linkDegraded } from './rules/link-degraded.ts';
import { memlock, shm } from './rules/memory-limits.ts';
import { nicFirmware } from './rules/nic-firmware.ts';
import { gidIndexDiffers, mtuMismatch, nicSet } from './rules/nodes-differ.ts';
import { numaNps } from './rules/numa-nps.ts';
import { numaPinned } from './rules/numa-pinned.ts';
import { nvlinkDown } from './rules/nvlink.ts';
import { oneCore } from './rules/one-core.ts';
import { p2pAbnormal, p2pDisabled, p2pRefused, p2pWrongData } from './rules/p2p.ts';
import { p2pChipset } from './rules/p2p-chipset.ts';
import { pcieIdle, pcieWidth } from './rules/pcie-link.ts';
import { peermemLoaded } from './rules/peermem-loaded.ts';
import { peermemMissing } from './rules/peermem-missing.ts';
import { perftestDmabuf, perftestOrder } from './rules/perftest-dmabuf.ts';
import { linkFlapping, nicMissing, noSubnetManager, portDown } from './rules/ports.ts';
import { driversNotLoaded, notInContainer } from './rules/rdma-access.ts';
import { gidIndex, packetsLost, roceLossy, roceMtu } from './rules/roce.ts';
import { slowNic } from './rules/slow-nic.ts';
import { ipoib, noLibibverbs, socketsFallback } from './rules/sockets.ts';
import { symbols } from './rules/symbols.ts';
import { testsNotJoined } from './rules/tests-not-joined.ts';
import { topoBottleneck, topoEmpty, topoSuspicious } from './rules/topo-file.ts';
import { vmFlat } from './rules/vm-flat.ts';
import { xids } from './rules/xids.ts';

export const rules: readonly Rule[] = [
  acs,
  iommu,
  pcieWidth,
  pcieIdle,
  p2pAbnormal,
  p2pWrongData,
  p2pDisabled,
  p2pChipset,
  p2pRefused,
  nvlinkDown,
  fabricManager,
  fabricStatus,
  nvls,
  nvswitch,
  xids,
  imex,
  driverMismatch,
  symbols,
  gdrdrv,
  peermemMissing,
  peermemLoaded,
  peermemContext,
  geforceGdr,
  gdrGrace,
  gdrAsymmetric,
  gdrTopo,
  dmabuf,
  dmabufRefused,
  perftestDmabuf,
  perftestOrder,
  crossNuma,
  portDown,
  noSubnetManager,
  nicMissing,
  nicFirmware,
  linkDegraded,
  linkFlapping,
  nicSet,
  mtuMismatch,
  gidIndexDiffers,
  gidIndex,
  roceMtu,
  testsNotJoined,
  roceLossy,
  packetsLost,
  slowNic,
  hcaList,
  driversNotLoaded,
  notInContainer,
  noLibibverbs,
  ipoib,
  efaDevice,
  efaProvider,
  efaPeer,
  wrongInterface,
  socketsFallback,
  containersApart,
  memlock,
  shm,
  bar1,
  gdsDriver,
  gdsNvme,
  gdsMessages,
  gdsCompat,
  vmFlat,
  topoBottleneck,
  topoSuspicious,
  topoEmpty,
  numaNps,
  numaPinned,
  oneCore,
  ncclSegfault,
  workaroundLeft,
];
