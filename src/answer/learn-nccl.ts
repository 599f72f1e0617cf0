import { ok, type Result } from '../base/result.ts';
import type { Machine } from '../machine/machine.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { Refusal } from '../nccl/system/build.ts';
import { answerPredict, type PredictAnswer, type PredictedRow } from './predict.ts';
import { answerReport, type ReportRow } from './report.ts';

/** The lesson about the library: what it decides on a machine, pair by pair and size by size. */
export const ncclTopic = 'nccl';

export interface NcclLesson {
  readonly release: string;
  /** Where data of one kind of pair goes, and the rule that decided. */
  readonly ways: readonly ReportRow[];
  /** What an all_reduce runs with, from one size to another. */
  readonly choices: readonly NcclChoice[];
  readonly prediction: PredictAnswer;
}

export interface NcclChoice {
  readonly from: number;
  readonly to: number;
  readonly algorithm: PredictedRow['algorithm'];
  readonly protocol: PredictedRow['protocol'];
  readonly channels: number;
}

const sizes = Array.from({ length: 31 }, (_, i) => 2 ** (i + 3));

export function answerNcclLesson(machine: Machine, ask: Ask): Result<NcclLesson, Refusal> {
  const report = answerReport(machine, ask);
  if (report.refused) return { ok: false, error: { reason: report.refused.reason, at: report.refused.at } };
  const prediction = answerPredict(machine, ask, { name: 'all_reduce', datatype: 'float', sizes });
  if (!prediction.ok) return prediction;
  const choices: NcclChoice[] = [];
  for (const { bytes, algorithm, protocol, channels } of prediction.value.rows) {
    const last = choices.at(-1);
    if (last?.algorithm === algorithm && last.protocol === protocol) {
      choices[choices.length - 1] = { ...last, to: bytes, channels: Math.max(last.channels, channels) };
    } else choices.push({ from: bytes, to: bytes, algorithm, protocol, channels });
  }
  return ok({ release: report.release.name, ways: report.rows, choices, prediction: prediction.value });
}
