import { cells, graphemes } from '../../base/width.ts';

/** A text cut to a width, at about so many pixels a cell; a Chinese character takes two. */
export function fitted(text: string, width: number, cell = 7): string {
  const room = Math.floor((width - 12) / cell);
  if (cells(text) <= room) return text;
  let out = '';
  let used = 0;
  for (const { segment, cells: w } of graphemes(text)) {
    if (used + w > room - 1) break;
    out += segment;
    used += w;
  }
  return `${out}…`;
}
