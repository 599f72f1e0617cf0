import type { Where } from '../fact/fact.ts';

/** A way that a log shows in use: what NCCL really did, whatever a model would say. */
export interface ObservedWay {
  readonly from: ObservedEnd;
  readonly to: ObservedEnd;
  readonly kind: 'P2P' | 'SHM' | 'NET' | 'COLLNET' | 'other';
  /** As printed after `via`, such as `P2P/CUMEM/read` or `NET/IB/3/GDRDMA`. */
  readonly text: string;
  /** Name of the network, for NET: `IB`, `Socket`, … and its device number. */
  readonly network?: { readonly name: string; readonly dev: number };
  /** For NET: this side used GPUDirect RDMA. */
  readonly gdr: boolean;
  readonly direction: 'send' | 'receive' | 'both';
  readonly channels: number;
  readonly at: Where;
}

export interface ObservedEnd {
  readonly rank: number;
  /** crowfly's name, when the log tells host and device of the rank. */
  readonly device?: string;
  readonly host?: string;
}

/** What else a log shows of one NCCL communicator. */
export interface Observed {
  readonly ways: readonly ObservedWay[];
  readonly rings: readonly {
    readonly channel: number;
    readonly ranks: readonly number[];
    readonly truncated: boolean;
    readonly at: Where;
  }[];
  readonly trees: readonly {
    readonly channel: number;
    readonly rank: number;
    readonly up: number;
    readonly down: readonly number[];
    readonly at: Where;
  }[];
  readonly ranks: number;
  /** What the log says of each NIC's side of GPUDirect RDMA. */
  readonly nics: readonly { readonly name?: string; readonly dev: number; readonly gdr: boolean; readonly at: Where }[];
  /** Lines that warn, most telling first. */
  readonly warnings: readonly { readonly text: string; readonly count: number; readonly at: Where }[];
}
