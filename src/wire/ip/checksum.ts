/** The Internet checksum (RFC 1071) as a running sum of 16-bit words; every part but the last has an even length. */
export function addWords(sum: number, b: Uint8Array, from = 0, to = b.length): number {
  let s = sum;
  let i = from;
  for (; i + 1 < to; i += 2) s += (b[i]! << 8) | b[i + 1]!;
  if (i < to) s += b[i]! << 8;
  return s;
}

export function foldSum(sum: number): number {
  let s = sum;
  while (s > 0xffff) s = (s % 0x10000) + Math.floor(s / 0x10000);
  return s ^ 0xffff;
}

/** What TCP and UDP add of the IP header to their checksum (RFC 9293 3.1, RFC 8200 8.1). */
export interface Pseudo {
  /** 4 or 16 bytes each. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly protocol: number;
}

export function pseudoSum(pseudo: Pseudo, length: number): number {
  const addresses = addWords(addWords(0, pseudo.source), pseudo.destination);
  return addresses + pseudo.protocol + (length >>> 16) + (length & 0xffff);
}
