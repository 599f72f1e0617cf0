import { cells, graphemes } from '../../base/width.ts';

/** What a piece of text is; the face decides how that looks (colour, bold, nothing). */
export type Ink =
  | 'plain'
  | 'dim'
  | 'title'
  | 'cpu'
  | 'switch'
  | 'gpu'
  | 'nic'
  | 'nvme'
  | 'nvlink'
  | 'bad'
  | 'look'
  | 'unknown';

/** Colours a piece of text. The default of every renderer leaves it as it is. */
export type Styler = (ink: Ink, text: string) => string;

/** Cuts a text to so many cells, with `…` in the last one when something is lost. */
export function clip(text: string, width: number): string {
  if (cells(text) <= width) return text;
  if (width <= 0) return '';
  let out = '';
  let used = 0;
  for (const { segment, cells: w } of graphemes(text)) {
    if (used + w > width - 1) break;
    out += segment;
    used += w;
  }
  return `${out}…`;
}

/** Breaks a text into lines of at most `width` cells: at spaces, after commas, else anywhere (Chinese has no spaces). */
export function wrap(text: string, width: number, hang = 0): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const room = (): number => width - (lines.length > 0 ? hang : 0);
  const flush = (): void => {
    lines.push((lines.length > 0 ? ' '.repeat(hang) : '') + line.trimEnd());
    line = '';
    used = 0;
  };
  for (const word of text.split(/(?<= )|(?<=[，；、：])/)) {
    if (used > 0 && used + cells(word.trimEnd()) > room()) flush();
    for (const { segment, cells: w } of graphemes(word)) {
      if (used + w > room() && segment !== ' ') flush();
      line += segment;
      used += w;
    }
  }
  if (line.trim() !== '' || lines.length === 0) flush();
  return lines;
}

interface Cell {
  readonly text: string;
  readonly ink: Ink;
}

/** A sheet of terminal cells to draw on in any order. */
export class Canvas {
  private readonly rows: (Cell | undefined)[][] = [];

  put(x: number, y: number, text: string, ink: Ink = 'plain'): void {
    while (this.rows.length <= y) this.rows.push([]);
    const row = this.rows[y]!;
    let at = x;
    for (const { segment, cells: w } of graphemes(text)) {
      if (w === 0) continue;
      row[at] = { text: segment, ink };
      // The right half of a wide character holds nothing.
      for (let i = 1; i < w; i++) row[at + i] = { text: '', ink };
      at += w;
    }
  }

  frame(x: number, y: number, w: number, h: number, ink: Ink): void {
    this.put(x, y, `┌${'─'.repeat(w - 2)}┐`, ink);
    for (let i = 1; i < h - 1; i++) {
      this.put(x, y + i, '│', ink);
      this.put(x + w - 1, y + i, '│', ink);
    }
    this.put(x, y + h - 1, `└${'─'.repeat(w - 2)}┘`, ink);
  }

  /** Copies another sheet onto this one. */
  paste(other: Canvas, x: number, y: number): void {
    other.rows.forEach((row, dy) => {
      while (this.rows.length <= y + dy) this.rows.push([]);
      row.forEach((cell, dx) => {
        if (cell !== undefined) this.rows[y + dy]![x + dx] = cell;
      });
    });
  }

  lines(style: Styler): string[] {
    return this.rows.map((row) => {
      let line = '';
      let run = '';
      let ink: Ink = 'plain';
      let end = row.length;
      while (end > 0 && (row[end - 1] === undefined || row[end - 1]!.text === ' ')) end--;
      for (let i = 0; i < end; i++) {
        const cell = row[i] ?? { text: ' ', ink: 'plain' as const };
        if (cell.ink !== ink) {
          if (run !== '') line += style(ink, run);
          run = '';
          ink = cell.ink;
        }
        run += cell.text;
      }
      return run === '' ? line : line + style(ink, run);
    });
  }
}
