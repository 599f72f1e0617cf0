import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { pageFiles } from '../../src/cli/serve/folder.ts';
import { pageServer } from '../../src/cli/serve/server.ts';

/** Debian's chromium, or what CROWFLY_CHROMIUM names. */
export const browserAt: string | undefined = [
  process.env['CROWFLY_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

export interface Served {
  readonly url: string;
  readonly browser: Browser;
  readonly close: () => Promise<void>;
}

/** The built page behind its own server, and a browser to look at it with. */
export async function served(): Promise<Served> {
  const folder = resolve('dist/page');
  if (!existsSync(folder)) throw new Error('dist/page is not there: npm run build');
  const server = pageServer(await pageFiles(folder), []);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({ executablePath: browserAt!, args: ['--no-sandbox'] });
  return {
    url: `http://127.0.0.1:${port}/`,
    browser,
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A page that has settled, and everything that it complained of. */
export interface Opened {
  readonly page: Page;
  readonly complaints: string[];
  /** Requests made after everything was loaded. */
  readonly requests: string[];
}

export async function openPage(
  { url, browser }: Served,
  hash = '#lang=en',
  size: { width: number; height: number } = { width: 1400, height: 1000 },
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: size,
    reducedMotion: 'reduce',
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') complaints.push(m.text());
  });
  page.on('pageerror', (e) => complaints.push(e.message));
  page.on('dialog', (d) => {
    complaints.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  await page.goto(url + hash);
  await page.waitForSelector('#root[data-settled]');
  page.on('request', (r) => {
    if (!r.url().startsWith('blob:') && !r.url().startsWith('data:')) requests.push(r.url());
  });
  return { page, complaints, requests };
}
