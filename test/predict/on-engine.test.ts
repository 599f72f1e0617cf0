import { describe, expect, it } from 'vitest';
import { systems } from '../../src/catalogue/systems.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { speedsFor } from '../../src/predict/collective/catalogued.ts';
import { groundOf } from '../../src/predict/collective/ground.ts';
import { OnEngine } from '../../src/predict/collective/on-engine.ts';
import { Predictor, type TestName } from '../../src/predict/collective/predict.ts';
import { assuming } from '../support/assuming.ts';
import { described, system } from '../support/machines.ts';

/** Engine's time over the closed form's, for sizes from 1 KiB to 1 GiB. */
function ratios(id: string, nodes: number, name: TestName): { ratio: number; how: string; bytes: number }[] {
  const ground = groundOf(system(id, nodes), {});
  if (!ground.ok) throw new Error(id);
  const speeds = speedsFor(ground.value);
  const engine = new OnEngine(ground.value, speeds);
  const closed = new Predictor(ground.value, speeds, name, 'float');
  const out: { ratio: number; how: string; bytes: number }[] = [];
  for (let e = 10; e <= 30; e += 5) {
    const timed = engine.time(name, 2 ** e, 4, { fold: 'near' });
    if (!timed.ok) throw new Error(timed.error.code);
    const { algorithm, timeUs } = closed.at(2 ** e);
    out.push({ ratio: (timed.value.time * 1e6) / timeUs, how: algorithm, bytes: 2 ** e });
  }
  return out;
}

/** All exchanges of a machine, the engine beside the closed form. */
function exchangesAgree(machine: Machine, sizes: readonly number[], within: number, what: string): void {
  const ground = groundOf(machine, {});
  // Without a NIC nodes do not meet.
  if (!ground.ok) return;
  const speeds = speedsFor(ground.value);
  const engine = new OnEngine(ground.value, speeds);
  for (const name of ['alltoall', 'sendrecv', 'gather', 'scatter'] as const) {
    const closed = new Predictor(ground.value, speeds, name, 'float');
    for (const bytes of sizes) {
      const timed = engine.time(name, bytes, 4, { fold: 'near' });
      if (!timed.ok) throw new Error(timed.error.code);
      const apart = Math.abs(Math.log((timed.value.time * 1e6) / closed.at(bytes).timeUs));
      expect(apart, `${what} ${name} ${bytes}`).toBeLessThan(within);
    }
  }
}

const machines = [
  ['dgx-h100', 1],
  ['dgx-h100', 2],
  ['dgx-h100', 8],
  ['dgx-a100-80g', 1],
  ['dgx-a100-80g', 4],
  ['pcie-a40-8', 2],
  ['pcie-rtx-3090-8', 1],
  ['dgx-1v', 1],
  ['oci-a100', 2],
  ['hgx-b200', 2],
] as const;

describe('the engine beside the closed form, with the same constants', () => {
  it('gives the same times for every algorithm, within a node and over nodes', () => {
    const all: number[] = [];
    for (const [id, nodes] of machines) {
      for (const name of ['all_reduce', 'all_gather', 'reduce_scatter', 'broadcast', 'reduce'] as const) {
        for (const { ratio, how, bytes } of ratios(id, nodes, name)) {
          const off = Math.abs(Math.log(ratio));
          all.push(off);
          // The most that single sizes are off, where a chunk changes or a chain of few pieces shares its wires.
          const most = how === 'Ring' ? 0.15 : 0.18;
          expect([id, nodes, name, bytes, how, off < most]).toEqual([id, nodes, name, bytes, how, true]);
        }
      }
    }
    all.sort((a, b) => a - b);
    expect(all[all.length >> 1]!).toBeLessThan(0.004);
    expect(all[Math.floor(all.length * 0.9)]!).toBeLessThan(0.04);
  });

  it('gives the same times for trees through many nodes, whose wires chunks of other nodes do not share', async () => {
    const host = (gpus: number, nics: number, each: number): string =>
      `node: {gpu: a10, gpus: ${gpus}, link: pcie, nic: 200Gb/s, nics: ${nics}, cpu: intel-icx, sockets: 1, pcie: gen4, gpusPerSwitch: ${each}}`;
    for (const [node, nodes] of [
      [host(2, 2, 0), 16],
      [host(8, 1, 4), 8],
    ] as const) {
      const env = 'software: {nccl: 2.18.3, gdr: true, env: {NCCL_ALGO: Tree, NCCL_PROTO: Simple}}';
      const ground = groundOf(await described(`${node}\nnodes: ${nodes}\nnetwork: {rate: 200Gb/s}\n${env}\n`), {});
      if (!ground.ok) throw new Error(ground.error.reason.code);
      const speeds = speedsFor(ground.value);
      const timed = new OnEngine(ground.value, speeds).time('all_reduce', 2 ** 30, 4, { fold: 'near' });
      if (!timed.ok) throw new Error(timed.error.code);
      const { timeUs } = new Predictor(ground.value, speeds, 'all_reduce', 'float').at(2 ** 30);
      expect(Math.abs(Math.log((timed.value.time * 1e6) / timeUs)), node).toBeLessThan(0.15);
    }
  });

  it('gives the same times for sends and receives on every system, with GPUDirect RDMA and without', () => {
    for (const id of systems.keys()) {
      for (const nodes of [1, 2]) {
        for (const gdr of nodes === 1 ? [true] : [true, false]) {
          const machine = assuming(system(id, nodes), [{ fact: 'gdr', on: gdr }]);
          exchangesAgree(machine, [2 ** 16, 2 ** 30], 0.02, `${id} ${nodes} ${gdr}`);
        }
      }
    }
  });

  it('gives the same times for them where hosts stand for others like them, and where the last has less', () => {
    for (const id of ['dgx-h100', 'dgx-1v', 'oci-a100']) exchangesAgree(system(id, 5), [2 ** 20, 2 ** 30], 0.02, id);
    // GPU's link and port are as crowded as each other there: the port waits while messages within the node take their part of the link.
    exchangesAgree(system('pcie-l40s-8', 5), [2 ** 20, 2 ** 30], 0.07, 'pcie-l40s-8');
    exchangesAgree(system('gb200-nvl72', 20), [2 ** 20, 2 ** 30], 0.05, 'gb200-nvl72');
  });

  it('knows what a way between two GPUs can carry: one NVLink of many, two ports, the slots of a slow network', () => {
    const rate = (machine: Machine): number => {
      const ground = groundOf(machine, {});
      if (!ground.ok) throw new Error('no ground');
      return (
        2 ** 30 / new Predictor(ground.value, speedsFor(ground.value), 'sendrecv', 'float').at(2 ** 30).timeUs / 1000
      );
    };
    // In a cube mesh neighbours in the ring are joined by one or two of their six NVLinks, or by way of a third GPU.
    expect(rate(system('dgx-1v'))).toBeLessThan(25);
    expect(rate(system('dgx-2'))).toBeGreaterThan(80);
    // Both ports that are near a GPU carry its message.
    expect(rate(system('oci-h100', 2))).toBeGreaterThan(30);
    // A connection over TCPX has 8 slots of 128 KiB in a fifth of a millisecond.
    expect(rate(system('gcp-a3-high', 2))).toBeLessThan(20);
  });

  it('sees that one message crosses by one NIC, however many a node has', () => {
    const ground = groundOf(system('dgx-h100', 2), {});
    if (!ground.ok) throw new Error('no ground');
    const engine = new OnEngine(ground.value, speedsFor(ground.value));
    const timed = engine.time('sendrecv', 2 ** 30, 4);
    if (!timed.ok) throw new Error(timed.error.code);
    const rate = 2 ** 30 / timed.value.time / 1e9;
    expect(rate).toBeLessThan(51);
    expect(rate).toBeGreaterThan(40);
  });
});
