import type { XmlElement } from './xml.ts';

/** A topology file of NCCL (`NCCL_TOPO_DUMP_FILE`, `NCCL_TOPO_FILE`) or RCCL, unchanged but for what XML itself takes away. */
export interface NcclTopoXml {
  readonly kind: 'nccl-topo-xml';
  readonly file: string;
  readonly line: number;
  readonly version: string | undefined;
  readonly root: XmlElement;
}
