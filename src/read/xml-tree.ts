import { SaxesParser } from 'saxes';
import { type Message, say } from '../words/message.ts';
import type { XmlElement } from './xml.ts';

/** Bounds of one XML document; a 576-GPU NVL72 dump has about 60,000 elements at depth 6. */
export interface XmlLimits {
  readonly depth: number;
  readonly elements: number;
  /** Attributes of one element. */
  readonly attributes: number;
  /** Characters of one attribute value, comment or run of text. */
  readonly length: number;
}

const piece = 4096;
/** Longer text between tags is no value of a field. */
const textLimit = 256;

export const xmlLimits: XmlLimits = { depth: 64, elements: 1_000_000, attributes: 256, length: 65_536 };

/** `open` wants more, `closed` saw the end of the root, `broken` stopped at an error: what stood before is kept. */
export type XmlState = 'open' | 'closed' | 'broken' | 'refused';

export interface XmlTree {
  readonly state: XmlState;
  readonly root: XmlElement | undefined;
  /** Inside a tag or a comment that began on an earlier line: the next line belongs to it whatever it looks like. */
  readonly pending: boolean;
  /** Why it broke or was refused. */
  readonly reason: { readonly message: Message; readonly line: number } | undefined;
  push(text: string, line: number): void;
  /** Lets go of the parser; elements still open keep what they hold. */
  end(): void;
}

/**
 * Builds the tree of one document from its lines, without recursion. saxes finds the syntax errors; this adds the limits
 * and takes the harmless error (the same attribute twice, where NCCL's own reader uses the first) as a note.
 */
export function xmlTree(note: (message: Message, line: number) => void, limits: XmlLimits = xmlLimits): XmlTree {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  let state: XmlState = 'open';
  let reason: XmlTree['reason'];
  let line = 0;
  let elements = 0;
  let attributes = new Map<string, string>();
  let tagLine = 0;
  let inTag = false;
  let inComment = false;
  let unbroken = 0;

  const stop = (next: 'broken' | 'refused', message: Message): void => {
    if (state !== 'open') return;
    state = next;
    reason = { message, line };
  };

  parser.on('error', (error) => {
    // Reported when the tag is complete; the `attribute` handler has noted it already with the value that was kept.
    if (error.message.includes('duplicate attribute')) return;
    if (error.message.includes('undefined entity')) return stop('refused', say('input.xml.entity', {}));
    stop('broken', say('input.xml.malformed', { reason: error.message.replace(/^undefined:|\.$/g, '') }));
  });
  parser.on('doctype', () => stop('refused', say('input.xml.doctype', {})));
  parser.on('opentagstart', () => {
    unbroken = 0;
    inTag = true;
    tagLine = line;
    attributes = new Map();
  });
  parser.on('attribute', ({ name, value }) => {
    unbroken = 0;
    if (attributes.has(name)) {
      note(say('input.xml.duplicate', { name: name.slice(0, 64), value: attributes.get(name)!.slice(0, 64) }), line);
      return;
    }
    if (attributes.size >= limits.attributes)
      return stop('refused', say('input.xml.attributes', { limit: limits.attributes }));
    attributes.set(name, value);
  });
  parser.on('opentag', (tag) => {
    inTag = false;
    if (state !== 'open') return;
    if (++elements > limits.elements) return stop('refused', say('input.xml.elements', { limit: limits.elements }));
    if (stack.length >= limits.depth) return stop('refused', say('input.xml.depth', { limit: limits.depth }));
    const element: XmlElement = { name: tag.name, attributes, children: [], line: tagLine };
    const parent = stack.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
    stack.push(element);
  });
  parser.on('closetag', () => {
    unbroken = 0;
    if (state !== 'open') return;
    stack.pop();
    if (stack.length === 0) state = 'closed';
  });
  parser.on('text', (text) => {
    unbroken = 0;
    const top = stack.at(-1);
    if (!top || text.length > textLimit || top.text !== undefined) return;
    const trimmed = text.trim();
    if (trimmed !== '') top.text = trimmed;
  });

  /** Comments and DOCTYPE are looked for by hand: saxes would collect either without a bound. */
  const guard = (text: string): void => {
    let from = 0;
    while (from < text.length) {
      if (inComment) {
        const end = text.indexOf('-->', from);
        if (end < 0) return;
        inComment = false;
        unbroken = 0;
        from = end + 3;
      }
      const bang = text.indexOf('<!', from);
      if (bang < 0) return;
      if (/^<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(text.slice(bang, bang + 12))) {
        stop('refused', say('input.xml.doctype', {}));
        return;
      }
      if (!text.startsWith('<!--', bang)) return;
      inComment = true;
      from = bang + 4;
    }
  };

  return {
    get state() {
      return state;
    },
    get root() {
      return root;
    },
    get pending() {
      return inTag || inComment;
    },
    get reason() {
      return reason;
    },
    push(text, number) {
      if (state !== 'open') return;
      line = number;
      guard(text);
      if (state !== 'open') return;
      // In pieces, so that the length of one unbroken run is known well enough on a line of any length.
      for (let from = 0; from < text.length && state === 'open'; from += piece) {
        const part = text.length > piece ? text.slice(from, from + piece) : text;
        unbroken += part.length;
        parser.write(part);
        if (unbroken > limits.length) stop('refused', say('input.xml.long', { limit: limits.length }));
      }
      parser.write('\n');
    },
    end() {
      stack.length = 0;
    },
  };
}
