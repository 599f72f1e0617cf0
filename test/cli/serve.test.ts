import { spawn } from 'node:child_process';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageFiles } from '../../src/cli/serve/folder.ts';
import { pageServer } from '../../src/cli/serve/server.ts';
import { textSource } from '../../src/input/source.ts';
import { fromHash } from '../../src/web/page/link.ts';
import { crowfly } from './run.ts';

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

describe('serve', () => {
  let server: Server;
  let port: number;
  const get = (path: string, host?: string, method = 'GET'): Promise<Got> =>
    new Promise((done, fail) => {
      const asked = request(
        { host: '127.0.0.1', port, path, method, headers: { Host: host ?? `127.0.0.1:${port}` } },
        (r) => {
          let text = '';
          r.setEncoding('utf8');
          r.on('data', (part: string) => {
            text += part;
          });
          r.on('end', () => done({ status: r.statusCode ?? 0, headers: r.headers, text }));
        },
      );
      asked.on('error', fail);
      asked.end();
    });

  beforeAll(async () => {
    const inputs = [textSource('topo"><script>alert(1)</script>.txt', 'GPU0 X\n'), textSource('b.log', 'second\n')];
    server = pageServer(await pageFiles(resolve('dist/page')), inputs);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('gives the page under a strict policy, and its own files', async () => {
    const page = await get('/');
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.text).not.toMatch(/<script(?![^>]* src=)[^>]*>[^<]/);
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page.text)![1]!;
    expect((await get(script)).headers['content-type']).toContain('text/javascript');
    expect((await get('/', undefined, 'HEAD')).text).toBe('');
  });

  it('answers to its own names only', async () => {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
      expect((await get('/', host)).status, host).toBe(200);
    }
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `localhost.evil.example:${port}`]) {
      expect((await get('/', host)).status, host).toBe(403);
    }
  });

  it('gives nothing outside its folder, and takes nothing', async () => {
    for (const path of [
      '/../package.json',
      '/assets/../../cli.js',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '//etc/passwd',
      '/assets',
      '/inputs/2',
      '/inputs/-1',
      '/inputs/../index.html',
      '/__proto__',
    ]) {
      expect((await get(path)).status, path).toBe(404);
    }
    expect((await get('/', undefined, 'POST')).status).toBe(405);
    expect((await get('/', undefined, 'DELETE')).status).toBe(405);
  });

  it('hands the inputs of the command line over, their names as text', async () => {
    const page = await get('/index.html?x#y');
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).toContain('&#60;script&#62;');
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(page.text).toContain("connect-src 'self'");
    expect((await get('/inputs/1')).text).toBe('second\n');
  });

  it('starts on the loopback address and ends when told', async () => {
    const child = spawn(
      process.execPath,
      [resolve('bin/crowfly.js'), 'serve', '--no-open', '--port', '0', '--lang', 'zh'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const line = await new Promise<string>((done) => child.stdout.once('data', (b: Buffer) => done(String(b))));
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#lang=zh-CN\n$/);
    expect((await fetch(line.split('#')[0]!)).status).toBe(200);
    child.kill('SIGTERM');
    const code = await new Promise<number | null>((done) => child.once('exit', done));
    expect(code).toBe(0);
  });

  it('hands on to the page what is tried on the command line', async () => {
    const tried = ['--assume', 'gdr=on', '--assume', 'nic0.link=gen4x8', '--env', 'NCCL_ALGO=Ring', '--nccl', '2.18.3'];
    const child = spawn(
      process.execPath,
      [
        resolve('bin/crowfly.js'),
        'serve',
        '--no-open',
        '--port',
        '0',
        '--lang',
        'en',
        '--system',
        'hgx-h100',
        ...tried,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const line = await new Promise<string>((done) => child.stdout.once('data', (b: Buffer) => done(String(b))));
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
    expect(fromHash(new URL(line.trim()).hash)).toEqual({
      assume: ['gdr=on', 'nic0.link=gen4x8'],
      env: [['NCCL_ALGO', 'Ring']],
      nccl: '2.18.3',
      system: 'hgx-h100',
      language: 'en',
    });
  });

  it('says what is wrong with a port or an input', () => {
    expect(crowfly(['serve', '--no-open', '--system', 'hgx-h10']).err).toContain('did you mean hgx-h100');
    expect(crowfly(['serve', '--no-open', '--port', 'x']).err).toContain('--port x');
    expect(crowfly(['serve', '--no-open', '--port', String(port)]).err).toContain(`port ${port} is taken`);
    const missing = crowfly(['serve', '--no-open', 'no-such-file']);
    expect(missing.status).toBe(2);
    expect(missing.err).toContain('no-such-file');
  });
});
