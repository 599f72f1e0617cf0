import type { NodeParts, transports } from '../node.ts';

/** A machine as bought or rented. */
export interface SystemEntry {
  readonly id: string;
  /** What people also call it, lower case. */
  readonly aliases: readonly string[];
  /** Vendor's name for it, as printed. */
  readonly name: string;
  readonly parts: NodeParts;
  readonly network?: { readonly transport: (typeof transports)[number]; readonly rateGbps: number };
  /** GPUs that share one NVLink domain across nodes. */
  readonly nvlinkDomain?: number;
  /** Where its parts, counts and wiring are told. */
  readonly sources: readonly string[];
  /** What no public document tells and was filled in from like systems, for a person to know. */
  readonly assumed?: readonly ('switches' | 'numa' | 'cpu' | 'nic')[];
}
