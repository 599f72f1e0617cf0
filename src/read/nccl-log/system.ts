import type { Where } from '../../fact/fact.ts';
import { Bounded, own } from '../own.ts';
import type { PrintedSystem, SystemLink, SystemNode, SystemPath } from './types.ts';
import type { Pending, Thread } from './who.ts';

/** Distinct trees: one a host and position of its ranks. */
const systemLimit = 512;
/** Lines of one printed system; an NVL72 domain has some 3000. */
const lineLimit = 50_000;

interface Collected {
  readonly system: PrintedSystem;
  readonly hosts: Set<string>;
  count: number;
}

/** The tree that every rank prints under NCCL_DEBUG_SUBSYS=GRAPH (logs sheet §7): equal ones are kept once. */
export class Systems {
  readonly #found = new Bounded<Collected>(systemLimit);
  readonly #at: (line: number) => Where;

  constructor(at: (line: number) => Where) {
    this.#at = at;
  }

  get dropped(): number {
    return this.#found.dropped;
  }

  /** What follows a header line, or undefined when it is none. */
  begin(message: string, thread: Thread, number: number): Pending | undefined {
    const header =
      /^=== System : max(?:Width|Bw)\s+(\d{1,15}(?:\.\d{1,15})?)(?:\s+(?:totalWidth|totalBw|maxSpeed)\s+(\d{1,15}(?:\.\d{1,15})?))?/.exec(
        message,
      );
    if (!header) return undefined;
    const lines: string[] = [];
    const numbers: number[] = [];
    let ended = false;
    return {
      line: (text, at) => {
        if (lines.length >= lineLimit) return false;
        if (/^={10,}/.test(text)) {
          ended = true;
          return true;
        }
        const fits = pathRow.test(text) || (!ended && treeLine.test(text));
        if (!fits) return false;
        lines.push(own(text));
        numbers.push(at);
        return true;
      },
      close: () => this.#keep(header, lines, numbers, ended, thread, number),
    };
  }

  #keep(
    header: RegExpExecArray,
    lines: readonly string[],
    numbers: readonly number[],
    ended: boolean,
    thread: Thread,
    number: number,
  ): void {
    if (lines.length === 0) return;
    const entry = this.#found.take(`${header[0]} ${lines.length} ${hashOf(lines)}`, () => {
      const tree = parseTree(lines, numbers, this.#at);
      const system: PrintedSystem = {
        hosts: [],
        maxBw: Number(header[1]),
        ...(header[2] === undefined || header[0].includes('maxSpeed') ? {} : { totalBw: Number(header[2]) }),
        ...tree,
        complete: ended,
        count: 0,
        at: this.#at(number),
      };
      return { system, hosts: new Set(), count: 0 };
    });
    if (!entry) return;
    entry.count++;
    if (entry.hosts.size < 4096) entry.hosts.add(thread.host.name);
  }

  result(): PrintedSystem[] {
    return this.#found.values().map(({ system, hosts, count }) => ({ ...system, hosts: [...hosts], count }));
  }
}

const id = String.raw`[A-Z]{2,4}\/[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?`;
const treeLine = new RegExp(String.raw`^ *(?:\+ [A-Z0-9]+\[ *\d{1,15}(?:\.\d{1,15})?\] - )?${id}(?: |$)`);
const pathRow = new RegExp(`^${id} :`);

/** Two 32-bit hashes over the text (FNV-1a and a rotated sum): equal trees get equal keys, and nothing of them is kept. */
function hashOf(lines: readonly string[]): string {
  let a = 0x811c9dc5;
  let b = 0;
  for (const line of lines) {
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = ((b << 5) | (b >>> 27)) + code;
    }
    a = Math.imul(a ^ 10, 0x01000193);
  }
  return `${a >>> 0} ${b >>> 0}`;
}

/** Rebuilds the tree from the column at which each line begins: children stand below the text of their parent. */
export function parseTree(lines: readonly string[], numbers: readonly number[], at: (line: number) => Where) {
  const nodes = new Map<string, SystemNode>();
  const links: SystemLink[] = [];
  const paths: SystemPath[] = [];
  const stack: { column: number; id: string }[] = [];
  const item = new RegExp(String.raw`^( *)(?:\+ ([A-Z0-9]+)\[ *(\d{1,15}(?:\.\d{1,15})?)\] - )?(${id})(.*)$`);
  lines.forEach((line, i) => {
    if (pathRow.test(line)) {
      pathsOf(line, paths);
      return;
    }
    const found = item.exec(line);
    if (!found) return;
    const [, blanks, type, bw, node, extra] = found;
    let column = blanks!.length;
    while (stack.length > 0 && stack.at(-1)!.column > column) stack.pop();
    // A line without a link at the left margin is a root (a CPU).
    if (type === undefined) stack.length = 0;
    const parent = stack.at(-1);
    const known = nodes.get(node!);
    const made = nodeOf(node!, extra!, at(numbers[i]!));
    // A node is named again, bare, at the far end of other links; the fullest text describes it.
    if (!known || Object.keys(made).length > Object.keys(known).length) nodes.set(node!, made);
    if (type !== undefined && parent) links.push({ from: parent.id, to: node!, type, bw: Number(bw) });
    column += type === undefined ? 0 : line.indexOf(node!, column) - column;
    stack.push({ column, id: node! });
  });
  // A port never hangs on a CPU or a switch: such a link shows that a paste has lost the leading blanks.
  const indented = !links.some(({ from, type }) => type === 'NET' && !/^(?:NIC|NET|GIN|RMA)/.test(from));
  return { nodes: [...nodes.values()], links, paths, indented };
}

function nodeOf(node: string, extra: string, where: Where): SystemNode {
  const type = node.slice(0, node.indexOf('/'));
  const made = { id: own(node), type: own(type), at: where };
  const words = /^\s*\(([^)]*)\)/.exec(extra)?.[1];
  if (words === undefined) return made;
  const parts = words.split('/');
  if (type === 'GPU' && /^\d{1,9}$/.test(words)) return { ...made, rank: Number(words) };
  const numbers = parts.map((part) => (/^-?\d{1,9}(?:\.\d{1,15})?$/.test(part) ? Number(part) : undefined));
  if (type === 'CPU' && parts.length === 3) {
    const [arch, vendor, model] = numbers;
    if (arch !== undefined && vendor !== undefined && model !== undefined)
      return { ...made, cpu: { arch, vendor, model } };
  }
  if (type === 'NET' && parts.length >= 3) {
    // 2.24.3 put the collective support in front.
    const [port, speed] = numbers.slice(-2);
    if (port !== undefined && speed !== undefined) return { ...made, net: { asic: own(parts.at(-3)!), port, speed } };
  }
  return { ...made, device: own(words) };
}

function pathsOf(line: string, paths: SystemPath[]): void {
  const colon = line.indexOf(' :');
  const from = own(line.slice(0, colon));
  const item = new RegExp(String.raw`(${id}) \((\d{1,15})\/(\d{1,15}(?:\.\d{1,15})?)\/(\w+)\)`, 'g');
  for (const [, to, hops, bw, type] of line.slice(colon + 2).matchAll(item)) {
    paths.push({ from, to: own(to!), hops: Number(hops), bw: Number(bw), type: own(type!) });
  }
}
