import { cells } from '../../base/width.ts';
import type { Language } from '../../words/message.ts';
import { say } from '../../words/message.ts';
import { Canvas, clip, type Ink, type Styler, wrap } from './canvas.ts';
import { isLeaf, layoutBoxes, type Metrics, type Placed } from './layout.ts';
import type { Mark, NvlinkMesh, Picture, PictureBox, PictureHost } from './model.ts';
import { safe } from './safe.ts';
import { heading, hostHeading, sentence, words } from './words.ts';

export interface TextOptions {
  /** Columns of the terminal; 80 unless told. */
  readonly width?: number;
  /** Colours text; without it the drawing has none. */
  readonly color?: Styler;
  readonly language?: Language;
  /** Only characters every terminal has. */
  readonly ascii?: boolean;
}

const marks: Record<Mark, string> = { bad: '!', look: '▲', unknown: '?' };

/** Draws a picture for a terminal. */
export function drawText(picture: Picture, options: TextOptions = {}): string {
  const width = Math.max(40, options.width ?? 80);
  const language = options.language ?? 'en';
  const style: Styler = options.color ?? ((_ink, text) => text);
  const out: string[] = [];
  for (const line of wrap(sentence(picture.title, language), width)) out.push(style('title', line));
  if (picture.hosts.every((host) => host.cpus.length === 0)) {
    out.push(words(say('show.nothing'), language));
    return finish(out, options.ascii === true);
  }
  const blocks = picture.hosts.map((host) => drawHost(host, width, language));
  out.push(...sideBySide(blocks, width).flatMap((canvas) => ['', ...canvas.lines(style)]));
  if (picture.hidden > 0)
    out.push('', style('dim', words(say('show.host.hidden', { hidden: picture.hidden }), language)));
  out.push('');
  for (const legend of picture.legend) {
    for (const line of wrap(sentence(legend, language), width, 2)) out.push(style('dim', line));
  }
  for (const note of picture.notes) {
    wrap(`${marks[note.mark]} ${sentence(note.message, language)}`, width, 2).forEach((line, i) => {
      out.push(i === 0 ? style(note.mark, line.slice(0, 1)) + line.slice(1) : line);
    });
  }
  return finish(out, options.ascii === true);
}

function finish(lines: readonly string[], ascii: boolean): string {
  const text = `${lines.join('\n')}\n`;
  if (!ascii) return text;
  const plain: Record<string, string> = {
    '─': '-',
    '│': '|',
    '┌': '+',
    '┐': '+',
    '└': '+',
    '┘': '+',
    '═': '=',
    '×': 'x',
    '…': '~',
    '·': '.',
    '–': '-',
    '▲': '^',
    '，': ',',
    '：': ':',
    '；': ';',
    '（': '(',
    '）': ')',
  };
  return text.replace(/[─│┌┐└┘═×…·–▲，：；（）]/g, (c) => plain[c]!);
}

interface Block {
  readonly canvas: Canvas;
  readonly w: number;
}

/** What is narrow enough stands in one row. */
function sideBySide(blocks: readonly Block[], width: number): Canvas[] {
  const rows: { blocks: Block[]; w: number }[] = [];
  for (const block of blocks) {
    const row = rows.at(-1);
    if (row !== undefined && row.w + 2 + block.w <= width) {
      row.blocks.push(block);
      row.w += 2 + block.w;
    } else rows.push({ blocks: [block], w: block.w });
  }
  return rows.map((row) => {
    if (row.blocks.length === 1) return row.blocks[0]!.canvas;
    const sheet = new Canvas();
    let x = 0;
    for (const block of row.blocks) {
      sheet.paste(block.canvas, x, 0);
      x += block.w + 2;
    }
    return sheet;
  });
}

function drawHost(host: PictureHost, width: number, language: Language): Block {
  const title = hostHeading(host, language);
  const framed = title !== '';
  const inset = framed ? 2 : 0;
  const inner = width - 2 * inset;
  const lines = host.lines.flatMap((line) => wrap(sentence(line, language), inner, 2));
  const band = host.band === undefined ? [] : wrap(sentence(host.band, language), inner - 4, 0);
  const mesh = host.mesh === undefined ? [] : meshLines(host.mesh, language);
  const across = Math.min(inner, Math.max(0, ...band.map((b) => cells(b) + 4)));
  const { placed, w, h } = layoutBoxes(host.cpus, inner, metrics(language, inner), across);
  const content = Math.min(
    inner,
    Math.max(
      w,
      ...lines.map(cells),
      ...mesh.map(cells),
      ...band.map((b) => cells(b) + 4),
      framed ? cells(clip(title, inner)) : 0,
    ),
  );

  const canvas = new Canvas();
  let y = framed ? 1 : 0;
  for (const item of placed) drawBox(canvas, item, inset, y, language);
  y += h;
  for (const line of band) {
    const rest = content - cells(line) - 2;
    const left = Math.floor(rest / 2);
    canvas.put(inset, y, '═'.repeat(left), 'nvlink');
    canvas.put(inset + left + 1, y, line, 'nvlink');
    canvas.put(inset + left + 2 + cells(line), y, '═'.repeat(rest - left), 'nvlink');
    y++;
  }
  for (const line of [...mesh, ...lines]) canvas.put(inset, y++, line, 'nvlink');
  if (framed) {
    canvas.frame(0, 0, content + 4, y + 1, 'dim');
    canvas.put(2, 0, ` ${clip(title, content - 2)} `, 'title');
  }
  return { canvas, w: content + 2 * inset };
}

const metrics = (language: Language, widest: number): Metrics => ({
  leaf: (box) => ({ w: Math.min(cells(leafText(box)), widest), h: 1 }),
  head: (box) => Math.min(cells(heading(box, language)) + (box.mark === undefined ? 6 : 8), widest),
  padX: 2,
  padTop: 1,
  padBottom: 1,
  gapX: 1,
  gapY: 0,
  leafGapX: 2,
  leafGapY: 0,
  step: 1,
  least: 12,
});

/** `gpu0═` has NVLinks; `nic0 400G!` is marked. */
function leafText(box: PictureBox): string {
  const detail = typeof box.detail === 'string' ? ` ${safe(box.detail)}` : '';
  const mark = box.mark === undefined ? '' : marks[box.mark];
  return `${safe(box.label)}${box.count > 1 ? ` ×${box.count}` : ''}${box.nvlinks > 0 ? '═' : ''}${detail}${mark}`;
}

const inks: Record<PictureBox['kind'], Ink> = {
  cpu: 'cpu',
  switch: 'switch',
  bridge: 'switch',
  gpu: 'gpu',
  nic: 'nic',
  nvme: 'nvme',
  nvswitch: 'nvlink',
};

function drawBox(canvas: Canvas, item: Placed, dx: number, dy: number, language: Language): void {
  const { box, w, h } = item;
  const x = item.x + dx;
  const y = item.y + dy;
  const ink = inks[box.kind];
  if (isLeaf(box)) {
    const label = clip(leafText(box), w);
    const mark = box.mark === undefined ? 0 : 1;
    const link = label.indexOf('═');
    canvas.put(x, y, label, ink);
    if (link >= 0) canvas.put(x + cells(label.slice(0, link)), y, '═', 'nvlink');
    if (mark === 1) canvas.put(x + cells(label) - 1, y, label.slice(-1), box.mark!);
    return;
  }
  canvas.frame(x, y, w, h, ink);
  const title = clip(heading(box, language), w - (box.mark === undefined ? 6 : 8));
  canvas.put(x + 2, y, ` ${title} `, ink);
  if (box.mark !== undefined) canvas.put(x + 3 + cells(title) + 1, y, `${marks[box.mark]} `, box.mark);
  for (const child of item.children) drawBox(canvas, child, dx, dy, language);
}

/** A square of link counts; a dot where there is none. */
function meshLines(mesh: NvlinkMesh, language: Language): string[] {
  const names = mesh.gpus.map((name) => safe(name));
  const side = Math.max(...names.map(cells));
  const column = names.map((name) => name.replace(/^gpu/, ''));
  const wide = Math.max(...column.map(cells), ...mesh.counts.flat().map((n) => String(n).length)) + 1;
  const pad = (text: string, size: number): string => ' '.repeat(Math.max(0, size - cells(text))) + text;
  return [
    words(say('show.nvlink.table'), language),
    `${' '.repeat(side)}${column.map((c) => pad(c, wide)).join('')}`,
    ...mesh.counts.map(
      (row, i) =>
        `${names[i]!}${' '.repeat(side - cells(names[i]!))}${row.map((n, j) => pad(i === j ? '-' : n === 0 ? '·' : String(n), wide)).join('')}`,
    ),
  ];
}
