import type { NcclTestsHalf, NcclTestsOptions, NcclTestsRank, NcclTestsRow } from './types.ts';

const programs =
  /(?:^|[\s/"'])((?:all_reduce|all_gather|reduce_scatter|broadcast|reduce|alltoallv?|sendrecv|gather|scatter|hypercube)_perf)(?:_mpi)?\b/;

/** The program a line starts or names, such as `all_reduce_perf`. */
export function programOf(line: string): string | undefined {
  return line.includes('_perf') ? programs.exec(line)?.[1] : undefined;
}

/** 22707 → 2.27.7; NCCL counted 2803 for 2.8.3 until it reached 2.9 (nccl.h, NCCL_VERSION). */
export function versionOfCode(code: number): string | undefined {
  if (!Number.isSafeInteger(code) || code < 2000) return undefined;
  const [major, minor] = code < 10_000 ? [1000, 100] : [10_000, 100];
  return `${Math.floor(code / major)}.${Math.floor((code % major) / minor)}.${code % minor}`;
}

const optionPatterns: readonly { readonly key: keyof NcclTestsOptions; readonly pattern: RegExp }[] = [
  { key: 'nThread', pattern: /nThread (\d{1,15})/ },
  { key: 'nGpus', pattern: /nGpus (\d{1,15})/ },
  { key: 'minBytes', pattern: /minBytes (\d{1,15})/ },
  { key: 'maxBytes', pattern: /maxBytes (\d{1,15})/ },
  { key: 'step', pattern: /step: (\d{1,15})/ },
  { key: 'warmupIters', pattern: /warmup iters: (\d{1,15})/ },
  { key: 'iters', pattern: /(?<!warmup |agg )iters: (\d{1,15})/ },
  { key: 'aggIters', pattern: /agg iters: (\d{1,15})/ },
  { key: 'graph', pattern: /graph: (\d{1,15})/ },
];

/** The line of options; undefined when it is none. */
export function parseOptions(line: string): NcclTestsOptions | undefined {
  if (!/nThread \d+ nGpus \d+ minBytes \d+/.test(line)) return undefined;
  const options: { -readonly [K in keyof NcclTestsOptions]?: NcclTestsOptions[K] } = {};
  for (const { key, pattern } of optionPatterns) {
    const found = pattern.exec(line);
    if (found) Object.assign(options, { [key]: Number(found[1]) });
  }
  const kind = /step: \d+\((factor|bytes)\)/.exec(line);
  if (kind) options.stepKind = kind[1] as 'factor' | 'bytes';
  const validation = /validation: (\d{1,15})/.exec(line);
  if (validation) options.validation = validation[1] !== '0';
  return options;
}

const rankPattern =
  /Rank\s+(\d{1,15})\s+(?:Group\s+(\d{1,15})\s+)?(?:Pid\s+(\d{1,15})\s+)?on\s+(\S+)\s+device\s+(\d{1,15})\s+\[([^\]]*)\]\s*(.*?)\s*$/;

export function parseRank(line: string): Omit<NcclTestsRank, 'at'> | undefined {
  if (!line.includes('device')) return undefined;
  const found = rankPattern.exec(line);
  if (!found) return undefined;
  const [, rank, group, pid, host, device, busId, product] = found;
  return {
    rank: Number(rank),
    ...(group === undefined ? {} : { group: Number(group) }),
    ...(pid === undefined ? {} : { pid: Number(pid) }),
    host: host!,
    device: Number(device),
    busId: busId!,
    product: product!,
  };
}

/** What the header promises: how many columns a half has and in which unit time is. */
export interface Columns {
  /** Columns of one half: 4 (time algbw busbw #wrong), 8 with per-iteration times. */
  readonly half: number;
  /** Whether it has the second half: some print only what was measured out of place. */
  readonly both: boolean;
  /** nccl-tests before 2019 printed milliseconds, under the title `bytes N type op`. */
  readonly milliseconds: boolean;
  readonly redop: boolean;
  readonly root: boolean;
}

/** The row of column titles; undefined when it is none. */
export function parseColumns(line: string): Columns | undefined {
  if (!line.includes('busbw') || !line.includes('algbw')) return undefined;
  const titles = line
    .replace(/^.*?#/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const first = titles.findIndex((title) => title === 'time' || title === 'cputime');
  const second = titles.findIndex((title, i) => i > first && (title === 'time' || title === 'cputime'));
  if (first < 0 || !(titles.includes('size') || titles.includes('bytes'))) return undefined;
  return {
    half: second > 0 ? second - first : titles.length - first,
    both: second > 0,
    milliseconds: titles.includes('bytes') && titles.includes('N'),
    redop: titles.includes('redop') || titles.includes('op'),
    root: titles.includes('root'),
  };
}

/** What follows a type in a whole row of today's tests: operation, root, and four figures once or twice. */
const wholeRow =
  /^[\s>]*(\d{1,16})[ \t]+\d{1,16}[ \t]+[a-z]\w{2,11}[ \t]+(?:sum|prod|min|max|avg|mulsum|none)[ \t]+-?\d{1,6}((?:[ \t]+(?:[\d.]{1,16}|N\/A)){4,8})\s*$/;

/** The columns that a row without titles has; undefined unless its rates are its bytes by its times. */
export function columnsOfRow(line: string): Columns | undefined {
  const found = line.length > 400 ? null : wholeRow.exec(line);
  if (!found) return undefined;
  const words = found[2]!.trim().split(/\s+/);
  if (words.length % 4 !== 0) return undefined;
  const bytes = Number(found[1]);
  for (let half = 0; half < words.length; half += 4) {
    const [time, algbw] = [Number(words[half]), Number(words[half + 1])];
    if (!(time > 0) || !(Math.abs(algbw - bytes / time / 1000) <= 0.01 + 0.01 * algbw)) return undefined;
  }
  return { half: 4, both: words.length === 8, milliseconds: false, redop: true, root: true };
}

const rowPattern =
  /(?:^|[\s>:|\]])(\d{1,16})[ \t]+(\d{1,16})[ \t]+((?:u?int(?:8|32|64)?|char|half|float|double|bfloat16|f?p?f?8\w*|fp8\w*|f8e\dm\d))(?=[ \t]|$)/;

const asNumber = (word: string): number | undefined => {
  const value = Number(word);
  return word !== '' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

function parseHalf(words: readonly string[], columns: Columns): NcclTestsHalf | undefined {
  const time = asNumber(words[0] ?? '');
  const algbw = asNumber(words[1] ?? '');
  const busbw = asNumber(words[2] ?? '');
  if (time === undefined || algbw === undefined || busbw === undefined) return undefined;
  const last = words[3];
  const wrong = last === 'N/A' ? 'N/A' : asNumber(last ?? '');
  return { timeUs: columns.milliseconds ? time * 1000 : time, algbw, busbw, ...(wrong === undefined ? {} : { wrong }) };
}

export interface ParsedRow {
  readonly row: NcclTestsRow;
  /** The halves that the titles promise are there. */
  readonly whole: boolean;
}

/** A row of the table, whatever stands before it in the line. */
export function parseRow(text: string, line: number, columns: Columns): ParsedRow | undefined {
  const found = rowPattern.exec(text.length > 2000 ? text.slice(0, 2000) : text);
  if (!found) return undefined;
  const rest = text.slice(found.index + found[0].length, found.index + 2000);
  // A date and a time end the row when timestamps were asked for (-T).
  const values = rest
    .replace(/\s\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s*$/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  let redop: string | undefined;
  let root: number | undefined;
  // Collectives without an operation or a root leave the column blank, so what stands there is told by how many values there are.
  let before = Math.max(0, values.length - 2 * columns.half);
  if (values.length < 2 * columns.half) {
    // Cut: an operation is a word; a root is an integer before a time with its decimals.
    before = /^[A-Za-z]/.test(values[0] ?? '') && values[0] !== 'N/A' ? 1 : 0;
    if (columns.root && /^-?\d{1,9}$/.test(values[before] ?? '')) before++;
  }
  for (const word of values.slice(0, before)) {
    if (/^-?\d{1,9}$/.test(word)) root = Number(word);
    else redop = word;
  }
  const outOfPlace = parseHalf(values.slice(before, before + columns.half), columns);
  const inPlace = parseHalf(values.slice(before + columns.half), columns);
  if (!outOfPlace && !inPlace) return undefined;
  return {
    row: {
      bytes: Number(found[1]),
      count: Number(found[2]),
      type: found[3]!,
      ...(redop === undefined ? {} : { redop }),
      ...(root === undefined ? {} : { root }),
      ...(outOfPlace === undefined ? {} : { outOfPlace }),
      ...(inPlace === undefined ? {} : { inPlace }),
      line,
    },
    whole: outOfPlace !== undefined && (inPlace !== undefined || !columns.both),
  };
}
