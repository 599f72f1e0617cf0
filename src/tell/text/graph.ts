import type { GraphAnswer, GraphTold } from '../../answer/graph.ts';
import type { ShapesAnswer } from '../../answer/shapes.ts';
import type { Choice } from '../../nccl/tuning/choice.ts';
import { collectives } from '../../nccl/tuning/model.ts';
import { type Message, say } from '../../words/message.ts';
import { render } from '../../words/render.ts';
import { spans } from '../shapes/rows.ts';
import { shapesText, shapesVerdict } from '../shapes/shapes.ts';
import { columns, wrap } from './columns.ts';
import type { TextOptions } from './explain.ts';

/** Rings and trees, each way once with the channels that use it, then the choices by size. */
export function graphText(answer: GraphAnswer, options: TextOptions, shapes?: ShapesAnswer): string {
  const t = (m: Message): string => render(m, options.language);
  const c = answer.communicator;
  const data = { version: c.release.name, ranks: c.ranks, nodes: answer.nodes, channels: c.collChannels };
  const out = [
    ...wrap(
      t(
        c.release.asked === undefined
          ? say('graph.title', data)
          : say('graph.title.nearest', { ...data, asked: c.release.asked }),
      ),
      options.width,
    ),
  ];
  for (const note of answer.notes) out.push(...wrap(t(note), options.width));
  if (c.nodes > c.hosts) out.push(...wrap(t(say('graph.split', { count: c.nodes })), options.width));
  for (const [name, g] of answer.graphs) {
    const kind = t(say(`graph.kind.${name}`));
    if (g.nChannels === 0) {
      out.push('', options.style.strong(t(say('graph.none', { kind }))));
      continue;
    }
    const found = {
      kind,
      pattern: g.pattern,
      count: g.nChannels,
      intra: g.bwIntra,
      inter: g.bwInter,
      typeIntra: g.typeIntra,
      typeInter: g.typeInter,
    };
    const outside = g.channels[0]?.inter !== undefined;
    out.push('', ...wrap(t(say(outside ? 'graph.found.inter' : 'graph.found', found)), options.width));
    if (g.bwIntra < 0.2) out.push(...wrap(options.style.warn(t(say('graph.slow'))), options.width));
    out.push(...ways(g, options));
  }
  const verdict = shapes && shapesVerdict(shapes);
  // What is as expected needs no picture here.
  if (verdict && shapes) {
    const differs = shapes.differences.length > 0;
    out.push('', ...(differs ? [shapesText(shapes, options).trimEnd()] : wrap(t(verdict), options.width)));
  }
  out.push('', ...wrap(t(say('graph.choice')), options.width));
  for (const coll of collectives) {
    const rows = changes(answer.choices[coll]).map((x) => [
      bytes(x.bytes),
      `${x.algorithm}/${x.protocol}`,
      String(x.nChannels),
      `${Number(x.timeUs.toPrecision(4))} µs`,
    ]);
    const head = [
      t(say('graph.choice.size')),
      t(say('graph.choice.way')),
      t(say('graph.choice.channels')),
      t(say('graph.choice.time')),
    ];
    if (rows.length === 0) {
      const nothing = t(say('graph.env.nothing', { collective: coll }));
      if (c.ranks > 1) out.push(...wrap(options.style.warn(nothing), options.width));
    } else out.push(options.style.strong(coll), ...columns([head, ...rows], new Set([0, 2, 3]), '  '));
  }
  return `${out.join('\n')}\n`;
}

/** Channels that run alike stand on one line. */
function ways(g: GraphTold, options: TextOptions): string[] {
  const groups = new Map<string, number[]>();
  g.channels.forEach((c, i) => {
    const [from, to] = c.inter ?? [];
    const inside = c.intra.join(g.pattern === 'RING' ? ' → ' : ' ─ ');
    const line = from === undefined ? inside : `${from} → ${inside} → ${to}`;
    groups.set(line, [...(groups.get(line) ?? []), i]);
  });
  const t = (m: Message): string => render(m, options.language);
  return [...groups].flatMap(([line, list]) => [
    options.style.dim(`  ${t(say('graph.same', { list: spans(list), count: list.length }))}`),
    ...wrap(line, options.width, '    '),
  ]);
}

/** Only the sizes at which the way changes. */
const changes = (choices: readonly Choice[]): Choice[] =>
  choices.filter((x, i) => {
    const last = choices[i - 1];
    return x.algorithm !== last?.algorithm || x.protocol !== last.protocol;
  });

function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let i = 0;
  let x = n;
  while (x >= 1024 && i < units.length - 1) {
    x /= 1024;
    i++;
  }
  return `${x} ${units[i]}`;
}
