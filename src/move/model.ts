import type { Answer } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';
import { batchSeconds } from './batch.ts';
import { legsOf } from './legs.ts';
import type { SharedLink } from './links.ts';

/** Path ids of the contract. */
export const movePaths = [
  'memcpy-pinned',
  'memcpy-pageable',
  'host-staged',
  'p2p-pcie',
  'nvlink',
  'nvlink-c2c',
  'tcp',
  'ipoib-datagram',
  'ipoib-connected',
  'host-rdma',
  'host-staged-rdma',
  'gpudirect-rdma',
  'posix-bounce',
  'gds-compat',
  'gpudirect-storage',
  'p2pdma',
  'posix-cached',
  'capture-staged',
  'gpudirect-video',
] as const;
export type MovePath = (typeof movePaths)[number];

/** One leg of a data path: who moves the bytes, how fast at most, what it costs the host. */
export interface MoveStage {
  readonly name: Message;
  /** Bytes per second of payload, one direction. */
  readonly rate: number;
  /** Passes along what the stage before brings, at any rate; an infinite rate elsewhere is one that no input tells. */
  readonly unbounded?: true;
  /** Is it a pass over the payload by a copy engine or core? */
  readonly copy: boolean;
  /** Bytes that cross host memory for each payload byte. */
  readonly hostMemory: number;
  /** Seconds of a core for each payload byte. */
  readonly cpuPerByte: number;
  /** Handed over in chunks of this many bytes, with so many seconds between two chunks. */
  readonly chunk?: { readonly bytes: number; readonly gap: number };
  /** Seconds between two operations that follow each other without chunks. */
  readonly gap?: number;
  /** The wires it crosses, each of which may have to be shared; none of them is slower than `rate`. */
  readonly links: readonly SharedLink[];
}

/** How operations follow each other, beside what the stages' rates give. All in seconds. */
export interface Timing {
  /** One way of an operation of no length. */
  readonly oneWay: number;
  /** From starting an operation to knowing that it is done, alone in flight. */
  readonly cycle: number;
  /** Operations that can be started in a second. */
  readonly startRate: number;
  /** Seconds of a core for each operation (posting, polling, launching). */
  readonly cpuPerOperation: number;
  /** Stages follow each other without overlap within one operation. */
  readonly serial?: boolean;
  /** Operations are independent workers: each waits for its own to end. */
  readonly workers?: boolean;
}

export interface DataPathModel {
  readonly path: MovePath;
  /** Do today's settings and software allow it? */
  readonly allowed: Answer;
  readonly rule: Message;
  /** What makes it slower than its wires would let it be. */
  readonly note?: Message;
  readonly stages: readonly MoveStage[];
  readonly timing: Timing;
  /** Both directions at once share something: the total against what twice one direction, or a wire both cross, would carry. */
  readonly bothShare?: number;
  /** Bytes per second in total that the wires which both directions cross the same way let through. */
  readonly bothLimit?: number;
}

export interface MoveRow {
  readonly bytes: number;
  readonly latencyUs: number;
  readonly bandwidthGBps: number;
  readonly cpuSecondsPerGB: number;
}

export interface MoveLoad {
  /** Operations in flight (bandwidth). */
  readonly depth: number;
  /** Workers of a storage test. */
  readonly threads: number;
  readonly both: boolean;
}

export const copiesOf = (m: DataPathModel): number => m.stages.filter((s) => s.copy).length;
export const hostMemoryOf = (m: DataPathModel): number => m.stages.reduce((sum, s) => sum + s.hostMemory, 0);

/** One row of `move`: latency alone, bandwidth at the depth (or with the workers) asked for. */
export function moveRow(m: DataPathModel, bytes: number, load: MoveLoad): MoveRow {
  const latency = m.timing.oneWay + batchSeconds(m, bytes, 1);
  const one = m.timing.workers ? workersRate(m, bytes, load.threads) : batchRate(m, bytes, load.depth);
  const total = load.both ? Math.min(2 * one, m.bothLimit ?? Number.POSITIVE_INFINITY) * (m.bothShare ?? 1) : one;
  const cpu = m.stages.reduce((sum, s) => sum + s.cpuPerByte, 0) + m.timing.cpuPerOperation / bytes;
  return { bytes, latencyUs: latency * 1e6, bandwidthGBps: total / 1e9, cpuSecondsPerGB: cpu * 1e9 };
}

/** Bytes per second of a batch: posted together, over when the last is known to be done. */
const batchRate = (m: DataPathModel, bytes: number, depth: number): number =>
  (depth * bytes) / (m.timing.cycle + batchSeconds(m, bytes, depth));

/** Bytes per second of workers that each wait for their own operation, until a leg has no time left. */
function workersRate(m: DataPathModel, bytes: number, workers: number): number {
  const legs = legsOf(m, bytes);
  const round = m.timing.cycle + legs.reduce((sum, l) => sum + bytes / l.rate + l.fill, 0);
  return Math.min(
    (workers * bytes) / round,
    bytes / Math.max(1 / m.timing.startRate, ...legs.map((l) => bytes / l.rate)),
  );
}
