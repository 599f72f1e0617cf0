import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gpuMemory, hostMemory, type Region } from '../../src/device/memory.ts';
import { NicDma } from '../../src/device/movers.ts';
import { Bar1, Registrar } from '../../src/device/registration.ts';

const all = { peermem: true, dmabuf: false, gpu: true, memlock: 1 << 20 };
const take = (r: { ok: boolean; value?: Region; error?: unknown }): Region => {
  if (!r.ok || !r.value) throw new Error(String(r.error));
  return r.value;
};

describe('memory', () => {
  it('behaves as one array of bytes for each region, whatever is allocated and freed around it', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('allocate' as const), length: fc.integer({ min: 1, max: 300_000 }) }),
      fc.record({ do: fc.constant('release' as const), which: fc.nat() }),
      fc.record({
        do: fc.constant('write' as const),
        which: fc.nat(),
        at: fc.nat(),
        bytes: fc.uint8Array({ maxLength: 500 }),
      }),
      fc.record({ do: fc.constant('read' as const), which: fc.nat(), at: fc.nat(), length: fc.nat(500) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const memory = gpuMemory('gpu', 1 << 20);
        const live: { region: Region; model: Uint8Array }[] = [];
        for (const s of steps) {
          if (s.do === 'allocate') {
            const r = memory.allocate(s.length);
            if (r.ok) live.push({ region: r.value, model: new Uint8Array(s.length) });
            else expect(r.error).toBe('out-of-memory');
            continue;
          }
          if (live.length === 0) continue;
          const item = live[s.which % live.length]!;
          if (s.do === 'release') {
            expect(memory.release(item.region).ok).toBe(true);
            live.splice(live.indexOf(item), 1);
            expect(memory.read(item.region, 0, 1)).toEqual({ ok: false, error: 'freed' });
          } else if (s.do === 'write') {
            const at = s.at % item.model.length;
            const fits = at + s.bytes.length <= item.model.length;
            expect(memory.write(item.region, at, s.bytes).ok).toBe(fits);
            if (fits) item.model.set(s.bytes, at);
          } else {
            const at = s.at % item.model.length;
            const r = memory.read(item.region, at, s.length);
            expect(r.ok).toBe(at + s.length <= item.model.length);
            if (r.ok) expect(Buffer.compare(r.value, item.model.subarray(at, at + s.length))).toBe(0);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('gives all of it back', () => {
    const memory = hostMemory('host', 1 << 16);
    const parts = [1, 2, 3, 4].map(() => take(memory.allocate(16384)));
    expect(memory.allocate(1).ok).toBe(false);
    for (const p of [parts[2]!, parts[0]!, parts[3]!, parts[1]!]) memory.release(p);
    expect(memory.allocate(1 << 16).ok).toBe(true);
  });

  it('is gone when the device is lost', () => {
    const memory = gpuMemory('gpu', 1 << 20);
    const region = take(memory.allocate(10));
    memory.lose();
    expect(memory.read(region, 0, 1)).toEqual({ ok: false, error: 'device-lost' });
    expect(memory.allocate(1)).toEqual({ ok: false, error: 'device-lost' });
  });
});

describe('registration', () => {
  it('pins GPU pages of 64 KiB in BAR1, is cached, and lets go again', () => {
    const gpu = gpuMemory('gpu', 1 << 24);
    const bar1 = new Bar1(4 * 65536);
    const registrar = new Registrar(all, () => bar1);
    const region = take(gpu.allocate(3 * 65536 - 1));
    const first = registrar.register(region, { write: true, read: true });
    if (!first.ok) throw new Error(first.error);
    expect(bar1.inUse).toBe(3 * 65536);
    const seconds = registrar.seconds;
    expect(registrar.register(region, { write: true, read: true })).toEqual(first);
    expect([registrar.registrations, registrar.hits]).toEqual([1, 1]);
    expect(registrar.seconds - seconds).toBeLessThan(seconds / 10);
    expect(registrar.register(take(gpu.allocate(2 * 65536)), { write: true, read: true })).toEqual({
      ok: false,
      error: 'bar1-full',
    });
    expect(registrar.deregister(first.value).ok).toBe(true);
    expect(bar1.inUse).toBe(0);
    expect(registrar.deregister(first.value)).toEqual({ ok: false, error: 'not-registered' });
  });

  it('is the only way in: wrong key, wrong access, out of bounds', () => {
    const host = hostMemory('host', 1 << 20);
    const registrar = new Registrar(all, () => undefined);
    const nic = new NicDma('nic', registrar);
    const mr = registrar.register(take(host.allocate(100)), { write: false, read: true });
    if (!mr.ok) throw new Error(mr.error);
    const error = (r: { ok: boolean; error?: unknown }): unknown => (r.ok ? 'done' : r.error);
    expect(error(nic.gather(mr.value.key, 0, 100))).toBe('done');
    expect(error(nic.gather(mr.value.key ^ 1, 0, 1))).toBe('wrong-key');
    expect(error(nic.scatter(mr.value.key, 0, new Uint8Array(1)))).toBe('no-permission');
    expect(error(nic.gather(mr.value.key, 99, 2))).toBe('out-of-bounds');
    expect(error(nic.gather(mr.value.key, -1, 1))).toBe('out-of-bounds');
  });

  it('costs by page: host pages are 16 times as many', () => {
    const cost = (memory: ReturnType<typeof gpuMemory>): number => {
      const r = new Registrar({ ...all, memlock: Number.POSITIVE_INFINITY }, () => undefined);
      r.register(take(memory.allocate(1 << 26)), { write: true, read: true });
      return r.seconds;
    };
    const gpu = cost(gpuMemory('gpu', 1 << 27));
    const host = cost(hostMemory('host', 1 << 27));
    expect(host / gpu).toBeGreaterThan(12);
    expect(host / gpu).toBeLessThan(16);
  });
});
