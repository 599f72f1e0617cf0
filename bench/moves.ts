// Predicts the published transfers of bench/unfitted-move, which no fit has seen, and says by how much each is off. --data takes another
// folder of the same form, such as that of the scoring data; with --worse only points that are off by at least so much are printed.
// usage: node --import tsx bench/moves.ts [--data DIR] [--worse 0.15]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerMove } from '../src/answer/move.ts';
import { assemble } from '../src/assemble/assemble.ts';
import type { Machine } from '../src/machine/machine.ts';
import type { MovePath } from '../src/move/model.ts';
import { readClusterYaml } from '../src/read/cluster-yaml.ts';

interface Point {
  readonly id: string;
  readonly cluster: string;
  readonly from: string;
  readonly to: string;
  readonly path: MovePath;
  readonly bytes: number;
  readonly args: readonly string[];
  readonly metric: 'bandwidthGBps' | 'latencyUs';
  readonly value: number;
  /** Why the figure is not that of a machine in order: such a point counts in no median. */
  readonly sick?: string;
  /** The constants that have been fitted on it since: it counts among the unseen no more. */
  readonly fit?: string;
}

const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;

const dir = option('--data') ?? join(dirname(fileURLToPath(import.meta.url)), 'unfitted-move');
const worse = Number(option('--worse') ?? 0);
const { points } = JSON.parse(readFileSync(join(dir, 'points.json'), 'utf8')) as { points: readonly Point[] };

const machines = new Map<string, Machine>();
async function machineOf(cluster: string): Promise<Machine> {
  const known = machines.get(cluster);
  if (known) return known;
  const read = await readClusterYaml(readFileSync(join(dir, cluster), 'utf8'), cluster);
  if (!read.ok) throw new Error(`${cluster}: not read`);
  const machine = assemble([read.value]);
  machines.set(cluster, machine);
  return machine;
}

function predicted(machine: Machine, p: Point): number | undefined {
  const after = (name: string): number => (p.args.includes(name) ? Number(p.args[p.args.indexOf(name) + 1]) : 1);
  const answer = answerMove(machine, {}, p.from, p.to, {
    sizes: [p.bytes],
    depth: after('--depth'),
    threads: after('--threads'),
    both: p.args.includes('--both'),
    path: p.path,
  });
  return answer.ok ? answer.value.paths[0]?.rows[0]?.[p.metric] : undefined;
}

/** Half as much and twice as much are equally wrong. */
const errors = new Map<string, number[]>();
function count(group: string, error: number | undefined): void {
  if (error === undefined) return;
  const all = errors.get(group) ?? [];
  all.push(Math.min(1, Math.abs(error)));
  errors.set(group, all);
}

for (const p of points) {
  const got = predicted(await machineOf(p.cluster), p);
  const error = got === undefined ? Number.POSITIVE_INFINITY : Math.log(got / p.value);
  if (p.sick === undefined) {
    count(p.metric, error);
    count(`${p.metric}, seen by no fit`, p.fit === undefined ? error : undefined);
    count(p.path, error);
  }
  if (Math.abs(error) < worse) continue;
  const unit = p.metric === 'latencyUs' ? 'µs' : 'GB/s';
  const off = got === undefined ? 'no answer' : `${error > 0 ? '+' : ''}${(100 * error).toFixed(1)} %`;
  console.log(`${p.id}: ${p.value} ${unit}, predicted ${got?.toFixed(2)}, ${off}${p.sick ? ` (${p.sick})` : ''}`);
}

for (const [group, all] of errors) {
  all.sort((a, b) => a - b);
  const at = (share: number): string => (100 * all[Math.floor(share * (all.length - 1))]!).toFixed(1);
  const within = all.filter((e) => e <= 0.15).length;
  console.log(
    `${group}: ${all.length} points, median ${at(0.5)} %, p90 ${at(0.9)} %, within 15 %: ${within}/${all.length}`,
  );
}
