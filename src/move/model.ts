import type { Answer } from '../fact/fact.ts';
import type { Message } from '../words/message.ts';

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
  'capture-staged',
  'gpudirect-video',
] as const;
export type MovePath = (typeof movePaths)[number];

/** One leg of a data path: who moves the bytes, how fast at most, what it costs the host. */
export interface MoveStage {
  readonly name: Message;
  /** Bytes per second of payload, one direction. */
  readonly rate: number;
  /** Is it a pass over the payload by a copy engine or core? */
  readonly copy: boolean;
  /** Bytes that cross host memory for each payload byte. */
  readonly hostMemory: number;
  /** Seconds of a core for each payload byte. */
  readonly cpuPerByte: number;
  /** Handed over in chunks of this many bytes, with so many seconds between two chunks. */
  readonly chunk?: { readonly bytes: number; readonly gap: number };
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
  readonly stages: readonly MoveStage[];
  readonly timing: Timing;
  /** Both directions at once share something: the total against twice one direction. */
  readonly bothShare?: number;
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

/** Seconds that one operation's bytes keep a stage busy; chunks follow each other with a gap. */
function busySeconds(stage: MoveStage, bytes: number, gaps: number): number {
  return bytes / stage.rate + (stage.chunk?.gap ?? 0) * gaps;
}

const chunksOf = (stage: MoveStage, bytes: number): number =>
  stage.chunk ? Math.max(1, bytes / stage.chunk.bytes) : 0;

/** The slowest stage when stages overlap, all of them when they do not. `alone`: no operation before this one. */
function payloadSeconds(m: DataPathModel, bytes: number, alone: boolean): number {
  const times = m.stages.map((s) => busySeconds(s, bytes, chunksOf(s, bytes) - (alone && s.chunk ? 1 : 0)));
  return m.timing.serial ? times.reduce((a, b) => a + b, 0) : Math.max(0, ...times);
}

/** One row of `move`: latency alone, bandwidth at the depth (or with the workers) asked for. */
export function moveRow(m: DataPathModel, bytes: number, load: MoveLoad): MoveRow {
  const body = payloadSeconds(m, bytes, true);
  const next = Math.max(payloadSeconds(m, bytes, false), 1 / m.timing.startRate);
  const fill = m.timing.serial ? 0 : fillSeconds(m, bytes);
  const latency = m.timing.oneWay + body + fill;
  const one = m.timing.workers
    ? Math.min((load.threads * bytes) / (m.timing.cycle + alone(m, bytes)), bytes / next)
    : (load.depth * bytes) / (m.timing.cycle + body + (load.depth - 1) * next);
  const total = load.both ? one * 2 * (m.bothShare ?? 1) : one;
  const cpu = m.stages.reduce((sum, s) => sum + s.cpuPerByte, 0) + m.timing.cpuPerOperation / bytes;
  return { bytes, latencyUs: latency * 1e6, bandwidthGBps: total / 1e9, cpuSecondsPerGB: cpu * 1e9 };
}

/** A worker's own operation runs alone through each stage in turn. */
const alone = (m: DataPathModel, bytes: number): number => m.stages.reduce((sum, s) => sum + bytes / s.rate, 0);

/** Stages that overlap must first be filled: the first chunk passes each of them in turn. */
function fillSeconds(m: DataPathModel, bytes: number): number {
  if (m.stages.length < 2) return 0;
  const times = m.stages.map((s) => Math.min(bytes, s.chunk?.bytes ?? 4096) / s.rate);
  return times.reduce((a, b) => a + b, 0) - Math.max(...times);
}
