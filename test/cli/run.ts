import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command line as a person would. `npm test` builds it first. */
export function crowfly(
  args: readonly string[],
  options: {
    readonly input?: string | Uint8Array;
    readonly env?: Record<string, string>;
    readonly cwd?: string;
  } = {},
): Ran {
  const run = spawnSync(process.execPath, [resolve('bin/crowfly.js'), ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { PATH: process.env['PATH'] ?? '', LANG: 'en_US.UTF-8', ...options.env },
    maxBuffer: 1 << 28,
  });
  return { status: run.status, out: run.stdout, err: run.stderr };
}
