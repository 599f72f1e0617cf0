import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noCredits, readSyndrome } from '../../src/wire/ib/aeth.ts';
import type { IbPacket } from '../../src/wire/ib/packet.ts';
import { creditCode, creditsOf } from '../../src/wire/rc/credits.ts';
import type { RcEffect } from '../../src/wire/rc/events.ts';
import { type QueuePair, rcQueuePair } from '../../src/wire/rc/queue-pair.ts';
import { regions } from '../../src/wire/rc/regions.ts';
import { all, configs, network } from './network.ts';

const counting = { mtu: 256, countsCredits: true, peerCountsCredits: true };
const region = () => ({ key: 1, address: 0n, bytes: new Uint8Array(65536), access: all });
const local = (length: number, at = 0) => ({ key: 1, address: BigInt(at), length });
const place = { remoteAddress: 0n, remoteKey: 1 };
const packetsIn = (effects: readonly RcEffect[]): IbPacket[] =>
  effects.flatMap((e) => (e.kind === 'packet' ? [e.packet] : []));
const drain = (pair: QueuePair, now = 0): IbPacket[] => {
  const out: IbPacket[] = [];
  while (pair.ready) out.push(...packetsIn(pair.step(now, { kind: 'poll' })));
  return out;
};
const ends = (over: Parameters<typeof configs>[0] = counting): readonly [QueuePair, QueuePair] => {
  const [a, b] = configs(over);
  return [rcQueuePair(a, regions([region()])), rcQueuePair(b, regions([region()]))];
};
const give = (to: QueuePair, list: readonly IbPacket[], now = 0): RcEffect[] =>
  list.flatMap((packet) => [...to.step(now, { kind: 'packet', packet })]);

describe('credit codes', () => {
  it('promise what is there, and no more than the next code would', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (n) => {
        const code = creditCode(n);
        expect(creditsOf(code)!).toBeLessThanOrEqual(n);
        if (code < 30) expect(creditsOf(code + 1)!).toBeGreaterThan(n);
      }),
    );
    expect(creditsOf(noCredits)).toBeUndefined();
    expect([0, 5, 12, 32768].map(creditCode)).toEqual([0, 4, 7, 30]);
  });
});

describe('end-to-end credits', () => {
  it('without credits one packet asks, and the rest waits for the answer', () => {
    const [a, b] = ends();
    for (const id of [1, 2, 3]) a.step(0, { kind: 'post', work: { kind: 'send', id, local: local(600) } });
    const asked = drain(a);
    expect(asked.map((p) => [p.payload.length, p.bth.ackRequest])).toEqual([[256, true]]);
    give(b, asked);
    const refused = drain(b);
    expect(readSyndrome(refused[0]!.aeth!.syndrome).kind).toBe('receiver-not-ready');
    give(a, refused);
    for (const id of [1, 2]) b.step(0, { kind: 'post-receive', work: { id, local: local(600, id * 1000) } });
    a.step(1, { kind: 'timer', timer: 'rnr' });
    // The first packet again; its acknowledgment tells of two receives: two messages, and one packet of the third.
    const again = drain(a, 1);
    expect(again).toHaveLength(1);
    give(b, again, 1);
    const [ack] = drain(b, 1);
    expect([readSyndrome(ack!.aeth!.syndrome), ack!.aeth!.msn]).toEqual([{ kind: 'ack', credits: 2 }, 0]);
    give(a, [ack!], 1);
    expect(drain(a, 1).map((p) => p.payload.length)).toEqual([256, 88, 256, 256, 88, 256]);
    expect(a.ready).toBe(false);
  });

  it('a peer that does not count is sent to without end, and says so in each acknowledgment', () => {
    const [a, b] = ends({ mtu: 256 });
    for (const id of [1, 2, 3]) a.step(0, { kind: 'post', work: { kind: 'send', id, local: local(600) } });
    const sent = drain(a);
    expect(sent).toHaveLength(9);
    b.step(0, { kind: 'post-receive', work: { id: 1, local: local(600) } });
    give(b, sent.slice(0, 3));
    expect(drain(b).map((p) => p.aeth!.syndrome)).toEqual([noCredits]);
  });

  it('one that counts and then says 31 is believed', () => {
    const [a, b] = ends({ ...counting, countsCredits: false });
    for (const id of [1, 2]) {
      a.step(0, { kind: 'post', work: { kind: 'send', id, local: local(600) } });
      b.step(0, { kind: 'post-receive', work: { id, local: local(600) } });
    }
    give(b, drain(a));
    give(a, drain(b));
    expect(drain(a)).toHaveLength(5);
  });

  it('WRITEs and READs need none, WRITEs with immediate data do', () => {
    const [a] = ends();
    a.step(0, { kind: 'post', work: { kind: 'write', id: 1, local: local(600), ...place } });
    a.step(0, { kind: 'post', work: { kind: 'read', id: 2, local: local(600), ...place } });
    a.step(0, { kind: 'post', work: { kind: 'write', id: 3, local: local(600), ...place, immediate: 7 } });
    expect(drain(a)).toHaveLength(3 + 1 + 1);
  });

  it('everything arrives, however few receives there are and however late, and a refusal costs one packet', () => {
    const kinds = fc.array(fc.tuple(fc.constantFrom('send' as const, 'write' as const), fc.nat(1500)), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(kinds, fc.nat(12), fc.boolean(), (works, posted, coalesce) => {
        const net = network(configs({ ...counting, coalesce, rnrTimer: 1 }), [[region()], [region()]]);
        const sends = works.filter(([kind]) => kind === 'send').length;
        const receive = (id: number): void =>
          net.post(1, { kind: 'post-receive', work: { id, local: local(1500, id * 1500) } });
        for (let id = 0; id < Math.min(posted, sends); id++) receive(id);
        works.forEach(([kind, length], id) => {
          net.post(0, { kind: 'post', work: { kind, id, local: local(length), ...place } });
        });
        // A sender that is refused comes back for ever: a while is enough to see that it will.
        const aWhile = (): void => {
          try {
            net.run(300);
          } catch (e) {
            expect(String(e)).toContain('never falls silent');
          }
        };
        // The receiver posts one more after each while.
        let next = Math.min(posted, sends);
        for (let rounds = 0; rounds < 40 && net.sides[0].completions.length < works.length; rounds++) {
          if (next < sends) receive(next++);
          aWhile();
        }
        expect(net.sides[0].completions.map((c) => c.status)).toEqual(works.map(() => 'success'));
        if (posted >= sends) expect(net.sides[0].retries).toEqual([]);
        else if (sends === works.length) {
          // Whoever is refused had sent one packet: nothing else was thrown away. (A WRITE may follow the one that asks.)
          const wasted = net.sides[1].sent.filter(
            (p) => p.aeth && readSyndrome(p.aeth.syndrome).kind === 'receiver-not-ready',
          );
          const packets = works.reduce((sum, [, n]) => sum + Math.max(1, Math.ceil(n / 256)), 0);
          expect(net.sides[0].sent).toHaveLength(packets + wasted.length);
        }
      }),
      { numRuns: 200 },
    );
  });
});
