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
        const version = root.attributes.get('version');
        return { kind: 'nccl-topo-xml', file: context.file, line: root.line, version, root, complete };
      },
    }),
};
