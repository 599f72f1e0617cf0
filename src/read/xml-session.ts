import { type Message, say } from '../words/message.ts';
import type { Document } from './documents.ts';
import type { ReadContext, Session, Took } from './format.ts';
import type { XmlElement } from './xml.ts';
import { type XmlTree, xmlTree } from './xml-tree.ts';

/** Lines of other text that may stand in the middle of a document (an interleaved log) before it counts as cut. */
const patience = 2000;

export interface XmlSessionOptions {
  /** Name of the root element. */
  readonly root: string;
  /** The document from its tree, or why it is something else of the same name. */
  readonly build: (root: XmlElement, complete: boolean) => Document | Message;
}

/** A test for the line on which such a document may begin: `<root` as a whole name, anywhere in the line. */
export function opensXml(root: string): (line: string) => boolean {
  const open = `<${root}`;
  return (line) => rootAt(line, open) >= 0;
}

function rootAt(line: string, open: string): number {
  for (let at = line.indexOf(open); at >= 0; at = line.indexOf(open, at + 1)) {
    const next = line.charCodeAt(at + open.length);
    // End of line, blank, tab, `>` or `/`: the name ends here.
    if (Number.isNaN(next) || next === 32 || next === 9 || next === 62 || next === 47) return at;
  }
  return -1;
}

/** Removes what a log writer or a mail put in front of each line. `prefix` is what stood before the root element. */
function withoutPrefix(text: string, prefix: string, pending: boolean): string {
  if (prefix === '') return text;
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  const bare = prefix.trimEnd();
  if (bare === '') return text;
  if (text.startsWith(bare)) return text.slice(bare.length);
  // A prefix that changes from line to line (a timestamp, `[1,0]<stdout>:`): the tag begins at its own `<`.
  if (pending) return text;
  const tag = /<(?=\/?[A-Za-z_]|!--)(?!std(?:out|err)>)/.exec(text);
  return tag ? text.slice(tag.index) : text;
}

/** A session that reads one document from its root element to the matching end, past lines of other text in between. */
export function xmlSession(context: ReadContext, options: XmlSessionOptions): Session {
  const open = `<${options.root}`;
  const close = `</${options.root}>`;
  let tree: XmlTree | undefined;
  let prefix = '';
  let first = 0;
  let last = 0;
  let foreign = 0;

  const feed = (text: string, number: number): void => {
    // What follows the end tag on its line (a Markdown fence, a shell prompt) is no part of the document.
    const end = tree!.pending ? -1 : text.indexOf(close);
    tree!.push(end < 0 ? text : text.slice(0, end + close.length), number);
    last = number;
  };

  const line = (text: string, number: number): Took => {
    if (!tree) {
      const at = rootAt(text, open);
      if (at < 0) return 'ended';
      prefix = text.slice(0, at);
      first = number;
      tree = xmlTree((message, where) => context.note(message, where));
      feed(text.slice(at), number);
      return 'took';
    }
    if (tree.state !== 'open') return 'ended';
    const body = withoutPrefix(text, prefix, tree.pending);
    if (!tree.pending) {
      const trimmed = body.trimStart();
      if (trimmed === '') return 'took';
      // A second document begins before the first has ended: the first was cut.
      if (rootAt(trimmed, open) === 0) return 'ended';
      if (!/^<[/!?A-Za-z_]/.test(trimmed) || /^<std(?:out|err)>/.test(trimmed)) {
        return ++foreign > patience ? 'ended' : 'passed';
      }
    }
    foreign = 0;
    feed(body, number);
    return 'took';
  };

  return {
    line,
    close() {
      if (!tree) return undefined;
      tree.end();
      const { state, reason, root } = tree;
      if (state === 'refused' || !root) {
        context.decline(reason?.message ?? say('input.xml.cutRoot', { root: options.root }), reason?.line ?? first);
        return undefined;
      }
      const document = options.build(root, state === 'closed');
      if (!('kind' in document)) {
        context.decline(
          reason?.message ?? (state === 'open' ? say('input.xml.cutRoot', { root: options.root }) : document),
          reason?.line ?? first,
        );
        return undefined;
      }
      if (state === 'broken') context.note(say('input.xml.broken', { reason: reason!.message }), reason!.line);
      if (state === 'open') context.note(say('input.xml.cut', { line: last, root: options.root }), last);
      return document;
    },
  };
}
