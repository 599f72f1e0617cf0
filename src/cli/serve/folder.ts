import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the page, under the address it has. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the built page lies: beside the built command line, or in `dist` when that runs from its source. */
export function pageFolder(): string | undefined {
  for (const near of ['./page/', '../page/', '../../../dist/page/']) {
    const folder = fileURLToPath(new URL(near, import.meta.url));
    if (existsSync(join(folder, 'index.html'))) return folder;
  }
  return undefined;
}

/**
 * Every file that is served, by address, read once at the start. An address that is not in the list does not exist: no path
 * is ever made of what a request says, so none can leave the folder.
 */
export async function pageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const walk = async (below: string): Promise<void> => {
    for (const name of (await readdir(join(folder, below))).sort()) {
      const at = below === '' ? name : `${below}/${name}`;
      const path = join(folder, at);
      const info = await lstat(path);
      if (info.isDirectory()) await walk(at);
      else if (info.isFile()) files.set(`/${at}`, { path, type: types[extname(name)] ?? 'application/octet-stream' });
    }
  };
  await walk('');
  return files;
}
