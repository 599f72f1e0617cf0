import { gzipSync } from 'node:zlib';

/** Files as one `.tar.gz` (POSIX ustar), same bytes for same content: no times, no owners. */
export function bundle(folder: string, files: ReadonlyMap<string, string>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, text] of files) {
    const body = new TextEncoder().encode(text);
    parts.push(header(`${folder}/${name}`, body.length), body, new Uint8Array((512 - (body.length % 512)) % 512));
  }
  parts.push(new Uint8Array(1024));
  return gzipSync(Buffer.concat(parts));
}

function header(name: string, size: number): Uint8Array {
  const block = new Uint8Array(512);
  const put = (at: number, text: string): void => block.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  put(0, name.slice(0, 99));
  put(100, octal(0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(0, 11));
  put(148, '        ');
  put(156, '0');
  put(257, 'ustar\0');
  put(263, '00');
  put(
    148,
    octal(
      block.reduce((a, b) => a + b, 0),
      6,
    ),
  );
  return block;
}
