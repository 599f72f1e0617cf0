import { atLeast, type Release } from '../nccl/release.ts';
import type { ProtocolName } from './kinds.ts';
import type { ProgramBuilder, Task } from './program.ts';
import { inChunks } from './ring.ts';
import { type Share, slicing } from './share.ts';
import { ALL, NONE, Place } from './steps.ts';

const { None, Input, Output } = Place;

/** What of the threads of a ring's channel reduce upwards, hand down, and do both at the root. */
export interface TreeThreads {
  readonly up: number;
  readonly down: number;
  readonly root: number;
}

const ofRing = (ring: number, up: number, down: number): TreeThreads => ({
  up: up / ring,
  down: down / ring,
  root: (up + down) / ring,
});

const split: Readonly<Record<ProtocolName, TreeThreads>> = {
  LL: ofRing(512, 448, 192),
  LL128: ofRing(640, 448, 192),
  Simple: ofRing(512, 384, 256),
};

/** LL's trees before 2.11.4 reduced all of a vector, and handed it down then. */
export const reducesFirst = (protocol: ProtocolName, release: Release): boolean =>
  protocol === 'LL' && !atLeast(release, '2.11.4');

/**
 * A tree has 640 threads, of which LL and LL128 give seven tenths to reducing and Simple three fifths; a ring has 512, with LL128 640.
 * Trees that reduce first do either with all of them.
 */
export function treeThreads(protocol: ProtocolName, release: Release): TreeThreads {
  return reducesFirst(protocol, release) ? { up: 1, down: 1, root: 1 } : split[protocol];
}

/**
 * Trees (src/device/all_reduce.h: runTreeSplit): data is reduced towards the root by one part of the threads and handed down by
 * the other; the root turns it round. `up[c][r]` is the parent of rank r in channel c, −1 for its root.
 */
export function buildTree(
  b: ProgramBuilder,
  task: Task,
  ranks: number,
  up: readonly (readonly number[])[],
  threads: TreeThreads,
  parts: readonly Share[],
): void {
  const { slots } = slicing(task);
  for (const part of parts) {
    const parent = up[part.channel % up.length]!;
    const toParent = new Int32Array(ranks).fill(-1);
    const fromParent = new Int32Array(ranks).fill(-1);
    const children: (number[] | undefined)[] = new Array(ranks);
    for (let r = 0; r < ranks; r++) {
      const p = parent[r]!;
      if (p < 0) continue;
      const siblings = children[p];
      if (siblings) siblings.push(r);
      else children[p] = [r];
      toParent[r] = b.connection(r, p, part.channel, slots);
      fromParent[r] = b.connection(p, r, part.channel, slots);
    }
    const own = (from: number, to: number): number =>
      b.speaks((_, sink) =>
        inChunks(task, part, sink, (at, size) => sink.step(from, to, Input, at, to === 0 ? None : Output, at, size)),
      );
    const leafUp = own(NONE, 0);
    const innerUp = own(ALL, 0);
    const root = own(ALL, ALL);
    const hand = (to: number): number =>
      b.speaks((_, sink) => inChunks(task, part, sink, (at, size) => sink.step(0, to, None, 0, Output, at, size)));
    const leafDown = hand(NONE);
    const innerDown = hand(ALL);
    const kinds = { root: [] as number[], up: [] as number[], down: [] as number[] };
    const kind = (name: 'root' | 'up' | 'down', below: number): number =>
      (kinds[name][below] ??= b.kindOf(`tree ${name} ${below} ${part.count}`, { threads: threads[name] }));
    for (let r = 0; r < ranks; r++) {
      const below = children[r] ?? [];
      const ins = below.map((x) => toParent[x]!);
      const outs = below.map((x) => fromParent[x]!);
      const n = below.length;
      if (parent[r]! < 0) {
        b.worker(root, r, kind('root', n), r, part.channel, ins, outs);
        continue;
      }
      b.worker(n === 0 ? leafUp : innerUp, r, kind('up', n), r, part.channel, ins, [toParent[r]!]);
      b.worker(n === 0 ? leafDown : innerDown, r, kind('down', n), r, part.channel, [fromParent[r]!], outs);
    }
  }
}
