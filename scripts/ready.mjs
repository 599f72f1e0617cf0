// Makes a fresh clone ready: installs what is missing and builds what is stale. Needs Node alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

export function install() {
  if (existsSync(join(root, 'node_modules', '.package-lock.json'))) return;
  process.stderr.write('Installing what crowfly needs …\n');
  execFileSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2] });
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

export function build() {
  const built = join(root, 'dist', 'cli.js');
  if (existsSync(built) && statSync(built).mtimeMs >= newest(join(root, 'src'))) return;
  process.stderr.write('Building …\n');
  execFileSync(npm, ['run', '--silent', 'build', '--', '--log-level', 'warn'], { cwd: root, stdio: ['ignore', 2, 2] });
}
