import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerMove, parseSizes, usualSizes } from '../../src/answer/move.ts';
import { calibration } from '../../src/catalogue/calibration.ts';
import { isSource } from '../../src/catalogue/check.ts';
import { systems } from '../../src/catalogue/systems.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { nameDevices } from '../../src/machine/names.ts';
import { copiesOf, type DataPathModel, hostMemoryOf, type MovePath, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { assuming } from '../support/assuming.ts';
import { everyPath } from '../support/data-paths.ts';
import { system } from '../support/machines.ts';

const ids = [...systems.keys()];
const machines = new Map(ids.map((id) => [id, assuming(system(id, 2), [{ fact: 'gdr', on: true }])]));

function models(machine: Machine, from: string, to: string): readonly DataPathModel[] {
  const found = dataPaths(machine, {}, from, to);
  return found.ok ? found.value : [];
}
const model = (machine: Machine, from: string, to: string, path: MovePath): DataPathModel => {
  const found = models(machine, from, to).find((m) => m.path === path);
  if (!found) throw new Error(`no ${path}`);
  return found;
};

const all: readonly DataPathModel[] = (await everyPath()).map((p) => p.m);
const anyPath = fc.constantFrom(...all);
const bytes = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.nat()).map(([e, r]) => 2 ** e + (r % 2 ** e));

const load = fc.record({
  depth: fc.integer({ min: 1, max: 128 }),
  threads: fc.integer({ min: 1, max: 64 }),
  both: fc.boolean(),
});

describe('a data path', () => {
  it('never beats its narrowest stage, nor does time fall when bytes grow', () => {
    fc.assert(
      fc.property(anyPath, load, bytes, bytes, (m, how, x, y) => {
        const slowest = Math.min(...m.stages.map((s) => s.rate));
        const row = moveRow(m, Math.min(x, y), how);
        const more = moveRow(m, Math.max(x, y), how);
        const ok =
          row.bandwidthGBps * 1e9 <= slowest * (how.both ? 2 : 1) * (1 + 1e-9) &&
          more.latencyUs >= row.latencyUs * (1 - 1e-12) &&
          // Nor does that of a batch, or of workers, at whatever depth.
          more.bytes / more.bandwidthGBps >= (row.bytes / row.bandwidthGBps) * (1 - 1e-9) &&
          row.bytes / row.latencyUs / 1e3 <= slowest / 1e9 + 1e-9 &&
          row.latencyUs > 0;
        // Building an assertion each time would take longer than all the rest.
        if (!ok) throw new Error(JSON.stringify([m.path, how, row, more, slowest]));
      }),
      { numRuns: 100_000 },
    );
  });

  it('gains from more in flight, and never loses', () => {
    fc.assert(
      fc.property(anyPath, fc.integer({ min: 1, max: 64 }), fc.integer({ min: 3, max: 30 }), (m, depth, exponent) => {
        const one = moveRow(m, 2 ** exponent, { depth, threads: depth, both: false });
        const two = moveRow(m, 2 ** exponent, { depth: depth + 1, threads: depth + 1, both: false });
        expect(two.bandwidthGBps).toBeGreaterThanOrEqual(one.bandwidthGBps * (1 - 1e-12));
      }),
      { numRuns: 5000 },
    );
  });

  it('makes the copies that the textbook says, and direct ones touch no host memory and no core per byte', () => {
    const copies: Partial<Record<MovePath, number>> = {
      'memcpy-pinned': 1,
      'memcpy-pageable': 2,
      'host-staged': 2,
      'p2p-pcie': 1,
      'nvlink-c2c': 1,
      'host-rdma': 0,
      'host-staged-rdma': 2,
      'gpudirect-rdma': 0,
      tcp: 4,
      'ipoib-datagram': 4,
      'ipoib-connected': 4,
    };
    const seen = new Set<MovePath>();
    for (const machine of machines.values()) {
      const gpus = nameDevices(machine).filter((d) => d.kind === 'gpu' && d.node === 0);
      for (const [from, to] of [
        ['node0/gpu0', `node0/${gpus[gpus.length - 1]!.local}`],
        ['node0/gpu0', 'node1/gpu0'],
        ['node0/gpu0', 'node0/host0'],
        ['node0/host0', 'node1/host0'],
      ] as const) {
        for (const m of models(machine, from, to)) {
          seen.add(m.path);
          const gpu = from.includes('gpu');
          const kernel = m.path === 'tcp' || m.path.startsWith('ipoib');
          if (copies[m.path] !== undefined) expect(copiesOf(m), m.path).toBe(kernel && !gpu ? 2 : copies[m.path]);
          if (m.path === 'nvlink') expect(copiesOf(m)).toBe(m.stages.length);
          if (/^gpudirect|^nvlink$|^p2p/.test(m.path)) {
            expect(hostMemoryOf(m)).toBe(0);
            // TCPX alone costs cores: for the header of each packet, never for payload.
            expect(m.stages.every((s) => s.cpuPerByte === 0 || /-split$/.test(s.name.code))).toBe(true);
          }
          if (m.path === 'host-staged') expect(hostMemoryOf(m)).toBe(2);
          if (m.path === 'host-staged-rdma') expect(hostMemoryOf(m)).toBe(4);
        }
      }
    }
    for (const path of Object.keys(copies)) expect([...seen]).toContain(path);
  });
});

describe('ACS', () => {
  it('sends what one switch could pass through the root complex, and no other traffic', () => {
    for (const [id, machine] of machines) {
      const acs = assuming(machine, [{ fact: 'acs', on: true }]);
      for (const [from, to] of [
        ['node0/gpu0', 'node1/gpu0'],
        ['node0/gpu0', 'node0/gpu1'],
        ['node0/gpu0', 'node0/host0'],
      ] as const) {
        for (const m of models(machine, from, to)) {
          const after = model(acs, from, to, m.path);
          expect(m.note?.code).not.toBe('move.note.acs');
          // What takes another way says so; all else stays as it is, and nothing gets faster.
          const moved = JSON.stringify(after.stages) !== JSON.stringify(m.stages);
          expect(after.note?.code, `${id} ${m.path}`).toBe(moved ? 'move.note.acs' : m.note?.code);
          expect(rateOf(after)).toBeLessThanOrEqual(rateOf(m));
          if (!/^(gpudirect-rdma|p2p-pcie)$/.test(m.path)) expect(after.note?.code).not.toBe('move.note.acs');
        }
      }
    }
    const h100 = machines.get('hgx-h100')!;
    const before = model(h100, 'node0/gpu0', 'node1/gpu0', 'gpudirect-rdma');
    const after = model(assuming(h100, [{ fact: 'acs', on: true }]), 'node0/gpu0', 'node1/gpu0', 'gpudirect-rdma');
    expect(after.note?.code).toBe('move.note.acs');
    expect(rateOf(after)).toBeLessThan(rateOf(before));
  });
});

const rateOf = (m: DataPathModel): number => moveRow(m, 2 ** 26, { depth: 1, threads: 1, both: false }).bandwidthGBps;

describe('what decides', () => {
  const h100 = machines.get('hgx-h100')!;
  const rate = (m: DataPathModel, bytes = 2 ** 26, depth = 16): number =>
    moveRow(m, bytes, { depth, threads: 1, both: false }).bandwidthGBps;

  it('is the weakest of port, lanes and placement, not NVLink', () => {
    expect(rate(model(h100, 'node0/gpu0', 'node1/gpu0', 'gpudirect-rdma'))).toBeCloseTo(50 * 0.99, 0);
    const slow = { ...h100, fabric: { ...h100.fabric, rateMbps: { value: 100_000, at: [] } } };
    expect(rate(model(slow, 'node0/gpu0', 'node1/gpu0', 'gpudirect-rdma'))).toBeLessThan(12.5);
    expect(rate(model(slow, 'node0/gpu0', 'node0/gpu1', 'nvlink'))).toBe(
      rate(model(h100, 'node0/gpu0', 'node0/gpu1', 'nvlink')),
    );
  });

  it('gives the order that is measured: direct, staged, kernel', () => {
    const by = new Map(models(h100, 'node0/gpu0', 'node1/gpu0').map((m) => [m.path, m]));
    const order = (['gpudirect-rdma', 'host-staged-rdma', 'ipoib-connected', 'ipoib-datagram'] as const).map((p) =>
      rate(by.get(p)!, 2 ** 22),
    );
    expect([...order].sort((a, b) => b - a)).toEqual(order);
    const lat = (p: MovePath): number => moveRow(by.get(p)!, 8, { depth: 1, threads: 1, both: false }).latencyUs;
    expect(lat('gpudirect-rdma')).toBeLessThan(lat('host-staged-rdma'));
    expect(lat('host-staged-rdma')).toBeLessThan(lat('ipoib-datagram'));
  });

  it('says what today allows and why not', () => {
    const off = assuming(system('hgx-h100', 2), [{ fact: 'gdr', on: false }]);
    expect(model(off, 'node0/gpu0', 'node1/gpu0', 'gpudirect-rdma')).toMatchObject({
      allowed: 'no',
      rule: { code: 'rule.gdr.nic-cannot' },
    });
    expect(model(off, 'node0/gpu0', 'node1/gpu0', 'host-staged-rdma').allowed).toBe('yes');
  });
});

describe('questions that cannot be answered', () => {
  const h100 = machines.get('hgx-h100')!;
  it.each([
    ['node0/gpu9', 'node1/gpu0', undefined, 'move.no-end'],
    ['node0/gpu0', 'node7/gpu0', undefined, 'move.no-node'],
    ['node0/gpu0', 'node1/gpu0', 'nvlink', 'move.path-not-here'],
    ['node0/gpu0', 'node1/gpu0', 'teleport', 'move.unknown-path'],
    ['storage', 'node0/gpu0', undefined, 'move.no-drives'],
    ['node0/gpu0', 'node0/gpu0', undefined, 'move.same-end'],
    ['node0/host0', 'node0/host0', undefined, 'move.same-end'],
    ['node0/host0', 'node0/host1', undefined, 'move.no-path'],
    ['client', 'client', undefined, 'move.no-path'],
  ])('%s → %s by %s: %s', (from, to, path, code) => {
    const answer = answerMove(h100, {}, from, to, {
      sizes: [8],
      depth: 1,
      threads: 1,
      both: false,
      ...(path === undefined ? {} : { path }),
    });
    expect(answer.ok ? 'answered' : answer.error.code).toBe(code);
  });

  it('what is there is told in few words', () => {
    const found = dataPaths(h100, {}, 'gpu9', 'gpu0');
    expect(found.ok ? '' : found.error.args['known']).toBe('gpu0..gpu7, host0, host1, capture0, client');
  });

  it('sizes are bytes with K, M, G, T', () => {
    expect(parseSizes('8,4K,1m,2GiB')).toEqual({ ok: true, value: [8, 4096, 2 ** 20, 2 ** 31] });
    for (const bad of ['0', '-1', '1e9', '', '10P', '999999T']) expect(parseSizes(bad).ok, bad).toBe(false);
    expect(usualSizes[0]).toBe(8);
    expect(usualSizes[usualSizes.length - 1]).toBe(2 ** 30);
  });
});

describe('calibrated constants', () => {
  it('are in a plausible range, have a unit and a source, and name what they were fitted on', () => {
    for (const [name, c] of Object.entries(calibration)) {
      expect(c.value, name).toBeGreaterThanOrEqual(c.range[0]);
      expect(c.value, name).toBeLessThanOrEqual(c.range[1]);
      expect(c.unit.length, name).toBeGreaterThan(0);
      expect(isSource(c.source), name).toBe(true);
      expect(c.fitted.length, name).toBeGreaterThan(0);
    }
  });
});
