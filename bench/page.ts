/**
 * How fast the page is there and follows: `npm run build && node --import tsx bench/page.ts`. Takes Debian's chromium; prints medians
 * of several runs, in milliseconds, and what the first screen loads.
 */
import { gzipSync } from 'node:zlib';
import { openPage, type Served, served } from '../test/support/browser.ts';

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;

async function firstScreen(site: Served): Promise<{ paint: number; ready: number; shift: number; script: number }> {
  const context = await site.browser.newContext({ viewport: { width: 1400, height: 1000 } });
  const page = await context.newPage();
  let script = 0;
  let counting = true;
  const bodies: Promise<void>[] = [];
  page.on('response', (r) => {
    if (!counting || !/\.js$/.test(r.url())) return;
    bodies.push(
      r
        .body()
        .then((b) => {
          script += gzipSync(b).length;
        })
        .catch(() => undefined),
    );
  });
  await page.addInitScript(() => {
    const w = window as unknown as { shift: number };
    w.shift = 0;
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) w.shift += (e as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${site.url}#lang=en`);
  await page.waitForSelector('table.ways');
  counting = false;
  const told = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    ready: performance.now(),
    shift: (window as unknown as { shift: number }).shift,
  }));
  await Promise.all(bodies);
  await page.waitForTimeout(600);
  const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
  await context.close();
  return { ...told, shift, script };
}

/** From a click on a switch to the new counters in the picture's first frame after. */
async function flips(site: Served, hash: string): Promise<number[]> {
  const { page } = await openPage(site, hash);
  await page.waitForSelector('table.ways');
  await page.waitForTimeout(500);
  const times: number[] = [];
  for (let i = 0; i < 12; i++) {
    const what = i % 2 === 0 ? 'off' : '';
    times.push(
      await page.evaluate(async (to) => {
        const button = document.querySelector<HTMLButtonElement>(`[data-switch="gdr=${to}"]`)!;
        const counters = document.querySelector('.counters')!;
        const before = counters.textContent;
        const begun = performance.now();
        button.click();
        while (counters.textContent === before && performance.now() - begun < 5000)
          await new Promise(requestAnimationFrame);
        return performance.now() - begun;
      }, what),
    );
    await page.waitForTimeout(250);
  }
  await page.context().close();
  return times;
}

async function framesPerSecond(site: Served): Promise<number> {
  const context = await site.browser.newContext({ viewport: { width: 1400, height: 1000 } });
  const page = await context.newPage();
  // 16 GPUs in one box.
  await page.goto(`${site.url}#lang=en&system=dgx-2&nodes=1&from=gpu0&to=gpu9`);
  await page.waitForSelector('.packet');
  await page.waitForTimeout(1000);
  const fps = await page.evaluate(async () => {
    let frames = 0;
    const begun = performance.now();
    while (performance.now() - begun < 3000) {
      await new Promise(requestAnimationFrame);
      frames++;
    }
    return (frames * 1000) / (performance.now() - begun);
  });
  await context.close();
  return fps;
}

const site = await served();
try {
  const screens = [];
  for (let i = 0; i < 5; i++) screens.push(await firstScreen(site));
  console.log(`first paint            ${Math.round(median(screens.map((s) => s.paint)))} ms`);
  console.log(`first answer shown     ${Math.round(median(screens.map((s) => s.ready)))} ms`);
  console.log(`layout shift           ${median(screens.map((s) => s.shift)).toFixed(4)}`);
  console.log(`script till then       ${Math.round(median(screens.map((s) => s.script)) / 1000)} kB gzip`);
  const eight = await flips(site, '#lang=en&system=dgx-h100&nodes=2&assume=gdr%3Don&from=node0%2Fgpu0&to=node1%2Fgpu0');
  console.log(
    `flip, 8-GPU nodes      ${Math.round(median(eight))} ms median, ${Math.round(Math.max(...eight))} ms most`,
  );
  const many = await flips(site, '#lang=en&system=dgx-h100&nodes=128&from=node0%2Fgpu0&to=node1%2Fgpu0');
  console.log(`flip, 128 nodes        ${Math.round(median(many))} ms median, ${Math.round(Math.max(...many))} ms most`);
  const rack = await flips(site, '#lang=en&system=gb200-nvl72&nodes=128&from=node0%2Fgpu0&to=node20%2Fgpu0');
  console.log(`flip, 128 NVL72 trays  ${Math.round(median(rack))} ms median, ${Math.round(Math.max(...rack))} ms most`);
  console.log(`frames while animating ${(await framesPerSecond(site)).toFixed(1)} a second`);
} finally {
  await site.close();
}
