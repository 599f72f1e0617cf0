import { describe, expect, it } from 'vitest';
import { type AtOnce, answerAtOnce } from '../../src/answer/at-once.ts';
import { answerMove } from '../../src/answer/move.ts';
import { answerTogether } from '../../src/answer/movements.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { endList, pairUp } from '../../src/move/lists.ts';
import { assuming } from '../support/assuming.ts';
import { described, system } from '../support/machines.ts';

const load = { depth: 4, threads: 8, both: false };

function atOnce(machine: Machine, from: string, to: string, over: { bytes?: number; path?: string } = {}): AtOnce {
  const a = endList(machine, from);
  const b = endList(machine, to);
  if (!a.ok || !b.ok) throw new Error('ends');
  const pairs = pairUp(a.value, b.value);
  if (!pairs.ok) throw new Error(pairs.error.code);
  const ran = answerAtOnce(machine, {}, pairs.value, { bytes: 2 ** 20, load, language: 'en', trace: false, ...over });
  if (!ran.ok) throw new Error(ran.error.code);
  return ran.value.atOnce;
}
const path = (a: AtOnce, id: string) => a.paths.find((p) => p.path === id)!;

describe('several GPUs on several drives', async () => {
  /** Two drives and four GPUs to a switch; all drives hang on the first. */
  const machine = await described(
    'node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 4}\nstorage: {type: nvme, count: 4, perDeviceGBps: 3.5, readLatencyUs: 80, placement: same-switch, gds: true}\n',
  );

  it('share the drives: all together bring what these bring, and each knows what holds it', () => {
    for (const id of ['gpudirect-storage', 'posix-bounce']) {
      const all = path(atOnce(machine, 'storage', 'gpus', { path: id }), id);
      expect(all.movements).toHaveLength(8);
      expect(all.total).toBeLessThanOrEqual(14e9 * (1 + 1e-9));
      expect(all.total).toBeGreaterThan(13e9);
      expect(all.alone).toBeGreaterThan(2 * all.total);
      for (const m of all.movements) expect(m.heldBy[0]!.name).toMatch(/nvme\d, reading|switch\d, (?:up|down)wards/);
    }
  });

  it('each on a drive of its own keep its rate where only the drive is in the way', () => {
    const near = path(
      atOnce(machine, 'nvme0..nvme3', 'gpu0..gpu3', { path: 'gpudirect-storage' }),
      'gpudirect-storage',
    );
    for (const m of near.movements) expect(m.rate / m.alone).toBeGreaterThan(0.99);
    expect(near.total).toBeCloseTo(near.alone, -7);
  });

  it('far ones are fed through one near GPU, whose link they all take', async () => {
    // Six drives bring more than one Gen4 link passes.
    const wide = await described(
      'node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 4}\nstorage: {type: nvme, count: 6, perDeviceGBps: 7, readLatencyUs: 80, placement: same-switch, gds: true}\n',
    );
    const run = path(
      atOnce(wide, 'nvme0,nvme1,nvme2,nvme3,nvme4,nvme5', 'gpu4,gpu5,gpu6,gpu7,gpu4,gpu5', {
        path: 'gpudirect-storage',
        bytes: 16 * 2 ** 20,
      }),
      'gpudirect-storage',
    );
    const link = run.movements[0]!.model.stages[1]!.links.find((l) => /gpu0/.test(String(l.name.args['device'])))!;
    expect(run.total).toBeLessThanOrEqual(link.rate * (1 + 1e-9));
    expect(run.total).toBeGreaterThan(0.9 * link.rate);
    for (const m of run.movements) {
      expect(m.rate).toBeLessThan(0.8 * m.alone);
      expect(m.heldBy[0]!.name).toContain('node0/gpu0');
    }
  });

  it('staged, they also meet in host memory, and keep cores busy', () => {
    const all = atOnce(machine, 'storage', 'gpus');
    const staged = path(all, 'posix-bounce');
    expect(staged.hostMemory / staged.movements.reduce((s, m) => s + m.rate, 0)).toBeCloseTo(2, 9);
    expect(path(all, 'gpudirect-storage').hostMemory).toBe(0);
    expect(path(all, 'gpudirect-storage').cores).toBeLessThan(staged.cores);
  });

  it('a checkpoint of all GPUs at once is no faster than the drives write', () => {
    const all = path(atOnce(machine, 'gpus', 'storage', { path: 'gpudirect-storage' }), 'gpudirect-storage');
    expect(all.total).toBeLessThanOrEqual(14e9 * (1 + 1e-9));
    expect(all.movements.every((m) => /nvme\d, writing/.test(m.heldBy[0]!.name))).toBe(true);
  });
});

describe('eight pairs at once', () => {
  const pairs = { bytes: 2 ** 26, path: 'nvlink' };

  it('keep their full rate through the NVSwitches of sixteen GPUs', () => {
    const all = path(atOnce(system('dgx-2', 1), 'gpu0..gpu7', 'gpu8..gpu15', pairs), 'nvlink');
    expect(all.movements).toHaveLength(8);
    for (const m of all.movements) expect(m.rate / m.alone).toBeGreaterThan(0.999);
    expect(all.total / all.alone).toBeGreaterThan(0.999);
  });

  it('do not in a cube mesh: pairs without a link of their own go through a GPU between, over links of others', () => {
    const mesh = system('dgx-1v', 1);
    const run = path(
      atOnce(mesh, 'gpu0,gpu1,gpu2,gpu3,gpu4,gpu5,gpu6,gpu7', 'gpu5,gpu6,gpu7,gpu4,gpu3,gpu2,gpu1,gpu0', pairs),
      'nvlink',
    );
    const far = run.movements.filter((m) => m.model.stages.length === 2);
    expect(far.length).toBeGreaterThan(3);
    expect(run.total).toBeLessThan(0.8 * run.alone);
    for (const m of far.filter((x) => x.rate < 0.9 * x.alone))
      expect(m.heldBy[0]!.name).toMatch(/NVLinks (?:out of|into)/);
    // Neighbours that each have links of their own keep them.
    const near = path(atOnce(mesh, 'gpu0,gpu1,gpu4,gpu5', 'gpu3,gpu2,gpu7,gpu6', pairs), 'nvlink');
    for (const m of near.movements.filter((x) => x.model.stages.length === 1))
      expect(m.rate / m.alone).toBeGreaterThan(0.999);
  });
});

describe('pairs of GPUs at once', () => {
  it('take turns at the NICs beside them, one each where there are as many', async () => {
    const two = await described(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: infiniband, rate: 400Gb/s}\n',
    );
    const run = atOnce(assuming(two, [{ fact: 'gdr', on: true }]), 'gpus', 'node1/gpus', { bytes: 2 ** 26 });
    const direct = path(run, 'gpudirect-rdma');
    expect(direct.total / direct.alone).toBeGreaterThan(0.999);
  });

  it('two with two NICs behind one switch uplink: nothing of it when the switch passes them, half of it each when ACS sends them up', async () => {
    const two = await described(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: amd-genoa, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: infiniband, rate: 400Gb/s}\n',
    );
    const ask = ['gpu0,gpu1', 'node1/gpu0,node1/gpu1', { bytes: 2 ** 26, path: 'gpudirect-rdma' }] as const;
    const gdr = { fact: 'gdr', on: true } as const;
    const own = path(atOnce(assuming(two, [gdr]), ...ask), 'gpudirect-rdma');
    for (const m of own.movements) expect([m.rate / m.alone > 0.999, m.heldBy]).toEqual([true, []]);
    const up = path(atOnce(assuming(two, [gdr, { fact: 'acs', on: true }]), ...ask), 'gpudirect-rdma');
    const [a, b] = up.movements as [(typeof up.movements)[0], (typeof up.movements)[0]];
    const uplink = a.model.stages[0]!.links.find((l) => /switch0/.test(String(l.name.args['device'])))!;
    expect((a.rate + b.rate) / uplink.rate).toBeCloseTo(1, 2);
    expect(a.rate).toBeCloseTo(b.rate, -6);
    for (const m of up.movements) {
      expect(m.heldBy[0]!.name).toBe('PCIe above node0/switch0, upwards');
      expect(m.heldBy[0]!.share).toBeGreaterThan(0.99);
    }
  });

  it('share the one NIC of a switch', () => {
    const run = atOnce(
      assuming(system('dgx-1v', 2), [{ fact: 'gdr', on: true }]),
      'gpu0,gpu1',
      'node1/gpu0,node1/gpu1',
      {
        bytes: 2 ** 26,
      },
    );
    const direct = path(run, 'gpudirect-rdma');
    const port = direct.movements[0]!.model.stages.find((s) => s.name.code === 'move.stage.wire')!;
    expect(direct.total / port.rate).toBeCloseTo(1, 2);
    expect(direct.alone).toBeGreaterThan(1.6 * direct.total);
  });
});

describe('a checkpoint beside an AllReduce', () => {
  const yaml = (nics: number) =>
    `node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: ${nics}, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: roce, rate: 200Gb/s}\nstorage: {type: nvmeof, count: 16, perDeviceGBps: 6.8, perDeviceWriteGBps: 6.8, placement: same-switch, gds: true}\n`;

  it('to drives behind the network takes half of the port that the ring sends through, and the trace shows who waited', async () => {
    const machine = assuming(await described(yaml(8)), [{ fact: 'gdr', on: true }]);
    const of = (paths: readonly (readonly [string, string, string])[]) => {
      const [first, ...beside] = paths;
      const answer = answerMove(machine, {}, first![0], first![1], { ...load, sizes: [2 ** 26], path: first![2] });
      if (!answer.ok) throw new Error(answer.error.code);
      const ran = answerTogether(
        machine,
        {},
        answer.value,
        beside.map((b) => b.join(' ')),
        {
          bytes: 2 ** 26,
          load: { depth: 8, threads: 8, both: false },
          language: 'en',
          trace: true,
        },
      );
      if (!ran.ok) throw new Error(ran.error.code);
      return ran.value;
    };
    // What a ring's GPU sends to its neighbour of the next node, and beside it the shard that the same GPU writes.
    const both = of([
      ['node0/gpu0', 'node1/gpu0', 'gpudirect-rdma'],
      ['node0/gpu0', 'node0/storage', 'gpudirect-storage'],
    ]);
    const [ring, shard] = both.movements as [(typeof both.movements)[0], (typeof both.movements)[0]];
    expect(ring.rate / ring.alone).toBeGreaterThan(0.45);
    expect(ring.rate / ring.alone).toBeLessThan(0.75);
    expect(shard.rate).toBeLessThan(shard.alone);
    for (const m of both.movements)
      expect(m.heldBy[0]!.name).toMatch(/port of node0\/nic0, sending|node0\/(?:nic|gpu)0, (?:up|down)wards/);
    const tracks = both.trace!.traceEvents.filter((e) => e.name === 'thread_name').map((e) => String(e.args?.['name']));
    expect(tracks).toContain('port of node0/nic0, sending');
    // Another GPU's shard leaves by another NIC, and nobody waits.
    const apart = of([
      ['node0/gpu0', 'node1/gpu0', 'gpudirect-rdma'],
      ['node0/gpu2', 'node0/storage', 'gpudirect-storage'],
    ]);
    for (const m of apart.movements) expect(m.rate / m.alone).toBeGreaterThan(0.999);
  });
});

describe('lists of ends', () => {
  const machine = system('hgx-h100', 2);
  it.each([
    ['gpu3', ['gpu3']],
    ['gpu0..gpu2', ['gpu0', 'gpu1', 'gpu2']],
    ['node1/gpu0..node1/gpu1', ['node1/gpu0', 'node1/gpu1']],
    ['node1/gpu6-7,gpu0', ['node1/gpu6', 'node1/gpu7', 'gpu0']],
    ['node1/gpus', Array.from({ length: 8 }, (_, i) => `node1/gpu${i}`)],
  ])('%s is %o', (text, names) => {
    expect(endList(machine, text)).toEqual({ ok: true, value: names });
  });

  it.each([
    ['gpu7..gpu0', 'move.range'],
    ['gpu0..nvme3', 'move.range'],
    ['gpu0..node1/gpu3', 'move.range'],
    ['drives', 'move.none-of'],
    ['gpu0,', 'move.none-of'],
    ['gpu0..gpu9999', 'move.too-many-ends'],
  ])('%s says what is wrong: %s', (text, code) => {
    const list = endList(machine, text);
    expect(list.ok ? 'taken' : list.error.code).toBe(code);
  });

  it('pairs one to one, or all with one', () => {
    expect(pairUp(['a'], ['b', 'c'])).toEqual({
      ok: true,
      value: [
        ['a', 'b'],
        ['a', 'c'],
      ],
    });
    expect(pairUp(['a', 'b'], ['c', 'd', 'e']).ok).toBe(false);
  });
});
