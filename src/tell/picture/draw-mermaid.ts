import type { Language } from '../../words/message.ts';
import { isLeaf } from './layout.ts';
import type { Picture, PictureBox } from './model.ts';
import { safe } from './safe.ts';
import { heading, hostHeading, sentence, words } from './words.ts';

/** Mermaid reads labels as Markdown and HTML: everything but letters, digits and harmless signs becomes a code. */
const label = (text: string): string =>
  `"${safe(text).replace(/[^\p{L}\p{N} .,:…×·–+/_-]/gu, (c) => `#${c.codePointAt(0)};`)}"`;

/** Draws a picture as a Mermaid flowchart, as GitHub and many wikis show it. */
export function drawMermaid(picture: Picture, language: Language = 'en'): string {
  // A front matter's title is YAML: a JSON string is one, whatever stands in it.
  const out: string[] = ['---', `title: ${JSON.stringify(sentence(picture.title, language))}`, '---', 'flowchart TB'];
  let next = 0;
  const marked: Record<string, string[]> = { gpu: [], nic: [], nvme: [], bad: [], look: [] };
  picture.hosts.forEach((host, index) => {
    const gpus = new Map<string, string>();
    const draw = (box: PictureBox, indent: string): void => {
      const id = `n${next++}`;
      if (isLeaf(box)) {
        const detail = typeof box.detail === 'string' ? ` ${box.detail}` : '';
        out.push(`${indent}${id}[${label(`${box.label}${box.count > 1 ? ` ×${box.count}` : ''}${detail}`)}]`);
        if (box.kind === 'gpu') gpus.set(box.label, id);
        marked[box.kind]?.push(id);
        if (box.mark !== undefined) marked[box.mark]?.push(id);
        return;
      }
      out.push(`${indent}subgraph ${id}[${label(heading(box, language))}]`);
      for (const child of box.children) draw(child, `${indent}  `);
      // An empty subgraph is a syntax error.
      if (box.children.length === 0) out.push(`${indent}  ${id}e[" "]`);
      out.push(`${indent}end`);
    };
    const title = hostHeading(host, language);
    const indent = title === '' ? '  ' : '    ';
    if (title !== '') out.push(`  subgraph h${index}[${label(title)}]`);
    for (const cpu of host.cpus) draw(cpu, indent);
    if (host.band !== undefined) {
      out.push(`${indent}nvs${index}[[${label(words(host.band, language))}]]`);
      if (gpus.size > 0) out.push(`${indent}${[...gpus.values()].join(' & ')} === nvs${index}`);
    }
    host.mesh?.gpus.forEach((a, i) => {
      host.mesh!.gpus.forEach((b, j) => {
        const count = Math.max(host.mesh!.counts[i]![j]!, host.mesh!.counts[j]![i]!);
        if (j <= i || count === 0 || !gpus.has(a) || !gpus.has(b)) return;
        out.push(`${indent}${gpus.get(a)} ---|${label(`×${count}`)}| ${gpus.get(b)}`);
      });
    });
    host.lines.forEach((line, i) => {
      out.push(`${indent}l${index}_${i}>${label(words(line, language))}]`);
    });
    if (title !== '') out.push('  end');
  });
  const styles: Record<string, string> = {
    gpu: 'fill:#e2f3ec,stroke:#009e73,color:#222',
    nic: 'fill:#e3eff8,stroke:#0072b2,color:#222',
    nvme: 'fill:#fbf0da,stroke:#b37700,color:#222',
    bad: 'stroke:#d55e00,stroke-width:3px',
    look: 'stroke:#b37700,stroke-width:3px',
  };
  for (const [name, ids] of Object.entries(marked)) {
    if (ids.length === 0) continue;
    out.push(`  classDef ${name} ${styles[name]}`, `  class ${ids.join(',')} ${name}`);
  }
  return `${out.join('\n')}\n`;
}
