import type { PathPair, PathsAnswer } from '../../answer/paths.ts';
import { byNumber, folded } from '../../answer/report.ts';
import type { Machine } from '../../machine/machine.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns, wide, wrap } from './columns.ts';
import { conflictsIn, type TextOptions, withPlace } from './explain.ts';

/** The pairs as a matrix of path types, a mark for each verdict, and every rule once with the pairs it decided. */
export function pathsText(machine: Machine, answer: PathsAnswer, options: TextOptions): string {
  const t = (m: Message): string => render(m, options.language);
  const out: string[] = [];
  const { release } = answer;
  out.push(
    t(
      release.asked === undefined
        ? say('report.paths', { version: release.name })
        : say('report.nccl-nearest', { asked: release.asked, version: release.name }),
    ),
  );
  if (answer.folded) out.push(t(say('report.folded', { shown: answer.folded.shown, hosts: answer.folded.hosts })));
  if (answer.domains.length > 1) {
    const list = answer.domains.map((d) => folded([...d].sort(byNumber))).join(' | ');
    out.push(...wrap(t(say('report.domains', { count: answer.domains.length, list })), options.width));
  }
  out.push('', ...matrix(answer, options), '', ...wrap(t(say('report.marks')), options.width).map(options.style.dim));
  out.push('', ...rules(answer, options));
  if (machine.conflicts.length > 0) out.push('', `▲ ${t(conflictsIn(machine))}`);
  return `${out.join('\n')}\n`;
}

function matrix(answer: PathsAnswer, options: TextOptions): string[] {
  const gpus = answer.devices
    .filter((d) => d.kind === 'gpu')
    .map((d) => d.id)
    .sort(byNumber);
  const others = answer.devices
    .filter((d) => d.kind !== 'gpu')
    .map((d) => d.id)
    .sort(byNumber);
  const cell = new Map(answer.pairs.map((p) => [`${p.from} ${p.to}`, `${p.type}${mark(p, options)}`]));
  const head = Math.max(...gpus.map(wide), 4);
  const all = [...gpus, ...others];
  const columnWidth = Math.max(6, ...all.map((d) => wide(short(d)) + 2));
  const perBlock = Math.max(1, Math.floor((options.width - head - 1) / columnWidth));
  const out: string[] = [];
  for (let start = 0; start < all.length; start += perBlock) {
    const block = all.slice(start, start + perBlock);
    const rows = [
      ['', ...block.map(short)],
      ...gpus.map((g) => [g, ...block.map((d) => (d === g ? '–' : (cell.get(`${g} ${d}`) ?? '')))]),
    ];
    if (out.length > 0) out.push('');
    out.push(...columns(rows));
  }
  return out;
}

/** Within one node the node's name is said once, on the left. */
const short = (id: string): string => id.replace(/^node0\//, '');

function mark(p: PathPair, options: TextOptions): string {
  const verdict = p.p2p?.verdict ?? (p.gdr ? (p.gdr.send === p.gdr.recv ? p.gdr.send : 'half') : undefined);
  switch (verdict) {
    case 'yes':
      return options.style.good('+');
    case 'no':
      return options.style.bad('-');
    case 'unknown':
      return options.style.warn('?');
    case 'half':
      return options.style.warn('~');
    default:
      return '';
  }
}

/** Each rule once, with a pair it decided and how many there are. */
function rules(answer: PathsAnswer, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const groups = new Map<string, { pair: PathPair; count: number }>();
  for (const p of answer.pairs) {
    if (!p.p2p && !p.gdr) continue;
    const key = t(p.rule);
    const known = groups.get(key);
    if (known) known.count++;
    else groups.set(key, { pair: p, count: 1 });
  }
  return [...groups].flatMap(([text, { pair, count }]) => [
    ...withPlace(text, pair.evidence, options, ''),
    options.style.dim(`    ${t(say('report.pairs', { count, from: pair.from, to: pair.to }))}`),
    ...(pair.settle === undefined ? [] : [`    ${t(say('report.run', { command: pair.settle }))}`]),
  ]);
}
