import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkType } from '../../src/wire/capture.ts';
import type { WireKind } from '../../src/wire/efficiency.ts';
import { decodeFrame } from '../../src/wire/frame.ts';
import { decodeMad } from '../../src/wire/ib/mad.ts';
import { decodeNative } from '../../src/wire/ib/native.ts';
import { decodeIbPacket, encodeIbPacket } from '../../src/wire/ib/packet.ts';
import { decodeIpv4 } from '../../src/wire/ip/ipv4.ts';
import { decodeIpv6 } from '../../src/wire/ip/ipv6.ts';
import { decodeTcp } from '../../src/wire/ip/tcp.ts';
import { decodeUdp } from '../../src/wire/ip/udp.ts';
import { readConnection } from '../../src/wire/iwarp/connection.ts';
import { decodeFpdu } from '../../src/wire/iwarp/fpdu.ts';
import { decodeMpaStartup, encodeMpaStartup } from '../../src/wire/iwarp/mpa.ts';
import { decodeRdmap } from '../../src/wire/iwarp/rdmap.ts';
import { decodeArp } from '../../src/wire/link/arp.ts';
import { decodeErf } from '../../src/wire/link/erf.ts';
import { decodeEthernet } from '../../src/wire/link/ethernet.ts';
import type { Decoding } from '../../src/wire/outcome.ts';
import { readCapture } from '../../src/wire/pcap.ts';
import { rcDefaults } from '../../src/wire/rc/config.ts';
import type { RcEvent } from '../../src/wire/rc/events.ts';
import { rcQueuePair } from '../../src/wire/rc/queue-pair.ts';
import { regions } from '../../src/wire/rc/regions.ts';
import { ucQueuePair } from '../../src/wire/rc/unreliable.ts';
import { transferPackets } from '../../src/wire/transfer-pcap.ts';
import { arbitraryIb } from './arbitrary.ts';

const pseudo = { source: new Uint8Array(4), destination: new Uint8Array(4), protocol: 17 };

const decoders: readonly (readonly [string, (b: Uint8Array) => Decoding<unknown>])[] = [
  ['Ethernet', (b) => decodeEthernet(b)],
  ['ARP', (b) => decodeArp(b)],
  ['ERF', (b) => decodeErf(b)],
  ['IPv4', (b) => decodeIpv4(b)],
  ['IPv6', (b) => decodeIpv6(b)],
  ['UDP', (b) => decodeUdp(b, 0, b.length, pseudo)],
  ['TCP', (b) => decodeTcp(b, 0, b.length, pseudo)],
  ['InfiniBand transport', (b) => decodeIbPacket(b, 0, b.length)],
  ['InfiniBand', (b) => decodeNative(b)],
  ['MAD', (b) => decodeMad(b)],
  ['MPA', (b) => decodeMpaStartup(b)],
  ['FPDU', (b) => decodeFpdu(b, 0, 0, { markers: true, crc: true })],
  ['RDMAP', (b) => decodeRdmap(b)],
  ...Object.values(linkType).map((type) => [`link type ${type}`, (b: Uint8Array) => decodeFrame(type, b)] as const),
];

/** Bytes that get far into the decoders: whole packets, cut and hurt. */
const packets = (['roce-v2', 'infiniband', 'iwarp', 'ipoib-datagram', 'tcp'] as WireKind[]).flatMap((kind) => {
  const made = transferPackets(kind, new Uint8Array(600));
  return made.ok ? made.value.packets : [];
});

const hurt = fc
  .record({
    packet: fc.constantFrom(...packets),
    from: fc.nat(60),
    cut: fc.nat(700),
    flips: fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 4 }),
  })
  .map(({ packet, from, cut, flips }) => {
    const bytes = packet.bytes.slice(from, from + cut);
    for (const [at, value] of flips) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });

const anything = fc.oneof(fc.uint8Array({ maxLength: 400 }), hurt);

describe('any bytes', () => {
  for (const [name, decode] of decoders) {
    it(`${name}: a value or a reason`, () => {
      fc.assert(
        fc.property(anything, (b) => {
          const read = decode(b);
          if (read.ok) expect(read.value.next).toBeLessThanOrEqual(b.length);
          else expect(typeof read.error).toBe('string');
        }),
        { numRuns: 500 },
      );
    });
  }

  it('after a sound greeting of MPA end in units and a rest', () => {
    const startup = (kind: 'request' | 'reply', markers: boolean) =>
      encodeMpaStartup({
        kind,
        markers,
        crc: true,
        rejected: false,
        enhanced: false,
        reserved: 0,
        revision: 1,
        privateData: new Uint8Array(0),
      });
    fc.assert(
      fc.property(anything, anything, fc.boolean(), (a, b, markers) => {
        const read = readConnection(
          Uint8Array.from([...startup('request', markers), ...a]),
          Uint8Array.from([...startup('reply', markers), ...b]),
        );
        expect(typeof read).toBe('object');
      }),
    );
  });

  it('behind the magic number of a capture end in packets and a reason', () => {
    const magic = fc.constantFrom(
      [0xd4, 0xc3, 0xb2, 0xa1],
      [0xa1, 0xb2, 0x3c, 0x4d],
      [0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a],
    );
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 300 }), (m, b) => {
        const read = readCapture(Uint8Array.from([...m, ...b]));
        if (!read.ok) expect(typeof read.error).toBe('string');
      }),
      { numRuns: 3000 },
    );
  });
});

describe('any packets', () => {
  const config = { ...rcDefaults, mtu: 256, queuePair: 1, startingPsn: 10, peer: { queuePair: 2, startingPsn: 10 } };
  const access = ['local-read', 'local-write', 'remote-read', 'remote-write', 'remote-atomic'] as const;
  /** Close enough to what is expected to get past the first checks. */
  const near = arbitraryIb.chain((packet) =>
    fc.record({ psn: fc.integer({ min: 5, max: 30 }), offset: fc.nat(2000), length: fc.nat(1200) }).map((o) => {
      const address = BigInt(o.offset);
      return {
        ...packet,
        bth: { ...packet.bth, destinationQp: 1, partitionKey: 0xffff, psn: o.psn },
        ...(packet.reth === undefined ? {} : { reth: { address, key: 1, length: o.length } }),
        ...(packet.atomicEth === undefined ? {} : { atomicEth: { ...packet.atomicEth, address, key: 1 } }),
      };
    }),
  );
  const events: fc.Arbitrary<RcEvent> = fc.oneof(
    { weight: 6, arbitrary: near.map((packet) => ({ kind: 'packet' as const, packet })) },
    { weight: 4, arbitrary: fc.constant({ kind: 'poll' as const }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('retry' as const, 'rnr' as const).map((timer) => ({ kind: 'timer' as const, timer })),
    },
    {
      weight: 1,
      arbitrary: fc.nat(1000).map((length) => ({
        kind: 'post-receive' as const,
        work: { id: 0, local: { key: 1, address: 0n, length } },
      })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('send' as const, 'write' as const, 'read' as const), fc.nat(1000))
        .map(([kind, length]) => ({
          kind: 'post' as const,
          work: { kind, id: 0, local: { key: 1, address: 0n, length }, remoteAddress: 0n, remoteKey: 1 },
        })),
    },
  );

  it('reach a queue pair without harm: each request ends once, and what it sends can be encoded', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 80 }), (list) => {
        for (const make of [rcQueuePair, ucQueuePair]) {
          const bytes = new Uint8Array(2048);
          const pair = make(config, regions([{ key: 1, address: 0n, bytes, access }]));
          let posted = 0;
          let ended = 0;
          for (const [now, event] of list.entries()) {
            if (event.kind === 'post') posted++;
            for (const effect of pair.step(now, event)) {
              if (effect.kind === 'packet') encodeIbPacket(effect.packet);
              if (effect.kind === 'completion' && effect.completion.side === 'send') ended++;
            }
          }
          expect(ended).toBeLessThanOrEqual(posted);
          if (pair.state === 'failed') expect(ended).toBe(posted);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
