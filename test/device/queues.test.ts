import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CaptureCard } from '../../src/device/capture.ts';
import { gpuMemory, type Memory, type Region } from '../../src/device/memory.ts';
import { Drive, NicDma } from '../../src/device/movers.ts';
import { CompletionQueue, NvmeQueuePair, Ring } from '../../src/device/queues.ts';
import { Bar1, Registrar } from '../../src/device/registration.ts';
import { framesOn, videoFormats } from '../../src/move/frames.ts';
import { dataPaths } from '../../src/move/move.ts';
import { system } from '../support/machines.ts';

const room = (memory: Memory, length: number): Region => {
  const region = memory.allocate(length);
  if (!region.ok) throw new Error(region.error);
  return region.value;
};
const block = (n: number): Uint8Array => new Uint8Array(4096).fill(n);

describe('a ring', () => {
  it('gives back what was put in, in order, and takes one less than its depth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.array(fc.boolean(), { maxLength: 100 }), (depth, puts) => {
        const ring = new Ring<number>(depth);
        const model: number[] = [];
        puts.forEach((put, i) => {
          if (put) {
            expect(ring.put(i).ok).toBe(model.length < depth - 1);
            if (model.length < depth - 1) model.push(i);
          } else expect(ring.take()).toBe(model.shift());
          expect(ring.length).toBe(model.length);
        });
      }),
    );
  });
});

describe('NVMe queues', () => {
  it('move real blocks both ways, by commands that each complete once', () => {
    const drive = new Drive('drive');
    const gpu = gpuMemory('gpu', 1 << 24);
    const queues = new NvmeQueuePair(drive, 4);
    for (let b = 0; b < 6; b++) drive.fill(b, block(b + 1));
    const target = room(gpu, 6 * 4096);
    const ids = [0, 2, 4].map((b) =>
      queues.submit({ kind: 'read', block: b, blocks: 2, region: target, at: b * 4096 }),
    );
    expect(queues.submit({ kind: 'read', block: 0, blocks: 1, region: target, at: 0 })).toEqual({
      ok: false,
      error: 'queue-full',
    });
    // Nothing happens before the drive has fetched them.
    expect(queues.reap()).toBeUndefined();
    queues.work();
    expect([queues.reap(), queues.reap(), queues.reap(), queues.reap()].map((c) => c?.id)).toEqual([
      ...ids.map((i) => (i.ok ? i.value : -1)),
      undefined,
    ]);
    const read = gpu.read(target, 5 * 4096, 4096);
    expect(read.ok && read.value).toEqual(block(6));
    queues.submit({ kind: 'write', block: 9, blocks: 1, region: target, at: 4096 });
    queues.work();
    expect(queues.reap()).toEqual({ id: 3 });
    expect(drive.block(9)).toEqual(block(2));
  });

  it('a host that does not reap stops its drive; what is left is done later', () => {
    const queues = new NvmeQueuePair(new Drive('drive'), 3);
    const target = room(gpuMemory('gpu', 1 << 20), 4096);
    const submit = () => queues.submit({ kind: 'read', block: 0, blocks: 1, region: target, at: 0 }).ok;
    expect([submit(), submit()]).toEqual([true, true]);
    queues.work();
    expect([submit(), submit()]).toEqual([true, true]);
    queues.work();
    expect(submit()).toBe(false);
    queues.reap();
    queues.work();
    expect(submit()).toBe(true);
  });

  it('a full drive and memory that is too short come back as completions', () => {
    const queues = new NvmeQueuePair(new Drive('drive', 4096, 4));
    const target = room(gpuMemory('gpu', 1 << 20), 4096);
    queues.submit({ kind: 'write', block: 4, blocks: 1, region: target, at: 0 });
    queues.submit({ kind: 'read', block: 0, blocks: 2, region: target, at: 0 });
    queues.work();
    expect([queues.reap()?.fault, queues.reap()?.fault]).toEqual(['no-space', 'out-of-bounds']);
  });
});

describe('a completion queue', () => {
  it('that nobody polls runs over', () => {
    const gpu = gpuMemory('gpu', 1 << 20);
    const bar1 = new Bar1(1 << 24);
    const registrar = new Registrar({ peermem: true, dmabuf: false, gpu: true, memlock: 1e9 }, () => bar1);
    const nic = new NicDma('nic', registrar, 3);
    const mr = registrar.register(room(gpu, 4096), { write: true, read: true });
    if (!mr.ok) throw new Error(mr.error);
    const done = () => nic.gather(mr.value.key, 0, 64).ok;
    expect([done(), done(), done()]).toEqual([true, true, false]);
    expect(nic.completions.poll()).toEqual({ id: 0, bytes: 64 });
    expect(done()).toBe(true);
    expect(new CompletionQueue(2).poll()).toBeUndefined();
  });
});

describe('a capture card', () => {
  it('keeps what it has buffers for, loses the rest, and delivers in order', () => {
    const card = new CaptureCard('card', 2);
    const gpu = gpuMemory('gpu', 1 << 20);
    const target = room(gpu, 8);
    expect(card.deliver(target, 0)).toEqual({ ok: false, error: 'no-frame' });
    expect([1, 2, 3].map((n) => card.capture(new Uint8Array(8).fill(n)))).toEqual([true, true, false]);
    expect(card.dropped).toBe(1);
    card.deliver(target, 0);
    const first = gpu.read(target, 0, 1);
    expect(first.ok && first.value[0]).toBe(1);
    expect(card.capture(new Uint8Array(8).fill(4))).toBe(true);
    expect(card.moved).toEqual({ bytes: 8, operations: 1 });
  });
});

describe('frames', () => {
  const models = dataPaths(system('dgx-1v', 1), {}, 'capture0', 'gpu0');
  const byPath = new Map((models.ok ? models.value : []).map((m) => [m.path, m]));
  const [hd, uhd, uhd8] = videoFormats as [
    (typeof videoFormats)[0],
    (typeof videoFormats)[0],
    (typeof videoFormats)[0],
  ];

  it('are in time where they fit between two, and lost where a path is too slow for them', () => {
    const direct = byPath.get('gpudirect-video')!;
    const staged = byPath.get('capture-staged')!;
    for (const m of [direct, staged])
      for (const f of [hd, uhd]) expect(framesOn(m, f)).toMatchObject({ inTime: true, dropped: 0 });
    expect(framesOn(direct, uhd8)).toMatchObject({ inTime: true, dropped: 0 });
    const lost = framesOn(staged, uhd8);
    expect(lost.inTime).toBe(false);
    // What is not lost is what the path carries: bytes a second over bytes a frame.
    const rate = 3.18e9 / uhd8.bytes;
    expect(60 - lost.dropped).toBeGreaterThan(rate - 1.5);
    expect(60 - lost.dropped).toBeLessThan(rate + 1.5);
  });

  it('are never lost more when a frame gets smaller', () => {
    const staged = byPath.get('capture-staged')!;
    fc.assert(
      fc.property(fc.integer({ min: 1e6, max: 2e8 }), fc.integer({ min: 1e6, max: 2e8 }), (x, y) => {
        const of = (bytes: number) => framesOn(staged, { name: '', bytes, perSecond: 60 }).dropped;
        expect(of(Math.min(x, y))).toBeLessThanOrEqual(of(Math.max(x, y)));
      }),
    );
  });
});
