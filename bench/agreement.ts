// How far the closed form is from the engine: every system of the catalogue, one, two and four nodes (or others), with and without
// GPUDirect RDMA.
// usage: node --import tsx bench/agreement.ts [--only REGEX] [--worst 20] [--ranks 40] [--nodes 1,2,4]
import { parseArgs } from 'node:util';
import { assume } from '../src/assemble/assume.ts';
import { systemMachine } from '../src/assemble/build/machine.ts';
import { systems } from '../src/catalogue/systems.ts';
import { speedsFor } from '../src/predict/collective/catalogued.ts';
import { clockedTimes } from '../src/predict/collective/clocked.ts';
import { type CollectiveGround, groundOf } from '../src/predict/collective/ground.ts';
import { Predictor } from '../src/predict/collective/predict.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    worst: { type: 'string', default: '20' },
    ranks: { type: 'string', default: '40' },
    nodes: { type: 'string', default: '1,2,4' },
  },
});
const only = new RegExp(values.only);
const sizes = [2 ** 12, 2 ** 16, 2 ** 20, 2 ** 24, 2 ** 28];

interface Pair {
  readonly what: string;
  /** ln(closed form / engine). */
  readonly apart: number;
}

function groundFor(id: string, nodes: number, gdr: boolean): CollectiveGround | undefined {
  const machine = systemMachine(id, nodes);
  const assumed = machine && assume(machine, [{ fact: 'gdr', on: gdr }]);
  const ground = assumed?.ok ? groundOf(assumed.value, {}) : undefined;
  if (!ground?.ok || ground.value.ranks < 2 || ground.value.ranks > Number(values.ranks)) return undefined;
  return ground.value;
}

const pairs: Pair[] = [];
for (const id of systems.keys()) {
  for (const nodes of values.nodes.split(',').map(Number)) {
    for (const gdr of [true, false]) {
      const ground = groundFor(id, nodes, gdr);
      if (!ground) continue;
      for (const name of ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast'] as const) {
        const which = `${id} × ${nodes}${gdr ? '' : ', no GDR,'} ${name}`;
        if (!only.test(which)) continue;
        const predictor = new Predictor(ground, speedsFor(ground), name, 'float');
        for (const bytes of sizes) {
          const [engine] = clockedTimes(predictor, 'float', [bytes]) ?? [];
          if (engine === undefined) continue;
          const { timeUs, algorithm, protocol } = predictor.at(bytes);
          const told = `${timeUs.toFixed(1)} and ${engine.toFixed(1)} us`;
          pairs.push({ what: `${which} ${bytes} ${algorithm} ${protocol}: ${told}`, apart: Math.log(timeUs / engine) });
        }
      }
    }
  }
}
pairs.sort((a, b) => Math.abs(b.apart) - Math.abs(a.apart));
const at = (share: number): string => {
  const pair = pairs[Math.min(pairs.length - 1, Math.floor(pairs.length * (1 - share)))];
  return `${(100 * Math.abs(pair?.apart ?? 0)).toFixed(2)} %`;
};
const beyond = (limit: number): number => pairs.filter(({ apart }) => Math.abs(apart) > limit).length;
console.log(
  `${pairs.length} cases: median ${at(0.5)}, p90 ${at(0.9)}, p95 ${at(0.95)}, p97 ${at(0.97)}, p99 ${at(0.99)}; beyond 2 %: ${beyond(0.02)}, beyond 10 %: ${beyond(0.1)}`,
);
for (const { what, apart } of pairs.slice(0, Number(values.worst))) {
  console.log(`${apart > 0 ? '+' : ''}${(100 * apart).toFixed(1)} % ${what}`);
}
