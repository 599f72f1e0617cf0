import { cells } from '../../base/width.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { wrap } from '../text/columns.ts';
import type { TextOptions } from '../text/explain.ts';
import type { Layout, Row } from './rows.ts';

/** A ring or tree for a terminal: one line a row, network hops at the left edge. */
export function shapeText({ shape, rows, hidden, odd }: Layout, options: TextOptions): string[] {
  const { style } = options;
  const t = (m: Message): string => render(m, options.language);
  const label = (row: Row): string => `${t(say('graph.shape.node', { node: row.node }))}:`;
  const wide = Math.max(...rows.map((r) => cells(label(r))));
  const padded = (row: Row): string => label(row) + ' '.repeat(wide - cells(label(row)));
  const arrow = shape.kind === 'ring' ? '→' : '─';
  const line = (row: Row): string =>
    row.ranks
      .map((rank, i) => {
        const before = row.ranks[i - 1];
        if (before === undefined) return String(rank);
        return odd.has(`${before} ${rank}`) ? style.warn(`≠${arrow} ${rank}`) : `${arrow} ${rank}`;
      })
      .join(' ');
  const out: string[] = [];
  /** A row; what does not fit goes on below, with `below` at the left edge. */
  const put = (head: string, text: string, below: string): void => {
    const [first = '', ...more] = wrap(text, Math.max(24, options.width - cells(head)));
    out.push(head + first);
    for (const l of more) out.push(below + ' '.repeat(cells(head) - cells(below)) + l);
  };
  rows.forEach((row, i) => {
    const strange = row.from !== undefined && odd.has(`${row.from.rank} ${row.ranks[0]}`);
    const sign = strange ? '≠' : '';
    if (shape.kind === 'ring') {
      const last = i === rows.length - 1 && hidden === 0;
      const edge = rows.length === 1 ? '↻' : i === 0 ? '╭▶' : last ? '╰─' : '│ ';
      put(
        `  ${edge} ${padded(row)} `,
        (strange ? style.warn(sign) : '') + line(row),
        rows.length === 1 || last ? '' : '  │',
      );
      return;
    }
    const hung = row.from === undefined ? '' : `${row.from.rank} ═▶ `;
    put(`  ${'   '.repeat(row.depth)}${sign}${hung}${label(row)} `, line(row), '');
  });
  if (hidden > 0) out.push(style.dim(`  ${t(say('graph.shape.hidden', { count: hidden }))}`));
  return out;
}
