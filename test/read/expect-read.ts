import { expect } from 'vitest';
import { bytesSource } from '../../src/input/source.ts';
import type { Document } from '../../src/read/documents.ts';
import type { NcclLog } from '../../src/read/nccl-log/types.ts';
import { readSource } from '../../src/read/read-source.ts';
import type { ReadResult } from '../../src/read/reader.ts';
import { render } from '../../src/words/render.ts';

export type Kind = Document['kind'];
export type Of<K extends Kind> = Extract<Document, { kind: K }>;

export async function readBytes(bytes: Uint8Array, name = 'input.txt'): Promise<readonly ReadResult[]> {
  return await readSource(bytesSource(name, bytes));
}

/** Reads lines as one file. */
export async function read(lines: string | readonly string[], name = 'input.txt'): Promise<ReadResult> {
  const text = typeof lines === 'string' ? lines : `${lines.join('\n')}\n`;
  const [result] = await readBytes(new TextEncoder().encode(text), name);
  return result!;
}

/** The remarks of a result, as an English reader sees them. */
export const notesOf = (result: ReadResult): string[] =>
  result.notes.map(({ message, line }) => `${line}: ${render(message, 'en')}`);

const withoutName = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'file' ? '' : inner instanceof Map ? [...inner] : inner)));

/**
 * Reads lines, expects exactly one document of the kind and no remark, and expects the same under a name that says nothing
 * and under one that lies.
 */
export async function expectRead<K extends Kind>(lines: string | readonly string[], kind: K): Promise<Of<K>> {
  const result = await read(lines);
  expect(notesOf(result)).toEqual([]);
  const documents = result.documents.filter((document): document is Of<K> => document.kind === kind);
  expect(documents, `documents of kind ${kind}`).toHaveLength(1);
  for (const name of ['x', 'lspci.xml']) {
    const other = await read(lines, name);
    expect(withoutName(other.documents)).toEqual(withoutName(result.documents));
  }
  return documents[0]!;
}

export const expectLog = (lines: string | readonly string[]): Promise<NcclLog> => expectRead(lines, 'nccl-log');

/** Why each format declined. */
export const declinedOf = (result: ReadResult): Record<string, string> =>
  Object.fromEntries(result.declined.map(({ format, reason }) => [format, render(reason, 'en')]));
