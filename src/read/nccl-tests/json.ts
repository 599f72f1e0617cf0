import { say } from '../../words/message.ts';
import type { Format, ReadContext, Session } from '../format.ts';
import { programOf, versionOfCode } from './line.ts';
import type { NcclTests, NcclTestsHalf, NcclTestsRank, NcclTestsRow } from './types.ts';

/** Characters of one report; with the times of each iteration it is some hundred KiB. */
const sizeLimit = 32 * 2 ** 20;
/** A report is four deep. */
const depthLimit = 32;
/** Keys of which one stands near the beginning (nccl-tests src/util.cu, jsonOutputInit). */
const opening = /"(?:start_time|nccl_version|args|config|results)"\s*:/;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Leaves out what is undefined. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function halfOf(value: unknown): NcclTestsHalf | undefined {
  if (!isObject(value)) return undefined;
  const timeUs = numberOf(value['time'] ?? value['cpu_time']);
  const algbw = numberOf(value['alg_bw']);
  const busbw = numberOf(value['bus_bw']);
  if (timeUs === undefined || algbw === undefined || busbw === undefined) return undefined;
  const wrong = value['nwrong'] === null ? ('N/A' as const) : numberOf(value['nwrong']);
  return { timeUs, algbw, busbw, ...given({ wrong }) };
}

function rowOf(value: unknown, line: number): NcclTestsRow | undefined {
  if (!isObject(value)) return undefined;
  const bytes = numberOf(value['size']);
  const count = numberOf(value['count']);
  const outOfPlace = halfOf(value['out_of_place']);
  const inPlace = halfOf(value['in_place']);
  if (bytes === undefined || count === undefined || (!outOfPlace && !inPlace)) return undefined;
  return {
    bytes,
    count,
    type: textOf(value['type']) ?? '',
    ...given({ redop: textOf(value['redop']) || undefined, root: numberOf(value['root']), outOfPlace, inPlace }),
    line,
  };
}

function rankOf(value: unknown, at: { file: string; line: number }): NcclTestsRank | undefined {
  if (!isObject(value)) return undefined;
  const rank = numberOf(value['rank']);
  const device = numberOf(value['device']);
  if (rank === undefined || device === undefined) return undefined;
  return {
    rank,
    ...given({ group: numberOf(value['group']), pid: numberOf(value['pid']) }),
    host: textOf(value['hostname']) ?? '',
    device,
    busId: textOf(value['device_hex']) ?? '',
    product: textOf(value['device_info']) ?? '',
    at,
  };
}

/** The document of a parsed report, or undefined when it is another kind of JSON. */
function reportOf(json: unknown, context: ReadContext, line: number): NcclTests | undefined {
  if (!isObject(json) || !Array.isArray(json['results'])) return undefined;
  const at = context.at(line);
  const config = isObject(json['config']) ? json['config'] : {};
  const rows = json['results'].flatMap((row: unknown) => rowOf(row, line) ?? []);
  if (rows.length === 0) return undefined;
  if (rows.length < json['results'].length) {
    context.note(say('input.tests.jsonRows', { count: json['results'].length - rows.length }), line);
  }
  const bounds = isObject(json['out_of_bounds']) ? json['out_of_bounds'] : {};
  const average = isObject(json['average_bus_bandwidth'])
    ? numberOf(json['average_bus_bandwidth']['bandwidth'])
    : undefined;
  const outOfBounds = numberOf(bounds['count']);
  const program = programOf(` ${textOf(listOf(json['args'])[0]) ?? ''}`);
  const validation = numberOf(config['validation']);
  const factor = numberOf(config['step_factor']);
  return {
    kind: 'nccl-tests',
    file: context.file,
    line,
    from: 'json',
    program,
    collective: program?.replace(/_perf$/, ''),
    version: undefined,
    ncclVersion: versionOfCode(numberOf(json['nccl_version']) ?? 0),
    options: given({
      nThread: numberOf(config['nthreads']),
      nGpus: numberOf(config['ngpus']),
      minBytes: numberOf(config['minimum_bytes']),
      maxBytes: numberOf(config['maximum_bytes']),
      step: factor ?? numberOf(config['step_bytes']),
      stepKind:
        factor === undefined
          ? config['step_bytes'] === undefined
            ? undefined
            : ('bytes' as const)
          : ('factor' as const),
      warmupIters: numberOf(config['warmup_iters']),
      iters: numberOf(config['iterations']),
      aggIters: numberOf(config['aggregated_iterations']),
      validation: validation === undefined ? undefined : validation !== 0,
      graph: numberOf(config['graph']),
    }),
    ranks: [...listOf(config['devices']), ...listOf(json['devices'])].flatMap((rank) => rankOf(rank, at) ?? []),
    rows,
    outOfBounds: outOfBounds === undefined ? undefined : { count: outOfBounds, ok: bounds['okay'] !== 'false', at },
    averageBusbw: average === undefined ? undefined : { value: average, at },
    errors: listOf(json['errors']).flatMap((text) => (textOf(text) ? [{ text: textOf(text)!, at }] : [])),
    complete: average !== undefined,
  };
}

function jsonSession(context: ReadContext): Session {
  const parts: string[] = [];
  let size = 0;
  let first = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let known = false;
  let state: 'open' | 'whole' | 'refused' = 'open';

  /** Follows braces and strings so that the end of the object is known without parsing twice. Index after the end, or −1. */
  const endOf = (text: string): number => {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === 92) escaped = true;
        else if (code === 34) inString = false;
      } else if (code === 34) inString = true;
      else if (code === 123 || code === 91) depth++;
      else if ((code === 125 || code === 93) && --depth === 0) return i + 1;
    }
    return -1;
  };

  return {
    line(text, number) {
      if (state !== 'open') return 'ended';
      const body = first === 0 ? text.slice(text.indexOf('{')) : text.replace(/^\s*>\s?/, '');
      if (first === 0) first = number;
      known ||= opening.test(body.slice(0, 4096));
      if (!known && number - first > 3) {
        state = 'refused';
        return 'ended';
      }
      const end = endOf(body);
      parts.push(end < 0 ? body : body.slice(0, end));
      size += body.length;
      if (end >= 0) state = 'whole';
      if (size > sizeLimit || depth > depthLimit) {
        state = 'refused';
        context.decline(say('input.tests.jsonLimit'), number);
        return 'ended';
      }
      // Until it is known to be a report its lines are anybody's.
      return known ? 'took' : 'passed';
    },
    close() {
      if (!known || state === 'refused') return undefined;
      if (state === 'open') {
        context.decline(say('input.tests.jsonCut'), first);
        return undefined;
      }
      let json: unknown;
      try {
        json = JSON.parse(parts.join('\n'));
      } catch (error) {
        const reason = error instanceof Error ? error.message.slice(0, 120) : '';
        context.decline(say('input.tests.jsonBad', { reason }), first);
        return undefined;
      }
      const report = reportOf(json, context, first);
      if (!report) context.decline(say('input.tests.jsonOther'), first);
      return report;
    },
  };
}

export const ncclTestsJson: Format = {
  id: 'nccl-tests-json',
  match: (line) => {
    const at = line.indexOf('{');
    if (at < 0 || /[^\s>]/.test(line.slice(0, at))) return false;
    return line.length === at + 1 || line.slice(at + 1).trim() === '' || opening.test(line.slice(at, at + 4096));
  },
  marks: ['start_time', '"busbw"', '"bus_bw"', '"results"', '"config"'],
  missing: say('input.tests.jsonMissing'),
  open: jsonSession,
};
