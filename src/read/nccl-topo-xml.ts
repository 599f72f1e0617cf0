import { say } from '../words/message.ts';
import type { Format } from './format.ts';
import type { XmlElement } from './xml.ts';
import { opensXml, xmlSession } from './xml-session.ts';

/** A topology file of NCCL (`NCCL_TOPO_DUMP_FILE`, `NCCL_TOPO_FILE`) or RCCL, unchanged but for what XML itself takes away. */
export interface NcclTopoXml {
  readonly kind: 'nccl-topo-xml';
  readonly file: string;
  readonly line: number;
  readonly version: string | undefined;
  readonly root: XmlElement;
  /** False when the text ended, or broke, before `</system>`: the tree holds what was read. */
  readonly complete: boolean;
}

/**
 * What `probe` writes into `<system source="…">` of the tree that it makes of sysfs: it holds no NVLinks, since the driver alone
 * knows them, and nobody has given it to NCCL.
 */
export const ofProbe = 'crowfly-probe';

export const isOfProbe = ({ root }: NcclTopoXml): boolean => root.attributes.get('source') === ofProbe;

/** Elements of which at least one stands directly under `<system>` in a topology (NCCL src/graph/xml.cc). */
const expected = new Set(['cpu', 'pci', 'gpu', 'nic']);

export const ncclTopoXml: Format = {
  id: 'nccl-topo-xml',
  match: opensXml('system'),
  marks: ['<system', '<cpu ', '<pci ', 'busid=', 'numaid='],
  missing: say('input.topoXml.missing'),
  open: (context) =>
    xmlSession(context, {
      root: 'system',
      build: (root, complete) => {
        if (!root.children.some((child) => expected.has(child.name))) return say('input.topoXml.empty');
        for (const { bus, first, line } of sameBus(root)) {
          context.note(say('input.topoXml.same-bus', { bus: bus.slice(0, 64), line: first }), line);
        }
        const version = root.attributes.get('version');
        return { kind: 'nccl-topo-xml', file: context.file, line: root.line, version, root, complete };
      },
    }),
};

/** PCI devices that have the address of an earlier one on their host: NCCL finds devices by it, and so only the first. */
function sameBus(root: XmlElement): { readonly bus: string; readonly first: number; readonly line: number }[] {
  const found: { bus: string; first: number; line: number }[] = [];
  const seen = new Map<string, number>();
  const stack = root.children.map((e) => ({ e, host: e.attributes.get('host_hash') ?? '' })).reverse();
  while (stack.length > 0) {
    const { e, host } = stack.pop()!;
    const bus = e.name === 'pci' ? e.attributes.get('busid')?.toLowerCase() : undefined;
    if (bus) {
      const first = seen.get(`${host} ${bus}`);
      if (first === undefined) seen.set(`${host} ${bus}`, e.line);
      else found.push({ bus, first, line: e.line });
    }
    for (let i = e.children.length - 1; i >= 0; i--) stack.push({ e: e.children[i]!, host });
  }
  return found;
}
