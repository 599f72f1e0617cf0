import type { PredictAnswer, PredictedRow } from '../../answer/predict.ts';
import { datatypes } from '../../predict/collective/predict.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { size } from './quantity.ts';

/**
 * The table of nccl-tests (src/common.cu), column for column; all else stands in comment lines, as nccl-tests has them. In
 * place and out of place take the same time as far as crowfly knows, and nothing is wrong.
 */
export function predictText(answer: PredictAnswer, options: TextOptions): string {
  const { ask, ground } = answer;
  const t = (m: Message): string => render(m, options.language);
  const comment = (m: Message): string[] => wrap(t(m), options.width - 2).map((l) => `# ${l}`);
  const data = {
    name: ask.name,
    ranks: ground.ranks,
    nodes: ground.machine.nodes,
    version: ground.made.release.name,
  };
  return `${[
    ...comment(say('predict.title', data)),
    ...answer.assumptions.flatMap(comment),
    '#',
    '#                                                              out-of-place                       in-place          ',
    '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong',
    '#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       ',
    ...answer.rows.map((r) => line(answer, r)),
    '# Out of bounds values : 0 OK',
    `# Avg bus bandwidth    : ${average(answer.rows)}`,
    '#',
    ...bands(answer, options),
    ...comment(say('predict.bottleneck', { why: answer.bottleneck.why })),
  ].join('\n')}\n`;
}

function line({ ask, ground }: PredictAnswer, r: PredictedRow): string {
  const element = datatypes[ask.datatype];
  const parts =
    ask.name === 'all_gather' || ask.name === 'reduce_scatter' || ask.name === 'alltoall' ? ground.ranks : 1;
  const count = Math.floor(r.bytes / element / parts);
  const reduces = ask.name === 'all_reduce' || ask.name === 'reduce' || ask.name === 'reduce_scatter';
  const root = ask.name === 'broadcast' || ask.name === 'reduce' || ask.name === 'gather' || ask.name === 'scatter';
  const half = `${time(r.timeUs).padStart(7)}  ${rate(r.algbwGBps)}  ${rate(r.busbwGBps)}      0`;
  return [
    String(r.bytes).padStart(12),
    String(count).padStart(12),
    ask.datatype.padStart(8),
    (reduces ? 'sum' : 'none').padStart(6),
    String(root ? 0 : -1).padStart(6),
    `  ${half}  ${half}`,
  ].join('  ');
}

/** As nccl-tests cuts a time to seven places. */
function time(us: number): string {
  if (us >= 10_000) return us.toFixed(0);
  return us >= 100 ? us.toFixed(1) : us.toFixed(2);
}

const rate = (x: number): string => x.toFixed(2).padStart(6);

const average = (rows: readonly PredictedRow[]): string =>
  (rows.reduce((sum, r) => sum + r.busbwGBps, 0) / Math.max(1, rows.length)).toPrecision(6);

/** Which algorithm and protocol serve which sizes, and what limits them there. */
function bands(answer: PredictAnswer, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const out: string[] = [];
  for (let i = 0; i < answer.rows.length; ) {
    const first = answer.rows[i]!;
    let j = i;
    while (j + 1 < answer.rows.length && same(answer.rows[j + 1]!, first)) j++;
    const last = answer.rows[j]!;
    const sizes = i === j ? size(first.bytes) : `${size(first.bytes)} – ${size(last.bytes)}`;
    const way = `${first.algorithm}/${first.protocol}`;
    out.push(`#  ${sizes.padStart(20)}  ${way.padEnd(16)} ${t(say(`predict.limit.${first.limit}`))}`);
    i = j + 1;
  }
  return out;
}

const same = (a: PredictedRow, b: PredictedRow): boolean =>
  a.algorithm === b.algorithm && a.protocol === b.protocol && a.limit === b.limit;
