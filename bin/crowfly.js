#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
if (!existsSync(built)) {
  process.stderr.write(
    'crowfly is not built yet. Run: npm ci && npm run build\n还没有构建。请运行：npm ci && npm run build\n',
  );
  process.exit(2);
}
const { main } = await import(built);
process.exitCode = await main(process.argv.slice(2));
