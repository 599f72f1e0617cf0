import type { NodeParts } from '../../catalogue/node.ts';
import type { Fact, Where } from '../../fact/fact.ts';
import type { CallLaunch, Transport } from '../../machine/machine.ts';
import type { Message } from '../../words/message.ts';

/** What a node of the cluster is. */
export type NodeSource =
  | { readonly kind: 'system'; readonly system: string; readonly at: Where }
  /** A file with the node's topology; relative to the description, read by the caller. */
  | { readonly kind: 'file'; readonly path: string; readonly at: Where }
  | {
      readonly kind: 'parts';
      readonly parts: NodeParts;
      readonly at: Where;
      /** Where each key of the parts stands; a key that is absent was filled in. */
      readonly keys: ReadonlyMap<string, Where>;
    };

/** A cluster as its description says it. What it does not say is absent. */
export interface ClusterDescription {
  readonly node: NodeSource;
  readonly nodes: Fact<number>;
  readonly gpusPerNode?: Fact<number>;
  readonly nicsPerNode?: Fact<number>;
  readonly nvlinkDomain?: Fact<number>;
  readonly network: {
    readonly transport?: Fact<Transport>;
    /** Gb/s per port. */
    readonly rateGbps?: Fact<number>;
    readonly mtu?: Fact<number>;
    readonly fabric?: Fact<'single-switch' | 'fat-tree' | 'rail'>;
    readonly oversubscription?: Fact<number>;
  };
  readonly software: {
    readonly nccl?: Fact<string>;
    readonly driver?: Fact<string>;
    readonly cuda?: Fact<string>;
    /** Absent: `auto`. */
    readonly gdr?: Fact<boolean>;
    readonly p2p?: Fact<boolean>;
    readonly iommu?: Fact<boolean>;
    readonly acs?: Fact<boolean>;
    readonly env: ReadonlyMap<string, Fact<string>>;
  };
  readonly launch?: CallLaunch;
  readonly storage?: StorageDescription;
}

export interface StorageDescription {
  readonly type: 'nvme' | 'nvmeof' | 'nfs-rdma' | 'nfs';
  readonly count: number;
  readonly perDeviceGBps?: number;
  readonly readLatencyUs?: number;
  readonly perDeviceWriteGBps?: number;
  readonly writeLatencyUs?: number;
  readonly placement: 'same-switch' | 'same-socket' | 'other-socket';
  readonly filesystem?: string;
  readonly gds?: boolean;
  readonly at: Where;
}

/** A cluster description as read. */
export interface ClusterYaml {
  readonly kind: 'cluster-yaml';
  readonly file: string;
  readonly cluster: ClusterDescription;
}

/** Why a description cannot be used. */
export interface ClusterProblem {
  readonly message: Message;
  readonly at: Where;
}
