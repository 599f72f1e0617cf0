import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/assemble/assemble.ts';
import { assume } from '../../src/assemble/assume.ts';
import { random } from '../../src/base/random.ts';
import { systems } from '../../src/catalogue/systems.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { nameDevices } from '../../src/machine/names.ts';
import { generous } from '../../src/move/bytes/bench.ts';
import { type RunEnds, runBytes } from '../../src/move/bytes/run.ts';
import { copiesOf, type DataPathModel, hostMemoryOf } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { readClusterYaml } from '../../src/read/cluster-yaml.ts';
import { system } from '../support/machines.ts';

const ends = (from: string, to: string): RunEnds => ({
  from: from.includes('gpu') ? 'gpu' : from.includes('host') ? 'host' : 'drive',
  to: to.includes('gpu') ? 'gpu' : 'host',
  apart: from.split('/')[0] !== to.split('/')[0] && from.includes('/') && to.includes('/'),
});

async function withDrives(): Promise<Machine> {
  const text =
    'node: {gpu: a100-sxm4-80g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnodes: 2\nnetwork: {transport: roce, rate: 200Gb/s}\nstorage: {type: nvme, count: 2, perDeviceGBps: 6.8, placement: same-switch, gds: true}\n';
  const read = await readClusterYaml(text, 'c.yaml');
  if (!read.ok) throw new Error('description');
  return assemble([read.value]);
}

/** Every data path of every machine between every kind of ends, once. */
async function everyPath(): Promise<{ m: DataPathModel; e: RunEnds }[]> {
  const found = new Map<string, { m: DataPathModel; e: RunEnds }>();
  const machines = [...systems.keys()].map((id) => assume(system(id, 2), [{ fact: 'gdr', on: true }]));
  const tcp = { ...machines[0]!, fabric: { transport: { value: 'tcp' as const, at: [] } } };
  for (const machine of [...machines, tcp, await withDrives()]) {
    const gpus = nameDevices(machine)
      .filter((d) => d.kind === 'gpu' && d.node === 0)
      .map((d) => `node0/${d.local}`);
    const pairs = [
      ...gpus.slice(1).map((g) => [gpus[0]!, g] as const),
      [gpus[0]!, 'node1/gpu0'] as const,
      ['node0/host0', gpus[0]!] as const,
      [gpus[0]!, 'node0/host0'] as const,
      ['node0/host0', 'node1/host0'] as const,
      ['node0/storage', gpus[0]!] as const,
    ];
    for (const [from, to] of pairs) {
      const models = dataPaths(machine, {}, from, to);
      for (const m of models.ok ? models.value : []) {
        const e = ends(from, to);
        found.set(`${m.path} ${m.stages.map((s) => s.name.code).join()} ${JSON.stringify(e)}`, { m, e });
      }
    }
  }
  return [...found.values()];
}

const payload = (n: number, seed: number): Uint8Array => {
  const r = random(seed);
  return Uint8Array.from({ length: n }, () => r.below(256));
};

describe('with real bytes', async () => {
  const all = await everyPath();

  it('meets every kind of data path', () => {
    expect(new Set(all.map((x) => x.m.path)).size).toBeGreaterThanOrEqual(13);
  });

  it('what arrives is what was sent, with just the copies, host-memory traffic and core work that the model states', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.integer({ min: 1, max: 150_000 }), fc.integer(), ({ m, e }, n, seed) => {
        const bytes = payload(n, seed);
        const run = runBytes(m, e, bytes);
        if (!run.ok) throw new Error(`${m.path}: ${run.error}`);
        expect(Buffer.compare(run.value.received, bytes)).toBe(0);
        const t = run.value.tally;
        const block = e.from === 'drive' ? Math.ceil(n / 4096) * 4096 : n;
        expect(t.copied, m.path).toBe(copiesOf(m) * n);
        if (e.from === 'drive') expect(t.byDrives).toBe(block);
        const expected = m.path === 'posix-bounce' || m.path === 'gds-compat' ? block + n : hostMemoryOf(m) * n;
        expect(t.host, m.path).toBe(expected);
        if (/^gpudirect|^nvlink$|^p2p/.test(m.path)) expect([t.host, t.byCores]).toEqual([0, 0]);
        expect(t.byCores > 0).toBe(m.stages.some((s) => s.cpuPerByte > 0 && /kernel|stage\.core/.test(s.name.code)));
        if (e.apart) expect(t.byNics).toBe(2 * n);
      }),
      { numRuns: 400 },
    );
  });

  it('does not arrive when any one stage is taken away', () => {
    const bytes = payload(70_000, 7);
    for (const { m, e } of all) {
      m.stages.forEach((stage, i) => {
        const without = { ...m, stages: m.stages.filter((_, j) => j !== i) };
        const run = runBytes(without, e, bytes);
        const same = run.ok && run.value.received.every((b, j) => b === bytes[j]);
        // Two NVLink hops without one are one hop, and pageable memory without its core is pinned: other paths, other counts.
        const shorter =
          run.ok &&
          (run.value.tally.copied !== copiesOf(m) * bytes.length ||
            run.value.tally.host !== hostMemoryOf(m) * bytes.length);
        expect(!same || shorter, `${m.path} without ${stage.name.code}`).toBe(true);
      });
    }
  });

  it('fails for real reasons', () => {
    const direct = all.find((x) => x.m.path === 'gpudirect-rdma')!;
    const bytes = payload(200_000, 3);
    const fault = (support: Partial<typeof generous.support>, more: Partial<typeof generous> = {}): unknown => {
      const run = runBytes(direct.m, direct.e, bytes, {
        ...generous,
        ...more,
        support: { ...generous.support, ...support },
      });
      return run.ok ? 'arrived' : run.error;
    };
    expect(fault({})).toBe('arrived');
    expect(fault({ peermem: false })).toBe('no-peermem');
    expect(fault({ peermem: false, dmabuf: true })).toBe('arrived');
    expect(fault({ gpu: false })).toBe('gpu-unsupported');
    expect(fault({}, { bar1Bytes: 128 * 1024 })).toBe('bar1-full');
    expect(fault({}, { gpuBytes: 65536 })).toBe('out-of-memory');
    const host = all.find((x) => x.m.path === 'host-rdma')!;
    const locked = runBytes(host.m, host.e, bytes, { ...generous, support: { ...generous.support, memlock: 65536 } });
    expect(locked.ok ? 'arrived' : locked.error).toBe('memlock');
  });
});
