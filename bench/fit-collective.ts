// Fits the figures of src/catalogue/collective.ts on the published tables of the scoring data, and says how well those tell tables that
// they were not fitted on. Those of bench/unfitted never are: published results whose machines are described there. Without --seconds it
// says how well the catalogue does, and how well the figures of one generation tell the next. Figures found are printed, not written.
// The closed form is fitted, times what the engine's times are of it, measured again every while.
// usage: node --import tsx bench/fit-collective.ts [--seconds 60] [--half 0|1]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from '../src/assemble/assemble.ts';
import { collective } from '../src/catalogue/collective.ts';
import { asUsual } from '../src/predict/as-usual.ts';
import { type CollectiveFigures, speedsFor } from '../src/predict/collective/catalogued.ts';
import { clockedTimes } from '../src/predict/collective/clocked.ts';
import { groundOf } from '../src/predict/collective/ground.ts';
import type { Launch } from '../src/predict/collective/hop.ts';
import { launchFloor } from '../src/predict/collective/in-turn.ts';
import { busFactor, type Datatype, Predictor, type TestName } from '../src/predict/collective/predict.ts';
import { readClusterYaml } from '../src/read/cluster-yaml.ts';
import { shared, whyNot } from '../test/support/shared.ts';

interface Table {
  readonly id: string;
  /** 0: of many machines; 1: of one NVLink node. */
  readonly set: number;
  readonly predictor: Predictor;
  readonly datatype: Datatype;
  /** µs below which no call of it ends, as it was launched. */
  readonly floor: number;
  readonly rows: readonly {
    bytes: number;
    timeUs: number;
    band: number;
    fit: boolean;
    launch: Launch | undefined;
    engine: number;
  }[];
}

/** Tables that tell of another machine than their description from so many bytes on (quality/predict.md): no figure is fitted on those. */
const otherwise: readonly (readonly [RegExp, number])[] = [
  [/^abci2-v-allreduce-\d+n$/, 65536],
  [/^abci2-a-allreduce-\d+n$/, 2 << 20],
];

interface Published {
  readonly kind: string;
  readonly collective?: TestName;
  readonly datatype?: Datatype;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string | null)[])[];
  readonly condition: { readonly healthy?: boolean };
}

const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;

/** Descriptions of machines in `dir`, and what was measured on them there or in `results`. */
async function tablesOf(dir: string, set: number, results = dir): Promise<Table[]> {
  const tables: Table[] = [];
  for (const file of readdirSync(dir).filter((f) => f.endsWith('.yaml'))) {
    const id = file.slice(0, -5);
    const beside = join(dir, `${id}.json`);
    const told = JSON.parse(
      readFileSync(existsSync(beside) ? beside : join(results, `${id}.json`), 'utf8'),
    ) as Published;
    if (!told.kind.startsWith('nccl') || told.condition.healthy === false) continue;
    const read = await readClusterYaml(readFileSync(join(dir, file), 'utf8'), file);
    const ground = read.ok ? groundOf(asUsual(assemble([read.value])).machine, {}) : read;
    if (!ground.ok) continue;
    const name = told.collective ?? 'all_reduce';
    const predictor = new Predictor(ground.value, speedsFor(ground.value), name, told.datatype ?? 'float');
    const at = (pattern: RegExp): number => told.columns.findIndex((c) => pattern.test(c));
    const [size, time, bus] = [at(/^size_B$/), at(/^time/), at(/^busbw/)];
    const factor = busFactor(name, ground.value.ranks);
    const most = otherwise.find(([tables]) => tables.test(id))?.[1];
    const rows = told.rows.flatMap((row) => {
      const bytes = Number(row[size]);
      const timeUs = Number(row[time]) || (bytes * factor) / Number(row[bus]) / 1000;
      if (!(bytes >= 8) || !(timeUs > 0 && Number.isFinite(timeUs))) return [];
      const band = bytes <= 65536 ? 0 : bytes <= 32 << 20 ? 1 : 2;
      const fit = most === undefined || bytes < most;
      return [{ bytes, timeUs, band, fit, launch: predictor.launch(bytes), engine: 1 }];
    });
    tables.push({
      id,
      set,
      predictor,
      datatype: told.datatype ?? 'float',
      floor: launchFloor(ground.value.machine),
      rows,
    });
  }
  return tables;
}

/** By how much the engine's times are other than the closed form's. */
function retime(tables: readonly Table[], figures: CollectiveFigures): void {
  for (const { predictor, datatype, rows } of tables) {
    const { ground, name } = predictor;
    const p = new Predictor(ground, speedsFor(ground, figures), name, datatype);
    const sizes = rows.map((r) => r.bytes);
    for (const [i, time] of clockedTimes(p, datatype, sizes)?.entries() ?? []) {
      rows[i]!.engine = time / p.time(ground, p.speeds, rows[i]!.launch, sizes[i]!);
    }
  }
}

interface Floors {
  readonly scores: readonly { script: string; figures: readonly { name: string; most?: number }[] }[];
}

/** The floors of predict's scores, set by set, as shares. */
function floors(): number[][] {
  const file = join(import.meta.dirname, '../quality/floors.json');
  const { scores } = JSON.parse(readFileSync(file, 'utf8')) as Floors;
  const held = scores.filter((s) => s.script === 'score-predict.mjs');
  return held.map(({ figures }) => figures.filter((f) => f.name.includes('median')).map((f) => (f.most ?? 100) / 100));
}

const median = (xs: readonly number[]): number => {
  const sorted = [...xs].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};
const mean = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length;

/** By set and band: of each table the median of |ln(predicted/measured)|. */
function errors(tables: readonly Table[], figures: CollectiveFigures, fit = false): number[][][] {
  const out: number[][][] = [0, 1].map(() => [[], [], []]);
  for (const { set, predictor: p, floor, rows } of tables) {
    const speeds = speedsFor(p.ground, figures);
    const bands: number[][] = [[], [], []];
    for (const { bytes, timeUs, band, launch, engine } of fit ? rows.filter((r) => r.fit) : rows) {
      const told = Math.max(floor, engine * p.time(p.ground, speeds, launch, bytes));
      bands[band]!.push(Math.abs(Math.log(told / timeUs)));
    }
    for (const [band, e] of bands.entries()) if (e.length > 0) out[set]![band]!.push(median(e));
  }
  return out;
}

/** What each band counts: those that little is asked of count less. */
const weights = [
  [1, 2.5, 4],
  [3, 6, 5],
] as const;
/** Beyond this a table counts no more: something else is wrong with it. */
const enough = 0.35;

/** What the medians of both sets are held to, and how much more they count above it. */
const asked = floors();
const beyond = 20;

/** How far the fitted tables are off, and by how much their medians, all rows counted, lie above what they are held to. */
function loss(tables: readonly Table[], figures: CollectiveFigures): number {
  const whole = errors(tables, figures);
  return mean(
    errors(tables, figures, true).flatMap((set, s) =>
      set.map((e, b) => {
        if (e.length === 0) return 0;
        const more = Math.max(0, median(whole[s]![b]!) / asked[s]![b]! - 0.97);
        return beyond * more + weights[s]![b]! * (median(e) + mean(e.map((x) => Math.min(enough, x))));
      }),
    ),
  );
}

const told = (tables: readonly Table[], figures: CollectiveFigures): string =>
  errors(tables, figures)
    .map((set) => set.map((e) => (e.length === 0 ? '–' : `${(100 * median(e)).toFixed(1)} %`)).join(', '))
    .join(' | ');

interface Figure {
  value: number;
  readonly range: readonly [number, number];
}

/** Figures that the closed form reads at every query, by their paths in the catalogue. */
function leaves(of: object, path = ''): [string, Figure][] {
  return Object.entries(of).flatMap(([key, child]): [string, Figure][] => {
    if (typeof child !== 'object' || child === null) return [];
    if ('fitted' in child)
      return /staged|sockets|launchEach|efa.share|shm/.test(path + key) ? [] : [[path + key, child as Figure]];
    return leaves(child, `${path}${key}.`);
  });
}

/** Of each table by band: how far the engine's times are from the closed form's. */
function sayApart(set: number): void {
  const clocked = all.filter((t) => t.set === set && t.rows.some((r) => r.engine !== 1));
  const apart = [0, 1, 2].map((band) => {
    const off = clocked.flatMap((t) => {
      const rows = t.rows.filter((r) => r.band === band);
      return rows.length === 0 ? [] : [median(rows.map((r) => Math.abs(Math.log(r.engine))))];
    });
    return `${(100 * median(off)).toFixed(1)} %`;
  });
  console.log(`engine against closed form, ${clocked.length} tables of set ${set}: ${apart.join(', ')}`);
}

/** Tables of one node, predicted with the figures of the generation before. */
function sayGenerations(): void {
  for (const [before, own, from, below] of [
    ['volta', 'ampere', 80, 90],
    ['ampere', 'hopper', 90, 100],
    ['hopper', 'blackwell', 100, 1000],
  ] as const) {
    const tables = all.filter(({ predictor: { ground: g } }) => g.nodes === 1 && g.sm >= from && g.sm < below);
    const by = (f: CollectiveFigures): string =>
      [0, 1, 2]
        .map((band) => errors(tables, f).flatMap((set) => set[band]!))
        .map((found) => (found.length === 0 ? '–' : `${(100 * median(found)).toFixed(0)} %`))
        .join(', ');
    const older = { ...figures, [own]: { ...figures[before], memory: figures[own].memory } };
    console.log(`one node of ${own}: ${by(figures)}; with the constants of ${before}: ${by(older)}`);
  }
}

if (shared === undefined) throw new Error(whyNot);
const data = join(shared, 'data');
const all = [...(await tablesOf(join(data, 'measured'), 0)), ...(await tablesOf(join(data, 'measured-nvlink'), 1))];
const unfitted = await tablesOf(join(import.meta.dirname, 'unfitted'), 0, join(data, 'measured'));
const hash = (text: string): number => [...text].reduce((h, c) => (h * 31 + c.charCodeAt(0)) >>> 0, 0);
const half = option('--half');
const fitted = all.filter((t) => half === undefined || hash(t.id) % 2 === Number(half));
const others = all.filter((t) => !fitted.includes(t));
const figures = structuredClone(collective) as CollectiveFigures;
retime([...all, ...unfitted], figures);
const free = leaves(figures);
const say = (when: string): void => {
  console.log(`${when}, fitted on: ${told(fitted, figures)}`);
  if (others.length > 0) console.log(`${when}, the others: ${told(others, figures)}`);
  console.log(`${when}, described here and never fitted: ${told(unfitted, figures)}`);
  for (const table of unfitted) console.log(`  ${table.id}: ${told([table], figures)}`);
};
say(`catalogue, ${free.length} figures, ${all.length} tables`);
if (option('--seconds') === undefined) {
  for (const set of [0, 1]) sayApart(set);
  sayGenerations();
}

let least = loss(fitted, figures);
/** Tries factors on some figures; keeps them where the loss falls. */
function better(changes: readonly (readonly [Figure, number])[]): boolean {
  const before = changes.map(([f]) => f.value);
  for (const [f, factor] of changes) f.value = Math.min(f.range[1], Math.max(f.range[0], f.value * factor));
  const now = loss(fitted, figures);
  if (now < least - 1e-7) {
    least = now;
    return true;
  }
  for (const [i, [f]] of changes.entries()) f.value = before[i]!;
  return false;
}
const until = performance.now() + 1000 * Number(option('--seconds') ?? 0);
let again = performance.now() + 45_000;
const step = new Map(free.map(([path]) => [path, 0.1]));
while (performance.now() < until) {
  if (performance.now() > again) {
    retime(fitted, figures);
    least = loss(fitted, figures);
    again = performance.now() + 45_000;
  }
  for (const [path, f] of free) {
    const by = step.get(path)!;
    const moved = better([[f, Math.exp(by)]]) || better([[f, Math.exp(-by)]]);
    step.set(path, moved ? Math.min(0.3, by * 1.3) : by < 0.002 ? 0.15 * Math.random() : by * 0.7);
  }
  for (let i = 0; i < 30; i++) {
    const some = Array.from({ length: 3 }, () => free[Math.floor(Math.random() * free.length)]![1]);
    better(some.map((f) => [f, Math.exp(0.15 * (Math.random() - 0.5))] as const));
  }
}
if (option('--seconds')) {
  retime([...all, ...unfitted], figures);
  say('found');
  for (const [path, f] of free) console.log(`${path} ${f.value.toPrecision(4)}`);
}
