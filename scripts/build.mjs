// `npm run build`: the library, the command line and the page, in dist/. Arguments go to the bundler of the first two.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './ready.mjs';

const run = (script, args) => {
  const made = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (made.status !== 0) process.exit(made.status ?? 1);
};
// The first empties dist/, so the page comes second.
run(join('tsdown', 'dist', 'run.mjs'), process.argv.slice(2));
run(join('vite', 'bin', 'vite.js'), ['build', '--logLevel', 'warn']);
