import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { assumptionText } from '../../assemble/assume.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { systemOf } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';
import { pageFiles, pageFolder } from '../serve/folder.ts';
import { pageServer } from '../serve/server.ts';
import { sourcesOf } from '../sources.ts';

/** Tried first, so that an address in a note stays right; any free one otherwise. */
const usual = 8017;

/** `serve [INPUT…]`: the page on the loopback address, until it is interrupted. */
export async function serve(words: readonly string[], options: Options): Promise<Outcome> {
  const folder = pageFolder();
  if (folder === undefined) throw new NoAnswer(say('serve.not-built'));
  if (options.system !== undefined) systemOf(options.system);
  const sources = await sourcesOf(words);
  if (!sources.ok) throw new NoAnswer(sources.error);
  const [bad, ...more] = sources.value.unreadable.map((u) => say('cli.input.unreadable', { ...u }));
  if (bad) throw new NoAnswer(bad, more);
  const server = pageServer(await pageFiles(folder), sources.value.sources);
  const wanted = portOf(options.port);
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.removeListener('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  let port: number;
  try {
    port = await listen(wanted ?? usual);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || wanted !== undefined)
      throw new NoAnswer(say('serve.port-taken', { port: wanted ?? usual }));
    port = await listen(0);
  }
  const url = `http://127.0.0.1:${port}/#${viewOf(options)}`;
  process.stdout.write(`${url}\n`);
  if (!options.quiet) process.stderr.write(`${render(say('serve.on'), options.language)}\n`);
  if (options.open) openBrowser(url);
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
  return { text: '', code: exit.fine };
}

/** What the command line asks for, as the page's address says it: behind the `#`, as in the links that the page makes. */
function viewOf({ language, system, nodes, assume, env, nccl }: Options): string {
  const view = new URLSearchParams({ lang: language });
  if (system !== undefined) view.set('system', system);
  if (nodes !== undefined) view.set('nodes', String(nodes));
  for (const a of assume) view.append('assume', assumptionText(a));
  for (const [name, value] of env) view.append('env', `${name}=${value}`);
  if (nccl !== undefined) view.set('nccl', nccl);
  return view.toString();
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!(Number.isInteger(port) && port >= 0 && port <= 65535)) throw new NoAnswer(say('serve.port', { text }));
  return port;
}

/** Where no browser can be opened the address stands in the terminal all the same. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url.replace(/&/g, '^&')]
        : ['xdg-open', url];
  const child = spawn(command!, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
