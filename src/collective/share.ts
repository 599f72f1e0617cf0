import { type CollectiveName, isPointToPoint, type ProtocolName } from './kinds.ts';
import type { Task } from './program.ts';

/** A channel's part of the work: elements from `offset` on. */
export interface Share {
  readonly channel: number;
  readonly offset: number;
  readonly count: number;
}

/** Bytes that cross the wire for each byte of `count`: what a launch goes by when it divides the work. */
function trafficPerByte(collective: CollectiveName, ranks: number): number {
  if (collective === 'all_reduce') return 2;
  return collective === 'all_gather' || collective === 'reduce_scatter' ? ranks : 1;
}

/** Traffic by LL counts four times. */
const llTraffic = (protocol: ProtocolName): number => (protocol === 'LL' ? 4 : 1);

/** Less traffic than this is not worth a channel, in bytes. */
const leastTraffic = 32 * 1024;
const up = (x: number, to: number): number => Math.ceil(x / to) * to;

/**
 * Divides the elements over the channels as NCCL does (src/enqueue.cc: scheduleCollTasksToPlan): in cells worth one least
 * traffic, equally many a channel, the rest on the last one that has any.
 */
export function shares(task: Task, ranks: number): Share[] {
  const { count, elementBytes, channels } = task;
  if (count === 0) return [];
  const traffic = trafficPerByte(task.collective, ranks) * llTraffic(task.protocol);
  const cellBytes = up(Math.ceil(leastTraffic / traffic), 16);
  const cell = Math.max(1, Math.floor(cellBytes / elementBytes));
  const cells = Math.ceil(count / cell);
  const perChannel = Math.max(leastTraffic, (count * elementBytes * traffic) / channels);
  const each = Math.min(cells, Math.ceil(perChannel / (cellBytes * traffic)));
  const out: Share[] = [];
  for (let c = 0, done = 0; done < cells; c++) {
    const mine = c === channels - 1 ? cells - done : Math.min(each, cells - done);
    const offset = done * cell;
    done += mine;
    out.push({ channel: c, offset, count: Math.min(count, done * cell) - offset });
  }
  return out;
}

/**
 * Channels that have any of so many bytes of traffic, and the bytes that all would have if the last had as many as the others: equally
 * many cells.
 */
export function spread(traffic: number, protocol: ProtocolName, channels: number): readonly [number, number] {
  const cell = leastTraffic / llTraffic(protocol);
  const cells = Math.ceil(traffic / cell);
  const each = Math.ceil(cells / channels);
  if (each <= 0) return [1, traffic];
  const used = Math.ceil(cells / each);
  return [used, used * Math.min(traffic, each * cell)];
}

/** Slots of every buffer between two GPUs. */
export const bufferSlots = 8;
/** Bytes of the Simple buffer as NCCL makes it unless told otherwise (src/init.cc: computeBuffSizes). */
const defaultBuffer = 4194304;

/** How a step is cut into slices, each of which fills `sliceSlots` slots (src/include/collectives.h). */
export function slicing(task: Task): { readonly slices: number; readonly slots: number; readonly leastSlice: number } {
  const inSlices =
    task.algorithm === 'Ring' &&
    task.protocol === 'Simple' &&
    !isPointToPoint(task.collective) &&
    task.collective !== 'broadcast' &&
    task.collective !== 'reduce';
  const steps = task.steps ?? bufferSlots;
  if (!inSlices) return { slices: 1, slots: steps, leastSlice: 0 };
  const slot = (task.bufferBytes ?? defaultBuffer) / bufferSlots;
  // Two slices of two slots each make a chunk of four; below a 32nd of it a slice is not cut further.
  return { slices: 2, slots: steps / 2, leastSlice: Math.floor((2 * slot) / 32 / task.elementBytes) };
}
