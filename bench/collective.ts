import { systemMachine } from '../src/assemble/build/machine.ts';
import { fromGBps } from '../src/base/units.ts';
import { buildProgram, type Ways } from '../src/collective/build.ts';
import { costsOf, type Hop, type Link } from '../src/collective/clock/costs.ts';
import { timeCollective } from '../src/collective/clock/time.ts';
import type { AlgorithmName } from '../src/collective/kinds.ts';
import { waysOf } from '../src/collective/ways.ts';
import { communicator } from '../src/nccl/communicator.ts';
import { situationOf } from '../src/nccl/of-machine.ts';

/**
 * A 1 GiB all_reduce on 8, 64, 1,024, 4,096 and 16,384 GPUs in DGX H100 nodes: channels and trees as NCCL lays them out, GPUs
 * share their NVLink ports and NICs among channels. Laying out, building the program and its schedule, folding and running are
 * told apart. The first run in a process includes warming up; each size runs in a process of its own. With `--slow-nic` the NIC of
 * GPU 3 has half its rate, with `--missing` GPU 3 takes no part (rings only): nothing is alike then.
 *
 *   node --import tsx bench/collective.ts [--algorithm Ring|Tree|NVLSTree] [--near] [--slow-nic | --missing] [--gpus 1024] [--runs 3]
 */
const has = (name: string): boolean => process.argv.includes(name);
const option = (name: string, otherwise: string): string =>
  has(name) ? process.argv[process.argv.indexOf(name) + 1]! : otherwise;

const perNode = 8;
const odd = 3;

/** Rings that pass one GPU by. */
const without = (ways: Ways): Ways => ({
  ...ways,
  ranks: ways.ranks - 1,
  rings: ways.rings.map((ring) => ring.filter((r) => r !== odd).map((r) => (r > odd ? r - 1 : r))),
});

function measure(gpus: number, algorithm: AlgorithmName): void {
  const before = process.memoryUsage.rss();
  const begin = performance.now();
  const made = communicator(situationOf(systemMachine('dgx-h100', gpus / perNode)!, 0));
  if (!made.ok) throw new Error(made.error.reason.code);
  const c = made.value;
  const laidOut = waysOf(c);
  const ways = has('--missing') ? without(laidOut) : laidOut;
  const laid = performance.now();
  const times: string[] = [];
  let line = '';
  for (let i = 0; i < Number(option('--runs', '3')); i++) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const task = {
      collective: 'all_reduce',
      algorithm,
      protocol: 'Simple',
      count: 2 ** 28,
      elementBytes: 4,
      root: 0,
      channels: c.collChannels,
      chunkBytes: algorithm === 'Ring' ? 2 ** 21 : algorithm === 'Tree' ? 2 ** 19 : 2 ** 16,
    } as const;
    const program = buildProgram(task, ways);
    if (!program.ok) throw new Error(program.error.code);
    const built = performance.now();
    const links: Link[] = [];
    const each = (name: string, rate: number): number => {
      for (let g = 0; g < gpus; g++) {
        const slow = has('--slow-nic') && g === odd && name.startsWith('nic');
        links.push({ name: `gpu${g} ${name}`, rate: fromGBps(slow ? rate / 2 : rate) });
      }
      return links.length - gpus;
    };
    const [nvOut, nvIn, nicOut, nicIn] = [
      each('nvlink out', 370),
      each('nvlink in', 370),
      each('nic out', 48),
      each('nic in', 48),
    ];
    const nodeOf = (x: number): number => (x >= gpus ? x - gpus : Math.floor(x / perNode));
    // Ranks after a missing GPU are one less than the numbers of their GPUs.
    const gpuOf = (rank: number): number => (has('--missing') && rank >= odd ? rank + 1 : rank);
    const costs = costsOf(program.value, links, (sender, receiver): Hop => {
      const [from, to] = [gpuOf(sender), gpuOf(receiver)];
      if (nodeOf(from) !== nodeOf(to)) {
        return { links: [nicOut + from, nicIn + to], blockUs: 1, latencyUs: 4, proxyUs: 1 };
      }
      const path = from >= gpus ? [nvIn + to] : to >= gpus ? [nvOut + from] : [nvOut + from, nvIn + to];
      return { links: path, blockUs: 1, latencyUs: 1 };
    });
    const cost = performance.now();
    const result = timeCollective(program.value, costs, { fold: has('--near') ? 'near' : 'exact' });
    if (!result.ok) throw new Error(result.error.code);
    const end = performance.now();
    const spent = process.cpuUsage(cpu);
    times.push(`${((end - start) / 1000).toFixed(3)} (CPU ${((spent.user + spent.system) / 1e6).toFixed(3)})`);
    const { run, schedule, time } = result.value;
    line = `${(time * 1e3).toFixed(3)} ms simulated, ${schedule.operations.count} operations, ${run.effort.events} events; program ${(built - start).toFixed(0)}, costs ${(cost - built).toFixed(0)}, schedule, fold and run ${(end - cost).toFixed(0)} ms`;
  }
  const rss = (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20;
  console.log(
    `${algorithm} ${String(gpus).padStart(6)} GPUs × ${c.collChannels} channels: ${times.join(', ')} s, ${rss.toFixed(0)} MiB beyond Node's; laid out in ${(laid - begin).toFixed(0)} ms; ${line}`,
  );
}

const algorithm = option('--algorithm', 'Ring') as AlgorithmName;
if (has('--gpus')) measure(Number(option('--gpus', '64')), algorithm);
else {
  const { execFileSync } = await import('node:child_process');
  for (const gpus of [8, 64, 1024, 4096, 16384]) {
    execFileSync(process.execPath, [...process.execArgv, ...process.argv.slice(1), '--gpus', String(gpus)], {
      stdio: 'inherit',
    });
  }
}
