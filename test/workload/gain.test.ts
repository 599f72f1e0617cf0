import { describe, expect, it } from 'vitest';
import { systems } from '../../src/catalogue/systems.ts';
import { gains, hostMemoryBandwidth } from '../../src/workload/gain.ts';
import { agrees, demonstrate, lessons } from '../../src/workload/learn.ts';
import { assuming } from '../support/assuming.ts';
import { system } from '../support/machines.ts';

const on = (id: string) => assuming(system(id, 2), [{ fact: 'gdr', on: true }]);

describe('gain', () => {
  const rows = gains(on('hgx-h100'), {});
  const of = (id: string) => rows.find((r) => r.workload.id === id)!;

  it('finds that staging eight NICs runs into host memory, and direct does not', () => {
    const gradient = of('gradient');
    expect(gradient.word).toBe('bandwidth');
    expect(gradient.staged.memoryBound).toBe(true);
    expect(gradient.staged.hostMemoryShare).toBeCloseTo(1, 6);
    expect(gradient.direct.hostMemoryGBps).toBe(0);
    expect(gradient.direct.bandwidthGBps / gradient.staged.bandwidthGBps).toBeGreaterThan(2);
    expect(gradient.staged.hostMemoryGBps * 1e9).toBeLessThanOrEqual(hostMemoryBandwidth(on('hgx-h100'))! * (1 + 1e-9));
  });

  it('says nothing is gained where messages are rare', () => {
    expect(of('rare').word).toBe('nothing');
  });

  it('says so when direct is slower, far from the NIC', () => {
    const far = gains(on('aws-p3dn'), {}).find((r) => r.workload.id === 'gradient');
    for (const r of [far, of('gradient')]) {
      if (!r) continue;
      expect(r.word === 'slower').toBe(r.direct.bandwidthGBps < r.staged.bandwidthGBps * 0.95);
    }
  });

  it('never gives a NIC more than it carries', () => {
    for (const id of systems.keys()) {
      for (const r of gains(on(id), {}).filter((x) => x.workload.id === 'gradient')) {
        const line = on(id).fabric.rateMbps?.value;
        if (line !== undefined) expect(r.direct.bandwidthGBps, id).toBeLessThanOrEqual(line / 8000 + 1e-9);
      }
    }
  });

  it('keeps cores busy only for work that cores do', () => {
    for (const id of systems.keys()) {
      for (const r of gains(on(id), {})) {
        expect(r.direct.cores, `${id} ${r.workload.id}`).toBeLessThanOrEqual(r.staged.cores + 1e-9);
        expect(r.direct.hostMemoryGBps).toBe(0);
      }
    }
  });
});

describe('learn', () => {
  const shown = new Set<string>();

  it.each([...systems.keys()])('on %s counts what the model states', (id) => {
    const machine = on(id);
    for (const l of lessons) {
      const d = demonstrate(machine, {}, l.topic);
      if (!d.ok) {
        expect(d.error).toBe('not-on-this-machine');
        continue;
      }
      shown.add(l.topic);
      expect(agrees(d.value), `${id} ${l.topic}`).toBe(true);
    }
  });

  it('shows every technology on some machine', () => {
    expect(
      // No system of the catalogue has drives, or iWARP: these are shown on a typical machine (test/answer/typical).
      lessons.map((l) => l.topic).filter((t) => !shown.has(t) && !/storage|posix|iwarp|p2pdma/.test(t)),
    ).toEqual([]);
  });
});
