import { describe, expect, it } from 'vitest';
import { type AtOnce, answerAtOnce } from '../../src/answer/at-once.ts';
import { assume } from '../../src/assemble/assume.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { endList, pairUp } from '../../src/move/lists.ts';
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

describe('pairs of GPUs at once', () => {
  it('take turns at the NICs beside them, one each where there are as many', async () => {
    const two = await described(
      'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: infiniband, rate: 400Gb/s}\n',
    );
    const run = atOnce(assume(two, [{ fact: 'gdr', on: true }]), 'gpus', 'node1/gpus', { bytes: 2 ** 26 });
    const direct = path(run, 'gpudirect-rdma');
    expect(direct.total / direct.alone).toBeGreaterThan(0.999);
  });

  it('share the one NIC of a switch', () => {
    const run = atOnce(assume(system('dgx-1v', 2), [{ fact: 'gdr', on: true }]), 'gpu0,gpu1', 'node1/gpu0,node1/gpu1', {
      bytes: 2 ** 26,
    });
    const direct = path(run, 'gpudirect-rdma');
    expect(direct.total / direct.alone).toBeCloseTo(0.5, 2);
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
