import { choose } from '../../nccl/tuning/choice.ts';
import type { Algorithm, Collective, Model, Protocol } from '../../nccl/tuning/model.ts';
import { type Exchange, exchangePlan, exchangeTime } from './exchange.ts';
import type { CollectiveGround } from './ground.ts';
import type { Launch } from './hop.ts';
import type { Speeds } from './speeds.ts';
import { collectiveTime } from './time.ts';

/** The collectives of nccl-tests, by the names of its programs. */
export const testNames = [
  'all_reduce',
  'all_gather',
  'reduce_scatter',
  'broadcast',
  'reduce',
  'alltoall',
  'sendrecv',
  'gather',
  'scatter',
] as const;
export type TestName = (typeof testNames)[number];

const ncclNames: Readonly<Partial<Record<TestName, Collective>>> = {
  all_reduce: 'AllReduce',
  all_gather: 'AllGather',
  reduce_scatter: 'ReduceScatter',
  broadcast: 'Broadcast',
  reduce: 'Reduce',
};

/** NCCL's own collective behind a test; undefined where it is made of sends and receives. */
export const ncclName = (name: TestName): Collective | undefined => ncclNames[name];

/** Does NCCL add elements up, or only move them? */
export const reduces = (coll: Collective): boolean => coll !== 'AllGather' && coll !== 'Broadcast';

/** Bytes of an element, by nccl-tests' names of types. */
export const datatypes = {
  int8: 1,
  uint8: 1,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  half: 2,
  float: 4,
  double: 8,
  bfloat16: 2,
  f8e4m3: 1,
  f8e5m2: 1,
} as const;
export type Datatype = keyof typeof datatypes;

/** The type that a program of the nccl-tests family calls so: AMD's spell 8-bit floating point `fp8_e4m3`. */
export function datatypeNamed(text: string): Datatype | undefined {
  const name = text.replace(/^fp8_(e4m3|e5m2)$/, 'f8$1');
  return Object.hasOwn(datatypes, name) ? (name as Datatype) : undefined;
}

export interface Planned {
  readonly algorithm: Algorithm | 'P2P';
  readonly protocol: Protocol;
  readonly channels: number;
  readonly timeUs: number;
}

const off = { bw: 0, lat: 0 };
const none = { LL: off, LL128: off, Simple: off };

/** The switches sum no bytes: NVLS has no 8-bit integers. */
const sharpTypes: ReadonlySet<Datatype> = new Set([
  'half',
  'bfloat16',
  'float',
  'double',
  'int32',
  'uint32',
  'int64',
  'uint64',
]);

/** One size after another on one machine: what NCCL uses, and how long it takes. */
export class Predictor {
  private readonly model: Model | undefined;
  private readonly coll: Collective | undefined;

  constructor(
    readonly ground: CollectiveGround,
    readonly speeds: Speeds,
    readonly name: TestName,
    datatype: Datatype,
  ) {
    this.coll = ncclName(name);
    if (!this.coll) return;
    const all = ground.made.model[this.coll];
    this.model = reduces(this.coll) && !sharpTypes.has(datatype) ? { ...all, NVLS: none, NVLSTree: none } : all;
  }

  /** `bytes` as the test's size column has it. */
  at(bytes: number): Planned {
    const launch = this.launch(bytes);
    const { ground } = this;
    const timeUs = this.time(ground, this.speeds, launch, bytes);
    if (launch) return { algorithm: launch.algorithm, protocol: launch.protocol, channels: launch.nChannels, timeUs };
    return { algorithm: 'P2P', ...exchangePlan(ground, this.name as Exchange, bytes), timeUs };
  }

  /** The same launch on a changed machine: what a bottleneck is worth. */
  time(ground: CollectiveGround, speeds: Speeds, launch: Launch | undefined, bytes: number): number {
    if (ground.ranks === 1) return speeds.gpu.start + bytes / (1000 * speeds.gpu.localCopy);
    if (launch && this.coll) return collectiveTime(ground, speeds, this.coll, launch, bytes);
    return exchangeTime(ground, speeds, this.name as Exchange, bytes);
  }

  launch(bytes: number): Launch | undefined {
    if (!this.coll || !this.model) return undefined;
    const { facts, launch } = this.ground.made;
    return choose(facts, launch, this.model, this.coll, bytes);
  }
}

/** Bus bandwidth over algorithm bandwidth (nccl-tests, doc/PERFORMANCE.md). */
export function busFactor(name: TestName, ranks: number): number {
  switch (name) {
    case 'all_reduce':
      return (2 * (ranks - 1)) / ranks;
    case 'broadcast':
    case 'reduce':
    case 'sendrecv':
      return 1;
    default:
      return (ranks - 1) / ranks;
  }
}
