/**
 * A bus id as the number NCCL makes of it: hex digits with `:` and `.` left out, up to 16 of them, ending at any other
 * character (`0000:17:00.0` -> 0x17000). Beyond 2^53 exactness is lost, which no bus id reaches.
 */
export function busNumber(busId: string): number {
  let hex = '';
  for (const c of busId) {
    if (c === ':' || c === '.') continue;
    if (!/[0-9a-fA-F]/.test(c) || hex.length >= 13) break;
    hex += c;
  }
  return hex === '' ? 0 : Number.parseInt(hex, 16);
}
