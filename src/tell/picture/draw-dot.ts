import type { Language } from '../../words/message.ts';
import { isLeaf } from './layout.ts';
import type { Picture, PictureBox, PictureHost } from './model.ts';
import { safe } from './safe.ts';
import { heading, hostHeading, sentence, words } from './words.ts';

const quote = (text: string): string => `"${safe(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
const fills: Record<PictureBox['kind'], string> = {
  cpu: '#f5f6f8',
  switch: '#ffffff',
  bridge: '#ffffff',
  gpu: '#e2f3ec',
  nic: '#e3eff8',
  nvme: '#fbf0da',
  nvswitch: '#f1e8f5',
};
const markColors = { bad: '#d55e00', look: '#b37700', unknown: '#808590' } as const;

/** Draws a picture for Graphviz (`dot -Tsvg`): boxes are clusters, NVLinks are edges. */
export function drawDot(picture: Picture, language: Language = 'en'): string {
  const out: string[] = [
    'graph crowfly {',
    `  label=${quote(sentence(picture.title, language))}; labelloc=t; rankdir=TB; fontname="sans-serif";`,
    '  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=11];',
    '  edge [fontname="sans-serif", fontsize=9, color="#8e5ea2"];',
  ];
  const ids = new Ids();
  picture.hosts.forEach((host, index) => {
    host.cpus.forEach((cpu) => {
      ids.add(cpu, `h${index}`);
    });
    const title = hostHeading(host, language);
    const indent = title === '' ? '  ' : '    ';
    if (title !== '') out.push(`  subgraph cluster_h${index} {`, `    label=${quote(title)};`);
    for (const cpu of host.cpus) drawBox(cpu, indent, out, ids, language);
    drawNvlinks(host, index, indent, out, ids, language);
    if (title !== '') out.push('  }');
  });
  out.push('}', '');
  return out.join('\n');
}

/** Node names of our own: a device name from an input never becomes an identifier. */
class Ids {
  private readonly ids = new Map<PictureBox, string>();
  private next = 0;
  readonly gpus = new Map<string, string>();

  add(box: PictureBox, host: string): void {
    const id = `n${this.next++}`;
    this.ids.set(box, id);
    if (box.kind === 'gpu') this.gpus.set(`${host}/${box.label}`, id);
    for (const child of box.children) this.add(child, host);
  }

  of(box: PictureBox): string {
    return this.ids.get(box)!;
  }
}

function drawBox(box: PictureBox, indent: string, out: string[], ids: Ids, language: Language): void {
  const color = box.mark === undefined ? '' : `, color="${markColors[box.mark]}", penwidth=2`;
  if (isLeaf(box)) {
    const detail = typeof box.detail === 'string' ? ` ${box.detail}` : '';
    const text = `${box.label}${box.count > 1 ? ` ×${box.count}` : ''}${detail}`;
    out.push(`${indent}${ids.of(box)} [label=${quote(text)}, fillcolor="${fills[box.kind]}"${color}];`);
    return;
  }
  out.push(`${indent}subgraph cluster_${ids.of(box)} {`);
  out.push(
    `${indent}  label=${quote(heading(box, language))}; style="rounded,filled"; fillcolor="${fills[box.kind]}"${color.replace(/, /g, '; ')};`,
  );
  // A cluster without a node is not drawn at all.
  if (box.children.length === 0) out.push(`${indent}  ${ids.of(box)}_empty [style=invis, label=""];`);
  for (const child of box.children) drawBox(child, `${indent}  `, out, ids, language);
  out.push(`${indent}}`);
}

function drawNvlinks(
  host: PictureHost,
  index: number,
  indent: string,
  out: string[],
  ids: Ids,
  language: Language,
): void {
  if (host.band !== undefined) {
    out.push(`${indent}nvswitch${index} [label=${quote(words(host.band, language))}, fillcolor="${fills.nvswitch}"];`);
    for (const [name, id] of ids.gpus) {
      if (name.startsWith(`h${index}/`)) out.push(`${indent}${id} -- nvswitch${index};`);
    }
  }
  host.mesh?.gpus.forEach((a, i) => {
    host.mesh!.gpus.forEach((b, j) => {
      const count = Math.max(host.mesh!.counts[i]![j]!, host.mesh!.counts[j]![i]!);
      const from = ids.gpus.get(`h${index}/${a}`);
      const to = ids.gpus.get(`h${index}/${b}`);
      if (j <= i || count === 0 || from === undefined || to === undefined) return;
      out.push(`${indent}${from} -- ${to} [label="×${count}", penwidth=${Math.min(4, count)}];`);
    });
  });
  host.lines.forEach((line, i) => {
    out.push(`${indent}line${index}_${i} [shape=plaintext, style="", label=${quote(words(line, language))}];`);
  });
}
