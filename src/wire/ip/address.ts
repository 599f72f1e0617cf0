import { u16 } from '../bytes.ts';

/** The usual text of an address of 4 or 16 bytes, without the shortening of runs of zeros. */
export function addressText(address: Uint8Array): string {
  if (address.length === 4) return address.join('.');
  return Array.from({ length: address.length >> 1 }, (_, i) => u16(address, 2 * i).toString(16)).join(':');
}
