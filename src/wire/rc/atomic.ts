import { operation } from '../ib/opcode.ts';
import type { IbPacket } from '../ib/packet.ts';
import type { Memory } from './memory.ts';

/** Does the atomic operation on eight bytes of checked memory and gives what was there (IBTA vol. 1, 9.4). */
export function applyAtomic(memory: Memory, packet: IbPacket): bigint {
  const { key, address, swap, compare } = packet.atomicEth ?? { key: 0, address: 0n, swap: 0n, compare: 0n };
  // Hosts of the field are little-endian; on the wire the values are big-endian.
  const before = memory.read(key, address, 8);
  const original = new DataView(before.buffer, before.byteOffset, 8).getBigUint64(0, true);
  const swaps = packet.bth.opcode === operation.compareSwap;
  if (swaps && original !== compare) return original;
  const after = new Uint8Array(8);
  new DataView(after.buffer).setBigUint64(0, swaps ? swap : BigInt.asUintN(64, original + swap), true);
  memory.write(key, address, after);
  return original;
}
