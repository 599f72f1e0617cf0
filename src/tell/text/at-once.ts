import { type AtOnce, type AtOnceMovement, type AtOncePath, throughOf } from '../../answer/at-once.ts';
import type { MoveLoad } from '../../move/model.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { columns, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';
import { significant, size } from './quantity.ts';

/** Several movements at once: what each path brings in total, then who is held by what on each of them. */
export function atOnceText(
  atOnce: AtOnce,
  ends: { readonly from: string; readonly to: string },
  load: MoveLoad,
  options: TextOptions,
): string {
  const t = (m: Message): string => render(m, options.language);
  const { style } = options;
  const workers = atOnce.paths.every((p) => p.movements.every((m) => m.model.timing.workers));
  const head = [
    'move.head.path',
    'move.head.allowed',
    'move.head.total',
    'move.head.sum-alone',
    'move.head.through-memory',
    'move.head.cores',
  ] as const;
  const rows = atOnce.paths.map((p) => [
    p.path,
    t(say(`move.allowed.${p.allowed}`)),
    significant(p.total / 1e9),
    significant(p.alone / 1e9),
    significant(p.hostMemory / 1e9),
    significant(p.cores, 2),
  ]);
  const args = { count: atOnce.paths[0]!.movements.length, size: size(atOnce.bytes) };
  const out = [
    style.strong(`${ends.from} → ${ends.to}`),
    style.dim(
      t(
        workers
          ? say('move.at-once-workers', { ...args, threads: load.threads })
          : say('move.at-once', { ...args, depth: load.depth }),
      ),
    ),
    '',
    ...columns([head.map((h) => style.dim(t(say(h)))), ...rows], new Set([2, 3, 4, 5]), ' '),
  ];
  for (const p of atOnce.paths) out.push('', ...pathLines(p, options));
  for (const p of atOnce.paths) {
    const open = p.movements.find((m) => m.model.allowed === p.allowed);
    if (p.allowed !== 'yes' && open) out.push('', ...wrap(`${p.path}: ${t(open.model.rule)}`, options.width));
  }
  return `${out.join('\n')}\n`;
}

/** Neighbours that fare alike are one line. */
function alike(movements: readonly AtOnceMovement[]): AtOnceMovement[][] {
  const groups: AtOnceMovement[][] = [];
  const same = (a: AtOnceMovement, b: AtOnceMovement): boolean =>
    significant(a.alone / 1e9) === significant(b.alone / 1e9) &&
    significant(a.rate / 1e9) === significant(b.rate / 1e9) &&
    a.heldBy[0]?.name === b.heldBy[0]?.name &&
    throughOf(a.model) === throughOf(b.model);
  for (const m of movements) {
    const last = groups.at(-1);
    if (last && same(last[0]!, m)) last.push(m);
    else groups.push([m]);
  }
  return groups;
}

function pathLines(p: AtOncePath, options: TextOptions): string[] {
  const t = (m: Message): string => render(m, options.language);
  const head = ['move.head.movement', 'move.head.alone', 'move.head.together', 'move.head.held'] as const;
  const rows: string[][] = [];
  for (const group of alike(p.movements)) {
    const [m] = group as [AtOnceMovement];
    const last = group.at(-1)!;
    const [held] = m.heldBy;
    const through = throughOf(m.model);
    const span = (from: string, to: string): string => (from === to ? from : `${from}..${to}`);
    const name = `${span(m.from, last.from)} → ${span(m.to, last.to)}`;
    rows.push([
      through === undefined ? name : t(say('move.through', { movement: name, gpu: through })),
      significant(m.alone / 1e9),
      significant(m.rate / 1e9),
      held
        ? t(say('move.held', { name: held.name, percent: Math.round(held.share * 100) }))
        : t(say('move.held-nothing')),
    ]);
  }
  return [
    options.style.strong(p.path),
    ...columns([head.map((h) => options.style.dim(t(say(h)))), ...rows], new Set([1, 2]), ' '),
  ];
}
