import type { Where } from '../../fact/fact.ts';
import { own } from '../own.ts';
import type { CommState } from './communicators.ts';
import type { TreeNode } from './types.ts';
import type { Thread } from './who.ts';

/** Characters of distinct tree lines; one rank of 16 channels takes about 350. */
const textLimit = 2_000_000;
/** Up to here each communicator has its own trees; those that come later share one set. */
const exactLimit = 1_000_000;

/** Tree lines, kept as text and taken apart at the end: a run that sets up a communicator again repeats them word by word. */
export class TreeLines {
  dropped = 0;
  #size = 0;
  readonly #byComm = new Map<CommState | undefined, Map<string, number>>();

  add(message: string, { comm }: Thread, number: number): void {
    let key = comm;
    let lines = this.#byComm.get(key);
    if (!lines) {
      if (this.#size > exactLimit) key = undefined;
      lines = this.#byComm.get(key) ?? new Map();
      this.#byComm.set(key, lines);
    }
    if (lines.has(message)) return;
    if (this.#size + message.length > textLimit) {
      this.dropped++;
      return;
    }
    this.#size += message.length;
    lines.set(own(message), number);
  }

  result(at: (line: number) => Where): TreeNode[] {
    const nodes: TreeNode[] = [];
    const downs = new Map<string, number[]>();
    for (const [comm, lines] of this.#byComm) {
      for (const [text, line] of lines) {
        const where = at(line);
        for (const node of parseTree(text, downs)) {
          const whole = Object.assign(node, { at: where }) as Mutable<TreeNode>;
          if (comm) whole.communicator = comm.index;
          nodes.push(whole);
        }
      }
    }
    this.#byComm.clear();
    return nodes;
  }
}

type Parsed = Omit<TreeNode, 'communicator' | 'at'>;

const single = /^Tree (\d{1,15}) : (-?\d{1,15}) -> (-?\d{1,15}) -> (-?\d{1,15}(?:\/-?\d{1,15})*)/;
const several =
  /\[(\d{1,15})\] (-?\d{1,15}(?:\/-?\d{1,15})*)->(-?\d{1,15})->(-?\d{1,15}(?:\/-?\d{1,15})*)(?:\|(-?\d{1,15})->(-?\d{1,15})->(-?\d{1,15}(?:\/-?\d{1,15})*))?/g;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The nodes of a `Trees …` or `Tree n : …` line. Lists of children are shared, for they are few. */
export function parseTree(text: string, downs: Map<string, number[]> = new Map()): Parsed[] {
  const one = single.exec(text);
  if (one) return [nodeOf(one[1]!, one[2]!, one[3]!, one[4]!, downs)];
  const nodes: Parsed[] = [];
  for (const [, channel, a, rank, b, up, , down] of text.matchAll(several)) {
    if (up !== undefined) {
      // A damaged line can hold a list where one rank belongs.
      if (b!.includes('/')) continue;
      nodes.push(Object.assign(nodeOf(channel!, b!, rank!, a!, downs), { half: 'up' as const }));
      nodes.push(Object.assign(nodeOf(channel!, up, rank!, down!, downs), { half: 'down' as const }));
    } else if (!b!.includes('/')) nodes.push(nodeOf(channel!, b!, rank!, a!, downs));
    else if (!a!.includes('/')) nodes.push(nodeOf(channel!, a!, rank!, b!, downs));
  }
  return nodes;
}

function nodeOf(channel: string, up: string, rank: string, children: string, downs: Map<string, number[]>): Parsed {
  let down = downs.get(children);
  if (!down) {
    down = children
      .split('/')
      .map(Number)
      .filter((one) => one >= 0);
    downs.set(own(children), down);
  }
  return { channel: Number(channel), rank: Number(rank), up: Number(up), down };
}
