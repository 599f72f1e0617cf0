import { existsSync, statSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { type Redact, redactor } from '../../tell/redact.ts';
import { wrap } from '../../tell/text/columns.ts';
import { say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome, writeOut } from '../outcome.ts';
import { bundle } from '../probe/bundle.ts';
import { Files } from '../probe/files.ts';
import { gather } from '../probe/gather.ts';
import { runTools, type ToolRun } from '../probe/tools.ts';

const usualFile = 'crowfly-probe.tar.gz';

/** `probe`: this host (or a saved tree) as one bundle that every other verb reads. Nothing is changed, nothing is sent. */
export async function probe(words: readonly string[], options: Options): Promise<Outcome> {
  if (words.length > 0) throw new NoAnswer(say('probe.no-inputs'));
  const root = options.root ?? '/';
  if (!existsSync(root) || !statSync(root).isDirectory()) throw new NoAnswer(say('probe.root', { root }));
  const files = new Files(root);
  if (files.list('sys').length + files.list('proc').length === 0) throw new NoAnswer(say('probe.empty', { root }));
  const live = options.root === undefined;
  const tools = live ? runTools() : Promise.resolve([]);
  const { texts: gathered, gpus } = gather(files);
  const ran = await tools;
  for (const t of ran) if (t.output !== undefined) gathered.set(t.file, t.output);
  const env = live ? variables() : '';
  if (env !== '') gathered.set('env.txt', env);
  const redact: Redact = options.plain
    ? (text) => text
    : redactor(live ? [hostname()] : [], live ? [userInfo().username] : []);
  const clean = new Map(
    [...gathered].filter(([, text]) => text.trim() !== '').map(([name, text]) => [name, redact(text)]),
  );
  const target = options.bundle ?? usualFile;
  await writeOut(target, bundle('probe', clean));
  return {
    text: told(target, clean, files, ran, gpus, options),
    code: exit.fine,
  };
}

/** What decides how libraries use the network; nothing else of the environment. */
function variables(): string {
  const named = /^(?:NCCL|UCX|CUDA_VISIBLE|CUFILE|FI|OMPI_MCA|NVSHMEM)_?[A-Z0-9_]*$/;
  return Object.entries(process.env)
    .filter(([name, value]) => named.test(name) && value !== undefined && !/TOKEN|SECRET|KEY|PASS/i.test(name))
    .map(([name, value]) => `${name}=${value}\n`)
    .sort()
    .join('');
}

function told(
  target: string,
  files: ReadonlyMap<string, string>,
  seen: Files,
  ran: readonly ToolRun[],
  gpus: number,
  options: Options,
): string {
  const t = (code: Parameters<typeof say>[0], data: Record<string, string | number> = {}): string =>
    render({ code, args: data }, options.language);
  const denied = seen.skipped.filter((s) => s.why === 'rights').map((s) => `/${s.path}`);
  const short = files.get('lspci.txt')?.includes('<access denied>') ?? false;
  if (options.json) {
    return `${JSON.stringify({
      schema: 'crowfly/probe@1',
      file: target,
      redacted: !options.plain,
      gpus,
      files: [...files].map(([name, text]) => ({ name, bytes: text.length })),
      skipped: {
        rights: [...denied, ...ran.filter((r) => r.failed === 'rights').map((r) => r.command)],
        absent: ran.filter((r) => r.failed === 'absent').map((r) => r.command),
        failed: ran.filter((r) => r.failed === 'failed' || r.failed === 'slow').map((r) => r.command),
      },
    })}\n`;
  }
  const names = wrap([...files.keys()].join(' '), options.width, '  ');
  const out: string[] = [];
  out.push(t(gpus === 0 ? 'probe.no-gpu' : 'probe.gpus', { count: gpus }));
  if (short) out.push(t('probe.short'));
  if (denied.length > 0) out.push(t('probe.denied', { list: denied.slice(0, 8).join(' ') }));
  const absent = ran.filter((r) => r.failed === 'absent').map((r) => r.command);
  if (absent.length > 0) out.push(t('probe.absent', { list: absent.join(', ') }));
  const failed = ran.filter((r) => r.failed === 'failed' || r.failed === 'slow').map((r) => r.command);
  if (failed.length > 0) out.push(t('probe.failed', { list: failed.join(', ') }));
  out.push(t(options.plain ? 'probe.plain' : 'probe.redacted'), t('probe.next', { file: target }));
  const [wrote, ...more] = [t('probe.wrote', { file: target, count: files.size }), ...out].map((l) =>
    wrap(l, options.width),
  );
  return `${[...(wrote ?? []), ...names, ...more.flat()].join('\n')}\n`;
}
