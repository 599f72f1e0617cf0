import { bandwidthTest } from './bench/bandwidth-test.ts';
import { nvbandwidth } from './bench/nvbandwidth.ts';
import { p2pBandwidth } from './bench/p2p-bandwidth.ts';
import { perftest } from './bench/perftest.ts';
import { perftestJson } from './bench/perftest-json.ts';
import { kubernetesNode } from './cluster/kubernetes.ts';
import { slurmTopology } from './cluster/slurm-topology.ts';
import type { Format } from './format.ts';
import { dcgmDiag } from './gpu/dcgm-diag.ts';
import { dcgmNvlink } from './gpu/dcgm-nvlink.ts';
import { fabricManagerLog } from './gpu/fabric-manager-log.ts';
import { nvshmemLog } from './gpu/nvshmem-log.ts';
import { smiCsv } from './gpu/smi-csv.ts';
import { smiGpus } from './gpu/smi-nvlink.ts';
import { smiP2p } from './gpu/smi-p2p.ts';
import { smiQuery, smiQueryXml } from './gpu/smi-query.ts';
import { smiTable } from './gpu/smi-table.ts';
import { appMessages } from './linux/app-messages.ts';
import { kernelCommandLine } from './linux/cmdline.ts';
import { commands } from './linux/commands.ts';
import { listing } from './linux/dev-nodes.ts';
import { driverVersion } from './linux/driver-version.ts';
import { environment } from './linux/env.ts';
import { ethtool } from './linux/ethtool.ts';
import { kernelLog } from './linux/kernel-log.ts';
import { memoryLock } from './linux/limits.ts';
import { cpuInfo } from './linux/lscpu.ts';
import { moduleInfo } from './linux/modinfo.ts';
import { modules } from './linux/modules.ts';
import { mounts } from './linux/mounts.ts';
import { numaNodes } from './linux/numa.ts';
import { peerClients } from './linux/peer-clients.ts';
import { services } from './linux/services.ts';
import { ncclGraphXml } from './nccl-graph-xml.ts';
import { ncclLog } from './nccl-log/session.ts';
import { ncclTestsJson } from './nccl-tests/json.ts';
import { ncclTests } from './nccl-tests/table.ts';
import { ncclTopoXml } from './nccl-topo-xml.ts';
import { nvidiaSmiTopo } from './nvidia-smi-topo.ts';
import { hwlocXml } from './pci/hwloc-xml.ts';
import { lspci } from './pci/lspci.ts';
import { counters } from './rdma/counters.ts';
import { dcb } from './rdma/dcb.ts';
import { devinfoLines } from './rdma/devinfo-lines.ts';
import { fabricLinks } from './rdma/fabric.ts';
import { fiInfo } from './rdma/fi-info.ts';
import { hcaTable } from './rdma/hca-table.ts';
import { ibdiagnet } from './rdma/ibdiagnet.ts';
import { ibstat } from './rdma/ibstat.ts';
import { ibstatus } from './rdma/ibstatus.ts';
import { ibvDevices, ibvDevinfo } from './rdma/ibv-devinfo.ts';
import { mlnxQos } from './rdma/mlnx-qos.ts';
import { mlx5Cqe } from './rdma/mlx5-cqe.ts';
import { mlxlink } from './rdma/mlxlink.ts';
import { ibdev2netdev, rdmaLink } from './rdma/port-lines.ts';
import { saquery } from './rdma/saquery.ts';
import { showGids } from './rdma/show-gids.ts';
import { sysfsPorts } from './rdma/sysfs-ports.ts';
import { ucx } from './rdma/ucx.ts';
import { registry } from './registry.ts';
import { blockDevices } from './storage/block-devices.ts';
import { cufileConfig } from './storage/cufile-json.ts';
import { cufileLog } from './storage/cufile-log.ts';
import { gdscheck } from './storage/gdscheck.ts';
import { gdsio } from './storage/gdsio.ts';
import { nvfsStats } from './storage/nvfs-stats.ts';

/** Every format crowfly reads, in the order in which an idle line is offered. Adding one is one line here. */
export const allFormats: readonly Format[] = registry([
  ncclLog,
  ncclTopoXml,
  ncclGraphXml,
  smiP2p,
  nvidiaSmiTopo,
  // Before that of nccl-tests, which has a list of results as well.
  perftestJson,
  ncclTestsJson,
  ncclTests,
  // Machines, cards and their tools: those with a first line that nothing else has come first.
  lspci,
  hwlocXml,
  smiQueryXml,
  smiTable,
  smiGpus,
  dcgmNvlink,
  smiQuery,
  smiCsv,
  dcgmDiag,
  ibstat,
  ibstatus,
  ibvDevinfo,
  ibvDevices,
  devinfoLines,
  rdmaLink,
  ibdev2netdev,
  hcaTable,
  sysfsPorts,
  showGids,
  fabricLinks,
  ibdiagnet,
  saquery,
  ucx,
  mlnxQos,
  dcb,
  mlxlink,
  ethtool,
  fiInfo,
  gdscheck,
  nvfsStats,
  cufileConfig,
  gdsio,
  blockDevices,
  p2pBandwidth,
  bandwidthTest,
  nvbandwidth,
  perftest,
  slurmTopology,
  kubernetesNode,
  // Logs and single lines, which may stand anywhere.
  fabricManagerLog,
  nvshmemLog,
  cufileLog,
  mlx5Cqe,
  driverVersion,
  kernelCommandLine,
  kernelLog,
  services,
  peerClients,
  numaNodes,
  counters,
  modules,
  moduleInfo,
  memoryLock,
  mounts,
  cpuInfo,
  listing,
  commands,
  environment,
  appMessages,
]).formats;
