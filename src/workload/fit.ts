import type { Strategy } from './step.ts';

/** What of a model lies in GPU memory, in bytes of one parameter. */
export interface PerParameter {
  /** The parameter as kernels read it, and its gradient. */
  readonly weight: number;
  readonly gradient: number;
  /** What the optimizer keeps. */
  readonly state: number;
}

/** A copy of the parameter and two moments, in 32 bits (https://arxiv.org/abs/1910.02054). */
export const adamState = 12;

/** The same with moments of 8 bits (https://arxiv.org/abs/2110.02861). */
const adamState8 = 6;

/** Who holds one share of it, and who a whole copy: nobody shards, the optimizer's state (ZeRO-1), or everything (FSDP). */
type Sharding = 'none' | 'state' | 'all';

const held = (
  parameters: number,
  { weight, gradient, state }: PerParameter,
  sharding: Sharding,
  ranks: number,
): number =>
  parameters * ((weight + gradient) / (sharding === 'all' ? ranks : 1) + state / (sharding === 'none' ? 1 : ranks));

/** Bytes that a GPU has to have room for, activations aside. */
export const heldBytes = (parameters: number, per: PerParameter, strategy: Strategy, ranks: number): number =>
  held(parameters, per, strategy === 'fsdp' ? 'all' : 'none', ranks);

/**
 * Data sheets say GB and mean powers of two, less what the driver keeps: nothing above this fits.
 */
export const roomOf = (gigabytes: number): number => gigabytes * 2 ** 30;

/** A way to need less on each GPU: what it comes to. */
export interface Remedy {
  readonly id: 'gradients-16' | 'shard-state' | 'shard-all' | 'adam-8' | 'shard-all-8' | 'more-gpus';
  readonly bytes: number;
  readonly ranks: number;
}

/**
 * What makes a model fit that does not, the cheapest first: what costs no traffic, then what costs some, then what rounds the
 * optimizer's moments; more GPUs only where nothing else does. `room` in bytes, as much as there is for sure.
 */
export function remedies(
  parameters: number,
  per: PerParameter,
  strategy: Strategy,
  ranks: number,
  room: number,
): Remedy[] {
  const mine: Sharding = strategy === 'fsdp' ? 'all' : 'none';
  const short = { ...per, state: adamState8 };
  const of = (id: Remedy['id'], kind: PerParameter, sharding: Sharding): Remedy => ({
    id,
    bytes: held(parameters, kind, sharding, ranks),
    ranks,
  });
  const several = strategy === 'ddp' && ranks > 1;
  const all = [
    ...(per.gradient > 2 ? [of('gradients-16', { ...per, gradient: 2 }, mine)] : []),
    ...(several ? [of('shard-state', per, 'state'), of('shard-all', per, 'all')] : []),
    of('adam-8', short, mine),
    ...(several ? [of('shard-all-8', short, 'all')] : []),
  ].filter((r) => r.bytes <= room);
  if (all.length > 0) return all.slice(0, 3);
  const gpus = Math.ceil(held(parameters, per, 'none', 1) / room);
  return [{ id: 'more-gpus', bytes: held(parameters, per, 'all', gpus), ranks: gpus }];
}
