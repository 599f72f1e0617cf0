import { createReadStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import type { Source } from '../input/source.ts';
import { type Message, say } from '../words/message.ts';

/** Files of a folder that are read at most; more are named as left out. */
const folderLimit = 10_000;

/** Sources for what stands on the command line: files, folders (read in name order, links not followed), `-`. */
export async function sourcesOf(inputs: readonly string[]): Promise<Result<Source[], Message>> {
  const sources: Source[] = [];
  for (const input of inputs) {
    if (input === '-') {
      sources.push({ name: '-', stream: () => process.stdin });
      continue;
    }
    let info: Awaited<ReturnType<typeof stat>>;
    try {
      info = await stat(input);
    } catch (error) {
      return fail(say('cli.input.unreadable', { input, why: reason(error) }));
    }
    if (!info.isDirectory()) {
      sources.push(fileSource(input, input, info.size));
      continue;
    }
    const files = await filesBelow(input);
    for (const file of files.slice(0, folderLimit))
      sources.push(fileSource(join(input, file.path), join(input, file.path), file.size));
    if (files.length > folderLimit) return fail(say('cli.input.too-many', { input, limit: folderLimit }));
  }
  return ok(sources);
}

function fileSource(path: string, name: string, size: number): Source {
  return { name, size, stream: () => createReadStream(path, { highWaterMark: 1 << 18 }) };
}

async function filesBelow(folder: string): Promise<{ path: string; size: number }[]> {
  const found: { path: string; size: number }[] = [];
  const queue = [''];
  while (queue.length > 0 && found.length <= folderLimit) {
    const inside = queue.shift()!;
    const names = (await readdir(join(folder, inside))).sort();
    for (const name of names) {
      const path = inside === '' ? name : join(inside, name);
      const info = await lstat(join(folder, path));
      if (info.isDirectory()) queue.push(path);
      else if (info.isFile()) found.push({ path, size: info.size });
    }
  }
  return found;
}

export function reason(error: unknown): string {
  const code = (error as { code?: string }).code;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  return error instanceof Error ? error.message : String(error);
}
