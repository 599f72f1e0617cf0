import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/words/en/index.ts';
import { spoken } from '../../src/words/en/spoken.ts';
import { crowfly } from '../cli/run.ts';
import { browserAt, type Opened, openPage, type Served, served } from '../support/browser.ts';
import { shared, whyNot } from '../support/shared.ts';

const example = ['topo.xml', 'nccl.log', 'topo-m.txt', 'all_reduce.txt'].map((f) => join('examples/h100-two-nodes', f));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

if (!browserAt && process.env['CI'] === 'true') throw new Error('CI needs a browser: apt-get install chromium');

/** What `--json` of the command line says. */
const json = <T>(...args: string[]): T => JSON.parse(crowfly([...args, '--json']).out) as T;

describe.skipIf(!browserAt)(`the page${browserAt ? '' : ' (skipped: no chromium here)'}`, () => {
  let site: Served;
  const all: Opened[] = [];
  const open = async (...args: [hash?: string, size?: { width: number; height: number }]): Promise<Opened> => {
    const opened = await openPage(site, ...args);
    all.push(opened);
    return opened;
  };
  beforeAll(async () => {
    site = await served();
  });
  afterAll(async () => {
    await site.close();
  });

  const withExample = async (): Promise<Opened> => {
    const opened = await open();
    await opened.page.setInputFiles('#picker', example);
    await opened.page.waitForSelector('.counters >> text=host-staged-rdma');
    return opened;
  };

  it('shows a machine at once, and two devices are clicked', async () => {
    const { page } = await open();
    await page.waitForSelector('[data-device="node1/gpu7"]');
    await page.click('[data-device="node0/gpu0"]');
    await page.click('[data-device="node0/gpu3"]');
    await page.waitForSelector('h2 >> text=node0/gpu0 → node0/gpu3');
    expect(await page.textContent('.counters')).toContain('nvlink');
    const move = json<{ paths: { path: string; rows: { bytes: number; bandwidthGBps: number }[] }[] }>(
      'move',
      'node0/gpu0',
      'node0/gpu3',
      '--system',
      'dgx-h100',
      '--nodes',
      '2',
    );
    const told = move.paths.map((p) => [
      p.path,
      Number(p.rows.find((r) => r.bytes === 2 ** 26)!.bandwidthGBps.toPrecision(3)),
    ]);
    const shown = await page.$$eval('table.ways tbody tr', (rows) =>
      rows.map((r) => [r.querySelector('th')!.textContent.trim(), Number(r.querySelectorAll('td')[1]!.textContent)]),
    );
    expect(shown).toEqual(told);
  });

  it('keeps its menus on a narrow screen, and closes them by Escape and by a click elsewhere', async () => {
    const { page } = await open('', { width: 360, height: 800 });
    await page.waitForSelector('[data-device]');
    for (const menu of await page.$$('header details.menu')) {
      const summary = (await menu.$('summary'))!;
      const opened = (): Promise<boolean> => menu.evaluate((e) => (e as HTMLDetailsElement).open);
      await summary.click();
      const edges = await menu.$eval('.menubox', (e) => {
        const { left, right } = e.getBoundingClientRect();
        return { left, right, room: document.documentElement.clientWidth };
      });
      expect(edges.left).toBeGreaterThanOrEqual(0);
      expect(edges.right).toBeLessThanOrEqual(edges.room);
      await page.keyboard.press('Escape');
      expect(await opened()).toBe(false);
      await summary.click();
      expect(await opened()).toBe(true);
      await page.click('h1');
      expect(await opened()).toBe(false);
    }
  });

  it('says that it reads while it does, and only then that there is no topology', async () => {
    const { page } = await open();
    const seen = async (files: Parameters<typeof page.setInputFiles>[1], until: string): Promise<string[]> => {
      await page.evaluate(() => {
        const said: string[] = [];
        Object.assign(window, { said });
        new MutationObserver(() => said.push(document.querySelector('.sheet')!.textContent)).observe(document.body, {
          childList: true,
          subtree: true,
          characterData: true,
        });
      });
      await page.setInputFiles('#picker', files);
      await page.waitForSelector(until);
      return page.evaluate(() => (window as unknown as { said: string[] }).said);
    };
    const none = en['page.no-topology'];
    // Long enough that a person would see it being read.
    const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2 ** 24, 'dear friend,\n') };
    await page.waitForSelector('[data-device]');
    const first = await seen(letter, '.empty >> text=No input shows');
    expect(first.some((x) => x.includes('Reading 1 file …'))).toBe(true);
    expect(first.filter((x) => x.includes('Reading') && x.includes(none))).toEqual([]);
    // From an empty sheet: it is not said again of what is not read yet.
    const later = await seen(example, '[data-device="node1/gpu7"]');
    expect(later.some((x) => x.includes('Reading 5 files …'))).toBe(true);
    expect(later.filter((x) => x.includes('Reading') && x.includes(none))).toEqual([]);
    expect(await page.textContent('.sheet')).not.toContain('Reading');
  });

  it('reads dropped files and says the same as the command line', async () => {
    const { page } = await open();
    const files = example.map((name) => ({ name: name.split('/').at(-1)!, text: readFileSync(name, 'utf8') }));
    await page.evaluate((list) => {
      const data = new DataTransfer();
      for (const f of list) data.items.add(new File([f.text], f.name));
      document.querySelector('.page')!.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    }, files);
    await page.click('#tab-findings');
    await page.waitForSelector('[data-finding]');
    const doctor = json<{ findings: { id: string; follows?: string }[] }>('doctor', ...example);
    const causes = doctor.findings.filter((f) => f.follows === undefined).map((f) => f.id);
    expect(await page.$$eval('[data-finding]', (list) => list.map((f) => f.getAttribute('data-finding')))).toEqual(
      causes,
    );
    // A finding's place in the picture, and its line in the input.
    expect(await page.$$eval('rect.nic.bad', (list) => list.length)).toBe(16);
    await page.click('.finding .place');
    await page.waitForSelector('dialog .line.here');
    expect(await page.textContent('dialog .line.here')).toContain('GPU Direct RDMA Disabled');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });
  });

  const cases = shared ? ['azdiag-73-v100-inactive', 'dali-4771-gdscheck-none', 'gdrcopy-13-symbol'] : [];
  it.skipIf(!shared)(
    `reads dropped cases as the command line does${shared ? '' : ` (skipped: ${whyNot})`}`,
    async () => {
      const { page } = await open('#lang=en&tab=findings');
      const folder = join(shared!, 'data', 'cases');
      for (const name of [...cases, ...readdirSync(folder).filter((_, i) => i % 20 === 7)]) {
        const files = readdirSync(join(folder, name))
          .filter((f) => f !== 'case.json')
          .map((f) => join(folder, name, f));
        const { findings } = json<{ findings: { id: string; follows?: string }[] }>('doctor', ...files);
        await page.click('.home');
        await page.click('#tab-findings');
        await page.setInputFiles('#picker', files);
        await page.waitForFunction(
          (wanted) =>
            JSON.stringify(
              [...document.querySelectorAll('[data-finding]')].map((f) => f.getAttribute('data-finding')),
            ) === wanted,
          JSON.stringify(findings.filter((f) => f.follows === undefined).map((f) => f.id)),
        );
      }
    },
  );

  it.each(['en', 'zh-CN'])('loads at most 200 kB of script, packed, until it answers (%s)', async (language) => {
    const context = await site.browser.newContext({ viewport: { width: 1400, height: 1000 } });
    const page = await context.newPage();
    const bodies: Promise<readonly [asked: number, size: number]>[] = [];
    const count = (r: Response): void => {
      const asked = r.request().timing().startTime;
      if (r.url().endsWith('.js')) bodies.push(r.body().then((b) => [asked, gzipSync(b).length] as const));
    };
    page.on('response', count);
    // What follows the answer may be asked for before this process hears of it.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('table.ways')) return;
        observer.disconnect();
        Object.assign(globalThis, { answered: performance.timeOrigin + performance.now() });
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${site.url}#lang=${language}`);
    await page.waitForSelector('table.ways');
    const answered = await page.evaluate(() => (globalThis as unknown as { readonly answered: number }).answered);
    page.off('response', count);
    const scripts = await Promise.all(bodies);
    await context.close();
    const sum = scripts.filter(([asked]) => asked <= answered).reduce((a, [, size]) => a + size, 0);
    expect(sum).toBeGreaterThan(100_000);
    expect(sum).toBeLessThan(200_000);
  });

  it('never says what only the command line has words for', () => {
    const assets = join('dist', 'page', 'assets');
    const scripts = readdirSync(assets).filter((f) => f.endsWith('.js') && !f.startsWith('spoken'));
    const text = scripts.map((f) => readFileSync(join(assets, f), 'utf8')).join('\n');
    const codes = Object.keys(en).filter((code) => !(code in spoken));
    expect(codes.length).toBeGreaterThan(100);
    expect(
      codes.filter((code) => [`\`${code}\``, `'${code}'`, `"${code}"`].some((quoted) => text.includes(quoted))),
    ).toEqual([]);
    expect(text).toContain('cli.refused');
  });

  it('follows a switch, shows what was before, and comes back the same from its address', async () => {
    const { page, requests } = await withExample();
    await page.click('[data-switch="peermem=on"]');
    await page.waitForSelector('.counters >> text=gpudirect-rdma');
    const counters = await page.textContent('.counters');
    expect(counters).toContain('copies 0');
    expect(counters).toContain('host memory 0 B/B');
    expect(await page.textContent('.counters.before')).toContain('host-staged-rdma');
    expect(await page.textContent('.changed')).toContain('gpudirect-rdma');
    const hash = new URL(page.url()).hash;
    expect(hash).toContain('assume=peermem%3Don');
    expect(hash).not.toContain('topo.xml');
    // With the inputs, which the tab keeps: the switch is still on, in the other language too.
    await page.click('#language');
    await page.waitForSelector('.whatif >> text=如果');
    await page.reload();
    await page.waitForSelector('#root[data-settled]');
    requests.length = 0;
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
    expect(await page.getAttribute('[data-switch="peermem=on"]', 'aria-pressed')).toBe('true');
  });

  it('moves a card and narrows a link, and NCCL decides anew', async () => {
    const { page } = await open('#lang=en&assume=gdr%3Don');
    await page.waitForSelector('.counters >> text=gpudirect-rdma');
    const before = await page.textContent('table.ways .now td.n');
    await page.click('.more summary');
    await page.selectOption('#link', 'node0/gpu0');
    await page.selectOption('#link-to', 'gen3x8');
    await page.waitForSelector('.chip >> text=node0/gpu0.link=gen3x8');
    await page.waitForSelector('.counters.before');
    // The chip is there before the answer is.
    await page.waitForFunction((was) => document.querySelector('table.ways .now td.n')?.textContent !== was, before);
    expect(Number.parseFloat((await page.textContent('table.ways .now td.n'))!)).toBeLessThan(
      Number.parseFloat(before!) / 4,
    );
    await page.selectOption('#slot', 'node0/nic0');
    await page.selectOption('#slot-to', 'node0/gpu7');
    await page.waitForSelector('.chip >> text=node0/nic0.slot=node0/gpu7');
    await page.waitForFunction(() => {
      const box = (id: string): DOMRect => document.querySelector(`[data-device="${id}"]`)!.getBoundingClientRect();
      return Math.abs(box('node0/nic0').y - box('node0/gpu7').y) < 80;
    });
    // What cannot be is said, and the rest goes on.
    await page.fill('#free', 'nic99.slot=gpu0');
    await page.press('#free', 'Enter');
    await page.waitForSelector('.trouble >> text=nic99');
  });

  it('holds a measured table against the predicted one, whose limit it does not take for that of the measurement', async () => {
    const { page } = await withExample();
    await page.click('#tab-collective');
    await page.waitForSelector('.judged', { timeout: 60_000 });
    const compare = json<{ rows: { busbwGBps: number }[]; verdict: string; explanations: { what: string }[] }>(
      'compare',
      example[3]!,
      ...example.slice(0, 3),
    );
    const shown = await page.$$eval('[data-busbw]', (cells) => cells.map((c) => Number(c.getAttribute('data-busbw'))));
    expect(shown).toEqual(compare.rows.map((r) => r.busbwGBps));
    expect(await page.textContent('.judged')).toContain(compare.explanations[0]!.what);
    expect(await page.textContent('p.limit')).toMatch(/^What should hold/);
    expect(await page.$$eval('#collective-chart circle', (dots) => dots.length)).toBe(compare.rows.length);
    await page.selectOption('#beside', 'dgx-a100-80g');
    await page.waitForSelector('.legend >> text=dgx-a100-80g');
  });

  it('takes a table alone for the machine that it was most likely made on, and says so', async () => {
    const { page } = await open();
    await page.setInputFiles('#picker', example[3]!);
    await page.waitForSelector('.hint >> text=assumed, as GPUs and ranks of the table suggest');
    await page.click('#tab-collective');
    await page.waitForSelector('.judged', { timeout: 60_000 });
    const compare = json<{ rows: { busbwGBps: number }[] }>('compare', example[3]!);
    const shown = await page.$$eval('[data-busbw]', (cells) => cells.map((c) => Number(c.getAttribute('data-busbw'))));
    expect(shown).toEqual(compare.rows.map((r) => r.busbwGBps));
  });

  it('tells files that nothing was read from by more than a colour, and draws names above the threads', async () => {
    const { page } = await withExample();
    await page.setInputFiles('#picker', {
      name: 'letter.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('dear all,\n'),
    });
    await page.waitForSelector('.chip.unread');
    const chips = await page.$$eval('.chip', (c) => c.map((x) => [x.textContent, x.className, x.ariaLabel]));
    expect(chips.filter(([, style]) => style !== 'chip')).toEqual([
      ['⊘ letter.txt ×', 'chip unread', expect.stringContaining('nothing was read from it')],
    ]);
    const above = await page.evaluate(() => {
      const threads = document.querySelector('.picture .threads')!;
      const texts = [...document.querySelectorAll('.picture text')].filter((x) => !x.closest('.flag'));
      return [texts.length, texts.filter((x) => !(threads.compareDocumentPosition(x) & 4)).length];
    });
    expect(above[0]).toBeGreaterThan(40);
    expect(above[1]).toBe(0);
  });

  it('reads what is pasted, closes the box, and never puts one paste in the place of another', async () => {
    const { page } = await open();
    const paste = async (text: string): Promise<void> => {
      await page.click('.bring .menu summary');
      await page.fill('#paste', text);
      await page.click('.bring .menubox button');
      expect(await page.$eval('.bring .menu', (e) => (e as HTMLDetailsElement).open)).toBe(false);
    };
    const chips = (): Promise<(string | null)[]> => page.$$eval('.chip', (c) => c.map((x) => x.textContent));
    await paste(readFileSync(example[2]!, 'utf8'));
    await page.waitForSelector('h2 >> text=gpu0 → gpu1');
    await paste(readFileSync(example[1]!, 'utf8'));
    await page.waitForSelector('h2 >> text=node0/gpu0 → node1/gpu0');
    await page.click('.chip >> text=paste.txt');
    await paste('NCCL_DEBUG=INFO\n');
    expect(await chips()).toEqual(['paste2.txt ×', 'paste.txt ×']);
  });

  it('keeps files and pastes over a reload, in this tab alone, until they are taken away', async () => {
    const { page, requests } = await withExample();
    // Bytes that are no text come back as they were.
    const archive = gzipSync(readFileSync(example[2]!));
    await page.setInputFiles('#picker', { name: 'topo.gz', mimeType: 'application/gzip', buffer: archive });
    const chips = (): Promise<(string | null)[]> => page.$$eval('.chip', (c) => c.map((x) => x.textContent));
    const whole = ['topo.xml ×', 'nccl.log ×', 'topo-m.txt ×', 'all_reduce.txt ×', 'topo.gz ×'];
    await page.click('#tab-inputs');
    await page.waitForSelector('.files >> text=topo.gz');
    await page.waitForSelector('.hint >> text=on this machine only');
    const read = await page.textContent('.files');
    expect(requests.splice(0)).toEqual([]);
    await page.reload();
    await page.waitForSelector('.files >> text=topo.gz');
    expect(await chips()).toEqual(whole);
    expect(await page.textContent('.files')).toBe(read);
    expect(new URL(page.url()).hash).not.toContain('packed');
    // Taken away is gone at once; the home button takes all.
    await page.click('.chip >> text=topo.gz');
    await page.reload();
    await page.waitForSelector('.chip >> text=all_reduce.txt');
    expect(await chips()).toEqual(whole.slice(0, 4));
    await page.waitForSelector('#root[data-settled]');
    await page.click('.home');
    await page.reload();
    await page.waitForSelector('#root[data-settled]');
    expect(await chips()).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
    // Loading the page again asks the server for the page, and for nothing else.
    expect(requests.filter((r) => !/\/$|\/#|\/assets\/[\w-]+\.(?:js|css)$/.test(r))).toEqual([]);
    requests.length = 0;
  });

  it.each([
    ['forbidden', 'get sessionStorage() { throw new DOMException("no", "SecurityError"); }'],
    ['full', 'sessionStorage: { getItem: () => null, removeItem() {}, setItem() { throw new Error("full"); } }'],
    ['of another make', 'sessionStorage: { getItem: () => "AAAA", removeItem() {}, setItem() { throw 1; } }'],
  ])('works as before where storage is %s', async (_, storage) => {
    const opened = await open();
    const { page, requests } = opened;
    await page.addInitScript(`Object.defineProperties(window, Object.getOwnPropertyDescriptors({ ${storage} }))`);
    await page.reload();
    await page.waitForSelector('#root[data-settled]');
    requests.length = 0;
    await page.setInputFiles('#picker', example);
    await page.waitForSelector('.counters >> text=host-staged-rdma');
    await page.click('#tab-inputs');
    await page.waitForSelector('.hint >> text=gone when the page is loaded again');
  });

  it('says nothing of a machine that no input shows', async () => {
    const { page } = await open();
    const buffer = Buffer.from('18:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330]\n');
    await page.setInputFiles('#picker', { name: 'lspci.txt', mimeType: 'text/plain', buffer });
    await page.waitForSelector('.empty >> text=No input shows');
    // There is nothing to choose from.
    for (const tab of ['way', 'collective', 'timeline', 'learn']) {
      await page.click(`#tab-${tab}`);
      expect(await page.textContent('#panel')).toBe(en['page.needs-topology']);
    }
    await page.click('#tab-inputs');
    await page.waitForSelector('.files >> text=lspci');
    expect(await page.textContent('.side, aside, main')).not.toContain('no GPU');
    expect((await page.textContent('.details'))?.trim()).toBe('');
  });

  it('does not call inputs sound that it could not read', async () => {
    const { page } = await open();
    await page.setInputFiles('#picker', {
      name: 'x.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('dear friend\n'),
    });
    await page.waitForSelector('.empty >> text=No input shows');
    await page.click('#tab-findings');
    await page.waitForSelector(`#panel >> text=${en['page.nothing-read']}`);
  });

  it('works by keyboard alone', async () => {
    const { page } = await open('#lang=en&system=hgx-h100&nodes=1');
    await page.focus('[data-device][tabindex="0"]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.hint >> text=Choose two devices');
    await page.keyboard.press('Enter');
    for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.wayhead h2');
    await page.focus('#tab-way');
    for (const tab of ['collective', 'findings', 'timeline', 'learn', 'inputs']) {
      await page.keyboard.press('ArrowRight');
      expect(await page.getAttribute(`#tab-${tab}`, 'aria-selected')).toBe('true');
    }
  });

  it('shows the run of the engine on a timeline, zooms and hands it to Perfetto', async () => {
    const { page } = await withExample();
    await page.click('#tab-timeline');
    await page.waitForSelector('.slice');
    const whole = await page.$$eval('.slice', (s) => s.length);
    await page.click('[aria-label="closer"]');
    await page.click('[aria-label="closer"]');
    expect(await page.$$eval('.slice', (s) => s.length)).toBeLessThanOrEqual(whole + 400);
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=Trace for Perfetto')]);
    const trace = JSON.parse(readFileSync(await file.path(), 'utf8')) as { traceEvents: unknown[] };
    expect(trace.traceEvents.length).toBeGreaterThan(5);
  });

  it('teaches every technology, on this machine or on a typical one', async () => {
    const { page } = await open('#lang=zh-CN&tab=learn');
    await page.waitForSelector('.topics button:nth-child(12)');
    const topics = await page.$$eval('.topics button', (list) => list.map((b) => b.textContent));
    for (const topic of topics) {
      await page.click(`.topics button >> text="${topic}"`);
      await page.waitForFunction(
        (name) => document.querySelector('.lesson h2')?.textContent.trim().toLowerCase().startsWith(name!),
        topic,
      );
      expect(await page.$$eval('.lesson .stages li', (l) => l.length)).toBeGreaterThan(0);
    }
  });

  it('hands on a picture, words, data, and a link with the inputs when asked', async () => {
    const { page } = await withExample();
    const take = async (name: string): Promise<Buffer> => {
      await page.click('summary >> text=Share');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`.menubox button >> text="${name}"`),
      ]);
      const bytes = readFileSync(await file.path());
      await page.click('summary >> text=Share');
      return bytes;
    };
    expect((await take('SVG')).toString()).toContain('<svg');
    expect((await take('PNG')).subarray(1, 4).toString()).toBe('PNG');
    const markdown = (await take('Findings as Markdown (redacted)')).toString();
    expect(markdown).toContain('gdr-disabled-peermem-missing');
    expect(markdown).not.toContain('train-a');
    expect(JSON.parse((await take('JSON')).toString())).toHaveLength(4);
    await page.click('summary >> text=Share');
    await page.click('text=Copy a link with the inputs in it');
    await page.waitForSelector('text=The link is copied.');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await open(new URL(link).hash);
    await other.page.waitForSelector('.chip >> text=nccl.log');
    await other.page.waitForSelector('.counters >> text=host-staged-rdma');
    await other.page.reload();
    await other.page.waitForSelector('#root[data-settled]');
    await other.page.waitForSelector('.chip >> text=nccl.log');
    other.requests.length = 0;
  });

  it('shows hostile names and contents as text', async () => {
    const { page } = await open();
    const evil = '<img src=x onerror=alert(1)>';
    const log = `${readFileSync(example[1]!, 'utf8').replaceAll('mlx5_0', `mlx5_0${evil}`).replaceAll('train-a', evil)}\n${evil}\n`;
    await page.setInputFiles('#picker', [
      { name: `${evil}.log`, mimeType: 'text/plain', buffer: Buffer.from(log) },
      { name: '__proto__', mimeType: 'text/plain', buffer: readFileSync(example[0]!) },
      { name: '../../etc/passwd', mimeType: 'text/plain', buffer: Buffer.from('\u0000\u0001\u0002') },
    ]);
    await page.waitForSelector('.counters');
    for (const tab of ['findings', 'inputs', 'way']) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(150);
      expect(await page.$$eval('img, iframe, object, embed', (list) => list.length)).toBe(0);
    }
  });

  it('stays alive while a log of 100 MB is read', async () => {
    const { page } = await open();
    await page.evaluate(() => {
      const line =
        'node7:4242:4310 [3] NCCL INFO Channel 00/0 : 3[3] -> 4[4] via P2P/CUMEM/read and nothing else to say\n';
      const block = line.repeat(10_000);
      const parts = Array.from({ length: Math.ceil(100e6 / block.length) }, () => block);
      const data = new DataTransfer();
      data.items.add(new File(parts, 'long.log'));
      document.querySelector('.page')!.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    });
    await page.click('#language');
    await page.waitForSelector('.whatif >> text=如果');
    await page.click('#tab-inputs');
    await page.waitForSelector('.files b >> text=long.log', { timeout: 60_000 });
    await page.click('#language');
    await page.waitForSelector('.whatif >> text=What if');
  });

  it.each([
    [360, 740],
    [3840, 2160],
  ])('fits a screen of %i pixels', async (width, height) => {
    const { page } = await open('#lang=en', { width, height });
    for (const tab of ['way', 'collective', 'findings', 'timeline', 'learn', 'inputs']) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(200);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, tab).toBeLessThanOrEqual(width);
    }
  });

  it('folds racks: 576 GPUs are a picture of two nodes', async () => {
    const { page } = await open('#lang=en&system=gb200-nvl72&nodes=144');
    await page.waitForSelector('text=142 more nodes');
    expect(await page.$$eval('[data-device]', (d) => d.length)).toBeLessThan(60);
  });

  it.each(['#lang=en', '#lang=zh-CN&theme=dark'])('has no serious fault of access (%s)', async (hash) => {
    const { page } = await open(hash);
    await page.evaluate(axe);
    for (const tab of ['way', 'collective', 'findings', 'timeline', 'learn', 'inputs']) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(400);
      const faults = await page.evaluate(async () => {
        const run = (
          window as unknown as {
            axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
          }
        ).axe;
        const { violations } = await run.run();
        return violations
          .filter((v) => v.impact === 'serious' || v.impact === 'critical')
          .map(
            (v) =>
              `${v.id}: ${v.nodes
                .slice(0, 3)
                .map((n) => n.html.slice(0, 200))
                .join(' | ')}`,
          );
      });
      expect(faults, tab).toEqual([]);
    }
  });

  it('never complained, and asked nobody for anything once it was there', () => {
    expect(all.flatMap((o) => o.complaints)).toEqual([]);
    expect(all.flatMap((o) => o.requests)).toEqual([]);
  });
});
