import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from '../../src/base/random.ts';
import { equalBytes } from '../../src/wire/bytes.ts';
import { readSyndrome } from '../../src/wire/ib/aeth.ts';
import { operation } from '../../src/wire/ib/opcode.ts';
import type { IbPacket } from '../../src/wire/ib/packet.ts';
import { psnAdd, psnDistance } from '../../src/wire/rc/psn.ts';
import type { Region } from '../../src/wire/rc/regions.ts';
import { ucQueuePair } from '../../src/wire/rc/unreliable.ts';
import type { Work } from '../../src/wire/rc/work.ts';
import { all, configs, type Impairment, network, perfect } from './network.ts';

const base = 0x7f0000000000n;

function filled(size: number, seed: number): Uint8Array {
  const dice = random(seed);
  const out = new Uint8Array(size);
  for (let i = 0; i < size; i++) out[i] = dice.below(256);
  return out;
}

const same = (a: Uint8Array, b: Uint8Array, from: number, to: number): boolean =>
  equalBytes(a.subarray(from, to), b.subarray(from, to));

const region = (bytes: Uint8Array, key = 1, access: Region['access'] = all): Region => ({
  key,
  address: base,
  bytes,
  access,
});
const at = (offset: number, length: number, key = 1) => ({ key, address: base + BigInt(offset), length });
const remote = (offset: number, key = 1) => ({ remoteAddress: base + BigInt(offset), remoteKey: key });
const opcodes = (packets: readonly IbPacket[]): number[] => packets.map((p) => p.bth.opcode);
const syndromes = (packets: readonly IbPacket[]) =>
  packets.flatMap((p) => (p.aeth ? [readSyndrome(p.aeth.syndrome)] : []));

describe('packet sequence numbers', () => {
  it('wrap at 24 bits', () => {
    expect(psnAdd(0xffffff, 2)).toBe(1);
    expect(psnAdd(0, -1)).toBe(0xffffff);
    expect(psnDistance(0xffffff, 1)).toBe(2);
    expect(psnDistance(1, 0xffffff)).toBe(-2);
  });
});

describe('a reliable connection without loss', () => {
  it('cuts a SEND at the MTU, asks for one ACK at its end and fills the receive', () => {
    const [a, b] = [filled(3000, 1), new Uint8Array(4096)];
    const net = network(configs(), [[region(a)], [region(b)]]);
    net.post(1, { kind: 'post-receive', work: { id: 7, local: at(0, 4096) } });
    net.post(0, { kind: 'post', work: { kind: 'send', id: 3, local: at(0, 3000), immediate: 42, solicited: true } });
    net.run();
    const [sender, receiver] = net.sides;
    expect(opcodes(sender.sent)).toEqual([operation.sendFirst, operation.sendMiddle, operation.sendLastImmediate]);
    expect(sender.sent.map((p) => p.bth.ackRequest)).toEqual([false, false, true]);
    expect(sender.sent.map((p) => p.bth.solicited)).toEqual([false, false, true]);
    expect(receiver.sent.map((p) => [p.bth.psn, p.aeth?.msn])).toEqual([[0xfffff2, 1]]);
    expect(sender.completions).toEqual([{ side: 'send', id: 3, status: 'success', length: 3000 }]);
    expect(receiver.completions).toEqual([{ side: 'receive', id: 7, status: 'success', length: 3000, immediate: 42 }]);
    expect(b.subarray(0, 3000)).toEqual(a);
  });

  it('writes and reads remote memory without a receive', () => {
    const [a, b] = [filled(5000, 2), filled(5000, 3)];
    const net = network(configs(), [[region(a)], [region(b)]]);
    net.post(0, { kind: 'post', work: { kind: 'write', id: 1, local: at(0, 2049), ...remote(0) } });
    net.post(0, { kind: 'post', work: { kind: 'read', id: 2, local: at(2500, 2048), ...remote(2500) } });
    net.run();
    expect(b.subarray(0, 2049)).toEqual(a.subarray(0, 2049));
    expect(a.subarray(2500, 4548)).toEqual(b.subarray(2500, 4548));
    expect(net.sides[0].completions.map((c) => c.status)).toEqual(['success', 'success']);
    expect(net.sides[1].completions).toEqual([]);
    expect(opcodes(net.sides[1].sent)).toEqual([
      operation.acknowledge,
      operation.readResponseFirst,
      operation.readResponseLast,
    ]);
  });

  it('does atomic operations and withdraws keys', () => {
    const [a, b] = [new Uint8Array(16), new Uint8Array(16)];
    new DataView(b.buffer).setBigUint64(8, 40n, true);
    const net = network(configs(), [[region(a)], [region(b), region(new Uint8Array(8), 9)]]);
    net.post(1, { kind: 'post-receive', work: { id: 1, local: at(0, 0) } });
    net.post(0, { kind: 'post', work: { kind: 'fetch-add', id: 1, local: at(0, 8), ...remote(8), add: 2n } });
    net.post(0, {
      kind: 'post',
      work: { kind: 'compare-swap', id: 2, local: at(8, 8), ...remote(8), compare: 42n, swap: 7n },
    });
    net.post(0, { kind: 'post', work: { kind: 'send', id: 3, local: at(0, 0), invalidate: 9 } });
    net.post(0, { kind: 'post', work: { kind: 'write', id: 4, local: at(0, 8), ...remote(0, 9) } });
    net.run();
    const view = new DataView(a.buffer);
    expect([view.getBigUint64(0, true), view.getBigUint64(8, true)]).toEqual([40n, 42n]);
    expect(new DataView(b.buffer).getBigUint64(8, true)).toBe(7n);
    expect(net.sides[1].completions[0]).toMatchObject({ status: 'success', invalidated: 9 });
    expect(net.sides[0].completions.map((c) => c.status)).toEqual([
      'success',
      'success',
      'success',
      'remote-access-error',
    ]);
  });

  it('lets a new acknowledgment replace one that waits', () => {
    const run = (coalesce: boolean): number => {
      const net = network(configs({ coalesce }), [[region(new Uint8Array(64))], [region(new Uint8Array(64))]]);
      const [, b] = net.sides;
      const packets: IbPacket[] = [];
      for (let id = 0; id < 4; id++) {
        net.sides[0].pair.step(0, { kind: 'post', work: { kind: 'write', id, local: at(0, 8), ...remote(0) } });
        for (const e of net.sides[0].pair.step(0, { kind: 'poll' })) if (e.kind === 'packet') packets.push(e.packet);
      }
      for (const packet of packets) b.pair.step(0, { kind: 'packet', packet });
      let n = 0;
      while (b.pair.ready) n += b.pair.step(0, { kind: 'poll' }).filter((e) => e.kind === 'packet').length;
      return n;
    };
    expect([run(false), run(true)]).toEqual([4, 1]);
  });

  it('keeps READs within the depth and a fenced request behind them', () => {
    const net = network(configs({ initiatorDepth: 2 }), [[region(filled(64, 1))], [region(filled(64, 2))]]);
    const { pair } = net.sides[0];
    for (let id = 0; id < 3; id++) {
      pair.step(0, { kind: 'post', work: { kind: 'read', id, local: at(0, 8), ...remote(0) } });
    }
    const sent = (): number => pair.step(0, { kind: 'poll' }).filter((e) => e.kind === 'packet').length;
    expect([sent(), sent(), sent()]).toEqual([1, 1, 0]);
    const fenced = network(configs(), [[region(filled(64, 1))], [region(filled(64, 2))]]);
    fenced.post(0, { kind: 'post', work: { kind: 'read', id: 1, local: at(0, 8), ...remote(32) } });
    fenced.post(0, { kind: 'post', work: { kind: 'write', id: 2, local: at(0, 8), ...remote(0), fence: true } });
    fenced.run();
    expect(fenced.sides[0].completions.map((c) => c.id)).toEqual([1, 2]);
  });
});

describe('real errors', () => {
  const write = (over: Partial<Extract<Work, { kind: 'write' }>>): Work => ({
    kind: 'write',
    id: 1,
    local: at(0, 64),
    ...remote(0),
    ...over,
  });
  const cases: [string, Work, Region[], string][] = [
    ['a wrong key', write({ remoteKey: 5 }), [region(new Uint8Array(64))], 'remote-access-error'],
    ['out of bounds', write(remote(1)), [region(new Uint8Array(64))], 'remote-access-error'],
    ['before the region', write(remote(-1)), [region(new Uint8Array(64))], 'remote-access-error'],
    ['no permission', write({}), [region(new Uint8Array(64), 1, ['remote-read'])], 'remote-access-error'],
    ['a wrong local key', write({ local: at(0, 64, 4) }), [region(new Uint8Array(64))], 'local-protection-error'],
    [
      'a READ without permission',
      { kind: 'read', id: 1, local: at(0, 8), ...remote(0) },
      [region(new Uint8Array(64), 1, ['remote-write'])],
      'remote-access-error',
    ],
    [
      'an atomic operation out of line',
      { kind: 'fetch-add', id: 1, local: at(0, 8), ...remote(4), add: 1n },
      [region(new Uint8Array(64))],
      'remote-invalid-request',
    ],
  ];
  for (const [name, work, memory, status] of cases) {
    it(`${name}: ${status}, and the rest is flushed`, () => {
      const net = network(configs(), [[region(new Uint8Array(64))], memory]);
      net.post(0, { kind: 'post', work });
      net.post(0, { kind: 'post', work: { kind: 'send', id: 2, local: at(0, 1) } });
      net.run();
      expect(net.sides[0].completions.map((c) => [c.id, c.status])).toEqual([
        [1, status],
        [2, 'flushed'],
      ]);
      expect(net.sides[0].pair.state).toBe('failed');
    });
  }

  it('a SEND longer than the receive', () => {
    const net = network(configs(), [[region(new Uint8Array(64))], [region(new Uint8Array(64))]]);
    net.post(1, { kind: 'post-receive', work: { id: 5, local: at(0, 8) } });
    net.post(0, { kind: 'post', work: { kind: 'send', id: 1, local: at(0, 9) } });
    net.run();
    expect(net.sides[0].completions[0]?.status).toBe('remote-invalid-request');
    expect(net.sides[1].completions[0]).toMatchObject({ id: 5, status: 'local-length-error' });
  });

  it('an end that is not connected', () => {
    const [a, { peer: _, ...b }] = configs({ retryCount: 1 });
    const net = network([a, b], [[region(new Uint8Array(8))], [region(new Uint8Array(8))]]);
    net.post(1, { kind: 'post', work: write({ local: at(0, 8) }) });
    net.post(0, { kind: 'post', work: write({ local: at(0, 8) }) });
    net.run();
    expect(net.sides[1].completions[0]?.status).toBe('unconnected');
    expect(net.sides[0].completions[0]?.status).toBe('retry-exceeded');
    expect(net.sides[0].retries.map((r) => r.cause)).toEqual(['timeout']);
    expect(net.sides[0].sent).toHaveLength(2);
  });

  it('a receiver that is not ready is asked again after its time, until the retries are spent', () => {
    const ready = network(configs({ rnrRetry: 2 }), [[region(new Uint8Array(8))], [region(new Uint8Array(8))]]);
    ready.post(0, { kind: 'post', work: { kind: 'send', id: 1, local: at(0, 8) } });
    // Code 12 is 0.64 ms: three sends, two waits.
    expect(ready.run()).toBeCloseTo(2 * 0.64e-3, 4);
    expect(ready.sides[0].completions[0]?.status).toBe('rnr-retry-exceeded');
    expect(syndromes(ready.sides[1].sent)).toEqual(Array(3).fill({ kind: 'receiver-not-ready', timer: 12 }));
  });

  it('a receiver that becomes ready meanwhile', () => {
    const net = network(configs(), [[region(filled(8, 1))], [region(new Uint8Array(8))]]);
    const [x, y] = net.sides;
    const poll = (side: typeof x, now: number): IbPacket[] =>
      side.pair.step(now, { kind: 'poll' }).flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));
    x.pair.step(0, { kind: 'post', work: { kind: 'send', id: 1, local: at(0, 8) } });
    y.pair.step(0, { kind: 'packet', packet: poll(x, 0)[0]! });
    const effects = x.pair.step(1, { kind: 'packet', packet: poll(y, 0)[0]! });
    expect(effects).toContainEqual({ kind: 'timer', timer: 'rnr', at: 1.00064 });
    expect(x.pair.ready).toBe(false);
    x.pair.step(1.0001, { kind: 'timer', timer: 'rnr' });
    expect(x.pair.ready).toBe(false);
    x.pair.step(1.00064, { kind: 'timer', timer: 'rnr' });
    y.pair.step(2, { kind: 'post-receive', work: { id: 4, local: at(0, 8) } });
    const done = y.pair.step(2, { kind: 'packet', packet: poll(x, 2)[0]! });
    expect(done).toContainEqual({
      kind: 'completion',
      completion: { side: 'receive', id: 4, status: 'success', length: 8 },
    });
  });

  it('does an atomic operation once although its answer was lost', () => {
    const b = new Uint8Array(8);
    const net = network(configs(), [[region(new Uint8Array(8))], [region(b)]]);
    const [x, y] = net.sides;
    x.pair.step(0, { kind: 'post', work: { kind: 'fetch-add', id: 1, local: at(0, 8), ...remote(0), add: 5n } });
    const [request] = x.pair.step(0, { kind: 'poll' }).flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));
    const answer = (): IbPacket => {
      y.pair.step(0, { kind: 'packet', packet: request! });
      return y.pair.step(0, { kind: 'poll' }).flatMap((e) => (e.kind === 'packet' ? [e.packet] : []))[0]!;
    };
    expect(answer()).toEqual(answer());
    expect(new DataView(b.buffer).getBigUint64(0, true)).toBe(5n);
  });
});

describe('a network that loses, repeats and reorders', () => {
  const impairments = fc.record({
    loss: fc.double({ min: 0, max: 0.3, noNaN: true }),
    duplicate: fc.double({ min: 0, max: 0.3, noNaN: true }),
    reorder: fc.double({ min: 0, max: 0.3, noNaN: true }),
  });
  const tuning = fc.record({
    coalesce: fc.boolean(),
    ackEvery: fc.integer({ min: 0, max: 3 }),
    window: fc.constantFrom(1, 2, 5, 1024),
    nakDuringRetry: fc.constantFrom('restart' as const, 'ignore' as const),
    initiatorDepth: fc.integer({ min: 1, max: 4 }),
    mtu: fc.constantFrom(256, 1024),
  });
  const operations = fc.array(
    fc.record({
      kind: fc.constantFrom('send', 'write', 'read', 'fetch-add'),
      length: fc.integer({ min: 0, max: 2000 }),
    }),
    { minLength: 1, maxLength: 12 },
  );

  const slot = 2000;
  type Operation = { readonly kind: string; readonly length: number };

  function play(ops: readonly Operation[], over: object, impairment: Impairment, seed: number) {
    const size = slot * ops.length + 8;
    const start = { a: filled(size, seed), b: filled(size, seed + 1) };
    const own = { a: start.a.slice(), b: start.b.slice() };
    own.b.fill(0, size - 8);
    const net = network(configs(over), [[region(own.a)], [region(own.b)]], impairment, seed);
    for (const [id, { kind, length }] of ops.entries()) {
      const local = at(id * slot, kind === 'fetch-add' ? 8 : length);
      if (kind === 'send') net.post(1, { kind: 'post-receive', work: { id, local } });
      if (kind === 'send') net.post(0, { kind: 'post', work: { kind, id, local } });
      else if (kind === 'fetch-add') {
        const address = base + BigInt(size - (size % 8) - 8);
        net.post(0, { kind: 'post', work: { kind, id, local, remoteAddress: address, remoteKey: 1, add: 1n } });
      } else if (kind === 'write' || kind === 'read')
        net.post(0, { kind: 'post', work: { kind, id, local, ...remote(id * slot) } });
    }
    net.run();
    return { net, start, own };
  }

  function expectOnce(ops: readonly Operation[], played: ReturnType<typeof play>): boolean {
    const { net, start, own } = played;
    const [sender, receiver] = net.sides;
    // Every request ends once, in order; the failing one last of those that were not flushed.
    expect(sender.completions.map((c) => c.id).sort((x, y) => x - y)).toEqual(ops.map((_, i) => i));
    const done = sender.completions.filter((c) => c.status === 'success').map((c) => c.id);
    expect(done).toEqual(ops.map((_, i) => i).slice(0, done.length));
    const failures = sender.completions.filter((c) => c.status !== 'success' && c.status !== 'flushed');
    if (done.length === ops.length) expect(failures).toEqual([]);
    else expect(failures.map((c) => c.status)).toEqual(['retry-exceeded']);
    const received = receiver.completions.filter((c) => c.status === 'success').map((c) => c.id);
    const sends = ops.flatMap((op, i) => (op.kind === 'send' ? [i] : []));
    expect(received).toEqual(sends.slice(0, received.length));
    for (const id of done) {
      const { kind, length } = ops[id]!;
      const [from, to] = [id * slot, id * slot + length];
      if (kind === 'read') expect(same(own.a, start.b, from, to)).toBe(true);
      if (kind === 'write' || kind === 'send') expect(same(own.b, start.a, from, to)).toBe(true);
      if (kind === 'send') expect(received).toContain(id);
    }
    return done.length === ops.length;
  }

  it('delivers each request exactly once and in order, or ends with retries exceeded', () => {
    let whole = 0;
    let ended = 0;
    fc.assert(
      fc.property(operations, tuning, impairments, fc.nat(), (ops, over, impairment, seed) => {
        if (expectOnce(ops, play(ops, { ...over, retryCount: 7 }, impairment, seed))) whole++;
        else ended++;
      }),
      { numRuns: 1500, seed: 7 },
    );
    // Both ends of the promise must be seen, or the test proves nothing.
    expect(whole).toBeGreaterThan(1000);
    expect(ended).toBeGreaterThan(0);
  });

  it('counts an atomic operation exactly once', () => {
    fc.assert(
      fc.property(impairments, fc.nat(), fc.integer({ min: 1, max: 20 }), (impairment, seed, n) => {
        const b = new Uint8Array(8);
        const net = network(configs({ retryCount: 7 }), [[region(new Uint8Array(8))], [region(b)]], impairment, seed);
        for (let id = 0; id < n; id++) {
          net.post(0, { kind: 'post', work: { kind: 'fetch-add', id, local: at(0, 8), ...remote(0), add: 1n } });
        }
        net.run();
        const done = net.sides[0].completions.filter((c) => c.status === 'success').length;
        const counted = Number(new DataView(b.buffer).getBigUint64(0, true));
        if (done === n) expect(counted).toBe(n);
        else expect(counted).toBeGreaterThanOrEqual(done);
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it('gives up at the timeout when nothing comes back, having gone back as often as allowed', () => {
    for (const retryCount of [0, 3, 7]) {
      const net = network(configs({ retryCount }), [[region(filled(8, 1))], [region(filled(8, 2))]], {
        ...perfect,
        loss: 1,
      });
      net.post(0, { kind: 'post', work: { kind: 'write', id: 1, local: at(0, 8), ...remote(0) } });
      const ended = net.run();
      expect(net.sides[0].sent).toHaveLength(retryCount + 1);
      expect(net.sides[0].completions[0]?.status).toBe('retry-exceeded');
      expect(ended).toBeCloseTo((retryCount + 1) * 4.096e-6 * 2 ** 14, 5);
    }
  });
});

describe('an unreliable connection', () => {
  it('delivers whole messages in order and passes over those that lost a packet', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 0.4, noNaN: true }), (seed, loss) => {
        const [a, b] = [filled(20 * 600, seed), new Uint8Array(20 * 600)];
        const net = network(configs({ mtu: 256 }), [[region(a)], [region(b)]], { ...perfect, loss }, seed, ucQueuePair);
        for (let id = 0; id < 20; id++) net.post(1, { kind: 'post-receive', work: { id, local: at(id * 600, 600) } });
        for (let id = 0; id < 20; id++) {
          net.post(0, { kind: 'post', work: { kind: 'send', id, local: at(id * 600, 600), immediate: id } });
        }
        net.run();
        expect(net.sides[0].completions.every((c) => c.status === 'success')).toBe(true);
        const got = net.sides[1].completions;
        expect(got.map((c) => c.id)).toEqual(got.map((_, i) => i));
        let before = -1;
        for (const { id, immediate = -1 } of got) {
          expect(immediate).toBeGreaterThan(before);
          before = immediate;
          const sent = a.subarray(immediate * 600, immediate * 600 + 600);
          expect(equalBytes(b.subarray(id * 600, id * 600 + 600), sent)).toBe(true);
        }
        if (loss === 0) expect(got).toHaveLength(20);
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
