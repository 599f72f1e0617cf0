import { cells } from '../../base/width.ts';

/** Colours and weights, injected so that text stays plain where colour is not wanted. */
export interface Styler {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

const same = (text: string): string => text;
export const plain: Styler = { strong: same, dim: same, good: same, bad: same, warn: same };

const ansi =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`;
export const coloured: Styler = {
  strong: ansi(1, 22),
  dim: ansi(2, 22),
  good: ansi(32, 39),
  bad: ansi(31, 39),
  warn: ansi(33, 39),
};

export const stylerFor = (color: boolean): Styler => (color ? coloured : plain);

/** Columns a text takes in a terminal; a Chinese character takes two. */
export const wide = cells;

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - wide(text)));
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - wide(text))) + text;

/** Rows as aligned columns, two blanks apart; `right` names columns that hold numbers. Trailing blanks are cut. */
export function columns(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
  indent = '',
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, wide(cell));
    });
  }
  return rows.map((row) =>
    (
      indent + row.map((cell, i) => (right.has(i) ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!))).join('  ')
    ).trimEnd(),
  );
}

/** A last column narrower than this is not worth it. */
const leastLast = 20;

/** Rows as aligned columns of which the last holds sentences: it is broken to the width, or stands below where there is no room. */
export function columnsWithin(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number>,
  indent: string,
  width: number,
): string[] {
  const last = Math.max(...rows.map((r) => r.length)) - 1;
  const heads = columns(
    rows.map((r) => [...r.slice(0, last), '|']),
    right,
    indent,
  ).map((line) => line.slice(0, -1));
  const start = Math.max(...heads.map(wide));
  const beside = width - start >= leastLast;
  const under = ' '.repeat(beside ? start : indent.length + 4);
  return rows.flatMap((row, i) => {
    const lines = wrap(row[last] ?? '', width, under);
    const [first = '', ...more] = lines;
    const head = heads[i]!;
    if (wide(head) + wide(first.trimStart()) <= width) return [(head + first.trimStart()).trimEnd(), ...more];
    return [head.trimEnd(), ...lines];
  });
}

/** Breaks a sentence into lines of at most `width` columns; Chinese may break between characters. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line: string[] = [];
  const room = width - wide(indent);
  const put = (): void => {
    const full = line.join('').trim();
    if (full !== '') lines.push(indent + line.join('').trimEnd());
  };
  const pieces = text.match(/[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+|\s+/gu) ?? [];
  for (const piece of pieces) {
    const so = line.join('');
    if (so.trim() === '' || wide(so + piece) <= room) {
      line.push(piece);
      continue;
    }
    // A closing mark never begins a line: the word before it goes along.
    let word = piece.trimStart();
    while (closing.test(word[0] ?? '') && line.length > 1) word = line.pop()! + word;
    put();
    line = word === '' ? [] : [word];
  }
  put();
  return lines;
}

const closing = /^[，。；：、）》”？！]$/u;

/** GB/s with three significant digits, as people say rates. */
export function gbps(bytesPerSecond: number): string {
  const gb = bytesPerSecond / 1e9;
  const digits = gb >= 100 ? 0 : gb >= 10 ? 1 : 2;
  return `${gb.toFixed(digits)} GB/s`;
}
