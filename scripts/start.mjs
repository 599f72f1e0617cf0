// `npm start`: the main job on a bundled example, or on what is named: `npm start -- FILE…`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root } from './ready.mjs';

install();
build();
const given = process.argv.slice(2);
const words = given.length > 0 ? given : [join('examples', 'h100-two-nodes')];
const run = spawnSync(process.execPath, [join(root, 'bin', 'crowfly.js'), ...words], {
  cwd: given.length > 0 ? process.cwd() : root,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 3;
