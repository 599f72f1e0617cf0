import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capture } from '../../src/wire/capture.ts';
import { readCapture } from '../../src/wire/pcap.ts';

/** Captures of soft-RoCE and soft-iWARP sessions, which do not travel with the repository. */
const root = process.env['CROWFLY_SHARED'] ?? join(import.meta.dirname, '../../../shared');
const folder = join(root, 'data/rdma');

export interface CaptureFile {
  /** Folder and name, such as `pcap-rxe/rxe_rping_v4.pcap`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly capture: Capture;
}

export const capturesAbsent: string | undefined = existsSync(folder)
  ? undefined
  : `no captures in ${folder}; set CROWFLY_SHARED`;

export function readCaptureFile(name: string): CaptureFile {
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  const read = readCapture(bytes);
  if (!read.ok) throw new Error(`${name}: ${read.error}`);
  return { name, bytes, capture: read.value };
}

export function captureNames(): readonly string[] {
  if (capturesAbsent !== undefined) return [];
  return readdirSync(folder)
    .filter((kind) => kind.startsWith('pcap-'))
    .sort()
    .flatMap((kind) =>
      readdirSync(join(folder, kind))
        .sort()
        .map((file) => `${kind}/${file}`),
    );
}
