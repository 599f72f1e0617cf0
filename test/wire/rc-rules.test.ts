import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSyndrome } from '../../src/wire/ib/aeth.ts';
import { operation } from '../../src/wire/ib/opcode.ts';
import { type IbPacket, padFor } from '../../src/wire/ib/packet.ts';
import type { RcEffect } from '../../src/wire/rc/events.ts';
import { packetTo } from '../../src/wire/rc/packets.ts';
import type { QueuePair } from '../../src/wire/rc/queue-pair.ts';
import { rcQueuePair } from '../../src/wire/rc/queue-pair.ts';
import { regions } from '../../src/wire/rc/regions.ts';
import { all, configs, network } from './network.ts';

/** Two ends joined by hand, packet by packet. */
const size = 8192;
const region = () => ({ key: 1, address: 0n, bytes: new Uint8Array(size), access: all });
const local = (length: number) => ({ key: 1, address: 0n, length });
const place = { remoteAddress: 0n, remoteKey: 1 };
const [configA, configB] = configs({ mtu: 256, ackTimeout: 10 });

const packetsIn = (effects: readonly RcEffect[]): IbPacket[] =>
  effects.flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));
const poll = (pair: QueuePair, now = 0): IbPacket[] => packetsIn(pair.step(now, { kind: 'poll' }));
const give = (pair: QueuePair, packet: IbPacket, now = 0) => pair.step(now, { kind: 'packet', packet });
const statuses = (effects: readonly RcEffect[]) =>
  effects.flatMap((e) => (e.kind === 'completion' ? [e.completion.status] : []));
const drain = (pair: QueuePair, now = 0): IbPacket[] => {
  const out: IbPacket[] = [];
  while (pair.ready) out.push(...poll(pair, now));
  return out;
};
const ends = (): readonly [QueuePair, QueuePair] => [
  rcQueuePair(configA, regions([region()])),
  rcQueuePair(configB, regions([region()])),
];
const nakOf = (pair: QueuePair): string => {
  const [packet] = poll(pair);
  const syndrome = readSyndrome(packet?.aeth?.syndrome ?? 0);
  return syndrome.kind === 'nak' ? syndrome.nak : syndrome.kind;
};

describe('a reliable requester', () => {
  it('is told again when an acknowledgment was lost', () => {
    const [a, b] = ends();
    a.step(0, { kind: 'post', work: { kind: 'write', id: 1, local: local(8), ...place } });
    give(b, poll(a)[0]!);
    expect(drain(b)).toHaveLength(1);
    a.step(1, { kind: 'timer', timer: 'retry' });
    give(b, poll(a, 1)[0]!, 1);
    expect(statuses(give(a, drain(b, 1)[0]!, 1))).toEqual(['success']);
  });

  it('does not send again what was answered while it went back', () => {
    const [a, b] = ends();
    for (const id of [1, 2]) a.step(0, { kind: 'post', work: { kind: 'write', id, local: local(8), ...place } });
    for (const packet of drain(a)) give(b, packet);
    const [first] = drain(b);
    a.step(1, { kind: 'timer', timer: 'retry' });
    give(a, first!, 1);
    expect(drain(a, 1).map((p) => p.bth.psn)).toEqual([(configA.startingPsn + 1) & 0xffffff]);
  });

  it('keeps a fenced request until the READ before it has its data', () => {
    const [a, b] = ends();
    a.step(0, { kind: 'post', work: { kind: 'read', id: 1, local: local(300), ...place } });
    a.step(0, { kind: 'post', work: { kind: 'write', id: 2, local: local(8), ...place, fence: true } });
    const [request, ...more] = drain(a);
    expect(more).toEqual([]);
    give(b, request!);
    const [r1, r2] = drain(b);
    give(a, r1!);
    expect(a.ready).toBe(false);
    give(a, r2!);
    expect(a.ready).toBe(true);
  });

  it('asks for the rest of a READ that lost a response', () => {
    const [a, b] = ends();
    a.step(0, { kind: 'post', work: { kind: 'read', id: 1, local: local(1000), ...place } });
    give(b, poll(a)[0]!);
    const [r0, , r2] = drain(b);
    give(a, r0!);
    expect(give(a, r2!)).toContainEqual({
      kind: 'retry',
      cause: 'missing-response',
      psn: (configA.startingPsn + 1) & 0xffffff,
    });
    const [again] = drain(a);
    expect(again?.reth).toEqual({ address: 256n, key: 1, length: 744 });
    give(b, again!);
    const rest = drain(b);
    expect(rest).toHaveLength(3);
    expect(rest.flatMap((p) => statuses(give(a, p)))).toEqual(['success']);
  });

  it('needs no retry on a perfect network, whatever its tuning', () => {
    const tuning = fc.record({
      window: fc.integer({ min: 1, max: 9 }),
      ackEvery: fc.integer({ min: 0, max: 3 }),
      coalesce: fc.boolean(),
      initiatorDepth: fc.integer({ min: 1, max: 3 }),
    });
    const kinds = fc.array(fc.tuple(fc.constantFrom('write' as const, 'read' as const), fc.nat(4000)), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(tuning, kinds, (over, works) => {
        const net = network(configs({ mtu: 256, ...over }), [[region()], [region()]]);
        for (const [id, [kind, length]] of works.entries()) {
          net.post(0, { kind: 'post', work: { kind, id, local: local(length), ...place } });
        }
        net.run();
        expect(net.sides[0].retries).toEqual([]);
        expect(net.sides[0].completions.map((c) => c.status)).toEqual(works.map(() => 'success'));
      }),
      { numRuns: 200 },
    );
  });

  it('lets a timer that was set anew ring for nothing', () => {
    const [a, b] = ends();
    for (const id of [1, 2]) a.step(0, { kind: 'post', work: { kind: 'write', id, local: local(8), ...place } });
    for (const packet of drain(a)) give(b, packet);
    const late = give(a, drain(b)[0]!, 0.004).find((e) => e.kind === 'timer');
    expect(late).toMatchObject({ timer: 'retry', at: 0.004 + 4.096e-6 * 2 ** 10 });
    expect(a.step(0.005, { kind: 'timer', timer: 'retry' })).toEqual([]);
    expect(a.step(0.009, { kind: 'timer', timer: 'retry' })).toContainEqual(
      expect.objectContaining({ kind: 'retry', cause: 'timeout' }),
    );
  });

  it('passes over an acknowledgment that it has had', () => {
    const [a, b] = ends();
    for (const id of [1, 2]) a.step(0, { kind: 'post', work: { kind: 'write', id, local: local(8), ...place } });
    for (const packet of drain(a)) give(b, packet);
    const [first] = drain(b);
    give(a, first!);
    expect(give(a, first!)).toEqual([{ kind: 'dropped', why: 'duplicate', psn: configA.startingPsn }]);
  });

  it('passes over an acknowledgment of what it never sent', () => {
    const [a] = ends();
    a.step(0, { kind: 'post', work: { kind: 'write', id: 1, local: local(8), ...place } });
    poll(a);
    const ghost = packetTo(configB, { opcode: operation.acknowledge, psn: 77 }, { aeth: { syndrome: 31, msn: 1 } });
    expect(give(a, ghost)).toEqual([{ kind: 'dropped', why: 'unexpected', psn: 77 }]);
  });
});

describe('a reliable responder', () => {
  const psn = configA.startingPsn;
  const send = (opcode: number, length: number, over: Partial<IbPacket> = {}, at = 0): IbPacket => {
    const payload = new Uint8Array(length);
    const packet = packetTo(configA, { opcode, psn: (psn + at) & 0xffffff, payload, ackRequest: true });
    return { ...packet, ...over, payload, pad: padFor(payload) };
  };
  const ready = (): QueuePair => {
    const b = ends()[1];
    b.step(0, { kind: 'post-receive', work: { id: 1, local: local(4096) } });
    return b;
  };
  const reth = (length: number) => ({ reth: { address: 0n, key: 1, length } });

  it.each<readonly [string, readonly IbPacket[]]>([
    ['a middle without a first', [send(operation.sendMiddle, 256)]],
    ['a first that is not full', [send(operation.sendFirst, 10)]],
    ['an only that is too long', [send(operation.sendOnly, 300)]],
    ['a last without bytes', [send(operation.sendFirst, 256), send(operation.sendLast, 0, {}, 1)]],
    ['a WRITE within a SEND', [send(operation.sendFirst, 256), send(operation.writeMiddle, 256, {}, 1)]],
    ['a READ within a SEND', [send(operation.sendFirst, 256), send(operation.readRequest, 0, reth(8), 1)]],
    ['a WRITE shorter than it said', [send(operation.writeOnly, 4, reth(8))]],
    ['a WRITE longer than it said', [send(operation.writeOnly, 12, reth(8))]],
  ])('refuses %s', (_, packets) => {
    const b = ready();
    for (const packet of packets.slice(0, -1)) {
      give(b, packet);
      drain(b);
    }
    give(b, packets.at(-1)!);
    expect(nakOf(b)).toBe('invalid-request');
    expect(b.state).toBe('failed');
  });

  it('serves no more READs at once than it has resources for', () => {
    const b = rcQueuePair({ ...configB, responderResources: 2 }, regions([region()]));
    for (const at of [0, 1, 2]) give(b, send(operation.readRequest, 0, reth(8), at));
    expect(drain(b).map((p) => p.bth.opcode)).toEqual([
      operation.readResponseOnly,
      operation.readResponseOnly,
      operation.acknowledge,
    ]);
  });

  it('is not ready for immediate data without a receive, even when it comes with a WRITE', () => {
    const b = ends()[1];
    give(b, send(operation.writeOnlyImmediate, 8, { ...reth(8), immediate: 5 }));
    expect(nakOf(b)).toBe('receiver-not-ready');
    b.step(0, { kind: 'post-receive', work: { id: 3, local: local(0) } });
    const done = give(b, send(operation.writeOnlyImmediate, 8, { ...reth(8), immediate: 5 }));
    expect(done).toContainEqual({
      kind: 'completion',
      completion: { side: 'receive', id: 3, status: 'success', length: 8, immediate: 5 },
    });
  });

  it('passes over what is not for it', () => {
    const b = ready();
    const to = (change: Partial<IbPacket['bth']>): unknown => {
      const packet = send(operation.sendOnly, 8);
      return give(b, { ...packet, bth: { ...packet.bth, ...change } });
    };
    expect(to({ destinationQp: 99 })).toEqual([{ kind: 'dropped', why: 'wrong-queue-pair', psn }]);
    expect(to({ partitionKey: 0x8001 })).toEqual([{ kind: 'dropped', why: 'wrong-partition', psn }]);
    expect(to({ opcode: operation.sendOnly | 0x20 })).toEqual([{ kind: 'dropped', why: 'wrong-service', psn }]);
    // A limited member of the same partition may speak.
    expect(to({ partitionKey: 0x7fff })).toHaveLength(1);
    expect(b.ready).toBe(true);
  });
});
