import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { random } from '../../src/base/random.ts';
import { gpuMemory, hostMemory, type Memory, type Region } from '../../src/device/memory.ts';
import { NicDma } from '../../src/device/movers.ts';
import { addressOf, converse, keyedMemory, type Link, NicQueuePair } from '../../src/device/nic.ts';
import { Bar1, type MemoryKey, Registrar } from '../../src/device/registration.ts';
import { grhRoom, udQueuePair } from '../../src/wire/rc/ud.ts';
import type { Work } from '../../src/wire/rc/work.ts';

const support = { peermem: true, dmabuf: false, gpu: true, memlock: 1e9 };

interface End {
  readonly memory: Memory;
  readonly nic: NicDma;
  readonly pair: NicQueuePair;
  readonly mr: MemoryKey;
  readonly bar1: Bar1;
}

const room = (memory: Memory, length: number): Region => {
  const region = memory.allocate(length);
  if (!region.ok) throw new Error(region.error);
  return region.value;
};

interface Given {
  readonly bytes?: number;
  readonly access?: { readonly write: boolean; readonly read: boolean };
  readonly depth?: number;
  readonly service?: 'reliable' | 'unreliable';
}

function end(number: number, memory: Memory, given: Given = {}): End {
  const { bytes = 1 << 16, access = { write: true, read: true }, depth = 128, service = 'reliable' } = given;
  const bar1 = new Bar1(1 << 24);
  const nic = new NicDma(`nic${number}`, new Registrar(support, () => bar1), depth);
  // Something else lies before it.
  room(memory, 1);
  const mr = nic.registrar.register(room(memory, bytes), access);
  if (!mr.ok) throw new Error(mr.error);
  return {
    memory,
    nic,
    mr: mr.value,
    bar1,
    pair: new NicQueuePair(nic, number, { service, rnrRetry: 1, retryCount: 2 }),
  };
}

function joined(a: End, b: End): readonly [End, End] {
  a.pair.connect(b.pair);
  b.pair.connect(a.pair);
  return [a, b];
}
const pairOf = (bytes = 1 << 16, access = { write: true, read: true }): readonly [End, End] =>
  joined(end(1, gpuMemory('gpu a', 1 << 20), { bytes }), end(2, gpuMemory('gpu b', 1 << 20), { bytes, access }));

const local = ({ mr }: End, at = 0, length = mr.region.length) => ({
  key: mr.key,
  address: addressOf(mr) + BigInt(at),
  length,
});
const write = (a: End, b: End, over: { key?: number; at?: number; length?: number } = {}): Work => ({
  kind: 'write',
  id: 7,
  local: local(a, 0, over.length ?? a.mr.region.length),
  remoteKey: over.key ?? b.mr.key,
  remoteAddress: addressOf(b.mr) + BigInt(over.at ?? 0),
});

/** How the sender's next piece of work ended. */
function ends(a: End, b: End, work: Work, link?: Link): unknown {
  const posted = a.pair.post(work);
  if (!posted.ok) return posted.error;
  converse(a.pair, b.pair, link);
  return a.nic.completions.poll()?.status;
}

describe('a NIC that writes into a GPU of another node', () => {
  it('moves real bytes as packets, and counts them once at each end', () => {
    const [a, b] = pairOf();
    const sent = Uint8Array.from({ length: 1 << 16 }, (_, i) => (i * 31) & 0xff);
    a.memory.write(a.mr.region, 0, sent);
    expect(ends(a, b, write(a, b))).toBe('success');
    const got = b.memory.read(b.mr.region, 0, sent.length);
    expect(got.ok && Buffer.compare(got.value, sent)).toBe(0);
    expect([a.nic.moved.bytes, b.nic.moved.bytes]).toEqual([sent.length, sent.length]);
    // Sixteen packets of 4,096 bytes, each fetched and each put down.
    expect([a.nic.moved.operations, b.nic.moved.operations]).toEqual([16, 16]);
    expect(b.bar1.inUse).toBe(1 << 16);
  });

  it('reads from there as well', () => {
    const [a, b] = pairOf(9000);
    b.memory.write(b.mr.region, 0, new Uint8Array(9000).fill(9));
    expect(ends(a, b, { ...write(a, b), kind: 'read' } as Work)).toBe('success');
    const got = a.memory.read(a.mr.region, 8999, 1);
    expect(got.ok && got.value[0]).toBe(9);
  });

  it.each([
    ['a wrong key', { key: 1 }, 'remote-access-error'],
    ['out of bounds', { at: 1 }, 'remote-access-error'],
    ['before the region', { at: -1 }, 'remote-access-error'],
  ] as const)('%s ends in %s, and no byte is changed', (_, over, status) => {
    const [a, b] = pairOf();
    a.memory.write(a.mr.region, 0, new Uint8Array(100).fill(5));
    expect(ends(a, b, write(a, b, over))).toBe(status);
    const got = b.memory.read(b.mr.region, 0, 1 << 16);
    expect(got.ok && got.value.every((x) => x === 0)).toBe(true);
    // The connection is over: what is posted after is flushed.
    expect(ends(a, b, write(a, b))).toBe('flushed');
  });

  it('is refused what the region was not registered for, and what is registered no more', () => {
    const [a, b] = pairOf(4096, { write: false, read: true });
    expect(ends(a, b, write(a, b))).toBe('remote-access-error');
    const [c, d] = pairOf(4096);
    expect(d.nic.registrar.deregister(d.mr).ok).toBe(true);
    expect(ends(c, d, write(c, d))).toBe('remote-access-error');
    expect(d.bar1.inUse).toBe(0);
  });

  it('says so when it is not connected', () => {
    const [a, b] = [end(1, gpuMemory('a', 1 << 20)), end(2, gpuMemory('b', 1 << 20))];
    expect(ends(a, b, write(a, b))).toBe('unconnected');
    // Connected at one end only, the packets are passed over until the retries are spent.
    a.pair.connect(b.pair);
    expect(ends(a, b, write(a, b))).toBe('retry-exceeded');
  });

  it('waits for a receiver that is not ready, and gives up after its retries', () => {
    const [a, b] = pairOf(4096);
    const send: Work = { kind: 'send', id: 3, local: local(a) };
    expect(ends(a, b, send)).toBe('rnr-retry-exceeded');
    const [c, d] = pairOf(4096);
    c.memory.write(c.mr.region, 0, new Uint8Array(4096).fill(3));
    d.pair.postReceive({ id: 4, local: local(d) });
    expect(ends(c, d, { ...send, local: local(c) })).toBe('success');
    expect(d.nic.completions.poll()).toMatchObject({ id: 4, bytes: 4096, status: 'success', side: 'receive' });
  });

  it('tells which device is lost: GPUs by a refusal, a NIC by its silence', () => {
    const [a, b] = pairOf(4096);
    b.memory.lose();
    expect(ends(a, b, write(a, b))).toBe('remote-operational-error');
    const [c, d] = pairOf(4096);
    c.memory.lose();
    expect(ends(c, d, write(c, d))).toBe('local-protection-error');
    const [e, f] = pairOf(4096);
    f.nic.lose();
    expect(ends(e, f, write(e, f))).toBe('retry-exceeded');
    e.nic.lose();
    expect(ends(e, f, write(e, f))).toBe('device-lost');
    expect(e.nic.gather(e.mr.key, 0, 1)).toEqual({ ok: false, error: 'device-lost' });
  });

  it('loses its queue pair when nobody empties the completion queue', () => {
    const a = end(1, hostMemory('a', 1 << 20), { bytes: 4096, depth: 3 });
    const b = end(2, hostMemory('b', 1 << 20), { bytes: 4096 });
    joined(a, b);
    for (let i = 0; i < 3; i++) {
      a.pair.post(write(a, b));
      converse(a.pair, b.pair);
    }
    expect(a.pair.dead).toBe(true);
  });
});

describe('queue pairs that promise less', () => {
  it('unreliable ones lose what a link loses, in silence, and what the peer must not write', () => {
    const make = (): readonly [End, End] =>
      joined(
        end(1, gpuMemory('a', 1 << 20), { service: 'unreliable' }),
        end(2, gpuMemory('b', 1 << 20), { service: 'unreliable' }),
      );
    const [a, b] = make();
    a.memory.write(a.mr.region, 0, new Uint8Array(1 << 16).fill(7));
    expect(ends(a, b, write(a, b))).toBe('success');
    const got = b.memory.read(b.mr.region, (1 << 16) - 1, 1);
    expect(got.ok && got.value[0]).toBe(7);
    const [c, d] = make();
    c.memory.write(c.mr.region, 0, new Uint8Array(1 << 16).fill(7));
    expect(ends(c, d, write(c, d, { key: 1 }))).toBe('success');
    // Of sixteen packets the fourth is lost: what came before lies there, the sender knows nothing.
    let sent = 0;
    expect(ends(c, d, write(c, d), (packet) => (sent++ === 3 ? undefined : packet))).toBe('success');
    const rest = d.memory.read(d.mr.region, 0, 1 << 16);
    expect(rest.ok && [rest.value[0], rest.value.at(-1)]).toEqual([7, 0]);
  });

  it('datagrams go to whoever holds the key, from GPU memory into GPU memory', () => {
    const [a, b] = [end(1, gpuMemory('a', 1 << 20)), end(2, gpuMemory('b', 1 << 20))];
    a.memory.write(a.mr.region, 0, Uint8Array.of(1, 2, 3));
    const config = { partitionKey: 0xffff, queueKey: 5, mtu: 4096, startingPsn: 0 };
    const from = udQueuePair({ ...config, queuePair: 1 }, keyedMemory(a.nic));
    const to = udQueuePair({ ...config, queuePair: 2 }, keyedMemory(b.nic));
    to.step({ kind: 'post-receive', work: { id: 9, local: local(b, 0, 100) } });
    from.step({ kind: 'post', work: { id: 1, local: local(a, 0, 3), destination: { queuePair: 2, queueKey: 5 } } });
    const [sent] = from.step({ kind: 'poll' }).flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));
    to.step({ kind: 'packet', packet: sent! });
    const got = b.memory.read(b.mr.region, grhRoom, 3);
    expect(got.ok && [...got.value]).toEqual([1, 2, 3]);
  });
});

describe('a bad link', () => {
  it('that flips bits or drops packets costs retries, never a wrong byte', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 60_000 }),
        fc.double({ min: 0, max: 0.2, noNaN: true }),
        (seed, n, share) => {
          const dice = random(seed);
          const [a, b] = joined(
            end(1, gpuMemory('a', 1 << 20), { bytes: n }),
            end(2, gpuMemory('b', 1 << 20), { bytes: n }),
          );
          const sent = Uint8Array.from({ length: n }, () => dice.below(256));
          a.memory.write(a.mr.region, 0, sent);
          const link: Link = (packet) => {
            if (dice.next() >= share) return packet;
            if (dice.next() < 0.5) return undefined;
            const bent = packet.slice();
            const at = dice.below(packet.length);
            bent[at] = bent[at]! ^ (1 << dice.below(8));
            return bent;
          };
          const status = ends(a, b, write(a, b), link);
          expect(['success', 'retry-exceeded']).toContain(status);
          const got = b.memory.read(b.mr.region, 0, n);
          if (status === 'success') expect(got.ok && Buffer.compare(got.value, sent)).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
