// The README's pictures of the page: `npm run build && node scripts/screenshots.mjs`. Takes Debian's chromium.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './ready.mjs';

const example = ['topo.xml', 'nccl.log', 'topo-m.txt', 'all_reduce.txt'].map((f) =>
  join(root, 'examples', 'h100-two-nodes', f),
);
const server = spawn(process.execPath, [join(root, 'bin', 'crowfly.js'), 'serve', '--no-open', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((done) => server.stdout.once('data', (b) => done(String(b).split('#')[0])));
const browser = await chromium.launch({
  executablePath: process.env.CROWFLY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const [file, hash] of [
    ['page.png', '#lang=en&theme=light'],
    ['page-zh.png', '#lang=zh-CN&theme=dark'],
  ]) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
    await page.goto(url + hash);
    await page.waitForSelector('#root[data-settled]');
    await page.setInputFiles('#picker', example);
    await page.waitForSelector('.finding, .counters >> text=host-staged-rdma');
    await page.waitForSelector('.packet');
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(root, 'docs', file) });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill();
}
