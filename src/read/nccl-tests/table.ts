import { say } from '../../words/message.ts';
import type { Format, ReadContext, Session, Took } from '../format.ts';
import {
  type Columns,
  columnsOfRow,
  parseColumns,
  parseOptions,
  parseRank,
  parseRow,
  programOf,
  versionOfCode,
} from './line.ts';
import type { NcclTests, NcclTestsOptions, NcclTestsRank, NcclTestsRow } from './types.ts';

/** A table has some forty rows; a run over all types and operations a few thousand. */
const rowLimit = 100_000;
const rankLimit = 100_000;

function tableSession(context: ReadContext): Session {
  let first = 0;
  let last = 0;
  let program: string | undefined;
  let version: string | undefined;
  let ncclVersion: string | undefined;
  let options: NcclTestsOptions | undefined;
  let columns: Columns | undefined;
  let outOfBounds: NcclTests['outOfBounds'];
  let averageBusbw: NcclTests['averageBusbw'];
  const ranks: NcclTestsRank[] = [];
  const rows: NcclTestsRow[] = [];
  const errors: { text: string; at: { file: string; line: number } }[] = [];
  let cutRow: number | undefined;
  let concluded = false;

  const took = (number: number): Took => {
    if (first === 0) first = number;
    last = number;
    return 'took';
  };
  const begun = (): boolean => rows.length > 0 || averageBusbw !== undefined;

  const footer = (text: string, number: number): boolean => {
    const bounds = /Out of bounds values\s*:\s*(\d{1,15})\s+(OK|FAILED)/.exec(text);
    if (bounds) {
      outOfBounds = { count: Number(bounds[1]), ok: bounds[2] === 'OK', at: context.at(number) };
      return true;
    }
    const average = /Avg bus bandwidth\s*:\s*([\d.eE+-]+)/.exec(text);
    const value = Number(average?.[1] ?? Number.NaN);
    if (Number.isFinite(value)) {
      averageBusbw = { value, at: context.at(number) };
      return true;
    }
    return false;
  };

  const headLine = (text: string, number: number): boolean => {
    const found = /nccl-tests version (\S+)(?:.*nccl-library=(\d{1,9}))?/.exec(text);
    if (found) {
      version = found[1]!.slice(0, 32);
      ncclVersion = versionOfCode(Number(found[2] ?? 0));
      return true;
    }
    const parsed = parseOptions(text);
    if (parsed) {
      options = parsed;
      return true;
    }
    const rank = parseRank(text);
    if (rank) {
      if (ranks.length < rankLimit) ranks.push({ ...rank, at: context.at(number) });
      return true;
    }
    const named = programOf(text);
    if (named && rows.length === 0) {
      program = named;
      return true;
    }
    return false;
  };

  /** A line that begins another run. */
  const restarts = (text: string): boolean =>
    begun() &&
    (text.includes('nccl-tests version') ||
      text.includes('Collective test starting') ||
      parseOptions(text) !== undefined ||
      (averageBusbw !== undefined && parseColumns(text) !== undefined));

  return {
    line(printed, number) {
      const text = untagged(printed);
      if (concluded || restarts(text)) return 'ended';
      // A JSON report names the program too, on a line of its own kind.
      if (/^[\s>]*\{/.test(text)) return 'passed';
      columns ??= columnsOfRow(text);
      if (columns && rows.length < rowLimit) {
        const parsed = parseRow(text, number, columns);
        if (parsed) {
          rows.push(parsed.row);
          if (!parsed.whole) cutRow ??= number;
          return took(number);
        }
      }
      const titles = parseColumns(text);
      if (titles) {
        columns = titles;
        return took(number);
      }
      if (footer(text, number)) return took(number);
      if (text.includes('Collective test concluded')) {
        concluded = true;
        return took(number);
      }
      const failure = /#\s*error:\s*(.+)$|((?:\S+: )?Test (?:NCCL|CUDA) failure .+)$/.exec(text.slice(0, 1024));
      if (failure && errors.length < 64) {
        errors.push({ text: (failure[1] ?? failure[2]!).trim(), at: context.at(number) });
        return took(number);
      }
      if (headLine(text, number)) {
        const called = programOf(text) !== undefined && !text.includes('Collective test starting');
        if (!called || parseOptions(text) !== undefined) return took(number);
        // The command is also how ranks were started and bound, which others read of it.
        took(number);
        return 'passed';
      }
      // The blank comment lines and the titles above the titles.
      if (
        /^[\s>]*#\s*(?:$|Using devices|out-of-place|\(B\)|Blocking Enabled|Parallel Init|GPU memory usage)/.test(text)
      ) {
        return took(number);
      }
      return 'passed';
    },
    close() {
      // A run that hangs, or that was cut before its table, still says which GPUs of which hosts it has.
      if (rows.length === 0 && ranks.length > 0) context.note(say('input.tests.ranksOnly'), last);
      else if (rows.length === 0) {
        context.decline(say(columns ? 'input.tests.noRows' : 'input.tests.noTable'), first);
        return undefined;
      }
      if (cutRow !== undefined) context.note(say('input.tests.half'), cutRow);
      const complete = averageBusbw !== undefined;
      if (!complete && rows.length > 0) context.note(say('input.tests.cut', { line: last }), last);
      return {
        kind: 'nccl-tests',
        file: context.file,
        line: first,
        from: 'text',
        program,
        collective: program?.replace(/_perf$/, ''),
        version,
        ncclVersion,
        options: options ?? {},
        ranks,
        rows,
        outOfBounds,
        averageBusbw,
        errors,
        complete,
      };
    },
  };
}

/** A launcher that labels what each write brings puts its label into the middle of lines: `[0]  1048576 … -1[0]  1626.5`. */
function untagged(text: string): string {
  const tag = /^\s*(\[\d{1,5}\])/.exec(text)?.[1];
  if (tag === undefined || text.indexOf(tag) === text.lastIndexOf(tag)) return text;
  return text.replaceAll(tag, ' ');
}

export const ncclTests: Format = {
  id: 'nccl-tests',
  match: (line) =>
    (line.includes('nThread') && parseOptions(line) !== undefined) ||
    line.includes('# nccl-tests version') ||
    (line.includes('busbw') && parseColumns(line) !== undefined) ||
    programOf(line) !== undefined ||
    columnsOfRow(line) !== undefined,
  marks: [' sum ', ' none ', 'nThread', 'algbw', 'busbw', 'Avg bus bandwidth', 'out-of-place'],
  missing: say('input.tests.missing'),
  open: tableSession,
};
