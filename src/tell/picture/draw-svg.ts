import { cells } from '../../base/width.ts';
import type { Language } from '../../words/message.ts';
import { say } from '../../words/message.ts';
import { clip, wrap } from './canvas.ts';
import { isLeaf, layoutBoxes, type Metrics, type Placed } from './layout.ts';
import type { Mark, NvlinkMesh, Picture, PictureBox, PictureHost } from './model.ts';
import { escapeMarkup, escapeXml, safe } from './safe.ts';
import { svgStyle } from './svg-style.ts';
import { heading, hostHeading, sentence, words } from './words.ts';

export interface SvgOptions {
  readonly language?: Language;
  /** Widest the drawing may get, in pixels; 1100 unless told. */
  readonly width?: number;
  /** Prefix of element ids, so that several drawings can stand in one page. */
  readonly idPrefix?: string;
  /** Leave the title out of the drawing (it stays in the description), for pages that show it themselves. */
  readonly untitled?: boolean;
}

const margin = 16;
/** Width of a character cell at 13 px; names are short, so an estimate that errs on the wide side will do. */
const cell = 7.6;
const markSigns: Record<Mark, string> = { bad: '!', look: '▲', unknown: '?' };

/** Draws a picture as one SVG: light and dark, with title and description, without script. */
export function drawSvg(picture: Picture, options: SvgOptions = {}): string {
  const language = options.language ?? 'en';
  const widest = Math.max(320, options.width ?? 1100);
  const id = (options.idPrefix ?? 'crowfly').replace(/[^A-Za-z0-9_-]/g, '');
  const hosts = picture.hosts.map((host) => drawHost(host, widest - 2 * margin, language));
  const title = sentence(picture.title, language);
  const notes = picture.notes.map((note) => ({ mark: note.mark, text: sentence(note.message, language) }));
  const legend = picture.legend.map((message) => sentence(message, language));
  if (picture.hidden > 0) legend.unshift(words(say('show.host.hidden', { hidden: picture.hidden }), language));
  if (picture.hosts.length === 0) legend.unshift(words(say('show.nothing'), language));

  const parts: string[] = [];
  let y = margin;
  if (options.untitled !== true) {
    parts.push(text(margin, y + 18, title, 'title'));
    y += 36;
  }
  let x = margin;
  let rowHeight = 0;
  let right = options.untitled === true ? 0 : margin + cells(title) * cell * 1.2;
  for (const host of hosts) {
    if (x > margin && x + host.w > widest - margin) {
      x = margin;
      y += rowHeight + 16;
      rowHeight = 0;
    }
    parts.push(`<g transform="translate(${x} ${y})">${host.svg}</g>`);
    right = Math.max(right, x + host.w);
    x += host.w + 16;
    rowHeight = Math.max(rowHeight, host.h);
  }
  y += rowHeight + 24;
  const room = Math.floor((Math.max(right, 480) - margin) / cell);
  for (const line of legend) {
    for (const piece of wrap(line, room, 2)) {
      parts.push(text(margin, y, piece, 'legend'));
      y += 18;
    }
    right = Math.max(right, margin + Math.min(cells(line), room) * cell);
  }
  for (const note of notes) {
    wrap(note.text, room - 3).forEach((piece, i) => {
      if (i === 0) parts.push(text(margin, y, markSigns[note.mark], `sign ${note.mark}`));
      parts.push(text(margin + 18, y, piece, 'note'));
      y += 18;
    });
    right = Math.max(right, margin + 18 + Math.min(cells(note.text), room) * cell);
  }
  const w = Math.ceil(Math.min(Math.max(right + margin, 240), widest + 200));
  const h = Math.ceil(y + margin - 12);
  const description = [...notes.map((n) => n.text), ...legend].join('. ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-labelledby="${id}-title ${id}-desc" class="crowfly-picture">`,
    `<title id="${id}-title">${escapeXml(title)}</title>`,
    `<desc id="${id}-desc">${escapeMarkup(description)}</desc>`,
    `<style>${svgStyle}</style>`,
    `<rect class="paper" width="${w}" height="${h}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

const text = (x: number, y: number, content: string, cls: string, extra = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" class="${cls}"${extra}>${escapeMarkup(content)}</text>`;
const round = (n: number): string => String(Math.round(n * 10) / 10);

const metrics = (language: Language): Metrics => ({
  leaf: (box) => ({ w: Math.min(Math.max(66, Math.ceil(cells(leafLabel(box)) * cell) + 18), 260), h: 40 }),
  head: (box) => Math.min(Math.ceil(cells(heading(box, language)) * cell) + 40, 420),
  padX: 10,
  padTop: 28,
  padBottom: 10,
  gapX: 10,
  gapY: 10,
  leafGapX: 8,
  leafGapY: 8,
  step: 8,
  least: 96,
});

const leafLabel = (box: PictureBox): string => `${safe(box.label)}${box.count > 1 ? ` ×${box.count}` : ''}`;

function drawHost(host: PictureHost, avail: number, language: Language): { svg: string; w: number; h: number } {
  const title = hostHeading(host, language);
  const pad = title === '' ? 0 : 12;
  const lines = host.lines.map((line) => sentence(line, language));
  const band = host.band === undefined ? undefined : sentence(host.band, language);
  const across = band === undefined ? 0 : Math.min(Math.ceil(cells(band) * cell) + 24, avail - 2 * pad);
  const { placed, w, h } = layoutBoxes(host.cpus, avail - 2 * pad, metrics(language), across);
  const width = Math.max(
    w,
    band === undefined ? 0 : cells(band) * cell + 24,
    title === '' ? 0 : cells(title) * cell + 8,
    ...lines.map((line) => Math.min(cells(line) * cell, avail - 2 * pad)),
  );
  const parts: string[] = [];
  let y = title === '' ? 0 : 30;
  for (const item of placed) parts.push(drawBox(item, pad, y, language));
  y += h;
  if (band !== undefined) {
    y += 10;
    parts.push(`<rect class="band" x="${pad}" y="${round(y)}" width="${round(width)}" height="26" rx="5"/>`);
    parts.push(text(pad + width / 2, y + 17, band, 'bandtext', ' text-anchor="middle"'));
    y += 26;
  }
  let meshWidth = 0;
  if (host.mesh !== undefined) {
    const drawn = drawMesh(host.mesh, pad, y + 10, language);
    parts.push(drawn.svg);
    y += drawn.h + 10;
    meshWidth = drawn.w;
  }
  for (const line of lines) {
    for (const piece of wrap(line, Math.max(30, Math.floor(Math.max(width, meshWidth) / cell)), 2)) {
      y += 18;
      parts.push(text(pad, y, piece, 'linktext'));
    }
  }
  const full = Math.max(width, meshWidth) + 2 * pad;
  const height = y + (title === '' ? 4 : 12);
  if (title !== '') {
    parts.unshift(
      `<rect class="host" width="${round(full)}" height="${round(height)}" rx="8"/>`,
      text(pad, 20, clip(title, Math.floor(width / cell)), 'hosttext'),
    );
  }
  return { svg: parts.join(''), w: full, h: height };
}

function drawBox(item: Placed, dx: number, dy: number, language: Language): string {
  const { box, w, h } = item;
  const x = item.x + dx;
  const y = item.y + dy;
  const mark = box.mark === undefined ? '' : ` ${box.mark}`;
  const tip = `<title>${escapeXml(tooltip(box, language))}</title>`;
  const rect = `<rect class="${box.kind}${mark}" x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="5"/>`;
  const sign = box.mark === undefined ? '' : text(x + w - 14, y + 15, markSigns[box.mark], `sign ${box.mark}`);
  if (isLeaf(box)) {
    const room = Math.floor((w - 12) / cell);
    const detail = typeof box.detail === 'string' ? box.detail : box.link?.replace('PCIe ', '');
    const stripe =
      box.nvlinks > 0
        ? `<rect class="stripe" x="${round(x + 4)}" y="${round(y + h - 4)}" width="${round(w - 8)}" height="3" rx="1.5"/>`
        : '';
    return `<g>${tip}${rect}${stripe}${text(x + 8, y + 16, clip(leafLabel(box), room), 'label')}${detail === undefined ? '' : text(x + 8, y + 31, clip(safe(detail), room), 'detail')}${sign}</g>`;
  }
  const title = clip(heading(box, language), Math.max(4, Math.floor((w - 28) / cell)));
  const children = item.children.map((child) => drawBox(child, dx, dy, language)).join('');
  return `<g>${tip}${rect}${text(x + 10, y + 18, title, 'boxtext')}${sign}${children}</g>`;
}

function tooltip(box: PictureBox, language: Language): string {
  const detail = box.detail === undefined ? undefined : words(box.detail, language);
  return [box.id, box.name, box.busId, box.link, detail]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => safe(part!))
    .join(' · ');
}

/** The square of NVLink counts: the more links, the fuller the colour, and the number in it. */
function drawMesh(mesh: NvlinkMesh, x: number, y: number, language: Language): { svg: string; w: number; h: number } {
  const size = 24;
  const side = Math.ceil(Math.max(...mesh.gpus.map((g) => cells(safe(g)))) * cell) + 8;
  const most = Math.max(...mesh.counts.flat(), 1);
  const parts = [text(x, y + 14, words(say('show.nvlink.table'), language), 'linktext')];
  const top = y + 42;
  mesh.gpus.forEach((gpu, i) => {
    parts.push(text(x, top + i * size + 16, safe(gpu), 'detail'));
    const number = safe(gpu).replace(/^gpu/, '');
    parts.push(text(x + side + i * size + size / 2, top - 6, clip(number, 3), 'detail', ' text-anchor="middle"'));
    mesh.counts[i]!.forEach((n, j) => {
      const left = x + side + j * size;
      const cls = i === j ? 'cell self' : 'cell';
      const strength = n === 0 ? 0 : 0.15 + (0.35 * n) / most;
      parts.push(
        `<rect class="${cls}" x="${left}" y="${top + i * size}" width="${size - 2}" height="${size - 2}" rx="3"/>`,
      );
      if (n === 0) return;
      parts.push(
        `<rect class="links" x="${left}" y="${top + i * size}" width="${size - 2}" height="${size - 2}" rx="3" fill-opacity="${round(strength)}"/>`,
        text(left + size / 2 - 1, top + i * size + 15, String(n), 'count', ' text-anchor="middle"'),
      );
    });
  });
  return { svg: parts.join(''), w: side + mesh.gpus.length * size, h: 42 + mesh.gpus.length * size };
}
