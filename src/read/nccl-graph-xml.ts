import { say } from '../words/message.ts';
import type { Format, ReadContext } from './format.ts';
import { numberAttribute, type XmlElement } from './xml.ts';
import { opensXml, xmlSession } from './xml-session.ts';

/** NCCL's own search result (`NCCL_GRAPH_DUMP_FILE`). */
export interface NcclGraphXml {
  readonly kind: 'nccl-graph-xml';
  readonly file: string;
  readonly line: number;
  readonly version: string | undefined;
  readonly graphs: readonly GraphXmlGraph[];
  /** False when the text ended, or broke, before `</graphs>`. */
  readonly complete: boolean;
}

export interface GraphXmlGraph {
  readonly id: number;
  readonly pattern: number;
  readonly crossNic: number;
  readonly nChannels: number;
  readonly speedIntra: number;
  readonly speedInter: number;
  readonly latencyInter?: number;
  readonly typeIntra: string;
  readonly typeInter: string;
  readonly sameChannels: number;
  /** Each channel in order: `net` device numbers and `gpu` devices as the file lists them. */
  readonly channels: readonly { readonly items: readonly { readonly kind: 'net' | 'gpu'; readonly dev: string }[] }[];
  readonly line: number;
}

/** One `<graph>`; attributes it lacks are 0 or empty, as NCCL's writer never leaves one out (src/graph/search.cc). */
function graphOf(element: XmlElement, context: ReadContext): GraphXmlGraph {
  const number = (name: string): number => {
    const value = numberAttribute(element, name);
    if (value !== undefined) return value;
    const text = element.attributes.get(name);
    if (text !== undefined) context.note(say('input.xml.notNumber', { name, value: text.slice(0, 64) }), element.line);
    return 0;
  };
  const channels = element.children
    .filter((child) => child.name === 'channel')
    .map((channel) => ({
      items: channel.children.flatMap(({ name, attributes }) =>
        name === 'net' || name === 'gpu' ? [{ kind: name, dev: attributes.get('dev') ?? '' } as const] : [],
      ),
    }));
  const nChannels = number('nchannels');
  if (channels.length !== nChannels) {
    context.note(say('input.graphXml.channels', { said: nChannels, found: channels.length }), element.line);
  }
  const latencyInter = numberAttribute(element, 'latencyinter');
  return {
    id: number('id'),
    pattern: number('pattern'),
    crossNic: number('crossnic'),
    nChannels,
    speedIntra: number('speedintra'),
    speedInter: number('speedinter'),
    ...(latencyInter === undefined ? {} : { latencyInter }),
    typeIntra: element.attributes.get('typeintra') ?? '',
    typeInter: element.attributes.get('typeinter') ?? '',
    sameChannels: number('samechannels'),
    channels,
    line: element.line,
  };
}

export const ncclGraphXml: Format = {
  id: 'nccl-graph-xml',
  match: opensXml('graphs'),
  marks: ['<graphs', '<graph ', '<channel>'],
  missing: say('input.graphXml.missing'),
  open: (context) =>
    xmlSession(context, {
      root: 'graphs',
      build: (root, complete) => {
        const graphs = root.children.filter((child) => child.name === 'graph').map((child) => graphOf(child, context));
        if (graphs.length === 0) return say('input.graphXml.empty');
        const version = root.attributes.get('version');
        return { kind: 'nccl-graph-xml', file: context.file, line: root.line, version, graphs, complete };
      },
    }),
};
