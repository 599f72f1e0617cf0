import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { concat, putU32le } from '../../src/wire/bytes.ts';
import { linkType } from '../../src/wire/capture.ts';
import { readCapture, writePcap } from '../../src/wire/pcap.ts';

const packets = [
  { seconds: 1_700_000_000, nanoseconds: 123_456_000, length: 4, linkType: 1, bytes: Uint8Array.of(1, 2, 3, 4) },
  { seconds: 1_700_000_001, nanoseconds: 999_999_000, length: 900, linkType: 1, bytes: Uint8Array.of(5, 6, 7) },
  { seconds: 4_000_000_000, nanoseconds: 0, length: 0, linkType: 1, bytes: new Uint8Array(0) },
];

const words = (...values: number[]): Uint8Array => {
  const out = new Uint8Array(values.length * 4);
  for (const [i, value] of values.entries()) putU32le(out, i * 4, value);
  return out;
};

describe('pcap', () => {
  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('comes back (little-endian %s, nanoseconds %s)', (littleEndian, nanoseconds) => {
    const file = writePcap(packets, { linkType: linkType.ethernet, littleEndian, nanoseconds });
    const read = readCapture(file);
    if (!read.ok) throw new Error(read.error);
    expect(read.value).toMatchObject({ format: 'pcap', littleEndian, nanoseconds, linkType: 1 });
    expect(read.value.stopped).toBeUndefined();
    expect(read.value.packets).toEqual(packets);
  });

  it('keeps nanoseconds only where the file does', () => {
    const fine = [{ ...packets[0]!, nanoseconds: 123_456_789 }];
    const of = (nanoseconds: boolean): number | undefined => {
      const read = readCapture(writePcap(fine, { linkType: 1, nanoseconds }));
      return read.ok ? read.value.packets[0]?.nanoseconds : undefined;
    };
    expect([of(true), of(false)]).toEqual([123_456_789, 123_456_000]);
  });

  it('gives the packets before a cut and says that there was one', () => {
    const file = writePcap(packets.slice(0, 2), { linkType: 1 });
    for (let size = 0; size < file.length; size++) {
      const read = readCapture(file.subarray(0, size));
      const whole = size >= 24 + 20 ? 1 : 0;
      if (size < 24) expect(read.ok).toBe(false);
      else if (read.ok) {
        expect(read.value.packets).toHaveLength(whole);
        const between = size === 24 || size === 24 + 20;
        expect(read.value.stopped).toBe(between ? undefined : 'cut');
      }
    }
  });

  it('stops at an absurd length', () => {
    const file = writePcap(packets, { linkType: 1 });
    putU32le(file, 24 + 8, 0xfffffff0);
    expect(readCapture(file)).toMatchObject({ ok: true, value: { packets: [], stopped: 'too-large' } });
  });

  it('says what is no capture', () => {
    expect(readCapture(Uint8Array.of(1, 2, 3, 4, 5))).toEqual({ ok: false, error: 'not-a-capture' });
    expect(readCapture(new Uint8Array(0))).toEqual({ ok: false, error: 'cut' });
  });
});

describe('pcapng', () => {
  const section = words(0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28);
  // Ethernet, with if_tsresol of 9: nanoseconds.
  const nanoInterface = words(1, 32, 1, 0, 0x00010009, 9, 0, 32);
  const ns = 1_700_000_000_123_456_789n;
  const data = Uint8Array.of(1, 2, 3, 4, 5, 0, 0, 0);
  const high = Number(ns >> 32n);
  const low = Number(ns & 0xffffffffn);
  const packet = concat([words(6, 40, 0, high, low, 5, 60), data, words(40)]);
  const unknown = words(0xbad, 16, 7, 16);

  it('reads packets with their resolution, passing over blocks it does not know', () => {
    const read = readCapture(concat([section, unknown, nanoInterface, packet, unknown, packet]));
    if (!read.ok) throw new Error(read.error);
    expect(read.value).toMatchObject({ format: 'pcapng', linkType: 1, nanoseconds: true, littleEndian: true });
    expect(read.value.packets).toHaveLength(2);
    expect(read.value.packets[0]).toEqual({
      seconds: 1_700_000_000,
      nanoseconds: 123_456_789,
      length: 60,
      linkType: 1,
      bytes: Uint8Array.of(1, 2, 3, 4, 5),
    });
  });

  it('reads times that count in powers of two', () => {
    const halves = words(1, 32, 1, 0, 0x00010009, 0x81, 0, 32);
    const three = concat([words(6, 40, 0, 0, 3, 5, 60), data, words(40)]);
    const read = readCapture(concat([section, halves, three]));
    expect(read.ok && read.value.packets[0]).toMatchObject({ seconds: 1, nanoseconds: 500_000_000 });
  });

  it('stops where a block is cut, too long or of an interface that nobody declared', () => {
    const stopped = (bytes: Uint8Array): unknown => {
      const read = readCapture(bytes);
      return read.ok ? read.value.stopped : read.error;
    };
    expect(stopped(concat([section, packet]))).toBe('bad-length');
    expect(stopped(concat([section, nanoInterface, packet.subarray(0, 20)]))).toBe('cut');
    expect(stopped(concat([section, words(6, 8, 0)]))).toBe('bad-length');
    expect(stopped(words(0x0a0d0d0a, 28, 0x12345678, 1, 0, 0, 28))).toBe('not-a-capture');
    const absurd = packet.slice();
    putU32le(absurd, 20, 0xfffffff0);
    expect(stopped(concat([section, nanoInterface, absurd]))).toBe('too-large');
  });

  const absent = spawnSync('editcap', ['--version']).status === 0 ? '' : ' (no editcap)';
  it.skipIf(absent !== '')(`reads what Wireshark's editcap wrote${absent}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'crowfly-pcapng-'));
    const [from, to] = [join(folder, 'a.pcap'), join(folder, 'a.pcapng')];
    writeFileSync(from, writePcap(packets.slice(0, 2), { linkType: 1, nanoseconds: true }));
    expect(spawnSync('editcap', ['-F', 'pcapng', from, to]).status).toBe(0);
    const read = readCapture(new Uint8Array(readFileSync(to)));
    rmSync(folder, { recursive: true });
    if (!read.ok) throw new Error(read.error);
    expect(read.value.packets).toEqual(packets.slice(0, 2));
  });
});
