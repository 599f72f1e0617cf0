import { cells } from '../../base/width.ts';
import { type Language, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { escapeMarkup } from '../picture/safe.ts';
import type { Layout, Row } from './rows.ts';

/** A drawing with the words above it. */
export interface Panel {
  readonly title: string;
  readonly layout: Layout;
}

const margin = 16;
const rowHeight = 40;
const pill = { w: 38, h: 24 };
const gap = 20;
const indent = 28;
const cell = 7.6;

/** Okabe-Ito colours; network hops are also dashed and odd ones also thick, so that nothing is told by colour alone. */
const style = [
  '.crowfly-shapes{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;font-size:13px}',
  '.paper{fill:#fff}text{fill:#222}.title{font-size:15px;font-weight:600}.head{font-weight:600}.node{fill:#5c5f66}',
  '.pill{fill:#e2f3ec;stroke:#009e73}.hop{stroke:#009e73;fill:none;stroke-width:1.5}.net{stroke:#0072b2;fill:none;stroke-width:1.5;stroke-dasharray:5 3}',
  '.odd{stroke:#d55e00;stroke-width:3}.tip{fill:#44474d}',
  '@media(prefers-color-scheme:dark){.paper{fill:#17191d}text{fill:#e8e9ec}.node{fill:#a3a8b3}.pill{fill:#12352a;stroke:#2cc197}',
  '.hop{stroke:#2cc197}.net{stroke:#56b4e9}.odd{stroke:#ff8a3d}.tip{fill:#c9cdd6}}',
].join('');

/** Rings and trees as one SVG, light and dark, without script. */
export function shapesSvg(title: string, panels: readonly Panel[], language: Language): string {
  const parts: string[] = [];
  let y = margin + 20;
  let right = margin + cells(title) * cell * 1.2;
  parts.push(text(margin, y, title, 'title'));
  y += 20;
  for (const { title: head, layout } of panels) {
    y += 24;
    parts.push(text(margin, y, head, 'head'));
    right = Math.max(right, margin + cells(head) * cell);
    const drawn = drawRows(layout, y + 12, language);
    parts.push(drawn.svg);
    right = Math.max(right, drawn.right);
    y += 12 + drawn.height;
  }
  const [width, height] = [Math.ceil(right + margin), Math.ceil(y + margin)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="crowfly-shapes" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(title)}">`,
    `<title>${escapeMarkup(title)}</title><style>${style}</style>`,
    '<defs><marker id="crowfly-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function drawRows(
  { shape, rows, hidden, odd }: Layout,
  top: number,
  language: Language,
): { svg: string; right: number; height: number } {
  const label = (row: Row): string => render(say('graph.shape.node', { node: row.node }), language);
  const names = Math.max(...rows.map((r) => cells(label(r)))) * cell + 12;
  const left = margin + (shape.kind === 'ring' ? 24 : 0);
  const startOf = (row: Row): number => left + names + row.depth * indent;
  const at = (row: Row, k: number): number => startOf(row) + k * (pill.w + gap);
  const middle = (i: number): number => top + i * rowHeight + rowHeight / 2;
  const parts: string[] = [];
  let right = 0;
  const mark = (from: number, to: number, kind: string): string => (odd.has(`${from} ${to}`) ? `${kind} odd` : kind);
  rows.forEach((row, i) => {
    parts.push(text(left + row.depth * indent, middle(i) + 4, label(row), 'node'));
    row.ranks.forEach((rank, k) => {
      const x = at(row, k);
      if (k > 0) parts.push(path(`M${x - gap} ${middle(i)}H${x}`, mark(row.ranks[k - 1]!, rank, 'hop')));
      parts.push(
        `<rect class="pill" x="${x}" y="${middle(i) - pill.h / 2}" width="${pill.w}" height="${pill.h}" rx="6"/>`,
      );
      parts.push(text(x + pill.w / 2, middle(i) + 4.5, String(rank), 'rank', 'middle'));
      right = Math.max(right, x + pill.w);
    });
    if (row.from === undefined) return;
    const above = rows[row.from.row]!;
    const x0 = at(above, above.ranks.indexOf(row.from.rank)) + pill.w / 2;
    const y0 = middle(row.from.row) + pill.h / 2;
    const x1 = at(row, 0) + pill.w / 2;
    const y1 = middle(i) - pill.h / 2;
    const turn = y1 - 6;
    parts.push(path(`M${x0} ${y0}V${turn}H${x1}V${y1}`, mark(row.from.rank, row.ranks[0]!, 'net')));
  });
  if (shape.ring && shape.cut !== true && hidden === 0) {
    const last = rows[rows.length - 1]!;
    const [end, y1] = [at(last, last.ranks.length - 1) + pill.w, middle(rows.length - 1)];
    const [x0, y0] = [at(rows[0]!, 0) + pill.w / 2, middle(0) - pill.h / 2];
    const kind = mark(last.ranks[last.ranks.length - 1]!, rows[0]!.ranks[0]!, rows.length > 1 ? 'net' : 'hop');
    const below = y1 + pill.h / 2 + 6;
    parts.push(path(`M${end} ${y1}H${end + 8}V${below}H${margin + 8}V${y0 - 6}H${x0}V${y0}`, kind));
    right = Math.max(right, end + 8);
  }
  if (hidden > 0) {
    const more = render(say('graph.shape.hidden', { count: hidden }), language);
    parts.push(text(left, middle(rows.length), more, 'node'));
  }
  return { svg: parts.join('\n'), right, height: (rows.length + (hidden > 0 ? 1 : 0)) * rowHeight + 10 };
}

const path = (d: string, kind: string): string => `<path class="${kind}" d="${d}" marker-end="url(#crowfly-tip)"/>`;

const text = (x: number, y: number, words: string, kind: string, anchor = 'start'): string =>
  `<text class="${kind}" x="${x}" y="${y}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escapeMarkup(words)}</text>`;
