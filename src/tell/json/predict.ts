import type { PredictAnswer } from '../../answer/predict.ts';
import type { Language } from '../../words/message.ts';
import { render } from '../../words/render.ts';

const short = (x: number, digits = 5): number => Number(x.toPrecision(digits));

/** `crowfly/prediction@1`. */
export function predictJson(answer: PredictAnswer, assumed: readonly string[], language: Language): string {
  const { ask, ground, bottleneck } = answer;
  const device = bottleneck.of !== undefined && /^[a-z]+\d+$/.test(bottleneck.of) ? 'device' : 'link';
  return `${JSON.stringify({
    schema: 'crowfly/prediction@1',
    collective: ask.name,
    datatype: ask.datatype,
    ncclVersion: ground.made.release.name,
    ranks: ground.ranks,
    nodes: ground.machine.nodes,
    timedBy: answer.timedBy,
    rows: answer.rows.map((r) => ({
      bytes: r.bytes,
      timeUs: short(r.timeUs),
      timeLowUs: short(r.timeLowUs),
      timeHighUs: short(r.timeHighUs),
      algbwGBps: short(r.algbwGBps),
      busbwGBps: short(r.busbwGBps),
      algorithm: r.algorithm,
      protocol: r.protocol,
      channels: r.channels,
      limit: r.limit,
    })),
    bottleneck: {
      ...(bottleneck.of === undefined ? {} : { [device]: bottleneck.of }),
      limit: bottleneck.limit,
      why: render(bottleneck.why, language),
    },
    assumptions: [...assumed, ...answer.assumptions.map((m) => render(m, language))],
  })}\n`;
}
