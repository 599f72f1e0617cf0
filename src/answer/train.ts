import { assume } from '../assemble/assume.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { gpus } from '../catalogue/gpus.ts';
import { tensorRates } from '../catalogue/tensor.ts';
import { training } from '../catalogue/training.ts';
import { suspectsOf } from '../flip/suspects.ts';
import type { Machine } from '../machine/machine.ts';
import { type Ask, nodesPerDomain, overChosenNetwork } from '../nccl/of-machine.ts';
import type { Refusal } from '../nccl/system/build.ts';
import { asUsual } from '../predict/as-usual.ts';
import { type Message, say } from '../words/message.ts';
import { adamState, heldBytes, type PerParameter, type Remedy, remedies, roomOf } from '../workload/fit.ts';
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
  /** Bytes of parameters, gradients and optimizer on each GPU; whether it has as many, where that is known. */
  readonly held: number;
  readonly fits?: boolean;
}

/** A model that the GPUs of a job have no room for. */
export interface TooBig {
  readonly row: TrainRow;
  /** GB of one GPU, as its data sheet counts them. */
  readonly memory: number;
  /** The job from which on it fits, where one of the rows is large enough. */
  readonly from?: TrainRow;
  readonly remedies: readonly Remedy[];
}

export interface TrainAnswer {
  readonly ask: TrainAsk;
  readonly peak: number;
  readonly rows: readonly TrainRow[];
  readonly memory?: number;
  readonly tooBig?: TooBig;
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

/** What a GPU has to have room for, activations aside. */
function holds({ ranks, held }: TrainRow, memory: number | undefined): Message {
  const said = { gb: Number((held / 1e9).toPrecision(3)), gpus: ranks };
  return memory === undefined ? say('train.holds', said) : say('train.holds-of', { ...said, memory });
}

const perParameter = ({ gradientWidth }: TrainAsk): PerParameter => ({
  weight: width,
  gradient: gradientWidth,
  state: adamState,
});

/** Where the largest job does not fit either, what would; where a smaller one does not, from which on it does. */
function tooBigOf(what: TrainAsk, rows: readonly TrainRow[], memory: number | undefined): TooBig | undefined {
  const row = rows.find((r) => r.fits === false);
  const most = rows.at(-1);
  if (!row || !most || memory === undefined) return undefined;
  const from = rows.find((r) => r.fits);
  const { model, strategy } = what;
  const would = from ? [] : remedies(model.parameters, perParameter(what), strategy, most.ranks, memory * 1e9);
  return { row: from ? row : most, memory, ...(from ? { from } : {}), remedies: would };
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
  const memory = slowestOf(machine, (part) => gpus.get(part)?.memory.value);
  const row = (t: StepOfJob, nodes: number): TrainRow => rowOf(t, nodes, first, what, memory);
  let first = 0;
  const perDomain = machine.hosts[0] ? nodesPerDomain(machine, machine.hosts[0]) : 1;
  for (const nodes of scales(machine.nodes, perDomain)) {
    const t = time(machine, ask, nodes);
    if (!t.ok) return t;
    if (first === 0) first = t.value.step;
    rows.push(row(t.value, nodes));
  }
  const asked = (id: string, said: Message, side: Side): Without[] => {
    const t = time(side.machine, side.ask, machine.nodes);
    // A GPU alone has no collectives that could become slower.
    return t.ok && t.value.ranks > 1 ? [{ id, what: said, row: row(t.value, machine.nodes) }] : [];
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
  const tooBig = tooBigOf(what, rows, memory);
  return ok({
    ask: what,
    peak,
    rows,
    ...(memory === undefined ? {} : { memory }),
    ...(tooBig ? { tooBig } : {}),
    without,
    assumptions: [...rates, holds(rows[0]!, memory), ...assumed(what, memoryOf(machine) !== undefined)],
  });
}

function rowOf(t: StepOfJob, nodes: number, first: number, what: TrainAsk, memory: number | undefined): TrainRow {
  const { model, strategy } = what;
  const held = heldBytes(model.parameters, perParameter(what), strategy, t.ranks);
  return {
    ...t,
    nodes,
    efficiency: first / t.step,
    samplesPerSecond: (model.samples * t.ranks * 1e6) / t.step,
    held,
    ...(memory === undefined ? {} : { fits: held <= roomOf(memory) }),
  };
}

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
