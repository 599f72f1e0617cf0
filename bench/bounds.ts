// Random machines and sizes on the engine: no time beats the wires; none falls as size grows, or more than doubles as size doubles, while
// the launch stays the same. Prints what does.
// usage: node --import tsx bench/bounds.ts [--seconds 60] [--seed 1] [--slack 0.001]
import { parseArgs } from 'node:util';
import { assemble } from '../src/assemble/assemble.ts';
import { type Random, random } from '../src/base/random.ts';
import { cpus } from '../src/catalogue/cpus.ts';
import { gpus } from '../src/catalogue/gpus.ts';
import { wireBound } from '../src/predict/collective/bound.ts';
import { speedsFor } from '../src/predict/collective/catalogued.ts';
import { clockedTimes } from '../src/predict/collective/clocked.ts';
import { type CollectiveGround, groundOf } from '../src/predict/collective/ground.ts';
import { Predictor, testNames } from '../src/predict/collective/predict.ts';
import { readClusterYaml } from '../src/read/cluster-yaml.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    slack: { type: 'string', default: '0.001' },
  },
});
const slack = Number(values.slack);
const dice = random(Number(values.seed));
const until = Date.now() + 1000 * Number(values.seconds);

/** A node of whatever parts, on whatever slots. */
function description({ pick, below }: Random): string {
  const gpu = pick([...gpus.keys()]);
  const sxm = /sxm|b200|b300|gb/.test(gpu);
  const link = sxm ? pick(['nvswitch', 'nvlink-all-to-all', 'pcie']) : pick(['pcie', 'pcie', 'nvlink-bridge']);
  const count = pick([1, 2, 4, 8]);
  const rate = pick(['25Gb/s', '100Gb/s', '200Gb/s', '400Gb/s']);
  const network = pick(['infiniband', 'roce', 'tcp', 'efa']);
  const node = [
    `gpu: ${gpu}`,
    `gpus: ${count}`,
    `link: ${count === 1 ? 'pcie' : link}`,
    `nic: ${rate}`,
    `nics: ${pick([1, 2, 4, 8])}`,
    `cpu: ${pick([...cpus.keys()])}`,
    `sockets: ${pick([1, 2])}`,
    `pcie: ${pick(['gen3', 'gen4', 'gen5'])}`,
    `gpusPerSwitch: ${pick([1, 2, 4])}`,
    `nicsPerSwitch: ${pick([0, 1, 2])}`,
    link === 'nvlink-all-to-all' ? `nvlinksPerPair: ${pick([1, 2, 4])}` : '',
    below(5) === 0 ? 'acs: true' : '',
  ].filter((line) => line !== '');
  return [
    `node: {${node.join(', ')}}`,
    `nodes: ${pick([1, 1, 2, 2, 3, 4])}`,
    `network: {transport: ${network}, rate: ${rate}}`,
    `software: {nccl: ${pick(['2.8.4', '2.12.12', '2.18.5', '2.21.5', '2.27.7', '2.30.7'])}, gdr: ${pick(['true', 'false'])}, p2p: ${pick(['true', 'true', 'false'])}}`,
    '',
  ].join('\n');
}

interface Tally {
  machines: number;
  refused: number;
  cases: number;
  unclocked: number;
  readonly wrong: Map<string, number>;
}
const tally: Tally = { machines: 0, refused: 0, cases: 0, unclocked: 0, wrong: new Map() };

function complain(what: string, detail: string): void {
  const before = tally.wrong.get(what) ?? 0;
  tally.wrong.set(what, before + 1);
  if (before < 8) console.log(`${what}: ${detail}`);
}

function tryOn(ground: CollectiveGround, yaml: string): void {
  const name = dice.pick(testNames);
  const predictor = new Predictor(ground, speedsFor(ground), name, 'float');
  for (let i = 0; i < 4; i++) {
    // Of less than an element for every rank nothing is sent.
    const bytes = Math.floor(16 * ground.ranks * 2 ** (25 * dice.next()));
    const told = clockedTimes(predictor, 'float', [bytes, 2 * bytes]);
    if (!told) {
      tally.unclocked++;
      continue;
    }
    tally.cases++;
    const [one, two] = told as [number, number];
    const [a, b] = [predictor.launch(bytes), predictor.launch(2 * bytes)];
    const where = `${name} of ${bytes} bytes, ${a?.algorithm ?? ''} ${a?.protocol ?? ''}, ${one} and ${two} us\n${yaml}`;
    const bound = wireBound(ground, name, bytes, a?.algorithm.startsWith('NVLS') ?? false);
    if (!(one >= bound * (1 - 1e-9))) complain('beats the wires', `${bound} us at best; ${where}`);
    const same = a?.algorithm === b?.algorithm && a?.protocol === b?.protocol && a?.nChannels === b?.nChannels;
    if (!same || a?.chunkBytes !== b?.chunkBytes) continue;
    // What is exchanged is sent as NCCL sends messages of its size.
    const [p, q] = [predictor.at(bytes), predictor.at(2 * bytes)];
    if (p.protocol !== q.protocol || p.channels !== q.channels) continue;
    if (two < one * (1 - slack)) complain('falls', where);
    if (two > 2 * one * (1 + slack)) complain('more than doubles', where);
  }
}

while (Date.now() < until) {
  const yaml = description(dice);
  const read = await readClusterYaml(yaml, 'random.yaml');
  const ground = read.ok ? groundOf(assemble([read.value]), {}) : undefined;
  tally.machines++;
  if (!ground?.ok || ground.value.ranks < 2) tally.refused++;
  else for (let i = 0; i < 3; i++) tryOn(ground.value, yaml);
}
const { machines, refused, cases, unclocked, wrong } = tally;
console.log(
  `${machines} machines (${refused} refused or of one GPU), ${cases} pairs of sizes, ${unclocked} too large to run; ` +
    `${[...wrong].map(([what, n]) => `${what}: ${n}`).join(', ') || 'nothing wrong'}`,
);
