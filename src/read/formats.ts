import type { Format } from './format.ts';
import { ncclGraphXml } from './nccl-graph-xml.ts';
import { ncclLog } from './nccl-log/session.ts';
import { ncclTestsJson } from './nccl-tests/json.ts';
import { ncclTests } from './nccl-tests/table.ts';
import { ncclTopoXml } from './nccl-topo-xml.ts';
import { nvidiaSmiTopo } from './nvidia-smi-topo.ts';
import { registry } from './registry.ts';

/** Every format crowfly reads, in the order in which an idle line is offered. Adding one is one line here. */
export const allFormats: readonly Format[] = registry([
  ncclLog,
  ncclTopoXml,
  ncclGraphXml,
  nvidiaSmiTopo,
  ncclTestsJson,
  ncclTests,
]).formats;
