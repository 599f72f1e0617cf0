import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, equalBytes, hex, putU32le, u32 } from '../../src/wire/bytes.ts';
import { crc32c } from '../../src/wire/crc.ts';
import { tcpStream } from '../../src/wire/ip/tcp-stream.ts';
import { readConnection, writeStream } from '../../src/wire/iwarp/connection.ts';
import { decodeFpdu, encodeFpdu, fpduOf, fpduSize } from '../../src/wire/iwarp/fpdu.ts';
import { decodeMpaStartup, encodeMpaStartup, type MpaStartup } from '../../src/wire/iwarp/mpa.ts';
import { decodeRdmap, encodeRdmap, type RdmapSegment, rdmapOpcode } from '../../src/wire/iwarp/rdmap.ts';

const startup = (kind: MpaStartup['kind'], over: Partial<MpaStartup> = {}): MpaStartup => ({
  kind,
  markers: false,
  crc: false,
  rejected: false,
  enhanced: false,
  reserved: 0,
  revision: 1,
  privateData: new Uint8Array(0),
  ...over,
});

describe('TCP put together again', () => {
  it('gives the bytes however the segments come: late, twice, overlapping', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat(0xffffffff),
        fc.array(fc.tuple(fc.nat(300), fc.nat(80)), { maxLength: 40 }),
        fc.infiniteStream(fc.nat()),
        (bytes, first, pieces, order) => {
          const cover = Array.from({ length: Math.ceil(bytes.length / 50) }, (_, i) => [i * 50, 50] as const);
          const all = [...pieces.filter(([at]) => at < bytes.length), ...cover]
            .map((piece) => [order.next().value ?? 0, piece] as const)
            .sort((a, b) => a[0] - b[0]);
          const stream = tcpStream(first);
          for (const [, [at, n]] of all) {
            expect(stream.push((first + at) >>> 0, bytes.subarray(at, at + n))).toBeUndefined();
          }
          expect(hex(stream.bytes())).toBe(hex(bytes));
          expect(stream.held).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes the longer of two segments that wait at one place', () => {
    const stream = tcpStream(0);
    const bytes = Uint8Array.from({ length: 9 }, (_, i) => i);
    stream.push(3, bytes.subarray(3, 5));
    stream.push(3, bytes.subarray(3, 9));
    stream.push(0, bytes.subarray(0, 3));
    expect(hex(stream.bytes())).toBe(hex(bytes));
  });

  it('holds no more than it may behind a gap', () => {
    const stream = tcpStream(0);
    const piece = new Uint8Array(60_000);
    let refused: string | undefined;
    for (let i = 1; i < 400 && refused === undefined; i++) refused = stream.push(i * 60_000, piece);
    expect(refused).toBe('too-large');
    expect(stream.held).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});

describe('MPA', () => {
  it('greets with depths, private data and each flag', () => {
    const depths = fc.record({
      peerToPeer: fc.boolean(),
      zeroLengthSend: fc.boolean(),
      inbound: fc.nat(0x3fff),
      zeroLengthWrite: fc.boolean(),
      zeroLengthRead: fc.boolean(),
      outbound: fc.nat(0x3fff),
    });
    const any = fc
      .record({
        kind: fc.constantFrom('request' as const, 'reply' as const),
        markers: fc.boolean(),
        crc: fc.boolean(),
        rejected: fc.boolean(),
        reserved: fc.nat(15),
        depths: fc.option(depths, { nil: undefined }),
        privateData: fc.uint8Array({ maxLength: 508 }),
      })
      .map(({ depths: d, ...rest }) => ({
        ...rest,
        enhanced: d !== undefined,
        revision: d === undefined ? 1 : 2,
        ...(d === undefined ? {} : { depths: d }),
      }));
    fc.assert(
      fc.property(any, (value) => {
        const bytes = encodeMpaStartup(value);
        expect(decodeMpaStartup(bytes)).toEqual({ ok: true, value: { value, next: bytes.length } });
      }),
    );
  });

  it('puts a marker every 512 bytes that points back to its unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 1500 }), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (list, crc) => {
          const framing = { markers: true, crc };
          const starts: number[] = [];
          const parts: Uint8Array[] = [];
          let position = 0;
          for (const ulpdu of list) {
            const bytes = encodeFpdu(fpduOf(ulpdu), position, framing);
            expect(bytes.length).toBe(fpduSize(ulpdu.length, true, position));
            starts.push(position);
            parts.push(bytes);
            position += bytes.length;
          }
          const stream = concat(parts);
          for (let at = 0; at < stream.length; at += 512) {
            const unit = starts.filter((s) => s <= at).at(-1) ?? 0;
            expect(u32(stream, at)).toBe(at - unit);
          }
          let at = 0;
          for (const ulpdu of list) {
            const read = decodeFpdu(stream, at, at, framing);
            if (!read.ok) throw new Error(read.error);
            expect(read.value.value).toEqual(fpduOf(ulpdu));
            at = read.value.next;
          }
          expect(at).toBe(stream.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('sees a flipped bit by its CRC, and a marker that points elsewhere', () => {
    const framing = { markers: true, crc: true };
    const bytes = encodeFpdu(fpduOf(new Uint8Array(700)), 0, framing);
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const hurt = bytes.slice();
        hurt[bit >> 3]! ^= 1 << (bit & 7);
        const read = decodeFpdu(hurt, 0, 0, framing);
        if (read.ok) expect(read.value.value.crc).toBeDefined();
        else expect(['cut', 'bad-marker']).toContain(read.error);
      }),
    );
  });

  it('refuses a marker that points elsewhere even if the CRC is right', () => {
    const framing = { markers: true, crc: true };
    const bytes = encodeFpdu(fpduOf(new Uint8Array(700)), 0, framing);
    bytes[512 + 3]! ^= 4;
    putU32le(bytes, bytes.length - 4, crc32c(bytes, 0, bytes.length - 4));
    expect(decodeFpdu(bytes, 0, 0, framing)).toEqual({ ok: false, error: 'bad-marker' });
  });

  it('a changed byte of a segment changes itself and the CRC', () => {
    const framing = { markers: true, crc: true };
    const a = encodeFpdu(fpduOf(new Uint8Array(700)), 0, framing);
    const other = new Uint8Array(700);
    other[0] = 1;
    const b = encodeFpdu(fpduOf(other), 0, framing);
    const places = [...a.keys()].filter((i) => a[i] !== b[i]);
    // Marker of 4 bytes, length of 2, then the segment.
    expect(places.filter((p) => p < a.length - 4)).toEqual([6]);
    expect(places.some((p) => p >= a.length - 4)).toBe(true);
  });
});

const u32s = fc.nat(0xffffffff);
const u64s = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const empty = new Uint8Array(0);
const tagged = fc.record({ steeringTag: u32s, offset: u64s, last: fc.boolean() }).map((t) => ({
  kind: 'tagged' as const,
  ...t,
  reserved: 0,
  version: 1,
  payload: empty,
}));
const untagged = fc
  .record({ invalidate: u32s, queue: fc.nat(2), message: u32s, offset: u32s, last: fc.boolean() })
  .map((t) => ({ kind: 'untagged' as const, ...t, reserved: 0, version: 1, payload: empty }));
const data = fc.uint8Array({ maxLength: 1400 }).map((bytes) => ({ kind: 'data' as const, bytes }));
const request = fc
  .record({ sinkTag: u32s, sinkOffset: u64s, size: u32s, sourceTag: u32s, sourceOffset: u64s })
  .map((r) => ({ kind: 'read-request' as const, request: r }));
const terminate = fc
  .record({
    layer: fc.nat(2),
    errorType: fc.nat(15),
    errorCode: fc.nat(255),
    quotesLength: fc.boolean(),
    quotesDdp: fc.boolean(),
    quotesRdmap: fc.boolean(),
    reserved: fc.constant(0),
  })
  .chain((t) => fc.uint8Array({ maxLength: 40 }).map((rest) => ({ kind: 'terminate' as const, terminate: t, rest })));

function segment(ddp: fc.Arbitrary<RdmapSegment['ddp']>, opcode: number, body: fc.Arbitrary<RdmapSegment['body']>) {
  return fc.tuple(ddp, body).map(([d, b]): RdmapSegment => {
    const control = { version: 1, reserved: 0, opcode };
    return { ddp: { ...d, control: 0x40 | opcode } as RdmapSegment['ddp'], control, body: b };
  });
}

const control = (d: fc.Arbitrary<object>) => d as fc.Arbitrary<RdmapSegment['ddp']>;
const segments = fc.oneof(
  segment(control(tagged), rdmapOpcode.write, data),
  segment(control(tagged), rdmapOpcode.readResponse, data),
  segment(control(untagged), rdmapOpcode.send, data),
  segment(control(untagged), rdmapOpcode.sendInvalidate, data),
  segment(control(untagged), rdmapOpcode.sendSolicited, data),
  segment(control(untagged), rdmapOpcode.sendSolicitedInvalidate, data),
  segment(control(untagged), rdmapOpcode.readRequest, request),
  segment(control(untagged), rdmapOpcode.terminate, terminate),
);

describe('RDMAP', () => {
  it('brings each operation back from its bytes', () => {
    fc.assert(
      fc.property(segments, (value) => {
        const bytes = encodeRdmap(value);
        expect(decodeRdmap(bytes)).toEqual({ ok: true, value: { value, next: bytes.length } });
      }),
      { numRuns: 500 },
    );
  });

  it('carries whole connections, markers and CRC as each side asked', () => {
    fc.assert(
      fc.property(
        fc.array(segments, { maxLength: 6 }),
        fc.array(segments, { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (a, b, m0, m1, crc) => {
          const side = (startupOf: MpaStartup, markers: boolean, list: readonly RdmapSegment[]) => {
            const framing = { markers, crc };
            const units = list.map((s) => ({
              fpdu: { ...fpduOf(encodeRdmap(s)), ulpdu: empty },
              segment: s,
            }));
            return { startup: startupOf, framing, units, rest: empty };
          };
          const initiator = side(startup('request', { markers: m0, crc }), m1, a);
          const responder = side(startup('reply', { markers: m1 }), m0, b);
          const read = readConnection(writeStream(initiator), writeStream(responder));
          if (typeof read === 'string' || read.responder === undefined) throw new Error('unread');
          expect(read).toEqual({ initiator, responder });
          expect(equalBytes(writeStream(read.initiator), writeStream(initiator))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
