import { type Assumption, parseAssumption } from '../assemble/assume.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { releaseCode } from '../nccl/release.ts';
import { type Language, type Message, type MessageCode, say } from '../words/message.ts';

/** An option on the command line, what it does, and whether it may be given again. */
export type OptionRow = readonly [flag: string, about: MessageCode, more?: 'again'];

/** Options that every verb knows. */
export const commonOptions: readonly OptionRow[] = [
  ['--system <id>', 'cli.option.system'],
  ['--nodes <n>', 'cli.option.nodes'],
  ['--nccl <version>', 'cli.option.nccl'],
  ['--env <NAME=VALUE>', 'cli.option.env', 'again'],
  ['--assume <FACT=VALUE>', 'cli.option.assume', 'again'],
  ['--json', 'cli.option.json'],
  ['--lang <language>', 'cli.option.lang'],
  ['--color <when>', 'cli.option.color'],
  ['--width <columns>', 'cli.option.width'],
  ['--quiet', 'cli.option.quiet'],
  ['--verbose', 'cli.option.verbose'],
  ['--fail-on <severity>', 'cli.option.fail-on'],
  ['-o, --output <file>', 'cli.option.output'],
];

/** Options as commander gives them. */
export interface RawOptions {
  readonly system?: string;
  readonly nodes?: string;
  readonly nccl?: string;
  readonly env?: string[];
  readonly assume?: string[];
  readonly json?: boolean;
  readonly lang?: string;
  readonly color?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly output?: string;
  readonly failOn?: string;
  readonly as?: string;
  readonly width?: string;
  readonly path?: string;
  readonly sizes?: string;
  readonly depth?: string;
  readonly threads?: string;
  readonly both?: boolean;
  readonly pcap?: string;
  readonly trace?: string;
  readonly beside?: string[];
  readonly report?: string;
  readonly min?: string;
  readonly max?: string;
  readonly factor?: string;
  readonly datatype?: string;
  readonly way?: string;
  readonly root?: string;
  readonly bundle?: string;
  readonly plain?: boolean;
  readonly port?: string;
  readonly open?: boolean;
  readonly model?: string;
  readonly strategy?: string;
  readonly bucket?: string;
  readonly samples?: string;
  readonly tflops?: string;
  readonly mfu?: string;
}

export interface Options {
  readonly system?: string;
  readonly nodes?: number;
  readonly nccl?: string;
  readonly env: ReadonlyMap<string, string>;
  readonly assume: readonly Assumption[];
  readonly json: boolean;
  readonly language: Language;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly output?: string;
  readonly failOn: 'error' | 'warning' | 'never';
  readonly as?: string;
  readonly width: number;
  /** `move`: one data path, sizes as text, operations in flight, storage workers, both directions. */
  readonly path?: string;
  readonly sizes?: string;
  readonly depth?: number;
  readonly threads?: number;
  readonly both: boolean;
  /** Other movements that start at the same time, each as `A B` or `A B PATH`. */
  readonly beside: readonly string[];
  /** A file for the packets of a small transfer, and one for a trace of a run. */
  readonly pcap?: string;
  readonly trace?: string;
  /** `doctor`: the form of the answer other than text and JSON. */
  readonly report?: string;
  /** `predict`: sizes and type as nccl-tests takes them, as text. */
  readonly min?: string;
  readonly max?: string;
  readonly factor?: string;
  readonly datatype?: string;
  /** `chain`: which way. */
  readonly way?: string;
  /** `probe`: a saved tree, where the bundle goes, and whether names stay in it. */
  readonly root?: string;
  readonly bundle?: string;
  readonly plain: boolean;
  /** `serve`: the port as text, and whether a browser is opened. */
  readonly port?: string;
  readonly open: boolean;
  readonly model?: string;
  readonly strategy?: string;
  readonly bucket?: string;
  readonly samples?: string;
  readonly tflops?: string;
  readonly mfu?: string;
}

export function languageFrom(lang: string | undefined, env: NodeJS.ProcessEnv): Language {
  // A variable that is set to nothing counts as unset.
  const wanted = lang ?? (env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '');
  return /^zh/i.test(wanted) ? 'zh-CN' : 'en';
}

export function parseOptions(
  raw: RawOptions,
  env: NodeJS.ProcessEnv,
  tty: boolean,
  columns: number | undefined,
): Result<Options, Message> {
  const variables = new Map<string, string>();
  for (const text of raw.env ?? []) {
    const i = text.indexOf('=');
    if (i <= 0) return fail(say('cli.env', { text }));
    variables.set(text.slice(0, i), text.slice(i + 1));
  }
  const assumptions: Assumption[] = [];
  for (const text of raw.assume ?? []) {
    const parsed = parseAssumption(text);
    if (!parsed.ok) return fail(parsed.error);
    assumptions.push(parsed.value);
  }
  const nodes = raw.nodes === undefined ? undefined : Number(raw.nodes);
  if (nodes !== undefined && !(Number.isInteger(nodes) && nodes >= 1 && nodes <= 1_000_000)) {
    return fail(say('cli.nodes', { text: raw.nodes! }));
  }
  if (raw.nccl !== undefined && releaseCode(raw.nccl) === undefined) return fail(say('cli.nccl', { text: raw.nccl }));
  if (raw.lang !== undefined && !/^(en|zh)/i.test(raw.lang)) return fail(say('cli.lang', { text: raw.lang }));
  const color = raw.color ?? 'auto';
  if (!['auto', 'always', 'never'].includes(color)) return fail(say('cli.color', { text: color }));
  const failOn = raw.failOn ?? 'error';
  if (failOn !== 'error' && failOn !== 'warning' && failOn !== 'never')
    return fail(say('cli.fail-on', { text: failOn }));
  const width = raw.width === undefined ? Math.max(20, Math.min(columns ?? 80, 200)) : Number(raw.width);
  if (!(Number.isInteger(width) && width >= 20 && width <= 1000))
    return fail(say('cli.width', { text: raw.width ?? '' }));
  const counts: { depth?: number; threads?: number } = {};
  for (const key of ['depth', 'threads'] as const) {
    const text = raw[key];
    if (text === undefined) continue;
    const n = Number(text);
    if (!(Number.isInteger(n) && n >= 1 && n <= 65536)) return fail(say('cli.count', { option: key, text }));
    counts[key] = n;
  }
  return ok({
    ...counts,
    ...(raw.path === undefined ? {} : { path: raw.path }),
    ...(raw.sizes === undefined ? {} : { sizes: raw.sizes }),
    both: raw.both ?? false,
    beside: raw.beside ?? [],
    ...(raw.report === undefined ? {} : { report: raw.report }),
    ...(raw.pcap === undefined ? {} : { pcap: raw.pcap }),
    ...(raw.trace === undefined ? {} : { trace: raw.trace }),
    ...(raw.min === undefined ? {} : { min: raw.min }),
    ...(raw.max === undefined ? {} : { max: raw.max }),
    ...(raw.factor === undefined ? {} : { factor: raw.factor }),
    ...(raw.way === undefined ? {} : { way: raw.way }),
    ...(raw.root === undefined ? {} : { root: raw.root }),
    ...(raw.bundle === undefined ? {} : { bundle: raw.bundle }),
    plain: raw.plain ?? false,
    open: raw.open ?? true,
    ...(raw.port === undefined ? {} : { port: raw.port }),
    ...(raw.model === undefined ? {} : { model: raw.model }),
    ...(raw.strategy === undefined ? {} : { strategy: raw.strategy }),
    ...(raw.bucket === undefined ? {} : { bucket: raw.bucket }),
    ...(raw.samples === undefined ? {} : { samples: raw.samples }),
    ...(raw.tflops === undefined ? {} : { tflops: raw.tflops }),
    ...(raw.mfu === undefined ? {} : { mfu: raw.mfu }),
    ...(raw.datatype === undefined ? {} : { datatype: raw.datatype }),
    ...(raw.system === undefined ? {} : { system: raw.system }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(raw.nccl === undefined ? {} : { nccl: raw.nccl }),
    env: variables,
    assume: assumptions,
    json: raw.json ?? false,
    language: languageFrom(raw.lang, env),
    color: color === 'always' || (color === 'auto' && tty && !env['NO_COLOR']),
    quiet: raw.quiet ?? false,
    verbose: raw.verbose ?? false,
    ...(raw.output === undefined ? {} : { output: raw.output }),
    failOn,
    ...(raw.as === undefined ? {} : { as: raw.as }),
    width,
  });
}
