import { random } from '../src/base/random.ts';
import { run } from '../src/engine/run.ts';
import { ScheduleBuilder } from '../src/schedule/builder.ts';

/**
 * A million operations that are all different: transfers between random pairs of 512 GPUs over NIC ports and a leaf–spine
 * network, each waiting for an earlier one of the same GPU. Nothing folds and nothing repeats.
 *
 *   node --import tsx bench/engine-million.ts [--operations 1000000]
 */
const count = Number(process.argv[process.argv.indexOf('--operations') + 1]) || 1_000_000;
const gpus = 512;
const leaves = 16;
const spines = 8;

const rss = process.memoryUsage.rss();
const begin = performance.now();
const { below, next } = random(3);
const b = new ScheduleBuilder();
const out = Array.from({ length: gpus }, (_, g) => b.resource('link', `nic${g} out`, 50e9));
const into = Array.from({ length: gpus }, (_, g) => b.resource('link', `nic${g} in`, 50e9));
const up = Array.from({ length: leaves * spines }, (_, l) => b.resource('link', `up ${l}`, 200e9));
const down = Array.from({ length: leaves * spines }, (_, l) => b.resource('link', `down ${l}`, 200e9));
const label = b.labelled('transfer');
const last = new Int32Array(gpus).fill(-1);
for (let i = 0; i < count; i++) {
  const from = below(gpus);
  const to = (from + 1 + below(gpus - 1)) % gpus;
  b.begin(label, 1e5 + 1e6 * next(), 1, 1e-6, 2e-6);
  b.cross(out[from]!);
  const a = Math.floor(from / (gpus / leaves));
  const z = Math.floor(to / (gpus / leaves));
  if (a !== z) {
    const spine = below(spines);
    b.cross(up[a * spines + spine]!);
    b.cross(down[z * spines + spine]!);
  }
  b.cross(into[to]!);
  if (last[from]! >= 0) b.wait(last[from]!);
  last[from] = i;
}
const built = b.build();
if (!built.ok) throw new Error(built.error.code);
const ready = performance.now();
const result = run(built.value);
const end = performance.now();
const peak = process.resourceUsage().maxRSS / 1024 - rss / 2 ** 20;
console.log(
  `${count} operations: built in ${((ready - begin) / 1000).toFixed(2)} s, run in ${((end - ready) / 1000).toFixed(2)} s, ${peak.toFixed(0)} MiB beyond Node's; ${result.effort.events} events, ${result.effort.solves} solves, ${result.time.toFixed(4)} s simulated`,
);
