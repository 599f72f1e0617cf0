// Predictions a second: one machine, sizes all over the range, algorithm and protocol chosen for each.
// usage: node --import tsx bench/predict.ts [--runs 5]
import { systemMachine } from '../src/assemble/build/machine.ts';
import { speedsFor } from '../src/predict/collective/catalogued.ts';
import { groundOf } from '../src/predict/collective/ground.ts';
import { Predictor } from '../src/predict/collective/predict.ts';

const at = process.argv.indexOf('--runs');
const runs = at < 0 ? 5 : Number(process.argv[at + 1]);
const count = 200_000;
for (const [id, nodes] of [
  ['hgx-h100', 1],
  ['hgx-h100', 16],
  ['dgx-1v', 4],
] as const) {
  const ground = groundOf(systemMachine(id, nodes)!, {});
  if (!ground.ok) throw new Error(id);
  const p = new Predictor(ground.value, speedsFor(ground.value), 'all_reduce', 'half');
  let best = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let r = 0; r < runs; r++) {
    const start = process.cpuUsage();
    for (let i = 0; i < count; i++) sum += p.at(8 + ((i * 104_729) % 2 ** 30)).timeUs;
    const used = process.cpuUsage(start);
    best = Math.min(best, (used.user + used.system) / 1e6);
  }
  console.log(`${id} × ${nodes}: ${Math.round(count / best / 1000)} thousand predictions a second of CPU (${sum > 0})`);
}
