/** NCCL's own search result (`NCCL_GRAPH_DUMP_FILE`). */
export interface NcclGraphXml {
  readonly kind: 'nccl-graph-xml';
  readonly file: string;
  readonly line: number;
  readonly version: string | undefined;
  readonly graphs: readonly GraphXmlGraph[];
}

export interface GraphXmlGraph {
  readonly id: number;
  readonly pattern: number;
  readonly crossNic: number;
  readonly nChannels: number;
  readonly speedIntra: number;
  readonly speedInter: number;
  readonly latencyInter?: number;
  readonly typeIntra: string;
  readonly typeInter: string;
  readonly sameChannels: number;
  /** Each channel in order: `net` device numbers and `gpu` devices as the file lists them. */
  readonly channels: readonly { readonly items: readonly { readonly kind: 'net' | 'gpu'; readonly dev: string }[] }[];
  readonly line: number;
}
