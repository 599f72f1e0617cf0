import type { TrainAnswer, TrainRow } from '../../answer/train.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';

const short = (x: number): number => Number(x.toPrecision(6));

/** `crowfly/train@1`. */
export function trainJson(answer: TrainAnswer, assumed: readonly string[], language: Language): string {
  const { model, strategy, bucket, gradientWidth, kept } = answer.ask;
  return `${JSON.stringify({
    schema: 'crowfly/train@1',
    model,
    strategy,
    bucketBytes: bucket,
    gradientBytes: gradientWidth,
    peakFlops: answer.peak,
    keptShare: kept,
    rows: answer.rows.map(rowJson),
    ...(answer.memory === undefined ? {} : { gpuMemoryGB: answer.memory }),
    ...(answer.tooBig
      ? {
          tooBig: {
            ranks: answer.tooBig.row.ranks,
            heldBytes: Math.round(answer.tooBig.row.held),
            ...(answer.tooBig.from ? { fitsFromRanks: answer.tooBig.from.ranks } : {}),
            remedies: answer.tooBig.remedies.map((r) => ({ id: r.id, ranks: r.ranks, heldBytes: Math.round(r.bytes) })),
          },
        }
      : {}),
    without: answer.without.map((w) => ({ id: w.id, what: render(w.what, language), row: rowJson(w.row) })),
    assumptions: [...assumed, ...answer.assumptions.map((m) => render(m, language))],
  })}\n`;
}

const rowJson = (r: TrainRow) => ({
  nodes: r.nodes,
  ranks: r.ranks,
  stepUs: short(r.step),
  computeUs: short(r.compute),
  communicationUs: short(r.communication),
  exposedUs: short(r.exposed),
  slowedUs: short(r.slowed),
  waitingUs: short(r.waiting),
  optimizerUs: short(r.optimizer),
  efficiency: short(r.efficiency),
  samplesPerSecond: short(r.samplesPerSecond),
  heldBytes: Math.round(r.held),
  ...(r.fits === undefined ? {} : { fits: r.fits }),
});
