import type { Access, Memory, MemoryFault } from './memory.ts';

export interface Region {
  readonly key: number;
  /** Address of the first byte. */
  readonly address: bigint;
  readonly bytes: Uint8Array;
  readonly access: readonly Access[];
}

/** Memory made of regions that each own an array of bytes: what tests and small transfers need. */
export function regions(list: readonly Region[]): Memory {
  const byKey = new Map(list.map((region) => [region.key, region]));
  const place = (key: number, address: bigint): { bytes: Uint8Array; at: number } => {
    const region = byKey.get(key);
    if (region === undefined) throw new RangeError(`memory key ${key} was not checked`);
    return { bytes: region.bytes, at: Number(address - region.address) };
  };
  return {
    check(key, address, length, access): MemoryFault | undefined {
      const region = byKey.get(key);
      if (region === undefined) return 'unknown-key';
      const at = address - region.address;
      if (at < 0n || at + BigInt(length) > BigInt(region.bytes.length)) return 'out-of-bounds';
      if (!region.access.includes(access)) return 'not-permitted';
      return access === 'remote-atomic' && address % 8n !== 0n ? 'misaligned' : undefined;
    },
    read(key, address, length) {
      const { bytes, at } = place(key, address);
      return bytes.slice(at, at + length);
    },
    write(key, address, written) {
      const { bytes, at } = place(key, address);
      bytes.set(written, at);
    },
    invalidate(key) {
      return byKey.delete(key) ? undefined : 'unknown-key';
    },
  };
}
