/**
 * The cyclic redundancy checks of the wires: CRC-32 (Ethernet FCS and InfiniBand ICRC), CRC-32C (iSCSI, MPA) and the
 * CRC-16 of InfiniBand's VCRC. All three run least significant bit first; the 32-bit ones take eight bytes a step
 * (slicing by eight).
 */
function tables(polynomial: number): readonly Uint32Array[] {
  const all = Array.from({ length: 8 }, () => new Uint32Array(256));
  const first = all[0]!;
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ polynomial : c >>> 1;
    first[i] = c >>> 0;
  }
  for (let t = 1; t < 8; t++) {
    const before = all[t - 1]!;
    const table = all[t]!;
    for (let i = 0; i < 256; i++) table[i] = ((before[i]! >>> 8) ^ first[before[i]! & 0xff]!) >>> 0;
  }
  return all;
}

type Update = (crc: number, bytes: Uint8Array, from?: number, to?: number) => number;

function sliced(polynomial: number): Update {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables(polynomial) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  return (crc, b, from = 0, to = b.length) => {
    let c = crc;
    let i = from;
    for (; i + 8 <= to; i += 8) {
      const low = c ^ (b[i]! | (b[i + 1]! << 8) | (b[i + 2]! << 16) | (b[i + 3]! << 24));
      c =
        t7[low & 0xff]! ^
        t6[(low >>> 8) & 0xff]! ^
        t5[(low >>> 16) & 0xff]! ^
        t4[low >>> 24]! ^
        t3[b[i + 4]!]! ^
        t2[b[i + 5]!]! ^
        t1[b[i + 6]!]! ^
        t0[b[i + 7]!]!;
    }
    for (; i < to; i++) c = (c >>> 8) ^ t0[(c ^ b[i]!) & 0xff]!;
    return c >>> 0;
  };
}

/** The running state of a CRC-32, polynomial 0x04C11DB7; begin with `crcStart` and complement the end (`crcEnd`). */
export const updateCrc32: Update = sliced(0xedb88320);
/** The running state of a CRC-32C (Castagnoli), polynomial 0x1EDC6F41. */
export const updateCrc32c: Update = sliced(0x82f63b78);
export const crcStart = 0xffffffff;
export const crcEnd = (crc: number): number => (crc ^ 0xffffffff) >>> 0;

export const crc32 = (b: Uint8Array, from = 0, to = b.length): number => crcEnd(updateCrc32(crcStart, b, from, to));
/** RFC 3720 appendix B.4 gives vectors; the value travels least significant byte first. */
export const crc32c = (b: Uint8Array, from = 0, to = b.length): number => crcEnd(updateCrc32c(crcStart, b, from, to));

const table16 = (() => {
  // Polynomial 0x100B, reversed (IBTA vol. 1, 7.8.2).
  const table = new Uint16Array(256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xd008 : c >>> 1;
    table[i] = c;
  }
  return table;
})();

/** InfiniBand's variant CRC (IBTA vol. 1, 7.8.2): seed and final complement all ones; travels low byte first. */
export function crc16(b: Uint8Array, from = 0, to = b.length): number {
  let c = 0xffff;
  for (let i = from; i < to; i++) c = (c >>> 8) ^ table16[(c ^ b[i]!) & 0xff]!;
  return c ^ 0xffff;
}
