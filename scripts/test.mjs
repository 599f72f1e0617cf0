// `npm test`: every test. Arguments go to the test runner: `npm test -- test/nccl`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root } from './ready.mjs';

install();
build();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const run = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exitCode = run.status ?? 1;
