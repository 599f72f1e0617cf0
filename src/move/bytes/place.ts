import type { DeviceFault, Region } from '../../device/memory.ts';
import type { NicQueuePair } from '../../device/nic.ts';
import type { BenchNode } from './bench.ts';

/** `lost`: the stages end before the bytes are where they should be. */
export type RunFault = DeviceFault | 'lost';

export interface RunEnds {
  readonly from: 'gpu' | 'host' | 'drive' | 'client' | 'capture';
  readonly to: 'gpu' | 'host' | 'client' | 'drive';
  /** On different nodes. */
  readonly apart: boolean;
}

/** Where the bytes are: in a memory, on a wire, or still on the drive or with the client. */
export type Place =
  | { readonly kind: 'memory'; readonly region: Region; readonly node: BenchNode }
  | { readonly kind: 'wire'; readonly frames: readonly Uint8Array[]; readonly side: 'near' | 'far' }
  /** Posted to a queue pair: its packets leave when the far end is there to take them. */
  | { readonly kind: 'posted'; readonly sender: NicQueuePair; readonly side: 'near' | 'far' }
  | { readonly kind: 'drive'; readonly node: BenchNode }
  | { readonly kind: 'client'; readonly node: BenchNode }
  | { readonly kind: 'card'; readonly node: BenchNode }
  | { readonly kind: 'buffered'; readonly blocks: readonly Uint8Array[]; readonly node: BenchNode }
  | { readonly kind: 'stored'; readonly node: BenchNode }
  | { readonly kind: 'pages'; readonly pages: readonly Region[]; readonly node: BenchNode };

/** The node whose devices move bytes that lie there. */
export const nodeOf = (place: Place, fallback: BenchNode): BenchNode =>
  place.kind === 'wire' || place.kind === 'posted' ? fallback : place.node;
