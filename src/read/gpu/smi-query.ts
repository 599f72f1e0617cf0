import type { Where } from '../../fact/fact.ts';
import { say } from '../../words/message.ts';
import type { Format } from '../format.ts';
import { blockFormat } from '../kit/block.ts';
import { own } from '../own.ts';
import type { XmlElement } from '../xml.ts';
import { opensXml, xmlSession } from '../xml-session.ts';

/** `nvidia-smi -q`, whole or a piece of it, or the XML of `-x`: the fields of each GPU by their way of titles. */
export interface SmiQuery {
  readonly kind: 'smi-query';
  readonly file: string;
  readonly gpus: readonly SmiGpu[];
}

export interface SmiGpu {
  /** As printed, such as `00000000:18:00.0`; undefined in a piece without its head. */
  readonly busId?: string;
  /** `pci/gpu link info/link width/current`: titles in lower case, joined by a slash. */
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly at: Where }>;
}

type Made = { busId?: string; fields: Map<string, { value: string; at: Where }> };

/** Titles without a value that are told also where a paste has lost its blanks. */
const pieces = new Set([
  'BAR1 Memory Usage',
  'FB Memory Usage',
  'Fabric',
  'GPU Link Info',
  'Link Width',
  'PCIe Generation',
  'PCI',
]);

const gpuLimit = 256;
const fieldLimit = 600;

/** Fields by the end of their way: the same title stands at other depths in other releases. */
export function smiField(gpu: SmiGpu, ...ends: readonly string[]) {
  for (const [way, field] of gpu.fields) if (ends.some((e) => way === e || way.endsWith(`/${e}`))) return field;
  return undefined;
}

export const smiQuery = blockFormat({
  id: 'nvidia-smi-q',
  example: '==============NVSMI LOG==============',
  hints: [
    'NVSMI LOG',
    'Product Name',
    'Performance State',
    'BAR1 Memory Usage',
    'Fabric',
    'GPU Link Info',
    'FB Memory Usage',
    'Link Width',
  ],
  starts:
    /={5,}NVSMI LOG={5,}|(?:^|\s+)(?:Product Name|Performance State|Product Architecture)\s+: \S|(?:^|\s{2,})(?:BAR1 Memory Usage|FB Memory Usage|Fabric|GPU Link Info|Link Width)\s*$/,
  patience: 4,
  open: (context) => {
    const gpus: Made[] = [];
    let gpu: Made | undefined;
    const way: { indent: number; title: string }[] = [];
    /** Nothing is indented any more: then a title holds until the next one. */
    let flat = true;
    return {
      take(line, number) {
        if (/^\s*$|={5,}NVSMI LOG/.test(line)) return true;
        const head = /^GPU ([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])\s*$/.exec(line);
        if (head) {
          gpu = { busId: own(head[1]!), fields: new Map() };
          if (gpus.length < gpuLimit) gpus.push(gpu);
          way.length = 0;
          return true;
        }
        const found = /^(\s*)(\S[^:]{0,60}?)(?:\s+:\s?(.*?))?\s*$/.exec(line);
        if (!found) return false;
        const indent = found[1]!.length;
        if (indent > 0) flat = false;
        if (indent === 0 && found[3] === undefined) {
          if (!flat || !pieces.has(found[2]!)) return false;
          way.length = 0;
          way.push({ indent: -1, title: found[2]!.toLowerCase() });
          return true;
        }
        while (way.length > 0 && way.at(-1)!.indent >= indent) way.pop();
        const title = found[2]!.toLowerCase();
        if (found[3] === undefined) {
          if (/[<>[\]{}"=;]/.test(title)) return false;
          way.push({ indent, title });
          return true;
        }
        if (!gpu) {
          gpu = { fields: new Map() };
          gpus.push(gpu);
        }
        const path = own([...way.map((w) => w.title), title].join('/'));
        if (gpu.fields.size < fieldLimit && !gpu.fields.has(path))
          gpu.fields.set(path, { value: own(found[3].slice(0, 200)), at: context.at(number) });
        return true;
      },
      close: () => {
        const some = gpus.filter((g) => g.fields.size > 0);
        return some.length === 0 ? undefined : { kind: 'smi-query', file: context.file, gpus: some };
      },
    };
  },
});

/** Tags of the XML whose titles in the text differ by more than underscores. */
const titles: Readonly<Record<string, string>> = {
  fb_memory_usage: 'fb memory usage',
  pci_gpu_link_info: 'gpu link info',
  pcie_gen: 'pcie generation',
  link_widths: 'link width',
  max_link_width: 'max',
  current_link_width: 'current',
  max_link_gen: 'max',
  current_link_gen: 'current',
  pci_bus_id: 'bus id',
};

export const smiQueryXml: Format = {
  id: 'nvidia-smi-q-x',
  match: opensXml('nvidia_smi_log'),
  missing: say('input.opens', { example: '<nvidia_smi_log>' }),
  open: (context) =>
    xmlSession(context, {
      root: 'nvidia_smi_log',
      build: (root) => {
        const gpus = root.children
          .filter((e) => e.name === 'gpu')
          .slice(0, gpuLimit)
          .map((e): Made => {
            const made: Made = { fields: new Map() };
            const id = e.attributes.get('id');
            if (id !== undefined) made.busId = id;
            collect(e, '', made, context.at);
            return made;
          });
        return gpus.length === 0
          ? say('input.opens', { example: '<gpu id="00000000:18:00.0">' })
          : { kind: 'smi-query', file: context.file, gpus };
      },
    }),
};

/** The values of an element and those below it, under the titles that the text form has. */
function collect(element: XmlElement, way: string, made: Made, at: (line: number) => Where): void {
  const stack = element.children.map((child) => ({ child, way }));
  while (stack.length > 0 && made.fields.size < fieldLimit) {
    const { child, way: above } = stack.shift()!;
    const title = Object.hasOwn(titles, child.name) ? titles[child.name]! : child.name.replace(/_/g, ' ');
    const path = above === '' ? title : `${above}/${title}`;
    const value = child.text;
    if (child.children.length > 0) stack.unshift(...child.children.map((c) => ({ child: c, way: path })));
    else if (value !== undefined && !made.fields.has(path)) made.fields.set(path, { value, at: at(child.line) });
  }
}
