import { fail, ok, type Result } from '../base/result.ts';
import type { Machine } from '../machine/machine.ts';
import { withBothWays } from '../move/both.ts';
import { type FrameTiming, framesOn, videoFormats } from '../move/frames.ts';
import {
  copiesOf,
  type DataPathModel,
  hostMemoryOf,
  type MoveLoad,
  type MovePath,
  type MoveRow,
  movePaths,
  moveRow,
} from '../move/model.ts';
import { dataPaths } from '../move/move.ts';
import type { Ask } from '../nccl/of-machine.ts';
import { usualRates } from '../physics/usual-rates.ts';
import { type Message, say } from '../words/message.ts';

export interface MoveAsk extends MoveLoad {
  readonly sizes: readonly number[];
  readonly path?: string;
}

export interface MoveAnswer {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly MoveAnswerPath[];
  /** What was taken for rates that no input tells. */
  readonly assumed: readonly Message[];
}

export interface MoveAnswerPath {
  readonly model: DataPathModel;
  readonly copies: number;
  readonly hostMemoryBytesPerByte: number;
  readonly rows: readonly MoveRow[];
  /** Video that comes in time or is lost, where a capture card is the source. */
  readonly frames?: readonly FrameTiming[];
}

/** 8 B to 1 GiB in powers of two. */
export const usualSizes: readonly number[] = Array.from({ length: 28 }, (_, i) => 2 ** (i + 3));

/** Times a movement on every data path that the wires allow, or on the one asked for. */
export function answerMove(
  machine: Machine,
  ask: Ask,
  from: string,
  to: string,
  how: MoveAsk,
): Result<MoveAnswer, Message> {
  if (how.path !== undefined && !movePaths.includes(how.path as MovePath)) {
    return fail(say('move.unknown-path', { path: how.path, known: movePaths.join(', ') }));
  }
  const models = dataPaths(machine, ask, from, to);
  if (!models.ok) return models;
  const back = how.both ? dataPaths(machine, ask, to, from) : undefined;
  const all = back?.ok ? withBothWays(models.value, back.value) : models.value;
  const chosen = all.filter((m) => how.path === undefined || m.path === how.path);
  if (chosen.length === 0) {
    return fail(
      say('move.path-not-here', { path: how.path ?? '', from, to, known: models.value.map((m) => m.path).join(', ') }),
    );
  }
  return ok({
    from,
    to,
    assumed: usualRates(machine).assumed,
    paths: chosen.map((model) => ({
      model,
      copies: copiesOf(model),
      hostMemoryBytesPerByte: hostMemoryOf(model),
      rows: how.sizes.map((bytes) => moveRow(model, bytes, how)),
      ...(/video|capture/.test(model.path) ? { frames: videoFormats.map((f) => framesOn(model, f)) } : {}),
    })),
  });
}

const units: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** `4K`, `1M`, `8`: bytes, as nccl-tests and perftest write them. At least 1, at most 2^50. */
export function parseSizes(text: string): Result<number[], Message> {
  const sizes: number[] = [];
  for (const part of text.split(',')) {
    const m = /^\s*(\d+)\s*([KMGT]?)i?B?\s*$/i.exec(part);
    const n = m ? Number(m[1]) * units[m[2]!.toUpperCase()]! : Number.NaN;
    if (!(n >= 1 && n <= 2 ** 50)) return fail(say('move.size', { text: part.trim() }));
    sizes.push(n);
  }
  return ok(sizes);
}
