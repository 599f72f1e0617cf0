import { crcEnd, crcStart, updateCrc32 } from '../crc.ts';

/**
 * The invariant CRC (IBTA vol. 1, 7.8.1; for RoCE v2 annex A17.3). Fields that a switch or router may change count as
 * ones: in IPv4 the type of service, time to live and header checksum; in IPv6 and GRH the traffic class, flow label
 * and hop limit; the UDP checksum; the reserved byte of the BTH, which holds FECN and BECN. Eight bytes of ones stand
 * where InfiniBand has its LRH. The value travels least significant byte first.
 */
const ones = new Uint8Array(8).fill(0xff);
const start = updateCrc32(crcStart, ones);
const udpSize = 8;
const reservedOfBth = 4;

function maskIpv4(header: Uint8Array): Uint8Array {
  const masked = header.slice();
  masked[1] = 0xff;
  masked[8] = 0xff;
  masked[10] = 0xff;
  masked[11] = 0xff;
  return masked;
}

/** IPv6 and GRH share their first eight bytes. */
function maskIpv6(header: Uint8Array): Uint8Array {
  const masked = header.slice();
  masked[0] = masked[0]! | 0x0f;
  masked[1] = 0xff;
  masked[2] = 0xff;
  masked[3] = 0xff;
  masked[7] = 0xff;
  return masked;
}

function maskBth(transport: Uint8Array): Uint8Array {
  const masked = transport.slice(0, 12);
  masked[reservedOfBth] = 0xff;
  return masked;
}

function over(state: number, parts: readonly Uint8Array[]): number {
  let crc = state;
  for (const part of parts) crc = updateCrc32(crc, part);
  return crcEnd(crc);
}

/** `ip` is the whole IP header, `udp` the 8 bytes of UDP, `transport` from the BTH to the padding. */
export function roceIcrc(ip: Uint8Array, udp: Uint8Array, transport: Uint8Array): number {
  const maskedUdp = udp.slice(0, udpSize);
  maskedUdp[6] = 0xff;
  maskedUdp[7] = 0xff;
  const maskedIp = ip[0]! >> 4 === 4 ? maskIpv4(ip) : maskIpv6(ip);
  return over(start, [maskedIp, maskedUdp, maskBth(transport), transport.subarray(12)]);
}

/** On InfiniBand itself: with a GRH the LRH counts as ones, for routers rewrite it; without, only its virtual lane does. */
export function nativeIcrc(lrh: Uint8Array, grh: Uint8Array | undefined, transport: Uint8Array): number {
  const behind = [maskBth(transport), transport.subarray(12)];
  if (grh !== undefined) return over(start, [maskIpv6(grh), ...behind]);
  const masked = lrh.slice();
  masked[0] = masked[0]! | 0xf0;
  return over(crcStart, [masked, ...behind]);
}
