// Runs the scoring scripts of $CROWFLY_SHARED (or ../shared) and holds each figure against its floor in quality/floors.json.
// A figure below its floor fails; without the scoring data the scores are skipped, and said to be.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = process.env.CROWFLY_SHARED ?? join(root, '..', 'shared');
const floors = JSON.parse(readFileSync(join(root, 'quality', 'floors.json'), 'utf8'));

if (!existsSync(join(shared, 'tools'))) {
  console.log('scores: skipped');
} else {
  let failed = 0;
  for (const { script, args, figures } of floors.scores) {
    const run = spawnSync(
      process.execPath,
      [join(shared, 'tools', script), ...args.map((a) => a.replace('$SHARED', shared))],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, CROWFLY: `${process.execPath} bin/crowfly.js` },
        maxBuffer: 1 << 28,
      },
    );
    const out = run.stdout ?? '';
    console.log(`${script} ${args.join(' ')}`);
    for (const { name, pattern, least, most } of figures) {
      const found = new RegExp(pattern, 'm').exec(out);
      const value = found ? Number(found[1]) : Number.NaN;
      const good = (least === undefined || value >= least) && (most === undefined || value <= most);
      const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
      console.log(`  ${good ? 'ok  ' : 'FAIL'} ${name}: ${value} (${bound})`);
      if (!good) failed++;
    }
    if (run.status !== 0) {
      console.log(`  FAIL the script ended with ${run.status}: ${run.stderr}`);
      failed++;
    }
  }
  console.log('scores: run');
  if (failed > 0) process.exitCode = 1;
}
