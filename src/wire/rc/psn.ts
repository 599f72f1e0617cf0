/** Packet sequence numbers: 24 bits that wrap (IBTA vol. 1, 9.7.3). */
const psnSpace = 0x1000000;
const half = psnSpace / 2;

export const psnAdd = (psn: number, n: number): number => (psn + n) & (psnSpace - 1);

/** How far `to` lies behind `from`; negative when it comes before. Half the space lies each way. */
export function psnDistance(from: number, to: number): number {
  const d = (to - from) & (psnSpace - 1);
  return d >= half ? d - psnSpace : d;
}

/** Packets that a message of `length` bytes takes; an empty one takes one. */
export const packetsOf = (length: number, mtu: number): number => Math.max(1, Math.ceil(length / mtu));
