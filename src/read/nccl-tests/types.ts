import type { Where } from '../../fact/fact.ts';

/** One table of `nccl-tests` (https://github.com/NVIDIA/nccl-tests), from its text or its `-J` report. */
export interface NcclTests {
  readonly kind: 'nccl-tests';
  readonly file: string;
  readonly line: number;
  readonly from: 'text' | 'json';
  /** `all_reduce_perf`, from "Collective test starting", the command line or the JSON arguments. */
  readonly program: string | undefined;
  /** The program without `_perf`: `all_reduce`, `sendrecv`. */
  readonly collective: string | undefined;
  /** Version of nccl-tests itself, such as `2.17.8`. */
  readonly version: string | undefined;
  /** NCCL the program ran with, such as `2.27.7`. */
  readonly ncclVersion: string | undefined;
  readonly options: NcclTestsOptions;
  readonly ranks: readonly NcclTestsRank[];
  readonly rows: readonly NcclTestsRow[];
  /** Elements out of bounds, and whether the program called that OK. */
  readonly outOfBounds: { readonly count: number; readonly ok: boolean; readonly at: Where } | undefined;
  /** GB/s over all rows and both halves, as printed. */
  readonly averageBusbw: { readonly value: number; readonly at: Where } | undefined;
  /** Text of `# error:` lines and of failure lines such as "Test NCCL failure". */
  readonly errors: readonly { readonly text: string; readonly at: Where }[];
  /** False when the footer is missing: the run died or the paste is cut. */
  readonly complete: boolean;
}

/** The line `# nThread 1 nGpus 8 minBytes …`; what a version does not print is left out. */
export interface NcclTestsOptions {
  readonly nThread?: number;
  readonly nGpus?: number;
  readonly minBytes?: number;
  readonly maxBytes?: number;
  readonly step?: number;
  readonly stepKind?: 'factor' | 'bytes';
  readonly warmupIters?: number;
  readonly iters?: number;
  readonly aggIters?: number;
  readonly validation?: boolean;
  /** CUDA graph launches; 0 = streams. */
  readonly graph?: number;
}

export interface NcclTestsRank {
  readonly rank: number;
  readonly group?: number;
  readonly pid?: number;
  readonly host: string;
  /** CUDA device, as the process that ran the rank counts. */
  readonly device: number;
  /** As printed: `0x1b` (bus only) or `0000:1b:00`. */
  readonly busId: string;
  readonly product: string;
  readonly at: Where;
}

export interface NcclTestsRow {
  /** The `size` column: the whole vector. */
  readonly bytes: number;
  readonly count: number;
  readonly type: string;
  readonly redop?: string;
  readonly root?: number;
  readonly outOfPlace?: NcclTestsHalf;
  readonly inPlace?: NcclTestsHalf;
  readonly line: number;
}

/** Microseconds and GB/s, as printed. */
export interface NcclTestsHalf {
  readonly timeUs: number;
  readonly algbw: number;
  readonly busbw: number;
  /** Elements with a wrong value (`#wrong`; the largest error in versions that print `error`); N/A without validation. */
  readonly wrong?: number | 'N/A';
}
