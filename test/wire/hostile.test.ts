import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkType } from '../../src/wire/capture.ts';
import type { WireKind } from '../../src/wire/efficiency.ts';
import { decodeFrame } from '../../src/wire/frame.ts';
import { decodeMad } from '../../src/wire/ib/mad.ts';
import { decodeNative } from '../../src/wire/ib/native.ts';
import { decodeIbPacket } from '../../src/wire/ib/packet.ts';
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
import { transferPackets } from '../../src/wire/transfer-pcap.ts';

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
