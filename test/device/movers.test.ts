import { expect, it } from 'vitest';
import { gpuMemory, hostMemory, type Region } from '../../src/device/memory.ts';
import { CopyEngine, Core } from '../../src/device/movers.ts';

const region = (r: ReturnType<ReturnType<typeof hostMemory>['allocate']>): Region => {
  if (!r.ok) throw new Error(r.error);
  return r.value;
};

it('a copy engine reaches pinned memory only', () => {
  const pageable = region(hostMemory('pageable', 1 << 16, true).allocate(64));
  const pinned = region(hostMemory('pinned', 1 << 16).allocate(64));
  const gpu = region(gpuMemory('gpu', 1 << 20).allocate(64));
  const engine = new CopyEngine('engine');
  expect(engine.copy(pageable, 0, gpu, 0, 8)).toEqual({ ok: false, error: 'not-pinned' });
  expect(engine.copy(gpu, 0, pageable, 0, 8)).toEqual({ ok: false, error: 'not-pinned' });
  expect(new Core('core').copy(pageable, 0, pinned, 0, 8).ok).toBe(true);
  expect(engine.copy(pinned, 0, gpu, 0, 8).ok).toBe(true);
  expect(engine.moved).toEqual({ bytes: 8, operations: 1 });
});

it('a core copies between host memories only; a copy engine reaches both', () => {
  const host = hostMemory('host', 1 << 16);
  const gpu = gpuMemory('gpu', 1 << 20);
  const [a, b, c] = [region(host.allocate(64)), region(host.allocate(64)), region(gpu.allocate(64))];
  expect(host.write(a, 0, Uint8Array.of(1, 2, 3)).ok).toBe(true);
  const core = new Core('core');
  expect(core.copy(a, 0, c, 0, 3)).toEqual({ ok: false, error: 'not-addressable' });
  expect(core.copy(c, 0, a, 0, 3)).toEqual({ ok: false, error: 'not-addressable' });
  expect(core.moved).toEqual({ bytes: 0, operations: 0 });
  expect(core.copy(a, 0, b, 0, 3).ok).toBe(true);
  expect(new CopyEngine('engine').copy(b, 0, c, 8, 3).ok).toBe(true);
  const back = gpu.read(c, 8, 3);
  expect(back.ok && [...back.value]).toEqual([1, 2, 3]);
  expect(core.moved).toEqual({ bytes: 3, operations: 1 });
});
