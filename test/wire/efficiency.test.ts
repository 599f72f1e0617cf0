import { describe, expect, it } from 'vitest';
import { bytes, fromGbps, toGbps } from '../../src/base/units.ts';
import { concat } from '../../src/wire/bytes.ts';
import { goodput, largestUlpdu, type WireKind, type WireOptions, wireCost } from '../../src/wire/efficiency.ts';
import { encodeNative } from '../../src/wire/ib/native.ts';
import { ipoibLayout } from '../../src/wire/link/ipoib.ts';
import { packetParts } from '../../src/wire/packet-parts.ts';
import { datagramPacket } from '../../src/wire/rc/datagram.ts';
import { exampleEnds, transferPackets } from '../../src/wire/transfer-pcap.ts';
import { captureNames, capturesAbsent, readCaptureFile } from './captures.ts';

const large = bytes(2 ** 30);
const gbps = (kind: WireKind, options: WireOptions, line: number): number =>
  toGbps(goodput(kind, large, options, fromGbps(line)));

describe('what a payload costs on the wire', () => {
  it('gives the published figures', () => {
    expect(gbps('roce-v2', { mtu: bytes(1024) }, 100)).toBeCloseTo(92.6, 1);
    expect(gbps('infiniband', { mtu: bytes(4096) }, 200)).toBeCloseTo(198.7, 1);
    // 1,448 of 1,538 bytes: the well-known 94.1 % of TCP with timestamps.
    expect(gbps('tcp', { mtu: bytes(1500) }, 100)).toBeCloseTo(94.15, 2);
  });

  it('counts 82 bytes around a RoCE v2 packet over IPv4 and 102 over IPv6', () => {
    const two = (options: WireOptions): number =>
      wireCost('roce-v2', bytes(4096), { ...options, operation: 'send' }).forward.bytes -
      wireCost('roce-v2', bytes(2048), { ...options, operation: 'send' }).forward.bytes;
    expect(two({ mtu: bytes(1024) })).toBe(2 * (1024 + 82));
    expect(two({ mtu: bytes(1024), ip: 6 })).toBe(2 * (1024 + 102));
  });

  it('names the layers of a packet, and they add up', () => {
    const cases: [Exclude<WireKind, 'ipoib-connected'>, WireOptions][] = [
      ['infiniband', { mtu: bytes(4096), grh: true }],
      ['roce-v2', { mtu: bytes(1024) }],
      ['roce-v2', { mtu: bytes(4096), ip: 6, vlanTags: 1, operation: 'read' }],
      ['iwarp', { mtu: bytes(1500), operation: 'send' }],
      ['ipoib-datagram', { mtu: bytes(2044) }],
      ['tcp', { mtu: bytes(9000), ethernetOverhead: false, timestamps: false }],
    ];
    for (const [kind, options] of cases) {
      const parts = packetParts(kind, options);
      const payload = parts.find((p) => p.name === 'payload')!.bytes;
      const whole = parts.reduce((sum, p) => sum + p.bytes, 0);
      const of = (packets: number): number => wireCost(kind, bytes(packets * payload), options).forward.bytes;
      expect(of(9) - of(8)).toBe(whole);
    }
    const roce = packetParts('roce-v2', { mtu: bytes(1024) });
    expect(roce.map((p) => [p.name, p.bytes])).toEqual([
      ['preamble, FCS and gap', 24],
      ['Ethernet', 14],
      ['IPv4', 20],
      ['UDP', 8],
      ['BTH', 12],
      ['payload', 1024],
      ['ICRC', 4],
    ]);
  });

  it('pads a short Ethernet frame and gives a single READ response one AETH', () => {
    const short = wireCost('tcp', bytes(1), { mtu: bytes(1500), timestamps: false });
    expect(short.forward.bytes).toBe(60 + 24);
    expect(short.reverse.bytes).toBe(60 + 24);
    const read = (n: number): number =>
      wireCost('infiniband', bytes(n), { mtu: bytes(1024), operation: 'read' }).forward.bytes;
    expect([read(1024), read(2048)]).toEqual([1024 + 26 + 4, 2048 + 52 + 8]);
  });

  it('never lets more payload through than the line has, and costs more as a message grows', () => {
    const kinds: [WireKind, WireOptions][] = [
      ['infiniband', { mtu: bytes(2048), grh: true }],
      ['roce-v2', { mtu: bytes(4096), operation: 'read', ip: 6 }],
      ['iwarp', { mtu: bytes(9000), markers: true }],
      ['ipoib-datagram', { mtu: bytes(2044) }],
      ['ipoib-connected', { mtu: bytes(65520), ibMtu: bytes(2048) }],
      ['tcp', { mtu: bytes(9000), ip: 6 }],
    ];
    for (const [kind, options] of kinds) {
      let before = 0;
      for (const n of [0, 1, 2, 3, 4, 64, 1000, 1423, 1424, 4096, 4097, 65536, 1_000_000]) {
        const cost = wireCost(kind, bytes(n), options);
        expect(cost.efficiency).toBeLessThan(1);
        expect(cost.forward.bytes).toBeGreaterThanOrEqual(before);
        before = cost.forward.bytes;
      }
    }
  });

  it('counts the bytes of an IPoIB datagram as its packet has them', () => {
    const [a, b] = exampleEnds();
    const content = 40 + 12 + 1000;
    const datagram = datagramPacket(
      {
        sourceQp: a.queuePair,
        destinationQp: b.queuePair,
        queueKey: 0x0b1b,
        partitionKey: 0xffff,
        psn: 0,
        payload: concat([ipoibLayout.encode({ type: 0x0800, reserved: 0 }), new Uint8Array(content)]),
      },
      2048,
    );
    if (typeof datagram === 'string') throw new Error(datagram);
    const lrh = { virtualLane: 0, version: 0, serviceLevel: 0, reserved2: 0, reserved5: 0 };
    const native = encodeNative({ lrh: { ...lrh, destinationLid: 2, sourceLid: 1 }, packet: datagram });
    const cost = wireCost('ipoib-datagram', bytes(1000), { mtu: bytes(2044) });
    expect(cost.forward).toEqual({ packets: 1, bytes: native.length });
  });

  it('counts the bytes of connected mode as a SEND of the datagram', () => {
    const content = 40 + 12 + 20_000;
    const sent = transferPackets('infiniband', new Uint8Array(4 + content), { operation: 'send', mtu: 2048 });
    if (!sent.ok) throw new Error(sent.error);
    const erf = 16;
    const total = sent.value.packets.slice(0, -1).reduce((sum, p) => sum + p.length - erf, 0);
    const cost = wireCost('ipoib-connected', bytes(20_000), { mtu: bytes(65_520), ibMtu: bytes(2048) });
    expect(cost.forward).toEqual({ packets: 1, bytes: total });
  });

  it('follows RFC 5044 for the largest segment', () => {
    expect(largestUlpdu(1448, false)).toBe(1442);
    expect(largestUlpdu(1460, true)).toBe(1460 - (6 + 12 + 0));
  });

  it.skipIf(capturesAbsent !== undefined)('counts the bytes that real sessions sent', () => {
    const sent = (name: string, smallest: number): number[] => {
      const lengths = readCaptureFile(name).capture.packets.map((p) => p.length);
      return lengths.filter((n) => n >= smallest).slice(0, 3);
    };
    const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0);
    const plain = { ethernetOverhead: false } as const;
    expect(captureNames()).toContain('pcap-rxe/rxe_ib_send_bw_3000.pcap');
    const roce = wireCost('roce-v2', bytes(3000), { mtu: bytes(1024), operation: 'send', ...plain });
    expect(roce.forward).toEqual({ packets: 3, bytes: sum(sent('pcap-rxe/rxe_ib_send_bw_3000.pcap', 1000)) });
    const write = wireCost('roce-v2', bytes(3000), { mtu: bytes(1024), operation: 'write', ip: 6, ...plain });
    expect(write.forward).toEqual({ packets: 3, bytes: sum(sent('pcap-rxe/rxe_ib_write_bw_v6.pcap', 1000)) });
    const iwarp = wireCost('iwarp', bytes(3000), { mtu: bytes(1500), operation: 'send', ...plain });
    expect(iwarp.forward).toEqual({ packets: 3, bytes: sum(sent('pcap-siw/siw_crc_ib_send_bw.pcap', 200)) });
  });
});
