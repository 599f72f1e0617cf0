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
    const shown = printable(input);
    if (input === '-') {
      sources.push({ name: '-', stream: () => process.stdin });
      continue;
    }
    let info: Awaited<ReturnType<typeof stat>>;
    try {
      info = await stat(input);
      await access(input, constants.R_OK);
    } catch (error) {
      unreadable.push({ input: shown, why: say(systemReason(error)) });
      continue;
    }
    if (!info.isDirectory()) {
      sources.push(fileSource(input, shown, info.size));
      continue;
    }
    const { files, refused } = await filesBelow(input);
    // Asked for a folder of nothing, an answer about the rest alone would look as if it had been read.
    if (files.length + refused.length === 0) unreadable.push({ input: shown, why: say('cli.why.no-files') });
    for (const { path, error } of refused)
      unreadable.push({ input: printable(join(input, path)), why: say(systemReason(error)) });
    for (const file of files.slice(0, folderLimit)) {
      const path = join(input, file.path);
      sources.push(fileSource(path, printable(path), file.size));
    }
    if (files.length > folderLimit) return fail(say('cli.input.too-many', { input: shown, limit: folderLimit }));
  }
  return ok({ sources, unreadable });
}

function fileSource(path: string, name: string, size: number): Source {
  return { name, size, stream: () => createReadStream(path, { highWaterMark: 1 << 18 }) };
}

/** A file's name without what a terminal would do rather than show. */
const printable = (name: string): string => name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');

interface Below {
  readonly files: { readonly path: string; readonly size: number }[];
  /** Files and folders that the system does not let be read; the others are. */
  readonly refused: { readonly path: string; readonly error: unknown }[];
}

async function filesBelow(folder: string): Promise<Below> {
  const files: Below['files'] = [];
  const refused: Below['refused'] = [];
  const queue = [''];
  while (queue.length > 0 && files.length <= folderLimit) {
    const inside = queue.shift()!;
    const names = await readdir(join(folder, inside)).catch((error: unknown) => {
      refused.push({ path: inside, error });
      return [];
    });
    for (const name of names.sort()) {
      const path = inside === '' ? name : join(inside, name);
      try {
        const info = await lstat(join(folder, path));
        if (info.isDirectory()) queue.push(path);
        if (!info.isFile()) continue;
        await access(join(folder, path), constants.R_OK);
        files.push({ path, size: info.size });
      } catch (error) {
        refused.push({ path, error });
      }
    }
  }
  return { files, refused };
}
