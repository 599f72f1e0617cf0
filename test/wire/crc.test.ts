import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, fromHex, hex } from '../../src/wire/bytes.ts';
import { crc16, crc32, crc32c, crcEnd, crcStart, updateCrc32, updateCrc32c } from '../../src/wire/crc.ts';
import { decodeNative, encodeNative } from '../../src/wire/ib/native.ts';

const text = (s: string): Uint8Array => new TextEncoder().encode(s);

/** The definition, a bit at a time. */
function slowly(polynomial: number, bits: number, b: Uint8Array): number {
  const ones = 2 ** bits - 1;
  let c = ones;
  for (const byte of b) {
    c = (c ^ byte) >>> 0;
    for (let i = 0; i < 8; i++) c = c & 1 ? ((c >>> 1) ^ polynomial) >>> 0 : c >>> 1;
  }
  return (c ^ ones) >>> 0;
}

/** The VCRC with bits in the order of the polynomial, 0x100B, bytes turned round on the way in and the result on the way out. */
function msbFirst(b: Uint8Array): number {
  const turned = (v: number, n: number): number => {
    let r = 0;
    for (let i = 0; i < n; i++) r |= ((v >> i) & 1) << (n - 1 - i);
    return r;
  };
  let c = 0xffff;
  for (const byte of b) {
    c ^= turned(byte, 8) << 8;
    for (let i = 0; i < 8; i++) c = c & 0x8000 ? ((c << 1) ^ 0x100b) & 0xffff : (c << 1) & 0xffff;
  }
  return turned(c ^ 0xffff, 16);
}

describe('CRC', () => {
  it('gives the check values of the catalogue', () => {
    expect(crc32(text('123456789'))).toBe(0xcbf43926);
    expect(crc32c(text('123456789'))).toBe(0xe3069283);
  });

  it('gives the vectors of RFC 3720 appendix B.4', () => {
    const count = Uint8Array.from({ length: 32 }, (_, i) => i);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(count)).toBe(0x46dd794e);
    expect(crc32c(count.slice().reverse())).toBe(0x113fdb5c);
    const read = fromHex(
      '01c00000 00000000 00000000 00000000 14000000 00000400 00000014 00000018 28000000 00000000 02000000 00000000',
    );
    expect(crc32c(read)).toBe(0xd9963a56);
  });

  it('has the table of VCRC that Mellanox published with its packet generator (MPGA, 2004, "polynomial 0x100B seed 0xFFFF")', () => {
    // Entry i is what one byte i leaves of a register of zeros; crc16 begins and ends with ones.
    const entry = (i: number): number => crc16(Uint8Array.of(i ^ 0xff)) ^ 0xffff ^ 0xff;
    const published: readonly (readonly [number, number])[] = [
      [0, 0x0000], [1, 0x1ba1], [2, 0x3742], [7, 0x4267], [16, 0x1a01], [64, 0x6804], [100, 0x3282], [127, 0xd968],
      [128, 0xd008], [129, 0xcba9], [192, 0xb80c], [200, 0x6504], [254, 0x12c1], [255, 0x0960],
    ]; // biome-ignore format: one list
    for (const [i, value] of published) expect(entry(i), String(i)).toBe(value);
  });

  it('equals the definition however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(80), (b, n) => {
        const cut = Math.min(n, b.length);
        expect(crc32(b)).toBe(slowly(0xedb88320, 32, b));
        expect(crc32c(b)).toBe(slowly(0x82f63b78, 32, b));
        expect(crc16(b)).toBe(slowly(0xd008, 16, b));
        expect(crcEnd(updateCrc32(updateCrc32(crcStart, b, 0, cut), b, cut))).toBe(crc32(b));
        expect(crcEnd(updateCrc32c(updateCrc32c(crcStart, b, 0, cut), b, cut))).toBe(crc32c(b));
      }),
    );
  });

  it("works out the InfiniBand standard's own packet (IBTA vol. 1, 7.8, table 29)", () => {
    const sent = `7012375c 000e17d2 0a202487 0087b1b3 000dec2a 01710a1c 015d4002 38f27a05
      0000000e bb884d85 fd5cfba4 728bc069 0ed40000 9625b75a`;
    const body = fromHex(sent);
    const vcrc = crc16(body);
    // The standard prints no VCRC for it: this one is by the definition below and by the table of an independent program.
    expect(vcrc).toBe(0xfa45);
    expect(msbFirst(body)).toBe(vcrc);
    const whole = concat([body, Uint8Array.of(vcrc & 0xff, vcrc >> 8)]);
    const read = decodeNative(whole);
    if (!read.ok) throw new Error(read.error);
    const { icrc, lrh, packet } = read.value.value;
    expect(icrc).toBeUndefined();
    expect([lrh.destinationLid, lrh.sourceLid, packet.bth.opcode]).toEqual([0x375c, 0x17d2, 0x0a]);
    expect(packet.reth).toEqual({ address: 0x01710a1c015d4002n, key: 0x38f27a05, length: 14 });
    expect(hex(encodeNative(read.value.value))).toBe(hex(whole));
  });
});
