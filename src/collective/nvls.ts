import type { ProgramBuilder, Task } from './program.ts';
import { chunkOf, evenly } from './ring.ts';
import { type Share, slicing } from './share.ts';
import { ALL, NONE, Place, type Sink } from './steps.ts';

const { None, Input, Output } = Place;

/** Bytes that are not divided between two heads. */
export const nvlsGrain = 16384;

/** The heads of NVLS, one after the other, on each node. */
export interface NvlsWays {
  /** Ranks of each node. */
  readonly nodes: readonly (readonly number[])[];
  /** Heads of each node: head h of all nodes belong together. */
  readonly heads: readonly (readonly number[])[];
  /** Parent of each node in the first and in the second tree over nodes, −1 for a root (NVLSTree). */
  readonly trees: readonly [readonly number[], readonly number[]];
}

/**
 * NVLS (src/device/all_reduce.h: RunWorkColl … NCCL_ALGO_NVLS): the switch adds up what all GPUs of the node hold of a chunk and
 * hands it to the head it belongs to; what a head writes the switch copies to all. The switch of node d is agent `ranks + d`.
 * NVLSTree joins the heads of all nodes by a tree, even channels by the first, odd ones by the second.
 */
export function buildNvls(b: ProgramBuilder, task: Task, ranks: number, ways: NvlsWays, parts: readonly Share[]): void {
  const reduces = task.collective !== 'all_gather';
  const spreads = task.collective !== 'reduce_scatter';
  const hanging = ways.trees.map(childrenOf);
  for (const part of parts) {
    const turns = turnsOf(task, ways.heads[0]!.length, part);
    const joined = new Map<number, number>();
    const kinds = new Map<string, readonly number[]>();
    const { slots } = slicing(task);
    const { channel } = part;
    const tree = ways.trees[channel % 2]!;
    const below = hanging[channel % 2]!;
    const between = (from: number, to: number, h: number): number => {
      const key = (h * ways.nodes.length + from) * ways.nodes.length + to;
      const known = joined.get(key);
      if (known !== undefined) return known;
      const made = b.connection(ways.heads[from]![h]!, ways.heads[to]![h]!, channel, slots);
      joined.set(key, made);
      return made;
    };
    ways.nodes.forEach((members, d) => {
      const fabric = ranks + d;
      const heads = ways.heads[d]!;
      const connect = (from: number, to: number): number => b.connection(from, to, channel, slots);
      const into = heads.map(() => (reduces ? members.map((r) => connect(r, fabric)) : []));
      const toHead = heads.map((head) => (reduces ? connect(fabric, head) : -1));
      const fromHead = heads.map((head) => (spreads ? connect(head, fabric) : -1));
      const outOf = heads.map(() => (spreads ? members.map((r) => connect(fabric, r)) : []));
      const kind = (name: string, sideBySide = false): number =>
        b.kindOf(`nvls ${name} ${heads.length} ${members.length} ${part.count}`, { sideBySide });
      // Heads have unequal parts of an uneven last turn; those of other nodes have the same.
      const ofHeads = (name: string): readonly number[] => {
        const key = `${name} ${heads.length} ${members.length}`;
        const known = kinds.get(key);
        if (known) return known;
        const made = heads.map((_, h) => kind(`${name} ${turns[turns.length - 1]!.size(h)}`));
        kinds.set(key, made);
        return made;
      };
      const one = (tell: (sink: Sink, at: Turn, h: number) => void): number =>
        b.speaks((h, sink) => {
          for (const turn of turns) {
            sink.loop(turn.size(0));
            tell(sink, turn, h);
          }
        });
      const reduceInside = one((sink, t, h) => sink.step(ALL, 0, None, 0, None, 0, t.size(h)));
      const copyInside = one((sink, t, h) => sink.step(0, ALL, None, 0, None, 0, t.size(h)));
      const gather = b.speaks((_, sink) => {
        for (const t of turns) {
          sink.loop(t.size(0));
          for (const [h, head] of heads.entries()) sink.step(h, NONE, None, 0, Output, t.at(h, head), t.size(h));
        }
      });
      const scatter = b.speaks((_, sink) => {
        for (const t of turns) {
          sink.loop(t.size(0));
          for (const [h, head] of heads.entries()) sink.step(NONE, h, Input, t.at(h, head), None, 0, t.size(h));
        }
      });
      const scatters = kind('scatter', true);
      const gathers = kind('gather', true);
      members.forEach((r, i) => {
        if (reduces) b.worker(scatter, i, scatters, r, channel, [], column(into, i));
        if (spreads) b.worker(gather, i, gathers, r, channel, column(outOf, i), []);
      });
      const up = ways.nodes.length === 1 ? -1 : tree[d]!;
      const children = ways.nodes.length === 1 ? [] : below[d]!;
      const hung = children.length;
      const adds = ofHeads('add');
      const copies = ofHeads('copy');
      const ups = ofHeads(!reduces ? 'give' : !spreads ? 'take' : up < 0 ? `turn ${hung}` : `up ${hung}`);
      const downs = ofHeads(`down ${hung}`);
      heads.forEach((head, h) => {
        if (reduces) b.worker(reduceInside, h, adds[h]!, fabric, channel, into[h]!, [toHead[h]!]);
        if (spreads) b.worker(copyInside, h, copies[h]!, fabric, channel, [fromHead[h]!], outOf[h]!);
        if (!reduces) {
          const give = one((sink, t) => sink.step(NONE, 0, Input, t.at(-1, 0), None, 0, t.size(h)));
          b.worker(give, h, ups[h]!, head, channel, [], [fromHead[h]!]);
        } else if (!spreads) {
          const take = one((sink, t) => sink.step(0, NONE, None, 0, Output, t.at(-1, 0), t.size(h)));
          b.worker(take, h, ups[h]!, head, channel, [toHead[h]!], []);
        } else {
          const inUp = [toHead[h]!, ...children.map((x) => between(x, d, h))];
          const outDown = [fromHead[h]!, ...children.map((x) => between(d, x, h))];
          const pass = one((sink, t, k) => sink.step(ALL, ALL, None, 0, None, 0, t.size(k)));
          if (up < 0) b.worker(pass, h, ups[h]!, head, channel, inUp, outDown);
          else {
            b.worker(pass, h, ups[h]!, head, channel, inUp, [between(d, up, h)]);
            b.worker(pass, h, downs[h]!, head, channel, [between(up, d, h)], outDown);
          }
        }
      });
    });
  }
}

/** Entry i of each list. */
function column(lists: readonly (readonly number[])[], i: number): number[] {
  const found: number[] = [];
  for (let h = 0; h < lists.length; h++) found.push(lists[h]![i]!);
  return found;
}

/** The nodes below each node of a tree, in order. */
function childrenOf(tree: readonly number[]): number[][] {
  const children = tree.map((): number[] => []);
  for (const [d, up] of tree.entries()) children[up]?.push(d);
  return children;
}

interface Turn {
  /** Where head h's chunk lies in a buffer that holds all (its rank's part, where each has one); h = −1: within one part. */
  at(h: number, head: number): number;
  size(h: number): number;
}

function turnsOf(task: Task, heads: number, part: Share): Turn[] {
  const whole = chunkOf(task);
  const turns: Turn[] = [];
  if (task.collective !== 'all_reduce') {
    // Each head has a part of its own, of which all send the same chunk.
    for (let done = 0; done < part.count; done += whole) {
      const at = part.offset + done;
      const size = Math.min(whole, part.count - done);
      turns.push({ at: (h, head) => at + (h < 0 ? 0 : head * task.count), size: () => size });
    }
    return turns;
  }
  let chunk = whole;
  for (let done = 0; done < part.count; done += heads * whole) {
    const left = part.count - done;
    if (left < heads * chunk) chunk = Math.min(chunk, evenly(left, heads, task.elementBytes, nvlsGrain));
    const share = chunk;
    const at = part.offset + done;
    turns.push({
      at: (h) => at + h * share,
      size: (h) => Math.max(0, Math.min(share, left - h * share)),
    });
  }
  return turns;
}
