import type { BandwidthTest } from './bench/bandwidth-test.ts';
import type { Nvbandwidth } from './bench/nvbandwidth.ts';
import type { P2pBandwidth } from './bench/p2p-bandwidth.ts';
import type { Perftest } from './bench/perftest.ts';
import type { KubernetesNode } from './cluster/kubernetes.ts';
import type { SlurmTopology } from './cluster/slurm-topology.ts';
import type { ClusterYaml } from './cluster-yaml.ts';
import type { DcgmDiag } from './gpu/dcgm-diag.ts';
import type { DcgmNvlink } from './gpu/dcgm-nvlink.ts';
import type { SmiGpuList } from './gpu/smi-nvlink.ts';
import type { P2pStatusTable } from './gpu/smi-p2p.ts';
import type { SmiQuery } from './gpu/smi-query.ts';
import type { SmiTable } from './gpu/smi-table.ts';
import type { Messages } from './kit/messages.ts';
import type { KernelCommandLine } from './linux/cmdline.ts';
import type { Commands } from './linux/commands.ts';
import type { Listing } from './linux/dev-nodes.ts';
import type { DriverVersion } from './linux/driver-version.ts';
import type { Environment } from './linux/env.ts';
import type { Ethtool } from './linux/ethtool.ts';
import type { MemoryLock } from './linux/limits.ts';
import type { CpuInfo } from './linux/lscpu.ts';
import type { ModuleInfo } from './linux/modinfo.ts';
import type { Modules } from './linux/modules.ts';
import type { Mounts } from './linux/mounts.ts';
import type { NumaNodes } from './linux/numa.ts';
import type { PeerClients } from './linux/peer-clients.ts';
import type { Services } from './linux/services.ts';
import type { NcclGraphXml } from './nccl-graph-xml.ts';
import type { NcclLog } from './nccl-log/types.ts';
import type { NcclTests } from './nccl-tests/types.ts';
import type { NcclTopoXml } from './nccl-topo-xml.ts';
import type { TopoMatrix } from './nvidia-smi-topo.ts';
import type { HwlocXml } from './pci/hwloc-xml.ts';
import type { Lspci } from './pci/types.ts';
import type { PlainNetwork } from './plain-network.ts';
import type { Counters } from './rdma/counters.ts';
import type { DevinfoLines } from './rdma/devinfo-lines.ts';
import type { FabricLinks } from './rdma/fabric.ts';
import type { Libfabric } from './rdma/fi-info.ts';
import type { Ibdiagnet } from './rdma/ibdiagnet.ts';
import type { Qos } from './rdma/mlnx-qos.ts';
import type { Mlx5Cqe } from './rdma/mlx5-cqe.ts';
import type { Mlxlink } from './rdma/mlxlink.ts';
import type { GidTable, RdmaPorts } from './rdma/ports.ts';
import type { SaRecords } from './rdma/saquery.ts';
import type { Ucx } from './rdma/ucx.ts';
import type { BlockDevices } from './storage/block-devices.ts';
import type { CufileConfig } from './storage/cufile-json.ts';
import type { GdsCheck } from './storage/gdscheck.ts';
import type { Gdsio } from './storage/gdsio.ts';
import type { NvfsStats } from './storage/nvfs-stats.ts';

/** What tells of the state of a host, for the doctor. */
export type HostDocument =
  | BandwidthTest
  | BlockDevices
  | Commands
  | Counters
  | CpuInfo
  | CufileConfig
  | DcgmDiag
  | DevinfoLines
  | DriverVersion
  | Ethtool
  | Environment
  | FabricLinks
  | GdsCheck
  | Gdsio
  | GidTable
  | HwlocXml
  | Ibdiagnet
  | KernelCommandLine
  | KubernetesNode
  | Libfabric
  | Listing
  | Lspci
  | MemoryLock
  | Messages
  | Mlx5Cqe
  | Mlxlink
  | ModuleInfo
  | Modules
  | Mounts
  | NumaNodes
  | Nvbandwidth
  | NvfsStats
  | P2pBandwidth
  | P2pStatusTable
  | PeerClients
  | Perftest
  | Qos
  | RdmaPorts
  | SaRecords
  | Services
  | SlurmTopology
  | DcgmNvlink
  | SmiGpuList
  | SmiQuery
  | SmiTable
  | Ucx;

/** Everything a reader can give. One input may give several. */
export type Document =
  | TopoMatrix
  | NcclTopoXml
  | NcclGraphXml
  | NcclLog
  | NcclTests
  | ClusterYaml
  | PlainNetwork
  | HostDocument;
