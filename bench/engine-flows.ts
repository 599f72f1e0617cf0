import { random } from '../src/base/random.ts';
import { fill } from '../src/engine/fill.ts';
import { Flows } from '../src/engine/flows.ts';
import type { FlowPaths } from '../src/engine/paths.ts';

/**
 * How long until all rates are right again when a flow leaves? 32,768 flows: eight permutations of 4,096 GPUs, each through
 * its own PCIe link and NIC port to a leaf, over a spine chosen at random, and down again: six hops over 20,000 links. Flows
 * leave in random order, as transfers of different sizes would; some departures are checked against a full solve.
 *
 *   node --import tsx bench/engine-flows.ts [--departures 4000]
 */
const gpus = 4096;
const leaves = 64;
const spines = 28;
const permutations = 8;
const departures = Number(process.argv[process.argv.indexOf('--departures') + 1]) || 4000;

function network(seed: number): { capacity: Float64Array; paths: FlowPaths } {
  const { below } = random(seed);
  const uplinks = leaves * spines;
  // GPU to NIC, NIC to leaf, leaf to spine, spine to leaf, leaf to NIC, NIC to GPU.
  const capacity = new Float64Array(4 * gpus + 2 * uplinks);
  capacity.fill(55e9, 0, gpus).fill(50e9, gpus, 2 * gpus);
  capacity.fill(100e9, 2 * gpus, 2 * gpus + 2 * uplinks);
  capacity.fill(50e9, 2 * gpus + 2 * uplinks, 3 * gpus + 2 * uplinks).fill(55e9, 3 * gpus + 2 * uplinks);
  const start = [0];
  const resource: number[] = [];
  for (let p = 0; p < permutations; p++) {
    const to = Array.from({ length: gpus }, (_, i) => i);
    for (let i = gpus - 1; i > 0; i--) {
      const j = below(i + 1);
      [to[i], to[j]] = [to[j]!, to[i]!];
    }
    for (let from = 0; from < gpus; from++) {
      const a = Math.floor(from / (gpus / leaves));
      const b = Math.floor(to[from]! / (gpus / leaves));
      resource.push(from, gpus + from);
      if (a !== b) {
        const spine = below(spines);
        resource.push(2 * gpus + a * spines + spine, 2 * gpus + uplinks + b * spines + spine);
      }
      resource.push(2 * gpus + 2 * uplinks + to[from]!, 3 * gpus + 2 * uplinks + to[from]!);
      start.push(resource.length);
    }
  }
  return {
    capacity,
    paths: {
      start: Int32Array.from(start),
      resource: Int32Array.from(resource),
      factor: new Float64Array(resource.length).fill(1),
    },
  };
}

const quantile = (sorted: number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
const ms = (value: number): string => `${value.toFixed(3)} ms`;

const { capacity, paths } = network(1);
const count = paths.start.length - 1;
console.log(`${count} flows, ${capacity.length} links, ${paths.resource.length} hops`);
const full: number[] = [];
for (let i = 0; i < 7; i++) {
  const begin = performance.now();
  fill(capacity, paths);
  full.push(performance.now() - begin);
}
full.sort((a, b) => a - b);

const flows = new Flows(capacity, paths);
for (let f = 0; f < count; f++) flows.add(f);
const begin = performance.now();
flows.solve();
console.log(
  `full solve: ${ms(quantile(full, 0.5))} by filling, ${ms(performance.now() - begin)} by the incremental solver at first`,
);

const { below } = random(2);
const times: number[] = [];
// On a machine that does other things too, CPU time tells more; it counts the compiler's and the collector's threads as well.
const cpuTimes: number[] = [];
const changed: number[] = [];
const looked: number[] = [];
let worst = 0;
const left = Array.from({ length: count }, (_, f) => f);
for (let i = 0; i < departures; i++) {
  const j = below(left.length);
  const f = left[j]!;
  left[j] = left.at(-1)!;
  left.pop();
  const cpu = process.cpuUsage();
  const begin = performance.now();
  flows.remove(f);
  flows.solve();
  times.push(performance.now() - begin);
  const spent = process.cpuUsage(cpu);
  cpuTimes.push((spent.user + spent.system) / 1000);
  changed.push(flows.changes);
  looked.push(flows.looked);
  if (i % Math.ceil(departures / 20) === 0) {
    const all = fill(capacity, paths, (flow) => flows.isActive(flow));
    for (let g = 0; g < count; g++) {
      if (all[g]! > 0) worst = Math.max(worst, Math.abs(flows.rate[g]! - all[g]!) / all[g]!);
    }
  }
}
for (const list of [times, cpuTimes, changed, looked]) list.sort((a, b) => a - b);
for (const [name, list] of [
  ['elapsed', times],
  ['CPU', cpuTimes],
] as const) {
  console.log(
    `departure, ${name}: median ${ms(quantile(list, 0.5))}, p99 ${ms(quantile(list, 0.99))}, worst ${ms(list.at(-1)!)} of ${departures}`,
  );
}
console.log(
  `flows whose rate changed: median ${quantile(changed, 0.5)}, p99 ${quantile(changed, 0.99)}; links looked at: median ${quantile(looked, 0.5)}, p99 ${quantile(looked, 0.99)}`,
);
console.log(`largest relative difference from a full solve: ${worst.toExponential(1)}`);
