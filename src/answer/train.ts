import { fail, ok, type Result } from '../base/result.ts';
import { tensorRates } from '../catalogue/tensor.ts';
import { training } from '../catalogue/training.ts';
import { suspectsOf } from '../flip/suspects.ts';
import type { Machine } from '../machine/machine.ts';
import { type Ask, nodesPerDomain, overChosenNetwork } from '../nccl/of-machine.ts';
import type { Refusal } from '../nccl/system/build.ts';
import { asUsual } from '../predict/as-usual.ts';
import { type Message, say } from '../words/message.ts';
import type { TrainModel } from '../workload/model.ts';
import type { StepAsk, Strategy } from '../workload/step.ts';
import { jobOn, memoryOf, type StepOfJob, slowestOf, stepOf } from './step-on.ts';

export interface TrainAsk {
  readonly model: TrainModel;
  readonly strategy: Strategy;
  readonly bucket: number;
  /** Bytes of one gradient as it is reduced. */
  readonly gradientWidth: number;
  /** Peak FLOP/s of a GPU, where the catalogue should not tell; and the share of it that kernels keep up. */
  readonly peak?: number;
  readonly kept: number;
}

export interface TrainRow extends StepOfJob {
  readonly nodes: number;
  /** Step of one node over this one: weak scaling. */
  readonly efficiency: number;
  readonly samplesPerSecond: number;
}

export interface TrainAnswer {
  readonly ask: TrainAsk;
  readonly peak: number;
  readonly rows: readonly TrainRow[];
  /** The largest job with one thing taken away: GPUDirect RDMA, P2P and NVLink. */
  readonly without: readonly { readonly id: string; readonly what: Message; readonly row: TrainRow }[];
  readonly assumptions: readonly Message[];
}

/** A 16-bit parameter. */
const width = 2;

export function answerTrain(told: Machine, ask: Ask, what: TrainAsk): Result<TrainAnswer, Refusal> {
  const { machine, assumed: rates } = asUsual(overChosenNetwork(told, ask), ask.env);
  const peak = what.peak ?? peakOf(machine);
  if (peak === undefined) return fail({ reason: say('train.no-rate'), at: [] });
  const how: StepAsk = { ...what, width, rate: peak * what.kept };
  const time = (m: Machine, a: Ask, nodes: number): Result<StepOfJob, Refusal> => {
    const job = jobOn({ ...m, nodes }, a, how);
    return job.ok ? ok(stepOf(job.value, how)) : job;
  };
  const rows: TrainRow[] = [];
  let first = 0;
  const perDomain = machine.hosts[0] ? nodesPerDomain(machine, machine.hosts[0]) : 1;
  for (const nodes of scales(machine.nodes, perDomain)) {
    const t = time(machine, ask, nodes);
    if (!t.ok) return t;
    if (first === 0) first = t.value.step;
    rows.push(rowOf(t.value, nodes, first, what.model));
  }
  const without = suspectsOf(machine)
    .filter((s) => s.id === 'gdr-off' || s.id === 'p2p-off')
    .flatMap((s) => {
      const changed = s.apply(machine, ask);
      const t = time(changed.machine, changed.ask, machine.nodes);
      // A GPU alone has no collectives that could become slower.
      return t.ok && t.value.ranks > 1
        ? [{ id: s.id, what: s.what, row: rowOf(t.value, machine.nodes, first, what.model) }]
        : [];
    });
  return ok({
    ask: what,
    peak,
    rows,
    without,
    assumptions: [...rates, ...assumed(what, memoryOf(machine) !== undefined)],
  });
}

const rowOf = (t: StepOfJob, nodes: number, first: number, model: TrainModel): TrainRow => ({
  ...t,
  nodes,
  efficiency: first / t.step,
  samplesPerSecond: (model.samples * t.ranks * 1e6) / t.step,
});

/** 1, 2, 4 … and the number asked for; beyond an NVLink domain in whole ones, since a part of one holds up all others. */
function scales(most: number, perDomain: number): number[] {
  const out: number[] = [];
  for (let n = 1; n < Math.min(most, perDomain); n *= 2) out.push(n);
  for (let n = perDomain; n < most; n *= 2) out.push(n);
  return [...out, most];
}

/** FLOP/s of the slowest GPU whose rate the catalogue knows. */
function peakOf(machine: Machine): number | undefined {
  const rate = slowestOf(machine, (part) => tensorRates[part]?.value);
  return rate === undefined ? undefined : rate * 1e12;
}

const assumed = (what: TrainAsk, optimizer: boolean): Message[] => [
  say('train.assume.kept', { percent: Math.round(100 * what.kept) }),
  say('train.assume.beside', { percent: 100 * training.takenByCollectives.value }),
  say('train.assume.spread', { percent: Number((100 * training.spreadOfRanks.value).toPrecision(3)) }),
  say(optimizer ? 'train.assume.optimizer' : 'train.assume.no-optimizer'),
  say('train.assume.width', { bits: 8 * what.gradientWidth }),
];
