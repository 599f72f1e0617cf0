import type { Shape, ShapesAnswer } from '../../answer/shapes.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { wrap } from '../text/columns.ts';
import type { TextOptions } from '../text/explain.ts';
import { type Panel, shapesSvg } from './draw-svg.ts';
import { shapeText } from './draw-text.ts';
import { type Layout, layout, spans } from './rows.ts';

/** More than so many shapes are not drawn but counted. */
const mostShapes = 24;

interface Told {
  readonly title: Message;
  readonly layout: Layout;
}

/** All expected shapes, or with a log those of the log that differ beside what was expected. */
function drawings({ expected, differences, perHost, seen }: ShapesAnswer): { told: Told[]; left: number } {
  const one = (code: 'expected' | 'seen' | 'drawn', shape: Shape, beside?: Shape): Told => ({
    title: say(`graph.shape.${code}`, {
      kind: say(`graph.shape.${shape.kind}`),
      list: spans(shape.channels),
      count: shape.channels.length,
    }),
    layout: layout(shape, perHost, beside),
  });
  const all =
    differences.length > 0
      ? differences.flatMap((d) => [
          ...(d.expected ? [one('expected', d.expected, d.seen)] : []),
          one('seen', d.seen, d.expected),
        ])
      : (seen.length > 0 ? seen : expected).map((s) => one('drawn', s));
  return { told: all.slice(0, mostShapes), left: Math.max(0, all.length - mostShapes) };
}

/** How what the log shows compares; undefined without one. */
export function shapesVerdict(answer: ShapesAnswer): Message | undefined {
  const { expected, seen, same, differences, otherRanks, ranks } = answer;
  if (otherRanks !== undefined) return say('graph.shape.other', { seen: otherRanks, ranks });
  if (seen.length === 0) return undefined;
  if (expected.length === 0) return say('graph.shape.alone');
  const count = differences.reduce((sum, d) => sum + d.channels.length, 0);
  return count === 0 ? say('graph.shape.same', { same }) : say('graph.shape.differ', { count, all: count + same });
}

export function shapesText(answer: ShapesAnswer, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const { told, left } = drawings(answer);
  const verdict = shapesVerdict(answer);
  const out = verdict ? [...wrap(t(verdict), options.width), ''] : [];
  for (const { title, layout: drawn } of told) {
    out.push(options.style.strong(t(title)), ...shapeText(drawn, options), '');
  }
  if (left > 0) out.push(t(say('graph.shape.left', { count: left })));
  return `${out.join('\n').trimEnd()}\n`;
}

export function shapesPicture(answer: ShapesAnswer, options: Pick<TextOptions, 'language'>): string {
  const t = (m: Message): string => render(m, options.language);
  const { told, left } = drawings(answer);
  const panels: Panel[] = told.map(({ title, layout: drawn }) => ({ title: t(title), layout: drawn }));
  const verdict = shapesVerdict(answer) ?? say('graph.shape.title', { ranks: answer.ranks });
  const more = left > 0 ? ` · ${t(say('graph.shape.left', { count: left }))}` : '';
  return shapesSvg(`${t(verdict)}${more}`, panels, options.language);
}
