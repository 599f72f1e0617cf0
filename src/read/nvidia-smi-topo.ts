import type { Where } from '../fact/fact.ts';
import { say } from '../words/message.ts';
import type { Format, ReadContext, Session, Took } from './format.ts';
import {
  type Affinities,
  bare,
  isCell,
  isP2pCell,
  parseHeader,
  parseHeaderRest,
  parseRow,
  splitRow,
  type TopoHeader,
  words,
} from './nvidia-smi-topo-line.ts';

/** `nvidia-smi topo -m` as printed: letters, affinity columns and the NIC legend. */
export interface TopoMatrix {
  readonly kind: 'topo-matrix';
  readonly file: string;
  readonly line: number;
  /** The devices of the columns, in order (GPUs first, then NICs). */
  readonly devices: readonly TopoDevice[];
  /** `cells[row][column]`: `X`, `NV12`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`, `SOC` …; undefined where the paste is cut. */
  readonly cells: readonly (readonly (string | undefined)[])[];
  /** True when rows or columns are missing. */
  readonly truncated: boolean;
}

export interface TopoDevice {
  /** As printed: `GPU0`, `NIC3`, `mlx5_2`. */
  readonly label: string;
  readonly kind: 'gpu' | 'nic';
  /** N of GPUN / NICN; for NIC columns that carry names, their order. */
  readonly index: number;
  /** RDMA name, from the NIC legend or the column itself. */
  readonly name?: string;
  readonly cpuAffinity?: string;
  /** NUMA affinity as printed; `N/A` is left out. */
  readonly numaAffinity?: string;
  readonly gpuNumaId?: string;
  /** The device's own row, or the header when the row is missing. */
  readonly at: Where;
}

/** Lines of other text after which a matrix is over; the legends need about twelve, an interleaved log some more. */
const patience = 60;
/** No machine shows more devices; a header with more columns is no header. */
const columnLimit = 1024;
/** Notes of one kind for one matrix. */
const notesOfKind = 4;

interface Row {
  readonly line: number;
  readonly cells: (string | undefined)[];
  affinities: Affinities;
}

function topoSession(context: ReadContext): Session {
  let header: TopoHeader | undefined;
  let headerLine = 0;
  let labels: string[] = [];
  const rows = new Map<string, Row>();
  let lastRow: Row | undefined;
  const legend = new Map<string, string>();
  let p2p = false;
  let idle = 0;

  const took = (): Took => {
    idle = 0;
    return 'took';
  };

  /** Takes cells into a row; a word that is no path type stays as a gap. */
  const fill = (row: Row, label: string, cells: readonly string[], number: number): void => {
    for (const cell of cells) {
      if (isP2pCell(cell)) p2p = true;
      const fine = isCell(cell);
      if (!fine && cell !== '') {
        context.note(say('input.topo.cell', { cell: cell.slice(0, 32), row: label.slice(0, 32) }), number);
      }
      row.cells.push(fine ? cell : undefined);
    }
  };

  const takeRow = (text: string, number: number): boolean => {
    const parsed = parseRow(text);
    if (!parsed || !header) return false;
    const { label } = parsed;
    if (!labels.includes(label) && !/^(?:GPU|NIC)\d{1,4}$/.test(label)) return false;
    if (rows.has(label)) {
      context.note(say('input.topo.twice', { row: label }), number);
      return true;
    }
    if (rows.size >= columnLimit) return false;
    const { cells, affinities } = splitRow(parsed.rest, labels.length, header, parsed.offset);
    const row: Row = { line: number, cells: [], affinities };
    fill(row, label, cells, number);
    rows.set(label, row);
    lastRow = row;
    return true;
  };

  /** The second half of a row or of the header that a terminal has wrapped. */
  const takeWrapped = (text: string, number: number): boolean => {
    if (rows.size === 0) {
      const rest = parseHeaderRest(text);
      if (!rest || rest.labels.length + labels.length > columnLimit) return false;
      labels = [...labels, ...rest.labels];
      header = { ...header!, labels, affinity: [...header!.affinity, ...rest.affinity], aligned: false };
      return true;
    }
    if (!lastRow || lastRow.cells.length >= labels.length) return false;
    const body = bare(text).replace(/^[\s>|]+/, '');
    if (!isCell(words(body.slice(0, 64))[0] ?? '')) return false;
    const { cells, affinities } = splitRow(
      ` ${body}`,
      labels.length - lastRow.cells.length,
      { ...header!, aligned: false },
      0,
    );
    fill(lastRow, '', cells, number);
    lastRow.affinities = { ...affinities, ...lastRow.affinities };
    return true;
  };

  return {
    line(text, number) {
      if (!header) {
        header = parseHeader(text);
        if (!header || header.labels.length > columnLimit) return 'ended';
        headerLine = number;
        labels = [...header.labels];
        return took();
      }
      if (takeRow(text, number)) return took();
      const next = parseHeader(text);
      if (next) {
        // Two header lines in a row: the second goes on where a terminal wrapped the first.
        if (rows.size > 0 || labels.includes(next.labels[0]!)) return 'ended';
        labels = [...labels, ...next.labels];
        header = { ...header, labels, affinity: [...header.affinity, ...next.affinity], aligned: false };
        return took();
      }
      if (takeWrapped(text, number)) return took();
      const entry = /(?:^|[\s>:|])(NIC\d{1,4})\s*:\s*([\w.:-]+)\s*$/.exec(text);
      if (entry) {
        if (legend.size < columnLimit) legend.set(entry[1]!, entry[2]!);
        return took();
      }
      if (/^[\s>|]*(?:NIC )?Legend:\s*$/.test(text) || /\s=\s+(?:Self|Connection traversing)\b/.test(text))
        return took();
      if (text.trim() === '') return 'passed';
      return ++idle > patience ? 'ended' : 'passed';
    },
    close() {
      if (!header) return undefined;
      // The header of `topo -p2p`, whose rows another reader takes: those of `topo -m` end in affinities.
      if (rows.size === 0 && header.affinity.length === 0 && !p2p) return undefined;
      if (rows.size === 0 || p2p) {
        context.decline(say(p2p ? 'input.topo.p2p' : 'input.topo.noRows'), headerLine);
        return undefined;
      }
      return build(context, headerLine, labels, rows, legend);
    },
  };
}

function build(
  context: ReadContext,
  line: number,
  columns: readonly string[],
  rows: ReadonlyMap<string, Row>,
  legend: ReadonlyMap<string, string>,
): TopoMatrix {
  const unique = [...new Set(columns)];
  const orphans = [...rows.keys()].filter((label) => !unique.includes(label));
  const all = [...unique, ...orphans];
  const missing = all.filter((label) => !rows.has(label));
  if (orphans.length > 0) context.note(say('input.topo.columns', { columns: list(orphans) }), line);
  if (missing.length > 0) context.note(say('input.topo.rows', { rows: list(missing) }), line);
  let truncated = orphans.length > 0 || missing.length > 0;
  let nics = 0;
  const devices = all.map((label): TopoDevice => {
    const row = rows.get(label);
    const numbered = /^(?:GPU|NIC)(\d+)$/.exec(label);
    const kind = label.startsWith('GPU') && numbered ? 'gpu' : 'nic';
    const name = kind === 'gpu' ? undefined : (legend.get(label) ?? (numbered ? undefined : label));
    const index = numbered ? Number(numbered[1]) : nics;
    if (kind === 'nic') nics++;
    const affinities: { -readonly [K in keyof Affinities]: string } = {};
    for (const [column, value] of Object.entries(row?.affinities ?? {}) as [keyof Affinities, string][]) {
      if (value !== 'N/A') affinities[column] = value;
    }
    return {
      label,
      kind,
      index,
      ...(name === undefined ? {} : { name }),
      ...affinities,
      at: context.at(row?.line ?? line),
    };
  });
  let short = 0;
  const cells = all.map((label): (string | undefined)[] => {
    const row = rows.get(label);
    const found = row ? row.cells.filter((cell) => cell !== undefined).length : 0;
    if (row && found < columns.length) {
      truncated = true;
      if (short++ < notesOfKind) {
        context.note(say('input.topo.short', { row: label, found, expected: columns.length }), row.line);
      }
    }
    return all.map((other) => {
      const at = columns.indexOf(other);
      return at < 0 ? undefined : row?.cells[at];
    });
  });
  checkSense(context, all, cells, rows);
  return { kind: 'topo-matrix', file: context.file, line, devices, cells, truncated };
}

/** A matrix that contradicts itself was damaged on the way, or typed. */
function checkSense(
  context: ReadContext,
  labels: readonly string[],
  cells: readonly (readonly (string | undefined)[])[],
  rows: ReadonlyMap<string, Row>,
): void {
  let notes = 0;
  for (let i = 0; i < labels.length && notes < notesOfKind; i++) {
    const line = rows.get(labels[i]!)?.line ?? 0;
    const self = cells[i]![i];
    if (self !== undefined && self !== 'X') {
      notes++;
      context.note(say('input.topo.self', { row: labels[i]! }), line);
    }
    for (let j = 0; j < i && notes < notesOfKind; j++) {
      const there = cells[i]![j];
      const back = cells[j]![i];
      if (there === undefined || back === undefined || there === back) continue;
      notes++;
      context.note(say('input.topo.asymmetric', { a: labels[i]!, b: labels[j]!, there, back }), line);
    }
  }
}

const list = (labels: readonly string[]): string =>
  labels
    .slice(0, 16)
    .map((label) => label.slice(0, 32))
    .join(', ') + (labels.length > 16 ? ' …' : '');

export const nvidiaSmiTopo: Format = {
  id: 'nvidia-smi-topo',
  match: (line) => parseHeader(line) !== undefined && parseRow(line) === undefined,
  marks: ['GPU0', 'GPU1', '\t X \t', 'CPU Affinity', 'NUMA Affinity', 'Legend:'],
  missing: say('input.topo.missing'),
  open: topoSession,
};
