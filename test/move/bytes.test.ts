import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from '../../src/base/random.ts';
import { generous } from '../../src/move/bytes/bench.ts';
import { runBytes } from '../../src/move/bytes/run.ts';
import { copiesOf, hostMemoryOf, movePaths } from '../../src/move/model.ts';
import { everyPath, unlike } from '../support/data-paths.ts';

const payload = (n: number, seed: number): Uint8Array => {
  const r = random(seed);
  return Uint8Array.from({ length: n }, () => r.below(256));
};

describe('with real bytes', async () => {
  const all = unlike(await everyPath());

  it('meets every kind of data path', () => {
    expect(new Set(all.map((x) => x.m.path)).size).toBe(movePaths.length);
  });

  it('what arrives is what was sent, with just the copies, host-memory traffic and core work that the model states', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.integer({ min: 1, max: 150_000 }), fc.integer(), ({ m, e }, n, seed) => {
        const bytes = payload(n, seed);
        const run = runBytes(m, e, bytes);
        if (!run.ok) throw new Error(`${m.path}: ${run.error}`);
        expect(Buffer.compare(run.value.received, bytes)).toBe(0);
        const t = run.value.tally;
        const drives = (e.from === 'drive' || e.to === 'drive') && m.path !== 'posix-cached';
        const block = drives ? Math.ceil(n / 4096) * 4096 : n;
        expect(t.copied, m.path).toBe(copiesOf(m) * n);
        expect([t.byDrives, t.byCards]).toEqual([drives ? block : 0, e.from === 'capture' ? n : 0]);
        // A drive moves whole blocks; the other stages take what was asked for.
        const whole = m.stages.some((s) => /drives-(?:to|from)-host$/.test(s.name.code));
        const expected = hostMemoryOf(m) * n + (whole ? block - n : 0);
        expect(t.host, m.path).toBe(expected);
        if (/^gpudirect|^nvlink$|^p2p/.test(m.path)) {
          // Data that lies in host memory, or is wanted there, is read or written there; nothing else is.
          const ends = [e.from, e.to].filter((x) => x === 'host').length;
          expect([t.host, t.byCores]).toEqual([ends * n, 0]);
        }
        expect(t.byCores > 0).toBe(
          m.stages.some((s) => s.cpuPerByte > 0 && /kernel|stage\.core|page-cache/.test(s.name.code)),
        );
        const nics = m.path === 'nvlink' ? 0 : e.from === 'client' || e.to === 'client' ? 1 : 2;
        if (e.apart) expect(t.byNics).toBe(nics * n);
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
        // Two NVLink hops without one are one hop: another path, other counts.
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
