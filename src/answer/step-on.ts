import { expectedMaximum } from '../base/normal.ts';
import { ok, type Result } from '../base/result.ts';
import { gpus } from '../catalogue/gpus.ts';
import { training } from '../catalogue/training.ts';
import type { Machine } from '../machine/machine.ts';
import { deviceAt, nameDevices } from '../machine/names.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { Refusal } from '../nccl/system/build.ts';
import { speedsFor } from '../predict/collective/catalogued.ts';
import { groundOf } from '../predict/collective/ground.ts';
import { Predictor } from '../predict/collective/predict.ts';
import { type StepAsk, type StepOn, type StepTime, stepTime } from '../workload/step.ts';

export interface StepOfJob extends StepTime {
  readonly ranks: number;
}

/** What all GPUs of a machine do together: the times that a step of this kind asks for. */
export interface Job extends Omit<StepOn, 'taken' | 'slowest'> {
  readonly ranks: number;
}

/** The two fitted figures of a step. */
export interface StepFigures {
  readonly taken: number;
  readonly spread: number;
}
const catalogued: StepFigures = {
  taken: training.takenByCollectives.value,
  spread: training.spreadOfRanks.value,
};

export function jobOn(machine: Machine, ask: Ask, how: Omit<StepAsk, 'rate'>): Result<Job, Refusal> {
  const ground = groundOf(machine, ask);
  if (!ground.ok) return ground;
  const speeds = speedsFor(ground.value);
  const { ranks } = ground.value;
  const at = (name: 'all_reduce' | 'all_gather' | 'reduce_scatter', width: number) => {
    const p = new Predictor(ground.value, speeds, name, width === 4 ? 'float' : 'bfloat16');
    return (bytes: number): number => (ranks === 1 ? 0 : p.at(Math.max(8, Math.round(bytes))).timeUs);
  };
  const held = how.model.parameters / (how.strategy === 'fsdp' ? ranks : 1);
  const memory = memoryOf(machine);
  return ok({
    ranks,
    allReduce: at('all_reduce', how.gradientWidth),
    allGather: at('all_gather', how.width),
    reduceScatter: at('reduce_scatter', how.gradientWidth),
    optimizer: memory === undefined ? 0 : (held * training.optimizerBytes.value) / (memory * 1e3),
  });
}

export function stepOf(job: Job, how: StepAsk, { taken, spread } = catalogued): StepOfJob {
  const slowest = 1 + spread * expectedMaximum(job.ranks);
  return { ...stepTime(how, { ...job, taken, slowest }), ranks: job.ranks };
}

/** GB/s of GPU memory, where the catalogue knows it. */
export const memoryOf = (machine: Machine): number | undefined =>
  slowestOf(machine, (part) => gpus.get(part)?.memoryBandwidth?.value);

/** The least of what the catalogue knows of a node's GPUs. */
export function slowestOf(machine: Machine, of: (part: string) => number | undefined): number | undefined {
  const host = machine.hosts[0];
  if (!host) return undefined;
  const known = nameDevices(machine)
    .filter((d) => d.kind === 'gpu' && d.host === 0)
    .map((d) => deviceAt(host, d.path)?.gpus?.[d.slot ?? 0]?.part)
    .map((part) => (part === undefined ? undefined : of(part)))
    .filter((n) => n !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
