import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operation } from '../../src/wire/ib/opcode.ts';
import type { IbPacket } from '../../src/wire/ib/packet.ts';
import type { RcEffect } from '../../src/wire/rc/events.ts';
import type { QueuePair } from '../../src/wire/rc/queue-pair.ts';
import { regions } from '../../src/wire/rc/regions.ts';
import { grhRoom, type UdConfig, type UdEffect, type UdQueuePair, udQueuePair } from '../../src/wire/rc/ud.ts';
import { ucQueuePair } from '../../src/wire/rc/unreliable.ts';
import { all, configs } from './network.ts';

const bytes = Uint8Array.from({ length: 8192 }, (_, i) => i & 0xff);
const memory = () => {
  const own = bytes.slice();
  return { own, at: regions([{ key: 1, address: 0n, bytes: own, access: all }]) };
};
const local = (length: number, at = 0) => ({ key: 1, address: BigInt(at), length });
type Effects = readonly (RcEffect | UdEffect)[];
const ended = (effects: Effects) =>
  effects.flatMap((e) => (e.kind === 'completion' ? [[e.completion.id, e.completion.status] as const] : []));
const dropped = (effects: Effects) => effects.flatMap((e) => (e.kind === 'dropped' ? [e.why] : []));
const packets = (effects: Effects): IbPacket[] => effects.flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));

describe('an unreliable connection', () => {
  const [configA, configB] = configs({ mtu: 256 });
  const drain = (pair: QueuePair): IbPacket[] => {
    const out: IbPacket[] = [];
    while (pair.ready) out.push(...packets(pair.step(0, { kind: 'poll' })));
    return out;
  };
  const pair = () => {
    const b = memory();
    return { a: ucQueuePair(configA, memory().at), b: ucQueuePair(configB, b.at), bytes: b.own };
  };

  it('whichever packet of a message is lost, the message is, and the next one is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(4), (n, lost) => {
        const { a, b } = pair();
        for (const id of [1, 2]) {
          a.step(0, { kind: 'post', work: { kind: 'send', id, local: local(n * 256) } });
          b.step(0, { kind: 'post-receive', work: { id, local: local(2048, 4096) } });
        }
        const arriving = drain(a).filter((_, i) => i !== lost % n);
        const effects = arriving.flatMap((packet) => [...b.step(0, { kind: 'packet', packet })]);
        // The receive of the lost message is there for the next.
        expect(ended(effects)).toEqual([[1, 'success']]);
        expect(b.state).toBe('ready');
      }),
    );
  });

  it('an error of its own stops the send queue alone: what waits is flushed, receives go on, and its owner resumes it', () => {
    const { a, b } = pair();
    a.step(0, { kind: 'post-receive', work: { id: 9, local: local(600) } });
    a.step(0, { kind: 'post', work: { kind: 'send', id: 1, local: { key: 99, address: 0n, length: 8 } } });
    a.step(0, { kind: 'post', work: { kind: 'send', id: 2, local: local(8) } });
    expect(ended(a.step(0, { kind: 'poll' }))).toEqual([
      [1, 'local-protection-error'],
      [2, 'flushed'],
    ]);
    expect([a.state, a.ready]).toEqual(['send-queue-error', false]);
    expect(ended(a.step(0, { kind: 'post', work: { kind: 'send', id: 3, local: local(8) } }))).toEqual([
      [3, 'flushed'],
    ]);
    b.step(0, { kind: 'post', work: { kind: 'send', id: 4, local: local(8) } });
    const got = drain(b).flatMap((packet) => [...a.step(0, { kind: 'packet', packet })]);
    expect(ended(got)).toEqual([[9, 'success']]);
    a.step(0, { kind: 'resume' });
    a.step(0, { kind: 'post', work: { kind: 'send', id: 5, local: local(8) } });
    expect(drain(a)).toHaveLength(1);
  });

  it('a receive that cannot take what comes ends the queue pair, and all that it holds', () => {
    const { a, b } = pair();
    a.step(0, { kind: 'post', work: { kind: 'send', id: 1, local: local(200) } });
    b.step(0, { kind: 'post', work: { kind: 'send', id: 7, local: local(8) } });
    for (const id of [1, 2]) b.step(0, { kind: 'post-receive', work: { id, local: local(100) } });
    const effects = drain(a).flatMap((packet) => [...b.step(0, { kind: 'packet', packet })]);
    expect(ended(effects)).toEqual([
      [1, 'local-length-error'],
      [7, 'flushed'],
      [2, 'flushed'],
    ]);
    expect(b.state).toBe('failed');
    expect(ended(b.step(0, { kind: 'post-receive', work: { id: 3, local: local(100) } }))).toEqual([[3, 'flushed']]);
    b.step(0, { kind: 'resume' });
    expect(b.state).toBe('failed');
  });

  it('what the peer does wrong is dropped in silence: no room, no right to write', () => {
    const { a, b, bytes: target } = pair();
    const before = target.slice();
    a.step(0, { kind: 'post', work: { kind: 'send', id: 1, local: local(8) } });
    a.step(0, { kind: 'post', work: { kind: 'write', id: 2, local: local(8), remoteAddress: 0n, remoteKey: 99 } });
    const [send, write] = drain(a);
    expect(dropped(b.step(0, { kind: 'packet', packet: send! }))).toEqual(['no-receive']);
    expect(dropped(b.step(0, { kind: 'packet', packet: write! }))).toEqual(['out-of-sequence']);
    expect([b.state, b.ready, target]).toEqual(['ready', false, before]);
  });

  it('knows no READ', () => {
    const { a } = pair();
    const read = { kind: 'read', id: 1, local: local(8), remoteAddress: 0n, remoteKey: 1 } as const;
    expect(ended(a.step(0, { kind: 'post', work: read }))).toEqual([[1, 'local-operation-error']]);
    expect(a.state).toBe('ready');
  });
});

describe('unreliable datagrams', () => {
  const config: UdConfig = { queuePair: 0x21, partitionKey: 0xffff, queueKey: 0x1234, mtu: 1024, startingPsn: 5 };
  const other: UdConfig = { ...config, queuePair: 0x22, queueKey: 0x777 };
  const pair = () => {
    const b = memory();
    return { a: udQueuePair(config, memory().at), b: udQueuePair(other, b.at), bytes: b.own };
  };
  const to = { queuePair: 0x22, queueKey: 0x777 };
  const poll = (qp: UdQueuePair): UdEffect[] => [...qp.step({ kind: 'poll' })];

  it('bring one packet each, behind the room for a GRH', () => {
    const { a, b, bytes: target } = pair();
    b.step({ kind: 'post-receive', work: { id: 1, local: local(grhRoom + 1024, 4096) } });
    a.step({ kind: 'post', work: { id: 2, local: local(1000, 16), destination: to, immediate: 9 } });
    const sent = poll(a);
    expect(ended(sent)).toEqual([[2, 'success']]);
    const [packet] = packets(sent);
    expect(packet!.bth.opcode & 0x1f).toBe(operation.sendOnlyImmediate);
    const got = b.step({ kind: 'packet', packet: packet! });
    expect(got).toEqual([
      {
        kind: 'completion',
        completion: { side: 'receive', id: 1, status: 'success', length: grhRoom + 1000, immediate: 9 },
      },
    ]);
    expect(target.slice(4096 + grhRoom, 4096 + grhRoom + 1000)).toEqual(bytes.slice(16, 1016));
  });

  it('are lost in silence without a receive, with another key, for another queue pair; keys are counted', () => {
    const { a, b } = pair();
    const drop = (destination: typeof to): string[] => {
      a.step({ kind: 'post', work: { id: 1, local: local(8), destination } });
      return packets(poll(a)).flatMap((packet) => dropped(b.step({ kind: 'packet', packet })));
    };
    expect(drop(to)).toEqual(['no-receive']);
    b.step({ kind: 'post-receive', work: { id: 1, local: local(100) } });
    expect(drop({ ...to, queueKey: 0x778 })).toEqual(['wrong-key']);
    expect(drop({ ...to, queuePair: 0x23 })).toEqual(['wrong-queue-pair']);
    expect([b.keyViolations, b.state]).toEqual([1, 'ready']);
    expect(drop(to)).toEqual([]);
  });

  it('a privileged key sends the own one of the queue pair', () => {
    const { a } = pair();
    a.step({ kind: 'post', work: { id: 1, local: local(8), destination: { ...to, queueKey: 0x80000000 } } });
    expect(packets(poll(a))[0]!.deth).toEqual({ queueKey: 0x1234, reserved: 0, sourceQp: 0x21 });
  });

  it.each([
    ['longer than the MTU', local(1025), 'local-length-error'],
    ['of memory that is not theirs', { key: 5, address: 0n, length: 8 }, 'local-protection-error'],
  ] as const)('%s stop the send queue, and receives go on', (_, segment, status) => {
    const { a } = pair();
    a.step({ kind: 'post-receive', work: { id: 9, local: local(100) } });
    a.step({ kind: 'post', work: { id: 1, local: segment, destination: to } });
    a.step({ kind: 'post', work: { id: 2, local: local(8), destination: to } });
    expect(ended(poll(a))).toEqual([
      [1, status],
      [2, 'flushed'],
    ]);
    expect([a.state, a.ready]).toEqual(['send-queue-error', false]);
    const { b } = pair();
    b.step({ kind: 'post', work: { id: 3, local: local(8), destination: { queuePair: 0x21, queueKey: 0x1234 } } });
    const [packet] = packets(poll(b));
    expect(ended(a.step({ kind: 'packet', packet: packet! }))).toEqual([[9, 'success']]);
    a.step({ kind: 'resume' });
    a.step({ kind: 'post', work: { id: 4, local: local(8), destination: to } });
    expect(ended(poll(a))).toEqual([[4, 'success']]);
  });

  it('that do not fit their receive end the queue pair', () => {
    const { a, b } = pair();
    for (const id of [1, 2]) b.step({ kind: 'post-receive', work: { id, local: local(grhRoom + 7) } });
    a.step({ kind: 'post', work: { id: 1, local: local(8), destination: to } });
    const [packet] = packets(poll(a));
    expect(ended(b.step({ kind: 'packet', packet: packet! }))).toEqual([
      [1, 'local-length-error'],
      [2, 'flushed'],
    ]);
    expect(b.state).toBe('failed');
    expect(dropped(b.step({ kind: 'packet', packet: packet! }))).toEqual(['failed']);
  });

  it('each request ends once, whatever happens', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('poll' as const) }),
      fc.record({ kind: fc.constant('resume' as const) }),
      fc.nat(2000).map((n) => ({ kind: 'post' as const, work: { id: n, local: local(n), destination: to } })),
      fc.nat(2000).map((n) => ({ kind: 'post-receive' as const, work: { id: n, local: local(n) } })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (list) => {
        const { a, b } = pair();
        const count = { posted: 0, ended: 0 };
        for (const e of list) {
          if (e.kind === 'post') count.posted++;
          const effects = e.kind === 'post-receive' ? b.step(e) : a.step(e);
          count.ended += effects.filter((x) => x.kind === 'completion' && x.completion.side === 'send').length;
          for (const packet of packets(effects)) b.step({ kind: 'packet', packet });
        }
        while (a.ready) count.ended += ended(poll(a)).length;
        expect(count.ended).toBe(count.posted);
      }),
      { numRuns: 500 },
    );
  });
});
