import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systems } from '../../src/catalogue/systems.ts';
import { deviceAt, nameDevices } from '../../src/machine/names.ts';
import { findEnd } from '../../src/move/ends.ts';
import { type DataPathModel, moveRow } from '../../src/move/model.ts';
import { dataPaths } from '../../src/move/move.ts';
import { nearestNic } from '../../src/move/wires.ts';
import { nvlinkRate, pcieRate, portRate } from '../../src/physics/link-rate.ts';
import { runMove } from '../../src/predict/move.ts';
import { assuming } from '../support/assuming.ts';
import { everyPath } from '../support/data-paths.ts';
import { system } from '../support/machines.ts';

const names = {
  memory: (side: string) => `${side} memory`,
  core: (side: string) => `${side} core`,
  control: 'control',
  launch: 'launch',
  start: 'start',
  handOver: (stage: string) => `${stage}: hand over`,
};
/** One name for each message: a link's name says whose it is. */
const named = (m: { readonly code: string; readonly args: object }): string => `${m.code} ${JSON.stringify(m.args)}`;

const all: readonly DataPathModel[] = (await everyPath()).map((p) => p.m);
const anyModel = fc.constantFrom(...all);

/** What all NVLinks of a machine's first GPU carry, each way. */
const nvlinksOf = (machine: ReturnType<typeof system>): number => {
  const name = nameDevices(machine).find((d) => d.kind === 'gpu')!;
  const gpu = deviceAt(machine.hosts[0]!, name.path)!.gpus![name.slot ?? 0]!;
  return nvlinkRate(
    gpu,
    gpu.nvlinks.reduce((n, l) => n + l.count, 0),
  )!;
};

describe('the links of a data path', () => {
  it('none is slower than the stage that crosses it', () => {
    for (const m of all) {
      for (const stage of m.stages) {
        for (const link of stage.links) {
          expect(stage.rate, `${m.path} ${link.key}`).toBeLessThanOrEqual((link.rate / link.factor) * (1 + 1e-9));
        }
      }
    }
  });

  it('each carries every byte of the payload once for each time it is crossed: what goes in comes out', () => {
    fc.assert(
      fc.property(anyModel, fc.integer({ min: 1, max: 1 << 24 }), fc.integer({ min: 1, max: 4 }), (m, bytes, depth) => {
        const ran = runMove(m, { bytes, depth, threads: depth, named, names });
        if (!ran.ok) throw new Error(ran.error.code);
        const { schedule, result } = ran.value;
        const load = new Map<string, number>();
        for (const [i, name] of schedule.resources.name.entries()) {
          load.set(name, (load.get(name) ?? 0) + result.resources.load[i]!);
        }
        const payload = bytes * depth;
        const expected = new Map<string, number>();
        const cross = (name: string, factor: number): void =>
          void expected.set(name, (expected.get(name) ?? 0) + factor * payload);
        for (const stage of m.stages) {
          cross(named(stage.name), 1);
          for (const link of stage.links) cross(named(link.name), link.factor);
        }
        for (const [name, bytesThrough] of expected) {
          expect(Math.abs(load.get(name)! / bytesThrough - 1), `${m.path} ${name}`).toBeLessThan(1e-9);
        }
        // What leaves by the port of one node comes in by that of the other, headers and all.
        const ports = [...expected].filter(([name]) => name.startsWith('move.link.port')).map(([, b]) => b);
        for (const b of ports) expect(b).toBeCloseTo(ports[0]!, 3);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('whatever is moved, in whatever way', () => {
  it('is not faster than its narrowest hop carries before any header is taken off', () => {
    for (const id of systems.keys()) {
      const machine = assuming(system(id, 2), [{ fact: 'gdr', on: true }]);
      for (const [from, to] of [
        ['node0/gpu0', 'node1/gpu0'],
        ['node0/host0', 'node1/host0'],
        ['node0/host0', 'node0/gpu0'],
      ] as const) {
        const models = dataPaths(machine, {}, from, to);
        const [a, b] = [findEnd(machine, from), findEnd(machine, to)];
        if (!models.ok || !a.ok || !b.ok) continue;
        let bound = Number.POSITIVE_INFINITY;
        for (const end of [a.value, b.value]) {
          const device = end.device!;
          if (end.kind === 'gpu') bound = Math.min(bound, pcieRate(deviceAt(end.host, device.path)!.link) ?? bound);
          if (a.value.node === b.value.node) continue;
          const nic = nearestNic(end, device);
          const card = nic && deviceAt(end.host, nic.path);
          if (!card) continue;
          const port = card.ports?.[nic.slot ?? 0];
          bound = Math.min(bound, pcieRate(card.link) ?? bound, (port && portRate(port)) ?? bound);
        }
        for (const m of models.value.filter((x) => x.path !== 'nvlink-c2c')) {
          // NVLinks that join nodes pass by NIC and PCIe.
          const most = m.path === 'nvlink' ? nvlinksOf(machine) : bound;
          for (const bytes of [2 ** 12, 2 ** 20, 2 ** 30]) {
            const row = moveRow(m, bytes, { depth: 64, threads: 1, both: false });
            expect(row.bandwidthGBps * 1e9, `${id} ${m.path}`).toBeLessThan(most);
            expect(bytes / (row.latencyUs / 1e6), `${id} ${m.path}`).toBeLessThan(most);
          }
        }
      }
    }
  });
});
