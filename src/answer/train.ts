import { assume } from '../assemble/assume.ts';
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
  /** The largest job with one thing taken away, P2P and NVLink or GPUDirect RDMA; with the latter, where it is off today. */
  readonly without: readonly Without[];
  readonly assumptions: readonly Message[];
}

interface Without {
  readonly id: string;
  readonly what: Message;
  readonly row: TrainRow;
}

interface Side {
  readonly machine: Machine;
  readonly ask: Ask;
}

const same = (a: number, b: number): boolean => Math.abs(a / b - 1) < 1e-3;

function withGdr(machine: Machine): Machine | undefined {
  const made = assume(machine, [{ fact: 'gdr', on: true }]);
  return made.ok ? made.value : undefined;
}

/** What a GPU has to have room for, activations aside: nothing here knows how much it has. */
function holds({ model, strategy, gradientWidth }: TrainAsk, ranks: number): Message {
  const bytes = (model.parameters * (width + gradientWidth + adamState)) / (strategy === 'fsdp' ? ranks : 1);
  return say('train.holds', { gb: Number((bytes / 1e9).toPrecision(3)), gpus: ranks });
}

/** A copy of the parameter and two moments, in 32 bits (https://arxiv.org/abs/1910.02054). */
const adamState = 12;

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
  const asked = (id: string, said: Message, side: Side): Without[] => {
    const t = time(side.machine, side.ask, machine.nodes);
    // A GPU alone has no collectives that could become slower.
    return t.ok && t.value.ranks > 1 ? [{ id, what: said, row: rowOf(t.value, machine.nodes, first, what.model) }] : [];
  };
  const today = rows[rows.length - 1]!.step;
  const without = suspectsOf(machine)
    .filter((s) => s.id === 'gdr-off' || s.id === 'p2p-off')
    .flatMap((s) => {
      const off = asked(s.id, s.what, s.apply(machine, ask));
      // Where it is off already, what it would bring is the question.
      const on = s.id === 'gdr-off' && off[0] && same(off[0].row.step, today) ? withGdr(machine) : undefined;
      const better = on ? asked('gdr-on', say('train.gdr-on'), { machine: on, ask }) : [];
      return better[0] && better[0].row.step < today && !same(better[0].row.step, today) ? better : off;
    });
  return ok({
    ask: what,
    peak,
    rows,
    without,
    assumptions: [...rates, holds(what, rows[0]!.ranks), ...assumed(what, memoryOf(machine) !== undefined)],
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
