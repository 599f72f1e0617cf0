import { constants, createReadStream } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import type { Source } from '../input/source.ts';
import { type Message, say } from '../words/message.ts';
import { systemReason } from './outcome.ts';

/** Files of a folder that are read at most; more are named as left out. */
const folderLimit = 10_000;

export interface Sources {
  readonly sources: readonly Source[];
  /** Inputs that cannot be read, and why: the others are answered all the same. */
  readonly unreadable: readonly { readonly input: string; readonly why: Message }[];
}

/** Sources for what stands on the command line: files, folders (read in name order, links not followed), `-`. */
export async function sourcesOf(inputs: readonly string[]): Promise<Result<Sources, Message>> {
  const sources: Source[] = [];
  const unreadable: { input: string; why: Message }[] = [];
  for (const input of inputs) {
    if (input === '-') {
      sources.push({ name: '-', stream: () => process.stdin });
      continue;
    }
    let info: Awaited<ReturnType<typeof stat>>;
    try {
      info = await stat(input);
      await access(input, constants.R_OK);
    } catch (error) {
      unreadable.push({ input, why: say(systemReason(error)) });
      continue;
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
  return ok({ sources, unreadable });
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
