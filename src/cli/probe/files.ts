import { closeSync, openSync, readdirSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

/** What could not be read, and why: told to the person. */
export interface Skipped {
  readonly path: string;
  readonly why: 'rights' | 'failed';
}

/** Files of a host below `sys`, `proc` and `etc`, wherever they are kept. */
export interface Tree {
  /** Names in a folder; none when it is not there. */
  list(path: string): string[];
  /** At most `most` bytes of a file; undefined when there is none. */
  bytes(path: string, most: number): Uint8Array | undefined;
  /** A short file as one line. */
  line(path: string): string | undefined;
  text(path: string, most?: number): string | undefined;
  /** The last part of what a link points to; whether that exists does not matter. */
  link(path: string): string | undefined;
}

/** Read-only view of a root folder. Nothing outside it is ever opened, links included. */
export class Files implements Tree {
  readonly skipped: Skipped[] = [];
  private readonly root: string;

  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /** Names in a folder; none when it is not there. */
  list(path: string): string[] {
    const full = this.inside(path);
    if (full === undefined) return [];
    try {
      return readdirSync(full).sort();
    } catch (error) {
      this.note(path, error);
      return [];
    }
  }

  /** At most `most` bytes of a file; undefined when there is none. */
  bytes(path: string, most: number): Uint8Array | undefined {
    const full = this.inside(path);
    if (full === undefined) return undefined;
    let fd: number | undefined;
    try {
      fd = openSync(full, 'r');
      const buffer = new Uint8Array(most);
      let length = 0;
      while (length < most) {
        const n = readSync(fd, buffer, length, most - length, null);
        if (n === 0) break;
        length += n;
      }
      return buffer.subarray(0, length);
    } catch (error) {
      this.note(path, error);
      return undefined;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** A short file as one line. */
  line(path: string): string | undefined {
    const bytes = this.bytes(path, 4096);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes).split('\n')[0]!.trim();
  }

  text(path: string, most = 1 << 20): string | undefined {
    const bytes = this.bytes(path, most);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  /** The last part of what a link points to; whether that exists does not matter. */
  link(path: string): string | undefined {
    const parent = this.inside(join(path, '..'));
    if (parent === undefined) return undefined;
    try {
      return basename(readlinkSync(join(parent, basename(path))));
    } catch {
      return undefined;
    }
  }

  /** Absolute links of a saved tree are taken inside it; what leads out is not there. */
  private inside(path: string): string | undefined {
    try {
      const full = realpathSync(join(this.root, path));
      return full === this.root || this.root === sep || full.startsWith(this.root + sep) ? full : undefined;
    } catch (error) {
      this.note(path, error);
      return undefined;
    }
  }

  private note(path: string, error: unknown): void {
    const code = (error as { code?: string }).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || this.skipped.length >= 1000) return;
    this.skipped.push({ path, why: code === 'EACCES' || code === 'EPERM' ? 'rights' : 'failed' });
  }
}
