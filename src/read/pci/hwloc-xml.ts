import { say } from '../../words/message.ts';
import type { Format } from '../format.ts';
import type { XmlElement } from '../xml.ts';
import { opensXml, xmlSession } from '../xml-session.ts';

/** `lstopo --of xml` (hwloc 1 and 2): the machine as a tree of `<object>`. */
export interface HwlocXml {
  readonly kind: 'hwloc-xml';
  readonly file: string;
  readonly root: XmlElement;
  readonly complete: boolean;
}

export const hwlocXml: Format = {
  id: 'hwloc-xml',
  match: opensXml('topology'),
  missing: say('input.opens', { example: '<topology version="2.0">' }),
  open: (context) =>
    xmlSession(context, {
      root: 'topology',
      build: (root, complete) =>
        root.children.some((c) => c.name === 'object')
          ? { kind: 'hwloc-xml', file: context.file, root, complete }
          : say('input.opens', { example: '<object type="Machine">' }),
    }),
};
