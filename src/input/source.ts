/**
 * Something that gives bytes: a file, standard input, a dropped file in a browser. Faces make these; nothing here opens
 * a file.
 */
export interface Source {
  /** As the user knows it. */
  readonly name: string;
  /** Bytes, when known beforehand. */
  readonly size?: number;
  stream(): AsyncIterable<Uint8Array>;
}

export function bytesSource(name: string, bytes: Uint8Array): Source {
  return {
    name,
    size: bytes.length,
    stream: async function* () {
      yield bytes;
    },
  };
}

export const textSource = (name: string, text: string): Source => bytesSource(name, new TextEncoder().encode(text));
