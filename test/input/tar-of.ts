export interface TarEntry {
  readonly name: string;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly type?: string;
  readonly link?: string;
}

/** A ustar archive, as plain as can be. */
export function tarOf(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for (const { name, text, bytes, type = '0', link = '' } of entries) {
    const data = bytes ?? encoder.encode(text ?? '');
    const header = new Uint8Array(512);
    const put = (value: string, at: number) => header.set(encoder.encode(value), at);
    put(name.slice(0, 100), 0);
    put('0000644\0', 100);
    put(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    put('        ', 148);
    put(type, 156);
    put(link, 157);
    put('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    parts.push(header, data, new Uint8Array((512 - (data.length % 512)) % 512));
  }
  parts.push(new Uint8Array(1024));
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
