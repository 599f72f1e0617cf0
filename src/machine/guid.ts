/** A GUID as C's strtoull reads it: up to sixteen hexadecimal digits from the beginning, 0 where there are none. */
export function guidNumber(text: string): bigint {
  return BigInt(`0x${/^\s*(?:0x)?([0-9a-f]{1,16})/i.exec(text)?.[1] ?? '0'}`);
}
