import { withoutEscapes } from '../input/clean.ts';

/** The three columns that may follow the devices, in this order when present. */
export type AffinityColumn = 'cpuAffinity' | 'numaAffinity' | 'gpuNumaId';

export interface TopoHeader {
  /** Column labels: `GPU0`, `NIC3`, `mlx5_2`. */
  readonly labels: readonly string[];
  /** Affinity columns with the offset of their title from the first label. */
  readonly affinity: readonly { readonly column: AffinityColumn; readonly offset: number }[];
  /** Offset of the first label in the line. */
  readonly start: number;
  /** Titles stand at tab stops of blanks (a terminal copy) rather than one blank apart (a copy that lost them). */
  readonly aligned: boolean;
}

/** Words of a cell in `topo -m`: nvidia-smi's own legend, plus `SOC` of old drivers. */
const cellPattern = /^(?:X|NV\d{1,3}|PIX|PXB|PHB|NODE|SYS|SOC)$/;
/** Words of `topo -p2p`: the same matrix with another meaning. */
const p2pPattern = /^(?:OK|NS|CNS|GNS|TNS|DR|U)$/;

export const isCell = (word: string): boolean => cellPattern.test(word);
export const isP2pCell = (word: string): boolean => p2pPattern.test(word);

/** A device column: `GPU0`, `NIC0`, or an RDMA device by name; such a name always carries a digit. */
const label = /^(?:GPU\d{1,4}|[A-Za-z][A-Za-z_.-]*\d[\w.:-]*)$/;

const titles: readonly { readonly column: AffinityColumn; readonly pattern: RegExp }[] = [
  { column: 'cpuAffinity', pattern: /\bCPU\s+Aff\w*/ },
  { column: 'numaAffinity', pattern: /\bNUMA\s+Aff\w*/ },
  { column: 'gpuNumaId', pattern: /\bGPU\s+NUMA(?:\s+I?D?)?(?!\s*Aff)/ },
];

/** Removes the underline of the header, also where a paste has kept `[4m` but lost the escape character before it. */
export function bare(line: string): string {
  const shown = line.includes('\u001b') ? withoutEscapes(line) : line;
  // A table of Markdown: its cells hold no blanks.
  const text = /^\s*\|.*\|\s*$/.test(shown)
    ? shown.replace(/^\s*\|\s?|\s*\|\s*$/g, '').replace(/\s*\|\s*/g, '\t')
    : shown;
  return text.includes('[4m') || text.includes('[0m') ? text.replace(/\[[04]m/g, '') : text;
}

/** The header of a matrix, whatever stands before it in the line; undefined when the line is none. */
export function parseHeader(line: string): TopoHeader | undefined {
  if (!line.includes('GPU')) return undefined;
  const text = bare(line);
  const found = /(?:^|[\s>:|)\]])(?=GPU\d{1,4}(?:\s|$))/.exec(text);
  if (!found) return undefined;
  const start = found.index + found[0].length;
  const body = text.slice(start);
  const affinity: { column: AffinityColumn; offset: number }[] = [];
  let end = body.length;
  for (const { column, pattern } of titles) {
    const at = pattern.exec(body);
    if (!at) continue;
    affinity.push({ column, offset: at.index });
    end = Math.min(end, at.index);
  }
  affinity.sort((a, b) => a.offset - b.offset);
  const labels = words(body.slice(0, end));
  // A title cut by the end of the line is no device: `CPU`, `CPU A`.
  while (labels.length > 1 && /^(?:C|CP|CPU|N|NU|NUMA|A|Af+\w*|GPU|ID?)$/.test(labels.at(-1)!)) labels.pop();
  if (labels.length === 0 || !labels.every((word) => label.test(word))) return undefined;
  // "… on GPU0" ends many a sentence; alone, the word is a header only when nothing stands before it.
  if (labels.length === 1 && affinity.length === 0 && !/^[\s>]*$/.test(text.slice(0, start))) return undefined;
  return { labels, affinity, start, aligned: /\S {2,}\S/.test(body) };
}

/** A line that only goes on listing columns: the second half of a header that a terminal has wrapped. */
export function parseHeaderRest(line: string): Omit<TopoHeader, 'start'> | undefined {
  const text = bare(line).trim();
  const header = parseHeader(`GPU0 ${text}`);
  if (!header || text === '') return undefined;
  const labels = header.labels.slice(1);
  return labels.length === 0 && header.affinity.length === 0
    ? undefined
    : { labels, affinity: header.affinity.map((one) => ({ ...one, offset: one.offset - 5 })), aligned: header.aligned };
}

export interface TopoRow {
  readonly label: string;
  /** What follows the label, unchanged. */
  readonly rest: string;
  /** Offset of `rest` in the line. */
  readonly offset: number;
}

/** A row: a label and then a cell; what stands before the label (a timestamp, a quote mark) is left out. */
export function parseRow(line: string): TopoRow | undefined {
  const text = bare(line);
  // The first word that is followed by a cell; in a row that is its label.
  const found =
    /(?:^|[\s>:|)\]])([A-Za-z][\w.:-]*)(?=[\t ]+(?:X|NV\d{1,3}|PIX|PXB|PHB|NODE|SYS|SOC|OK|NS|CNS|GNS|TNS)(?:\s|$))/.exec(
      text.length > 20_000 ? text.slice(0, 20_000) : text,
    );
  if (!found || isCell(found[1]!)) return undefined;
  const offset = found.index + found[0].length;
  return { label: found[1]!, rest: text.slice(offset), offset };
}

export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

export type Affinities = Partial<Record<AffinityColumn, string>>;

/** Splits what follows the label into as many cells as there are columns, and the affinity values behind them. */
export function splitRow(rest: string, columns: number, header: TopoHeader, rowOffset: number) {
  const tabbed = /^ *\t/.test(rest) ? splitTabs(rest, columns, header) : undefined;
  return tabbed ?? splitBlanks(rest, columns, header, rowOffset);
}

/** As nvidia-smi writes it: a tab after each column, so an empty column is an empty field. */
function splitTabs(rest: string, columns: number, header: TopoHeader) {
  const fields = rest
    .split('\t')
    .slice(1)
    .map((field) => field.trim());
  const cells = fields.slice(0, columns);
  if (cells.some((cell) => /\s/.test(cell))) return undefined;
  const values = fields.slice(columns);
  const affinities: Affinities = {};
  header.affinity.forEach(({ column }, i) => {
    // nvidia-smi writes one tab too many before the last of the three columns.
    const value = column === 'gpuNumaId' && values.length > header.affinity.length ? values.at(-1) : values[i];
    if (value !== undefined && value !== '') affinities[column] = value;
  });
  return { cells, affinities };
}

/** As a terminal shows it: cells come first and have no gaps; affinity values stand below their titles. */
function splitBlanks(rest: string, columns: number, header: TopoHeader, rowOffset: number) {
  const cells: string[] = [];
  const values: { text: string; offset: number }[] = [];
  for (const word of rest.matchAll(/\S+/g)) {
    if (
      cells.length < columns &&
      values.length === 0 &&
      (isCell(word[0]) || isP2pCell(word[0]) || !looksAffine(word[0]))
    ) {
      cells.push(word[0]);
    } else values.push({ text: word[0], offset: rowOffset + word.index - header.start });
  }
  const affinities: Affinities = {};
  const inOrder = values.length >= header.affinity.length || !header.aligned;
  values.forEach((value, i) => {
    let at = i;
    if (!inOrder) {
      at = 0;
      header.affinity.forEach(({ offset }, k) => {
        // A value may begin a few blanks left of its title when the row is narrower than the header.
        if (value.offset >= offset - 4) at = k;
      });
    }
    const column = header.affinity[at]?.column;
    if (column && affinities[column] === undefined) affinities[column] = value.text;
  });
  return { cells, affinities };
}

/** A CPU list, a NUMA node or N/A rather than a mistyped cell. */
const looksAffine = (word: string): boolean => /^(?:N\/A|[\d,-]+)$/.test(word);
