import { ok, type Result } from '../base/result.ts';
import { suspectsOf } from '../flip/suspects.ts';
import type { Machine } from '../machine/machine.ts';
import type { Ask } from '../nccl/of-machine.ts';
import type { Refusal } from '../nccl/system/build.ts';
import { wireBound } from '../predict/collective/bound.ts';
import type { Clock } from '../predict/collective/clocked.ts';
import { busFactor, type Datatype, datatypeNamed, type TestName, testNames } from '../predict/collective/predict.ts';
import { placed } from '../read/nccl-tests/placed.ts';
import type { NcclTests } from '../read/nccl-tests/types.ts';
import { type Message, say } from '../words/message.ts';
import { answerPredict, type PredictAnswer, type PredictAsk, type PredictedRow } from './predict.ts';

export type RowVerdict = 'normal' | 'low' | 'high' | 'impossible';

export interface ComparedRow extends PredictedRow {
  readonly measuredTimeUs: number;
  readonly measuredBusbwGBps: number;
  /** Measured bus bandwidth over predicted. */
  readonly ratio: number;
  readonly verdict: RowVerdict;
}

/** A machine with one thing wrong, and how far its curve is from the measured one: mean |ln|, 0.05 is about 5 %. */
export interface Explanation {
  readonly id: string;
  readonly what: Message;
  readonly distance: number;
}

export interface CompareAnswer extends PredictAnswer {
  readonly rows: readonly ComparedRow[];
  readonly verdict: RowVerdict;
  /** Why bus bandwidth above a wire's rate is no fault. */
  readonly notes: readonly Message[];
  /** By distance; `as-described` first when nothing explains the numbers clearly better. */
  readonly explanations: readonly Explanation[];
}

/** Large sizes tell how fast the machine is; smaller ones how calls are launched. */
const large = 1 << 20;
/** Mean |ln| up to which a curve is that of the machine as described. */
const explained = 0.12;
/** How much nearer a suspect's curve must be than that of the machine as described. */
const clear = 0.6;

/** A measured table against what this machine should print. Undefined: the table has no row with a size and a time. */
export function answerCompare(
  described: Machine,
  ask: Ask,
  table: NcclTests,
  /** Of the machine as it is described; suspects are told apart by the closed form. */
  clock?: Clock,
  /** The program, where the caller says which it was. */
  told?: TestName,
): Result<CompareAnswer | undefined, Refusal> {
  const measured = table.rows.flatMap((r) => {
    const half = r.outOfPlace ?? r.inPlace;
    return half && half.timeUs > 0 && r.bytes > 0 ? [{ bytes: r.bytes, timeUs: half.timeUs }] : [];
  });
  if (measured.length === 0) return ok(undefined);
  const fitting = told ? ([told] as const) : testsOf(table);
  const what = { name: fitting[0], datatype: typeOf(table), sizes: measured.map((m) => m.bytes), exact: true };
  const machine = launchedAs(described, table);
  const predicted = answerPredict(machine, ask, what, clock);
  if (!predicted.ok) return predicted;
  const p = predicted.value;
  const factor = busFactor(what.name, p.ground.ranks);
  const rows = p.rows.map((row, i): ComparedRow => {
    const { timeUs } = measured[i]!;
    const busbw = (row.bytes / (1000 * timeUs)) * factor;
    return {
      ...row,
      measuredTimeUs: timeUs,
      measuredBusbwGBps: busbw,
      ratio: row.timeUs / timeUs,
      verdict: judge(p, row, timeUs),
    };
  });
  return ok({
    ...p,
    rows,
    verdict: overall(rows),
    notes: [...fitsToo(fitting), ...ranksOf(table, p), ...notesOf(p, rows)],
    explanations: explain(machine, ask, what, rows, ofUsual(p)),
  });
}

/** How the table's calls were launched, where its head tells: by CUDA graphs, or on how many GPUs a thread launched them in turn. */
function launchedAs(machine: Machine, { options, ranks }: NcclTests): Machine {
  const told = machine.launch;
  if (told?.gpusPerThread !== undefined || told?.mode === 'graph') return machine;
  const { graph, nGpus } = options;
  if (graph !== undefined && graph > 0) return { ...machine, launch: { mode: 'graph' } };
  const processes = new Set(ranks.map((r) => `${r.host} ${r.pid}`)).size;
  const gpusPerThread = ranks.length > 1 && processes === ranks.length ? 1 : nGpus;
  // Versions that do not print whether they use graphs have none.
  return gpusPerThread === undefined ? machine : { ...machine, launch: { mode: 'stream', gpusPerThread } };
}

function judge({ ground, ask, assumptions }: PredictAnswer, row: PredictedRow, timeUs: number): RowVerdict {
  const switched = ground.made.facts.nvls !== undefined;
  // Clocks and headers: two per cent.
  const impossible = timeUs < wireBound(ground, ask.name, row.bytes, switched) / 1.02;
  // Wires whose rate was assumed forbid nothing.
  if (impossible)
    return assumptions.some((a) => a.code.startsWith('usual.') && a.code !== 'usual.habits') ? 'high' : 'impossible';
  if (timeUs > row.timeHighUs) return 'low';
  return timeUs < row.timeLowUs ? 'high' : 'normal';
}

const largest = 32 << 20;

type Sizes = 'large' | 'largest' | 'all';

/** Sizes that tell how fast a machine is: large ones, in a table without those its largest, in one of small sizes all. */
function telling(rows: readonly ComparedRow[]): { readonly sizes: Sizes; readonly rows: readonly ComparedRow[] } {
  const most = Math.max(...rows.map((r) => r.bytes));
  if (most <= large) return { sizes: 'all', rows };
  const least = most > largest ? largest + 1 : most / 4;
  return { sizes: most > largest ? 'large' : 'largest', rows: rows.filter((r) => r.bytes >= least) };
}

/** The verdict of most of the rows that tell it. */
function overall(all: readonly ComparedRow[]): RowVerdict {
  const { rows: counted } = telling(all);
  const of = (v: RowVerdict): number => counted.filter((r) => r.verdict === v).length;
  if (of('impossible') > 0) return 'impossible';
  const verdicts: readonly RowVerdict[] = ['normal', 'low', 'high'];
  return verdicts.reduce((best, v) => (of(v) > of(best) ? v : best), 'normal' as RowVerdict);
}

/** Is the expectation that of a machine which no input shows? */
const ofUsual = ({ assumptions }: PredictAnswer): boolean => assumptions.some((a) => a.code === 'usual.system');

/** The verdict in words: of which sizes it is, and against which machine. */
export function verdictOf(answer: CompareAnswer): Message {
  return say(`compare.verdict.${answer.verdict}`, {
    sizes: say(`compare.sizes.${telling(answer.rows).sizes}`),
    machine: machineOf(answer),
  });
}

/** What a table is held against. */
export const machineOf = (answer: CompareAnswer): Message =>
  say(ofUsual(answer) ? 'compare.machine.usual' : 'compare.machine.this');

/** Mean |ln| beyond which the nearest curve is no explanation. */
const far = Math.log(1.5);

/** What the numbers look most like, where that is another machine than the one described. */
export function nearestOf({ explanations, verdict }: CompareAnswer): Message | undefined {
  const [best] = explanations;
  if (!best || best.id === 'as-described' || verdict === 'normal') return undefined;
  const percent = Math.round(100 * (Math.exp(best.distance) - 1));
  return say(best.distance > far ? 'compare.nearest' : 'compare.fits', { what: best.what, percent });
}

/** A table of another number of ranks than the machine has; its rows tell it where its head does not. */
function ranksOf(table: NcclTests, { ground, ask }: PredictAnswer): Message[] {
  const seen = table.ranks.length > 0 ? placed(table).ranks : ranksByRatio(table, ask.name);
  if (seen === undefined || seen === ground.ranks) return [];
  return [say('compare.ranks', { seen, ranks: ground.ranks })];
}

/** From bus bandwidth over algorithm bandwidth, which tells few ranks apart from each other, not many. */
function ranksByRatio(table: NcclTests, name: TestName): number | undefined {
  if (busFactor(name, 2) === busFactor(name, 4)) return undefined;
  const halves = table.rows.flatMap((r) => r.outOfPlace ?? r.inPlace ?? []);
  const best = halves.reduce((a, b) => (b.algbw > a.algbw ? b : a), halves[0]!);
  if (!(best.algbw >= 10)) return undefined;
  const share = best.busbw / best.algbw / (2 * busFactor(name, 2));
  const ranks = Math.round(1 / (1 - share));
  return ranks >= 2 && ranks <= 16 ? ranks : undefined;
}

function notesOf({ ground, ask }: PredictAnswer, rows: readonly ComparedRow[]): Message[] {
  const most = rows.reduce((a, b) => (b.measuredBusbwGBps > a.measuredBusbwGBps ? b : a));
  const busbw = Math.round(most.measuredBusbwGBps);
  if (ask.name !== 'all_reduce' || most.verdict === 'impossible') return [];
  if (ground.nodes > 1 && most.measuredBusbwGBps > ground.netTotal) {
    return [say('compare.above.tree', { busbw, line: Math.round(ground.netTotal) })];
  }
  if (ground.nodes === 1 && ground.nvlink > 0 && most.measuredBusbwGBps > ground.nvlink) {
    return [say('compare.above.nvls', { busbw, line: Math.round(ground.nvlink) })];
  }
  return [];
}

function explain(
  machine: Machine,
  ask: Ask,
  what: PredictAsk,
  rows: readonly ComparedRow[],
  usual: boolean,
): Explanation[] {
  const counted = rows.some((r) => r.bytes > large) ? rows.filter((r) => r.bytes > large) : rows;
  const distance = (predicted: readonly PredictedRow[]): number => {
    const by = new Map(predicted.map((r) => [r.bytes, r.timeUs]));
    return (
      counted.reduce((sum, r) => sum + Math.abs(Math.log(by.get(r.bytes)! / r.measuredTimeUs)), 0) / counted.length
    );
  };
  const own: Explanation = {
    id: 'as-described',
    what: say(usual ? 'suspect.as-assumed' : 'suspect.as-described'),
    distance: distance(rows),
  };
  // Nothing to explain: nobody is suspected.
  if (own.distance < explained) return [own];
  // Suspects are not run on the engine: what they change shows beside the closed form of the machine as it is.
  const formed = answerPredict(machine, ask, what);
  const plain = formed.ok ? formed.value.rows : rows;
  const found = suspectsOf(machine).flatMap((s): Explanation[] => {
    const changed = s.apply(machine, ask);
    const p = answerPredict(changed.machine, changed.ask, what);
    // What changes nothing on this machine (no NVLS where there never was any) is no suspect.
    if (!p.ok || counted.every((r) => alike(timeOf(p.value.rows, r.bytes), timeOf(plain, r.bytes)))) return [];
    return [{ id: s.id, what: s.what, distance: distance(p.value.rows) }];
  });
  found.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
  const better = found.some((e) => e.distance < own.distance * clear);
  const place = found.findIndex((e) => e.distance >= own.distance);
  return better ? found.toSpliced(place < 0 ? found.length : place, 0, own) : [own, ...found];
}

const timeOf = (rows: readonly PredictedRow[], bytes: number): number =>
  rows.find((r) => r.bytes === bytes)?.timeUs ?? Number.NaN;

const alike = (a: number, b: number): boolean => Math.abs(a / b - 1) < 0.005;

function typeOf(table: NcclTests): Datatype {
  return datatypeNamed(table.rows.find((r) => r.type !== '')?.type ?? 'float') ?? 'float';
}

/**
 * The programs that a table may be of, the likeliest first: the one it names; else those that the ratio of the two bandwidths, the
 * operation and the root leave.
 */
function testsOf(table: NcclTests): readonly [TestName, ...TestName[]] {
  const named = testNames.find((n) => n === table.collective);
  if (named) return [named];
  const row = [...table.rows].reverse().find((r) => (r.outOfPlace ?? r.inPlace)?.algbw);
  const half = row?.outOfPlace ?? row?.inPlace;
  if (!row || !half) return ['all_reduce'];
  const ratio = half.busbw / half.algbw;
  const reduces = row.redop !== undefined && row.redop !== 'none';
  const rooted = (row.root ?? -1) >= 0;
  // A single rank has no bus bandwidth.
  if (ratio > 1.02 || (ratio === 0 && reduces)) return ['all_reduce'];
  if (ratio < 0.98) {
    if (reduces) return ['reduce_scatter'];
    if (rooted) return ['gather', 'scatter'];
    // Of an exchange nobody checks the values in place (alltoall.cu).
    const checked = (r: typeof row): boolean => typeof r.outOfPlace?.wrong === 'number';
    if (table.rows.some((r) => checked(r) && r.inPlace?.wrong === 'N/A')) return ['alltoall'];
    return ['all_gather', 'alltoall'];
  }
  if (rooted) return [reduces ? 'reduce' : 'broadcast'];
  return [reduces ? 'all_reduce' : 'sendrecv'];
}

/** That another program prints such a table, too. */
function fitsToo([name, ...others]: readonly TestName[]): Message[] {
  return others.map((other) => say('compare.fits-too', { name: name!, other }));
}
