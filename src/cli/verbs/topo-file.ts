import { generateTopology, lintTopology, mistakesOf, onVirtualAddresses } from '../../answer/topo-file.ts';
import type { PciDevice } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import type { ReadResult } from '../../read/reader.ts';
import { ncclXml } from '../../tell/nccl-xml.ts';
import { stylerFor, wrap } from '../../tell/text/columns.ts';
import { significant } from '../../tell/text/quantity.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { askOf, load, read } from '../load.ts';
import type { Options } from '../options.ts';
import { exit, NoAnswer, type Outcome } from '../outcome.ts';

/** `topo-file [INPUT…]`: what is wrong with an NCCL_TOPO_FILE, or one made of a machine. */
export async function topoFile(words: readonly string[], options: Options): Promise<Outcome> {
  const inputs = await read(words);
  const documents = inputs.flatMap((i) => i.documents);
  if (options.system === undefined && documents.some((d) => d.kind === 'nccl-topo-xml')) return lint(inputs, options);
  const { machine } = options.system === undefined ? await load(words, options) : await load([], options);
  if (machine.hosts.length === 0) throw new NoAnswer(say('assemble.no-topology'));
  const virtual = options.system !== undefined && documents.some((d) => d.kind === 'lspci');
  const placed = virtual ? onVirtualAddresses(machine, documents) : { ok: true as const, value: machine };
  if (!placed.ok) throw new NoAnswer(placed.error);
  // NCCL finds every device of a file by its bus id, and stops at one without.
  if (!addressed(placed.value)) throw new NoAnswer(say('topo-file.no-addresses'));
  return generate(placed.value, options);
}

const addressed = ({ hosts }: Machine): boolean => {
  // A matrix names none, and its NVLinks point at made-up ones of domain ffff.
  const told = (d: PciDevice): boolean => d.busId !== undefined && !d.busId.startsWith('ffff:');
  const known = (d: PciDevice): boolean => (d.role !== 'gpu' || told(d)) && d.children.every(known);
  return hosts[0]!.cpus.every((c) => c.devices.every(known));
};

function lint(inputs: readonly ReadResult[], options: Options): Outcome {
  const { findings, files } = lintTopology(inputs.flatMap((i) => i.documents));
  const mistakes = mistakesOf(inputs);
  const t = (m: Message): string => render(m, options.language);
  const wrong = mistakes.length > 0 || findings.some((f) => f.severity === 'error');
  const code = wrong && options.failOn !== 'never' ? exit.findings : exit.fine;
  if (options.json) {
    const text = JSON.stringify({
      schema: 'crowfly/topo-file@1',
      files,
      ...(mistakes.length > 0 ? { mistakes: mistakes.map((m) => ({ text: t(m.message), evidence: [m.at] })) } : {}),
      findings: findings.map((f) => ({
        id: f.id,
        severity: f.severity,
        devices: f.devices,
        title: t(f.title),
        effect: t(f.effect),
        evidence: f.evidence,
        fix: f.fix.map((x) => ({ text: t(x.text), ...(x.command === undefined ? {} : { command: x.command }) })),
      })),
    });
    return { text: `${text}\n`, code };
  }
  const style = stylerFor(options.color);
  const out: string[] = [];
  for (const m of mistakes) {
    out.push(...wrap(`✖ ${style.strong(t(m.message))}`, options.width), style.dim(`  ${m.at.file}:${m.at.line}`), '');
  }
  for (const f of findings) {
    out.push(...wrap(`${f.severity === 'error' ? '✖' : '▲'} ${style.strong(t(f.title))}`, options.width));
    out.push(...wrap(t(f.effect), options.width - 2).map((l) => `  ${l}`));
    for (const e of f.evidence) out.push(style.dim(`  ${e.file}:${e.line}`));
    for (const x of f.fix) out.push(...wrap(t(x.text), options.width - 2).map((l) => `  ${l}`));
    for (const x of f.fix) if (x.command !== undefined) out.push(`  $ ${x.command}`);
    out.push('');
  }
  if (findings.length === 0 && mistakes.length === 0) out.push(t(say('topo-file.fine', { files: files.join(', ') })));
  return { text: `${out.join('\n').trimEnd()}\n`, code };
}

function generate(machine: Machine, options: Options): Outcome {
  const made = generateTopology(machine, askOf(options));
  const t = (m: Message): string => render(m, options.language);
  const { before, after } = made;
  const xml = ncclXml(made.host);
  const worth =
    before === undefined || after === undefined
      ? []
      : [t(say('topo-file.worth', { before: significant(before), after: significant(after) }))];
  if (options.json) {
    const data = { schema: 'crowfly/topo-file@1', xml, busbwBeforeGBps: before, busbwAfterGBps: after };
    return { text: `${JSON.stringify(data)}\n`, code: exit.fine };
  }
  return { text: xml, code: exit.fine, aside: [...worth, t(say('topo-file.use'))] };
}
