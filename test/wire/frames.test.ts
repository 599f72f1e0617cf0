import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, hex } from '../../src/wire/bytes.ts';
import { decodeFrame, encodeFrame, type Frame, type Roce } from '../../src/wire/frame.ts';
import { readSyndrome, writeSyndrome } from '../../src/wire/ib/aeth.ts';
import { decodeNative, encodeNative, type NativePacket } from '../../src/wire/ib/native.ts';
import { decodeIbPacket, encodeIbPacket } from '../../src/wire/ib/packet.ts';
import { decodeUdp, encodeUdp } from '../../src/wire/ip/udp.ts';
import { ipv4Header, ipv6Header } from '../../src/wire/transfer/recorder.ts';
import { exampleEnds } from '../../src/wire/transfer-pcap.ts';
import { arbitraryFrame, arbitraryIb, arbitraryNative } from './arbitrary.ts';

/** Places at which two byte strings of one length differ. */
function changed(a: Uint8Array, b: Uint8Array): number[] {
  expect(b.length).toBe(a.length);
  return [...a.keys()].filter((i) => a[i] !== b[i]);
}

const span = (from: number, length: number): number[] => Array.from({ length }, (_, i) => from + i);

describe('packets', () => {
  it('of every InfiniBand opcode come back from their bytes', () => {
    fc.assert(
      fc.property(arbitraryIb, (packet) => {
        const bytes = encodeIbPacket(packet);
        expect(decodeIbPacket(bytes, 0, bytes.length)).toEqual({
          ok: true,
          value: { value: packet, next: bytes.length },
        });
      }),
      { numRuns: 500 },
    );
  });

  it('with LRH, GRH, ICRC and VCRC come back, and a flipped bit is seen by a CRC', () => {
    fc.assert(
      fc.property(arbitraryNative, fc.nat(), (native, at) => {
        const bytes = encodeNative(native);
        expect(decodeNative(bytes)).toEqual({ ok: true, value: { value: native, next: bytes.length } });
        const hurt = bytes.slice();
        hurt[(at >> 3) % hurt.length]! ^= 1 << (at & 7);
        const read = decodeNative(hurt);
        if (read.ok) expect(read.value.value.vcrc).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it('of every link, network and transport come back', () => {
    fc.assert(
      fc.property(arbitraryFrame, ([type, frame]) => {
        const bytes = encodeFrame(frame);
        const read = decodeFrame(type, bytes);
        if (!read.ok) throw new Error(read.error);
        expect(read.value.value).toEqual(frame);
        expect(hex(encodeFrame(read.value.value))).toBe(hex(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it('keep a wrong checksum as a fact rather than mend it', () => {
    fc.assert(
      fc.property(arbitraryFrame, fc.nat(), ([type, frame], at) => {
        const bytes = encodeFrame(frame);
        bytes[(at >> 3) % bytes.length]! ^= 1 << (at & 7);
        const read = decodeFrame(type, bytes);
        if (read.ok) expect(hex(encodeFrame(read.value.value))).toBe(hex(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('keep a wrong ICRC of InfiniBand as a fact', () => {
    fc.assert(
      fc.property(arbitraryNative, fc.integer({ min: 1, max: 0xffffffff }), (native, wrong) => {
        const bytes = encodeNative({ ...native, icrc: wrong });
        const read = decodeNative(bytes);
        if (!read.ok) throw new Error(read.error);
        expect(hex(encodeNative(read.value.value))).toBe(hex(bytes));
      }),
    );
  });

  it('keep a fragment of IPv6 whole, its transport unread', () => {
    const [a, b] = exampleEnds(6);
    const extensions = [{ type: 44, body: Uint8Array.of(9, 0, 8, 1, 2, 3, 4) }];
    const header = { ...ipv6Header(a, b, 17), extensions };
    const network = { kind: 'ipv6', header, body: { kind: 'bytes', bytes: new Uint8Array(20) } } as const;
    const frame: Frame = { link: { kind: 'raw' }, network, trailer: new Uint8Array(0) };
    const bytes = encodeFrame(frame);
    expect(hex(bytes.subarray(40, 48))).toBe('1109000801020304');
    expect(decodeFrame(101, bytes)).toEqual({ ok: true, value: { value: frame, next: bytes.length } });
  });

  it('send a UDP checksum that comes out as zero as all ones, and zero as none', () => {
    const pseudo = { source: Uint8Array.of(192, 0, 2, 1), destination: Uint8Array.of(192, 0, 2, 2), protocol: 17 };
    const header = { source: 1, destination: 2 };
    const first = encodeUdp(header, new Uint8Array(2), pseudo);
    const payload = first.slice(6, 8);
    const bytes = concat([encodeUdp(header, payload, pseudo), payload]);
    expect(hex(bytes.subarray(6, 8))).toBe('ffff');
    expect(decodeUdp(bytes, 0, bytes.length, pseudo)).toEqual({ ok: true, value: { value: header, next: 8 } });
    bytes.fill(0, 6, 8);
    const none = decodeUdp(bytes, 0, bytes.length, pseudo);
    expect(none.ok && none.value.value.checksum).toBe(0);
  });

  it('have syndromes for every code', () => {
    for (let code = 0; code < 256; code++) expect(writeSyndrome(readSyndrome(code))).toBe(code);
  });
});

/** A WRITE of 8 bytes over RoCE v2: where each of its layers begins. */
function roceFrame(ip: 4 | 6): { frame: Frame; at: Record<'ip' | 'udp' | 'bth' | 'reth' | 'data' | 'icrc', number> } {
  const [a, b] = exampleEnds(ip);
  const roce: Roce = {
    kind: 'roce',
    packet: {
      bth: {
        opcode: 0x0a,
        solicited: false,
        migrationRequest: true,
        version: 0,
        partitionKey: 0xffff,
        fecn: false,
        becn: false,
        reserved6: 0,
        destinationQp: 18,
        ackRequest: true,
        reserved7: 0,
        psn: 1000,
      },
      reth: { address: 0x7f0000000000n, key: 0x1234, length: 8 },
      payload: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      pad: new Uint8Array(0),
    },
  };
  const body = { kind: 'udp', header: { source: 0xc011, destination: 4791 }, body: roce } as const;
  const frame: Frame = {
    link: {
      kind: 'ethernet',
      header: { destination: b.mac, source: a.mac, tags: [], type: ip === 4 ? 0x0800 : 0x86dd },
    },
    network:
      ip === 4
        ? { kind: 'ipv4', header: ipv4Header(a, b, 17), body }
        : { kind: 'ipv6', header: ipv6Header(a, b, 17), body },
    trailer: new Uint8Array(0),
  };
  const udp = 14 + (ip === 4 ? 20 : 40);
  return { frame, at: { ip: 14, udp, bth: udp + 8, reth: udp + 20, data: udp + 36, icrc: udp + 44 } };
}

type Edit = readonly [string, (frame: Frame) => Frame, readonly number[], readonly number[]];

function edits(ip: 4 | 6): Edit[] {
  const { frame, at } = roceFrame(ip);
  const udpSum = span(at.udp + 6, 2);
  const icrc = span(at.icrc, 4);
  const ipSum = ip === 4 ? span(at.ip + 10, 2) : [];
  const network =
    (change: object) =>
    (f: Frame): Frame =>
      ({
        ...f,
        network: { ...f.network, header: { ...(f.network as { header: object }).header, ...change } },
      }) as Frame;
  const packet =
    (change: (p: Roce['packet']) => Roce['packet']) =>
    (f: Frame): Frame => {
      const n = f.network as Extract<Frame['network'], { kind: 'ipv4' }>;
      const udp = n.body as Extract<typeof n.body, { kind: 'udp' }>;
      const roce = udp.body as Roce;
      return { ...f, network: { ...n, body: { ...udp, body: { ...roce, packet: change(roce.packet) } } } };
    };
  const bth = (change: object) => packet((p) => ({ ...p, bth: { ...p.bth, ...change } }));
  const link =
    (change: object) =>
    (f: Frame): Frame =>
      ({ ...f, link: { ...f.link, header: { ...(f.link as { header: object }).header, ...change } } }) as Frame;
  expect(frame.link.kind).toBe('ethernet');
  const inv = [...udpSum, ...icrc];
  const list: Edit[] = [
    ['destination MAC', link({ destination: Uint8Array.of(2, 0, 0, 0, 0, 9) }), [5], []],
    ['opcode', bth({ opcode: 0x0a ^ 0x20 }), [at.bth], inv],
    ['solicited', bth({ solicited: true }), [at.bth + 1], inv],
    ['partition key', bth({ partitionKey: 0x7fff }), [at.bth + 2], inv],
    // The reserved byte holds FECN and BECN, which switches set: the ICRC must not see them.
    ['FECN', bth({ fecn: true }), [at.bth + 4], udpSum],
    ['BECN', bth({ becn: true }), [at.bth + 4], udpSum],
    ['queue pair', bth({ destinationQp: 19 }), [at.bth + 7], inv],
    ['acknowledge request', bth({ ackRequest: false }), [at.bth + 8], inv],
    ['PSN', bth({ psn: 1001 }), [at.bth + 11], inv],
    ['remote key', packet((p) => ({ ...p, reth: { ...p.reth!, key: 0x1235 } })), [at.reth + 11], inv],
    [
      'a byte of payload',
      packet((p) => ({ ...p, payload: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 9) })),
      [at.data + 7],
      inv,
    ],
  ];
  if (ip === 4) {
    list.push(
      ['time to live', network({ ttl: 63 }), [at.ip + 8], ipSum],
      ['DSCP', network({ dscp: 26 }), [at.ip + 1], ipSum],
      ['ECN', network({ ecn: 3 }), [at.ip + 1], ipSum],
      ['identification', network({ identification: 1 }), [at.ip + 5], [...ipSum, ...inv]],
      ['source address', network({ source: Uint8Array.of(192, 0, 2, 7) }), [at.ip + 15], [...ipSum, ...inv]],
    );
  } else {
    list.push(
      ['hop limit', network({ hopLimit: 63 }), [at.ip + 7], []],
      ['traffic class', network({ trafficClass: 0x12 }), [at.ip, at.ip + 1], []],
      ['flow label', network({ flowLabel: 0xfffff }), span(at.ip + 1, 3), []],
      ['source address', network({ source: exampleEnds(6)[1].ip }), [at.ip + 23], inv],
    );
  }
  return list;
}

describe.each([4, 6] as const)(
  'one changed field of RoCE v2 over IPv%i changes its own bytes and the checksums',
  (ip) => {
    const { frame } = roceFrame(ip);
    const before = encodeFrame(frame);
    for (const [name, edit, own, sums] of edits(ip)) {
      it(name, () => {
        const places = changed(before, encodeFrame(edit(frame)));
        for (const place of own) expect(places).toContain(place);
        for (const place of places) expect([...own, ...sums]).toContain(place);
        // A checksum that must follow has followed.
        if (sums.length > 0) expect(places.some((p) => sums.includes(p))).toBe(true);
      });
    }
  },
);

describe('on InfiniBand', () => {
  const native: NativePacket = {
    lrh: {
      virtualLane: 0,
      version: 0,
      serviceLevel: 1,
      reserved2: 0,
      destinationLid: 2,
      reserved5: 0,
      sourceLid: 1,
    },
    packet: (roceFrame(4).frame.network as unknown as { body: { body: Roce } }).body.body.packet,
  };
  const end = encodeNative(native).length;
  const vcrc = span(end - 2, 2);

  it('a switch may change the virtual lane, and the VCRC alone follows', () => {
    const places = changed(encodeNative(native), encodeNative({ ...native, lrh: { ...native.lrh, virtualLane: 3 } }));
    expect(places.filter((p) => p !== 0 && !vcrc.includes(p))).toEqual([]);
  });

  it('the ICRC covers the LIDs within a subnet and leaves them to routers across', () => {
    const far = { ...native.lrh, destinationLid: 7 };
    const icrc = span(end - 6, 4);
    const local = changed(encodeNative(native), encodeNative({ ...native, lrh: far }));
    expect(local.some((p) => icrc.includes(p))).toBe(true);
    const gid = exampleEnds()[0].gid;
    const grh = {
      version: 6,
      trafficClass: 0,
      flowLabel: 0,
      nextHeader: 0x1b,
      hopLimit: 8,
      sourceGid: gid,
      destinationGid: gid,
    };
    const across = changed(encodeNative({ ...native, grh }), encodeNative({ ...native, grh, lrh: far }));
    expect(across.filter((p) => p !== 3 && p < end + 40 - 2)).toEqual([]);
  });
});
