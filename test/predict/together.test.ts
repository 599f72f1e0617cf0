import { describe, expect, it } from 'vitest';
import { answerMove } from '../../src/answer/move.ts';
import { answerTogether, type TogetherAnswer } from '../../src/answer/movements.ts';
import { assemble } from '../../src/assemble/assemble.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { assuming } from '../support/assuming.ts';
import { system } from '../support/machines.ts';

const load = { depth: 4, threads: 16, both: false };
const bytes = 64 * 2 ** 20;

function together(machine: Machine, [first, ...others]: readonly string[], trace = false): TogetherAnswer {
  const [from, to, path] = first!.split(' ');
  const answer = answerMove(machine, {}, from!, to!, { ...load, sizes: [bytes], ...(path ? { path } : {}) });
  if (!answer.ok) throw new Error(answer.error.code);
  const ran = answerTogether(machine, {}, answer.value, others, { bytes, load, language: 'en', trace });
  if (!ran.ok) throw new Error(ran.error.code);
  return ran.value;
}
const sum = (t: TogetherAnswer): number => t.movements.reduce((s, m) => s + m.rate, 0);

describe('movements that start together', () => {
  it('share the uplink of the switch that their GPUs hang on, and name it', () => {
    const t = together(system('dgx-1v', 1), ['gpu0 host0', 'gpu1 host0']);
    for (const m of t.movements) {
      expect(m.rate / m.alone).toBeCloseTo(0.5, 2);
      expect(m.heldBy[0]!.name).toContain('switch0, upwards');
      expect(m.heldBy[0]!.share).toBeGreaterThan(0.99);
    }
    expect(sum(t)).toBeLessThanOrEqual(t.movements[0]!.alone * 1.001);
  });

  it('do not disturb each other in opposite directions, or behind different switches', () => {
    for (const other of ['host0 gpu1', 'gpu2 host0']) {
      for (const m of together(system('dgx-1v', 1), ['gpu0 host0', other]).movements) {
        expect(m.rate / m.alone).toBeGreaterThan(0.98);
      }
    }
  });

  it('share the port of one NIC, and have theirs alone where each GPU has its own', () => {
    const gdr = [{ fact: 'gdr', on: true }] as const;
    const one = together(assuming(system('dgx-1v', 2), gdr), ['gpu0 node1/gpu0', 'gpu1 node1/gpu1']);
    // 100 Gb/s, of which InfiniBand's headers leave 99 %.
    expect(sum(one) / 12.5e9).toBeCloseTo(0.99, 2);
    expect(one.movements[0]!.rate).toBeCloseTo(one.movements[1]!.rate, -7);
    const own = together(assuming(system('dgx-h100', 2), gdr), ['gpu0 node1/gpu0', 'gpu1 node1/gpu1']);
    expect(own.movements[0]!.rate / own.movements[0]!.alone).toBeGreaterThan(0.999);
  });

  it('eight pairs at once keep their full rate through NVSwitches', () => {
    const pairs = Array.from({ length: 4 }, (_, i) => [`gpu${2 * i} gpu${2 * i + 1}`, `gpu${2 * i + 1} gpu${2 * i}`]);
    for (const m of together(system('dgx-h100', 1), pairs.flat()).movements) {
      expect(m.path).toBe('nvlink');
      expect(m.rate / m.alone).toBeGreaterThan(0.999);
    }
    // Two senders to one GPU share its links, whatever lies between.
    const into = together(system('dgx-h100', 1), ['gpu0 gpu2', 'gpu1 gpu2']);
    // One fills the links while the other starts its next copy.
    expect(sum(into) / into.movements[0]!.alone).toBeGreaterThan(0.999);
    expect(sum(into) / into.movements[0]!.alone).toBeLessThan(1.02);
  });

  it('a read from drives takes from a staged exchange just the wire they share', async () => {
    const text =
      'node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: roce, rate: 200Gb/s}\nstorage: {type: nvme, count: 4, perDeviceGBps: 6.8, placement: same-switch, gds: true}\n';
    const read = await readClusterYaml(text, 'c.yaml');
    if (!read.ok) throw new Error('description');
    const machine = assemble([read.value]);
    const t = together(
      machine,
      ['node1/gpu0 node0/gpu0 host-staged-rdma', 'node0/storage node0/gpu0 posix-bounce'],
      true,
    );
    for (const m of t.movements) {
      expect(m.rate).toBeLessThanOrEqual(m.alone * 1.001);
      expect(m.rate).toBeGreaterThan(m.alone * 0.3);
      expect(m.heldBy[0]!.name).toMatch(/^PCIe above node0\//);
    }
    // The trace has tracks of both, told apart.
    const tracks = t.trace!.traceEvents.filter((e) => e.name === 'thread_name').map((e) => String(e.args?.['name']));
    expect(tracks.some((n) => n.startsWith('node1/gpu0 → node0/gpu0: '))).toBe(true);
    expect(tracks.some((n) => n.startsWith('node0/storage → node0/gpu0: '))).toBe(true);
    expect(tracks.some((n) => /^PCIe above node0\/.*downwards/.test(n))).toBe(true);
  });
});
