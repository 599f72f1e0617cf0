import type { ClusterYaml } from './cluster-yaml.ts';
import type { NcclGraphXml } from './nccl-graph-xml.ts';
import type { NcclLog } from './nccl-log/types.ts';
import type { NcclTests } from './nccl-tests/types.ts';
import type { NcclTopoXml } from './nccl-topo-xml.ts';
import type { TopoMatrix } from './nvidia-smi-topo.ts';

/** Everything a reader can give. One input may give several. */
export type Document = TopoMatrix | NcclTopoXml | NcclGraphXml | NcclLog | NcclTests | ClusterYaml;
