import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTrain, type TrainAsk } from '../../src/answer/train.ts';
import { assemble } from '../../src/assemble/assemble.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { readText } from '../../src/read/read-source.ts';
import { modelNamed, readModel } from '../../src/workload/model.ts';
import { stepTime } from '../../src/workload/step.ts';
import { described, system } from '../support/machines.ts';

const named = (text: string) => {
  const m = modelNamed(text);
  if (!m.ok) throw new Error(text);
  return m.value;
};
const trained = (machine: Machine, over: Partial<TrainAsk> = {}) => {
  const a = answerTrain(
    machine,
    {},
    { model: named('7B'), strategy: 'ddp', bucket: 25 << 20, gradientWidth: 2, kept: 0.5, ...over },
  );
  if (!a.ok) throw new Error(a.error.reason.code);
  return a.value;
};

describe('a training step', () => {
  it('is never shorter than its work, nor than its collectives where they depend on each other: 2,000 cases', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ddp' as const, 'fsdp' as const),
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0.01, max: 1000, noNaN: true }),
        fc.double({ min: 0, max: 1000, noNaN: true }),
        fc.double({ min: 0.0001, max: 10, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 1, max: 1.2, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (strategy, layers, flops, start, perByte, optimizer, slowest, taken) => {
          const model = {
            name: 'm',
            parameters: 1e6 * layers,
            layers,
            flops: flops * 1e9,
            samples: 10,
            sample: 'image' as const,
          };
          const cost = (bytes: number): number => start + (bytes * perByte) / 1e3;
          const all = { allReduce: cost, allGather: cost, reduceScatter: cost };
          const ask = { model, strategy, bucket: 4e6, width: 2, gradientWidth: 4, rate: 1e13 };
          const t = stepTime(ask, { ...all, optimizer, taken, slowest });
          const slack = 1e-9 * t.step;
          expect(t.step).toBeGreaterThanOrEqual(t.compute * slowest + optimizer - slack);
          expect(t.step).toBeGreaterThanOrEqual(t.communication - slack);
          expect(t.step).toBeLessThanOrEqual(t.compute * slowest + optimizer + t.communication + slack);
          expect(t.compute + t.waiting + t.slowed + t.exposed + t.optimizer).toBeCloseTo(t.step, 6);
          const none = { allReduce: () => 0, allGather: () => 0, reduceScatter: () => 0 };
          const free = stepTime(ask, { ...none, optimizer: 0, taken, slowest: 1 });
          expect(free.step).toBeCloseTo(free.compute, 6);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('counts NVLink domains that span nodes, the last one as small as it is', async () => {
    const machine = await described(
      'node: {gpu: gb200, gpus: 4, link: nvswitch, nic: 400Gb/s, nics: 4, cpu: grace, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 3\nnvlinkDomain: 8\nnetwork: {transport: infiniband, rate: 400Gb/s}\nsoftware: {nccl: 2.26.2, gdr: true}\nlaunch: {mode: graph}\n',
    );
    const { rows, without, assumptions } = trained(machine);
    expect([...rows, ...without.map((w) => w.row)].every((r) => r.ranks === 4 * r.nodes)).toBe(true);
    expect(rows.map((r) => r.nodes)).toEqual([1, 2, 3]);
    expect(assumptions.map((a) => a.code)).toContain('train.assume.width');
  });

  it('scales worse with more nodes, fewer samples, slower networks, and without the direct ways', async () => {
    const node = (rate: string) =>
      described(
        `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: ${rate}, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 16\nnetwork: {transport: infiniband, rate: ${rate}}\nsoftware: {gdr: true}\n`,
      );
    const fast = trained(await node('400Gb/s'));
    const efficiencies = fast.rows.map((r) => r.efficiency);
    expect(fast.rows.map((r) => r.nodes)).toEqual([1, 2, 4, 8, 16]);
    expect(efficiencies[0]).toBe(1);
    for (let i = 1; i < efficiencies.length; i++)
      expect(efficiencies[i]!).toBeLessThanOrEqual(efficiencies[i - 1]! + 1e-3);
    const slow = trained(await node('50Gb/s'));
    expect(slow.rows.at(-1)!.efficiency).toBeLessThan(fast.rows.at(-1)!.efficiency);
    const short = trained(await node('400Gb/s'), { model: { ...named('7B'), samples: 256 } });
    expect(short.rows.at(-1)!.exposed / short.rows.at(-1)!.step).toBeGreaterThan(
      fast.rows.at(-1)!.exposed / fast.rows.at(-1)!.step,
    );
    expect(slow.without.map((w) => w.id).sort()).toEqual(['gdr-off', 'p2p-off']);
    for (const w of slow.without) expect(w.row.step).toBeGreaterThanOrEqual(slow.rows.at(-1)!.step * (1 - 1e-9));
  });

  it('asks for what GPUDirect RDMA would bring where it is off, and for what it is worth where it is on', async () => {
    const rack = (gdr: boolean): Promise<Machine> =>
      described(
        `node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnodes: 2\nnetwork: {transport: infiniband}\nsoftware: {nccl: 2.21.5, gdr: ${gdr}}\n`,
      );
    const off = trained(await rack(false), { strategy: 'fsdp' });
    const on = trained(await rack(true), { strategy: 'fsdp' });
    expect(off.without.map((w) => w.id)).toEqual(['p2p-off', 'gdr-on']);
    expect(on.without.map((w) => w.id)).toEqual(['p2p-off', 'gdr-off']);
    expect(off.without[1]!.row.step).toBeCloseTo(on.rows[1]!.step, 0);
    expect(on.without[1]!.row.step).toBeCloseTo(off.rows[1]!.step, 0);
  });

  it('says what a GPU has to hold: all of it under DDP, a share under FSDP', () => {
    const held = (strategy: 'ddp' | 'fsdp') =>
      trained(system('hgx-h100', 2), { strategy, model: named('70B') }).assumptions.find(
        (a) => a.code === 'train.holds-of',
      );
    expect(held('ddp')?.args).toMatchObject({ gb: 1120, gpus: 8 });
    expect(held('fsdp')?.args).toMatchObject({ gb: 140, gpus: 8 });
  });

  it('says where that is more than a GPU has, from where on it is not, and what would help, cheapest first', async () => {
    const of = (model: string, more: Parameters<typeof trained>[1] = {}) =>
      trained(system('hgx-h100', 2), { model: named(model), ...more });
    expect(of('1B').tooBig).toBeUndefined();
    const copies = of('7B');
    expect(copies.rows.map((r) => [r.held, r.fits])).toEqual([
      [112e9, false],
      [112e9, false],
    ]);
    expect(copies.tooBig?.remedies.map((r) => r.id)).toEqual(['shard-state', 'shard-all', 'adam-8']);
    for (const r of copies.tooBig!.remedies) expect(r.bytes).toBeLessThanOrEqual(80e9);
    expect(of('5B', { gradientWidth: 4 }).tooBig?.remedies[0]).toMatchObject({ id: 'gradients-16', bytes: 80e9 });
    const shards = of('70B', { strategy: 'fsdp' });
    expect(shards.tooBig).toMatchObject({ row: { ranks: 8 }, from: { ranks: 16 }, remedies: [] });
    expect(of('400B', { strategy: 'fsdp' }).tooBig?.remedies).toMatchObject([{ id: 'more-gpus', ranks: 80 }]);
  });

  it('says nothing of room where the GPU is not known', () => {
    const matrix = '\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tSYS\t0-7\nGPU1\tSYS\t X \t8-15\n';
    const machine = assemble(readText('topo.txt', matrix).documents);
    const { tooBig, rows, assumptions } = trained(machine, { model: named('70B'), peak: 1e14 });
    expect([tooBig, rows[0]?.fits]).toEqual([undefined, undefined]);
    expect(assumptions.map((a) => a.code)).toContain('train.holds');
  });

  it('shows what was published of convolutional nets: much gradient for little work scales worst', async () => {
    // Sergeev, Del Balso: Horovod, https://arxiv.org/abs/1802.05799, figure 6: VGG-16 68 %, ResNet-101 90 % at 512 GPUs.
    const pascal = await described(
      'node: {gpu: p40, gpus: 4, link: pcie, nic: 25Gb/s, nics: 1, cpu: intel-bdw, sockets: 2, pcie: gen3, gpusPerSwitch: 2, nicsPerSwitch: 1}\nnodes: 128\nnetwork: {transport: roce, rate: 25Gb/s}\nsoftware: {gdr: true}\n',
    );
    const exposed = (name: string): number => {
      const r = trained(pascal, { model: named(name), peak: 10e12, kept: 1 }).rows.at(-1)!;
      return r.communication / r.compute;
    };
    expect(exposed('vgg-16')).toBeGreaterThan(exposed('resnet-101'));
  });

  it('reads a model from its name, its size, or a page of YAML, and says what is wrong with it', async () => {
    expect(named('7B')).toMatchObject({ parameters: 7e9, layers: 32, flops: 14e9, sample: 'token' });
    expect(named('resnet-50')).toMatchObject({ sample: 'image' });
    expect(modelNamed('resnet-5O')).toMatchObject({ ok: false, error: { code: 'train.model.near' } });
    expect(modelNamed('__proto__')).toMatchObject({ ok: false, error: { code: 'train.model.unknown' } });
    expect(await readModel('name: mine\nparameters: 1.5e9\nlayers: 12\n', 'm.yaml')).toMatchObject({
      ok: true,
      value: { name: 'mine', parameters: 1.5e9, layers: 12 },
    });
    const wrong = await readModel('parametres: 3\n', 'm.yaml');
    expect(wrong.ok).toBe(false);
  });

  it('hides nothing and fears nothing where one GPU is alone', () => {
    for (const strategy of ['ddp', 'fsdp'] as const) {
      for (const name of ['7B', '70B', 'resnet-50']) {
        const alone = trained(system('gh200'), { model: named(name), strategy });
        expect(alone.rows.map((r) => r.exposed)).toEqual([0]);
        expect(alone.without).toEqual([]);
      }
    }
  });
});
